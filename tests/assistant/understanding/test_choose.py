"""Which of several recognised things a question is about."""

from dataclasses import replace

import numpy as np
import pytest

from assistant.core.types import Candidate, Frame
from assistant.text.kinds import asked_kind, asked_kinds, fits, kind_of
from assistant.understanding.pointing.choose import choose_candidate

#: name, left, top, right, bottom, colour
THINGS = {
    "Amber River": (60, 300, 260, 600, (200, 30, 30)),
    "Velvet Orchard": (400, 250, 760, 800, (30, 60, 190)),
    "Quiet Salt": (850, 450, 1000, 650, (30, 150, 50)),
}


def frame_with(names) -> tuple[Frame, list[Candidate]]:
    pixels = np.full((960, 1100, 3), 128, np.uint8)
    found = []
    for i, name in enumerate(names):
        x0, y0, x1, y1, colour = THINGS[name]
        pixels[y0:y1, x0:x1] = colour
        outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        found.append(
            Candidate(name, 0.95, tuple((float(x), float(y)) for x, y in outline), {}, i, f"https://x.invalid/{i}")
        )
    return Frame(pixels), found


def chosen(question: str, names=tuple(THINGS)) -> str | None:
    frame, candidates = frame_with(names)
    recognition = choose_candidate(candidates, question, frame)
    assert recognition.candidates == tuple(candidates)
    assert (recognition.entity is None) == bool(recognition.reason)
    return recognition.entity.name if recognition.entity else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is this?", "Velvet Orchard"),
        ("Who wrote the book on the left?", "Amber River"),
        ("How much does the one on the right weigh?", "Quiet Salt"),
        ("who made the leftmost thing", "Amber River"),
        ("The right one, who publishes it?", "Quiet Salt"),
        ("And the left one?", "Amber River"),
        ("What about the one in the middle?", "Velvet Orchard"),
        ("When was the red one made?", "Amber River"),
        ("Who makes the green box?", "Quiet Salt"),
        ("price of the book that is blue", "Velvet Orchard"),
        ("How many pages has the bigger book?", "Velvet Orchard"),
        ("Who made the smallest one?", "Quiet Salt"),
        ("When was Quiet Salt published?", "Quiet Salt"),
        ("who wrote the amber river book", "Amber River"),
        ("Is this heavier than Quiet Salt?", "Velvet Orchard"),
        ("What does the second one from the left cost?", "Velvet Orchard"),
        ("the first thing from the right", "Quiet Salt"),
        ("what stands at the top of the cover?", "Velvet Orchard"),
        ("what is the top speed of this?", "Velvet Orchard"),
        ("is that right?", "Velvet Orchard"),
        ("does it contain red dye?", "Velvet Orchard"),
        ("how much is left in stock of this", "Velvet Orchard"),
        ("🙂", "Velvet Orchard"),
        ("", "Velvet Orchard"),
    ],
)
def test_the_question_points(question: str, expected: str):
    assert chosen(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is this one heavier than the one on the right?", "Velvet Orchard"),
        ("Is the red one cheaper than the blue one?", "Amber River"),
        ("compared to the left one, is this box dearer?", "Velvet Orchard"),
        ("And the right one?", "Quiet Salt"),
    ],
)
def test_what_is_only_compared_with_is_not_chosen(question: str, expected: str):
    assert chosen(question) == expected


def with_attributes(name: str, attributes: dict) -> tuple[Frame, list[Candidate]]:
    frame, (candidate,) = frame_with([name])
    return frame, [replace(candidate, attributes=attributes)]


BOOK = {"author": "Jo Stone", "pages": 210, "publisher": "North Press"}
FOUND = {"melting_point": "900 °C", "discoverer": "Jo Stone"}
FOOD = {"ingredients": "oats, salt", "kcal": 320, "allergens": "gluten"}


@pytest.mark.parametrize(
    ("question", "attributes", "meant"),
    [
        ("Who wrote this book?", BOOK, True),
        ("How long does this box keep?", BOOK, False),
        ("By whom was the recipe of this jar devised?", BOOK, False),
        ("By whom was the recipe of this jar devised?", FOOD, True),
        ("How much power does the radio draw?", FOOD, False),
        ("Who wrote this book?", {}, True),  # nothing says what it is
    ],
)
def test_the_kind_of_thing_has_to_fit(question: str, attributes: dict, meant: bool):
    frame, candidates = with_attributes("Velvet Orchard", attributes)
    recognition = choose_candidate(candidates, question, frame)
    assert (recognition.entity is not None) == meant
    assert meant or recognition.reason


def test_a_single_thing_aside_is_not_taken_for_what_is_looked_at():
    assert chosen("What book is this?", ["Quiet Salt"]) is None
    assert chosen("What is on the right?", ["Quiet Salt"]) == "Quiet Salt"
    assert chosen("When did Quiet Salt appear?", ["Quiet Salt"]) == "Quiet Salt"


def test_another_name_is_not_answered_with_what_happens_to_be_there():
    assert chosen("so who made Silent Mill Number Four?", ["Velvet Orchard"]) is None
    assert chosen("is this older than Silent Mill Number Four?", ["Velvet Orchard"]) == "Velvet Orchard"


def test_a_name_that_it_stands_for_is_not_what_happens_to_be_there():
    there = ["Velvet Orchard"]
    for name in ("Silent Mill KB-63", "silent Mill KB-63", "Ok so silent Mill KB-63", "What about the Silent Creek"):
        assert chosen(f"{name}, how much is it?", there) is None
    assert chosen("Velvet Orchard, how much is it?", there) == "Velvet Orchard"
    assert chosen("Hey Silent Mill, how much is it?", there) == "Velvet Orchard"  # who is spoken to
    assert chosen("In Port Harwin, how much is it?", there) == "Velvet Orchard"
    assert chosen("By Sunday, how much would the Silent Mill ask, is it less?", there) == "Velvet Orchard"


def test_what_may_be_of_two_kinds_is_of_no_third():
    frame, candidates = with_attributes("Velvet Orchard", {"mohs": 3, "found_at": "Carrow", "formed": 1, **FOUND})
    assert kind_of("Velvet Orchard", candidates[0].attributes) is None
    assert choose_candidate(candidates, "what is in the box?", frame).entity is None
    assert choose_candidate(candidates, "how hard is the crystal?", frame).entity is not None
    assert choose_candidate(candidates, "how hard is the substance?", frame).entity is not None


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("what does the small box here cost", "box"),
        ("by whom was the recipe of this jar devised", "jar"),
        ("how heavy are these cans", "can"),
        ("who wrote it", None),
        ("who dedicated the light green book", "book"),
        ("if I put this onto a lamp", None),
    ],
)
def test_the_word_for_the_thing_is_found(question: str, word: str | None):
    assert asked_kind(question) == word


def test_kinds_are_told_from_attributes_before_names():
    assert kind_of("The Lantern at Dawn", BOOK) == "book"
    assert kind_of("Acme Radio 5", {}) == "device"
    assert kind_of("Amber River", {"height": "3 cm"}) is None
    assert kind_of("poster of the spring fair", {"type": "sign"}) == "sign"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the one on the right?", ["Amber River"]),
        ("Who wrote the book on the left?", ["Quiet Salt"]),
        ("Who made the yellow one?", tuple(THINGS)),
        ("What is the fourth one from the left?", tuple(THINGS)),
        ("And the other one?", ["Amber River"]),
        ("Who wrote it?", []),
    ],
)
def test_pointing_at_what_is_not_recognised_gives_a_reason(question: str, names):
    assert chosen(question, names) is None


def test_the_other_one_of_two():
    assert chosen("Who made the other one?", ["Amber River", "Velvet Orchard"]) == "Amber River"


def test_reasons_are_sentences_without_jargon():
    frame, candidates = frame_with(["Amber River"])
    for question, found in (("the one on the right?", candidates), ("what is it", [])):
        reason = choose_candidate(found, question, frame).reason
        assert reason
        assert not any(word in reason for word in ("index", "candidate", "threshold", "None"))


def test_very_long_questions_return_quickly():
    assert chosen("what is the left " * 600) is not None


@pytest.mark.parametrize(
    ("word", "name", "attributes", "expected"),
    [
        ("bridge", "Old Ferry Bridge", {}, 1),
        ("tower", "Old Ferry Bridge", {"heritage_status": "listed", "architect": "Jo Stone"}, -1),
        ("landmark", "Old Ferry Bridge", {"heritage_status": "listed", "architect": "Jo Stone"}, 1),
        ("tower", "Amber River", {"heritage_status": "listed", "architect": "Jo Stone"}, 0),  # it may be one
        ("jar", "Amber River", FOOD, 1),
        ("tin", "Amber River", FOOD, 1),  # facts do not say in what it is packed
        ("book", "Amber River", FOOD, -1),
        ("dog", "Amber River", {"gears": 21, "brakes": "disc"}, -1),
        ("bicycle", "Amber River", {"gears": 21, "brakes": "disc"}, 0),
        ("dog", "Amber River", {"gears": 21, "eats": "fish"}, 0),  # facts that speak of two kinds decide nothing
    ],
)
def test_a_thing_is_refused_only_where_something_says_what_it_is(word: str, name: str, attributes: dict, expected: int):
    assert fits(word, name, kind_of(name, attributes)) == expected


def test_any_of_the_words_pointed_at_may_be_the_thing():
    assert asked_kinds("which plant built this car") == ["plant", "car"]
    assert asked_kinds("who painted the coat of arms") == ["arms"]
    assert asked_kinds("what do the books call the shine of the other one") == []
    assert asked_kinds("what does the sign say") == ["sign"]
    frame, candidates = with_attributes("Velvet Orchard", {"gears": 21, "brakes": "disc"})
    assert choose_candidate(candidates, "Which plant built this bicycle?", frame).entity is not None


@pytest.mark.parametrize(
    ("question", "surely"),
    [
        ("which of these towers is the one with the most clocks", ["tower"]),
        ("how many people does this seats", []),
        ("what is the volume of it", []),
        ("can I leave it in the cupboard over night", []),
        ("is this safe with the cat around", []),
        ("which animals eat it", []),
        ("name of the outfit that turns it out", []),
        ("how many lamps has it, the lamps of it I mean", []),
        ("what does it say on the box", ["box"]),
        ("what is in the jar next to it", ["jar"]),
        ("which car is this", ["car"]),
        ("what is in this box", ["box"]),
        ("who made the most expensive lamp", ["lamp"]),
    ],
)
def test_a_word_for_something_else_is_no_sure_word_for_the_thing(question: str, surely: list[str]):
    assert asked_kinds(question, surely=True) == surely


def test_what_it_is_put_into_does_not_tell_what_it_is():
    frame, candidates = with_attributes("Velvet Orchard", FOOD)
    assert choose_candidate(candidates, "For how many weeks can I leave it in the cupboard?", frame).entity is not None
    assert choose_candidate(candidates, "Who made the cupboard?", frame).entity is None


@pytest.mark.parametrize(
    ("word", "attributes", "expected"),
    [
        ("bicycle", {"engine": "1.2 l", "luggage space": "300 l", "motor kw": 60}, -1),
        ("car", {"engine": "1.2 l", "luggage space": "300 l", "motor kw": 60}, 1),
        ("car", {"gears": 21, "saddle": "leather", "brakes": "disc"}, -1),
        ("boat", {"engine": "1.2 l", "luggage space": "300 l", "skipper": "Jo Stone"}, 0),  # of two sorts
        ("parrot", {"wingspan": "30 cm", "clutch": 3, "diet": "seeds"}, 1),
        ("cow", {"wingspan": "30 cm", "clutch": 3, "diet": "seeds"}, -1),
    ],
)
def test_its_facts_tell_the_sort_where_the_name_does_not(word: str, attributes: dict, expected: int):
    assert fits(word, "Amber River", kind_of("Amber River", attributes), attributes) == expected


def test_the_box_is_what_has_the_shape_of_one():
    toaster = {"wattage": 900, "warranty": "2 years", "voltage": 230}
    frame, (other, bare) = frame_with(["Amber River", "Velvet Orchard"])
    (x0, y0), (x1, y1) = bare.outline_px[0], bare.outline_px[2]
    lozenge = ((x0, (y0 + y1) / 2), ((x0 + x1) / 2, y0), (x1, (y0 + y1) / 2), ((x0 + x1) / 2, y1 + 90))
    found = [replace(other, attributes=toaster), replace(bare, attributes=toaster, outline_px=lozenge)]
    assert choose_candidate(found, "which firm makes it", frame).entity == found[1]  # it stands in the middle
    assert choose_candidate(found, "which firm makes what is in this box", frame).entity == found[0]
    assert choose_candidate(found, "what voltage does this appliance want", frame).entity == found[1]
    assert choose_candidate(found[1:], "which firm makes what is in this box", frame).entity is None
    square = [found[0], replace(found[1], outline_px=bare.outline_px)]
    assert choose_candidate(square, "which firm makes what is in this box", frame).entity == square[1]


def test_anything_may_stand_on_a_sign():
    assert fits("soup", "menu of the Blue Door", "sign") == 0
    assert fits("soup", "The Blue Door", "book") == -1


def test_what_its_kind_singles_out_may_have_little_of_the_colour():
    frame, candidates = frame_with(["Amber River", "Velvet Orchard"])
    pixels = frame.pixels.copy()
    pixels[300:540, 60:260] = (60, 60, 60)  # a good part of it is not red
    frame = Frame(pixels)
    found = [replace(candidates[0], attributes=FOOD), replace(candidates[1], attributes=BOOK)]
    assert choose_candidate(found, "what is in the red jar", frame).entity == found[0]
    assert choose_candidate(found[:1], "what is in the red jar", frame).entity is None  # another may be meant


def test_colours_in_poor_light_count_where_they_are_clear():
    frame, candidates = frame_with(["Amber River", "Velvet Orchard"])
    pixels = frame.pixels // 9
    assert choose_candidate(candidates, "who made the blue one", Frame(pixels.copy())).entity == candidates[1]
    pixels[300:600, 60:260] = (3, 6, 20)
    assert choose_candidate(candidates, "who made the blue one", Frame(pixels.copy())).entity is None


def test_two_of_one_colour_are_not_told_apart_by_it():
    frame, candidates = frame_with(["Amber River", "Velvet Orchard"])
    pixels = frame.pixels.copy()
    pixels[300:600, 60:260] = (50, 70, 200)
    recognition = choose_candidate(candidates, "who made the blue one", Frame(pixels.copy()))
    assert recognition.entity is None
    assert "more than one" in recognition.reason
    pixels[300:450, 60:260] = (240, 240, 240)  # now mostly another colour
    assert choose_candidate(candidates, "who made the blue one", Frame(pixels.copy())).entity == candidates[1]


def test_what_comes_near_a_colour_is_meant_where_nothing_else_does():
    frame, candidates = frame_with(["Amber River", "Velvet Orchard"])
    pixels = frame.pixels.copy()
    pixels[300:600, 60:260] = (150, 70, 40)  # bricks, most of them brown in the evening
    pixels[300:340, 60:260] = (190, 50, 30)
    bricks = Frame(pixels.copy())
    assert choose_candidate(candidates, "who built the red one", bricks).entity == candidates[0]
    assert choose_candidate(candidates[:1], "who built the red one", bricks).entity is None  # another may be meant
    pixels[300:600, 60:260] = (90, 90, 90)
    pixels[300:340, 60:260] = (190, 50, 30)  # red letters on grey
    assert choose_candidate(candidates, "who built the red one", Frame(pixels.copy())).entity is None


def test_a_car_on_rails_is_a_tram_or_a_train():
    rails = {"kerb_weight": "31 t", "v_max": "70 km/h", "operator": "Bolm Lines", "terminus": "Carrow"}
    for name in ("Bolm Light Rail Car 5", "Bolm Railcar 5", "Bolm Tram Car 5"):
        assert fits("tram", name, "vehicle", rails) == 1
        assert fits("train", name, "vehicle", rails) == 1
        assert fits("bus", name, "vehicle", rails) == -1
    assert fits("tram", "Bolm Family Car 5", "vehicle", rails) == -1


def test_who_saw_something_points_at_no_tool():
    assert asked_kinds("where did whoever owns the one on the left first saw daylight") == []
    assert asked_kinds("how much does the one on the left light up") == []
    assert asked_kinds("who made the saw") == ["saw"]
    assert asked_kinds("the book saw the light of day when") == ["book"]
    assert asked_kinds("once the light turns green, how quick is this car") == ["car"]
    assert asked_kinds("what is written on the left box") == ["box"]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("the one to the right of the red one, how old is it?", "Velvet Orchard"),
        ("what is the thing left of the green one called?", "Velvet Orchard"),
        ("what stands next to the red thing?", "Velvet Orchard"),
        ("what is the one beside the blue one?", None),  # there are two
        ("who made the one to the left of the red one?", None),
        ("how heavy is the thing to my left?", "Amber River"),
        ("and the one on my right?", "Quiet Salt"),
        ("which town is the one further to the right from?", "Quiet Salt"),
        ("are there any more left?", "Velvet Orchard"),
        ("how much is left of the red one?", "Amber River"),
    ],
)
def test_what_stands_beside_another_thing(question: str, meant: str | None):
    assert chosen(question) == meant


def test_the_left_and_the_other_of_two():
    two = ("Amber River", "Velvet Orchard")
    assert chosen("the left of the two, what is it?", two) == "Amber River"
    assert chosen("and left?", two) == "Amber River"
    assert chosen("the other of the two?", two) == "Amber River"
    assert chosen("it is blue, right?", two) == "Velvet Orchard"


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What does the counter at this temple say now?", None),
        ("When did the scaffolding around the temple come down?", None),
        ("What does the counter at this tower say now?", "Westwell Signal Tower"),
        ("Which animals eat it?", "Westwell Signal Tower"),
    ],
)
def test_what_is_at_a_temple_is_not_asked_of_the_tower_beside_it(question: str, meant: str | None):
    frame, (candidate,) = frame_with(["Velvet Orchard"])
    tower = replace(candidate, name="Westwell Signal Tower")
    found = choose_candidate([tower], question, frame).entity
    assert (found.name if found else None) == meant


@pytest.mark.parametrize(
    ("name", "attributes", "kind"),
    [
        ("Orlen Ash", {"full_growth_reach": "34 m", "picking_time": "June"}, None),  # a reach alone makes no vehicle
        ("Copper Bees", {"manual_pages": "16", "games_company": "Tolv"}, None),
        ("Orlen Ash", {"series": "the Harbour park trees", "full_growth_reach": "34 m"}, "plant"),
        ("Marr Rotunda", {"part_of": "[[the temples of the Mell foundation]]", "floodlights": "238"}, "building"),
        ("Kest Tern", {"engine": "petrol", "boot volume": "410 l"}, "vehicle"),
        ("The Long Winter", {"note": "the author walks"}, None),
    ],
)
def test_a_kind_is_told_by_several_facts_or_by_the_name_of_a_group(
    name: str, attributes: dict[str, str], kind: str | None
) -> None:
    assert kind_of(name, attributes) == kind
