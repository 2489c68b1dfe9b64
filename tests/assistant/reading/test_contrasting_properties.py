"""Statements of the other case, and names that are none."""

from __future__ import annotations

import pytest

from assistant.core.types import Evidence
from assistant.reading.relation_targets import named_as_place, targets_of
from assistant.reading.scoring.bookkeeping import worth_of_key
from assistant.reading.scoring.contrasting_properties import of_the_other_case
from assistant.reading.scoring.rank import agreement
from assistant.reading.scoring.vetoes import relevance_factor
from assistant.understanding.intent import parse_clause


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("how long does the sauce last if I do not open it?", "Eat it within 3 days after opening.", True),
        ("how long does the sauce last if I do not open it?", "Unopened it lasts for 2 years.", False),
        ("how long does it last once it is open?", "Sealed it lasts for 2 years.", True),
        ("how long does it last once it is open?", "after opening: 3 days", False),
        ("what's the birthplace of the sculptor?", "Today she is at home in Wexham.", True),
        ("which town is the sculptor from originally?", "The sculptor lives in Wexham.", True),
        ("where does the sculptor live now?", "The sculptor was born in Ede.", True),
        ("where was the sculptor born?", "She lives in Wexham, where she was born.", False),
        ("how heavy is the bow?", "It is best strung at 21 kg.", True),
        ("how heavy is the bow?", "Strung it weighs 900 g.", False),
        ("what's the weight of the bicycle?", "Max. permitted load: 170 kg", True),
        ("how heavy is the bicycle?", "It carries up to 170 kg.", True),
        ("how heavy is the bicycle?", "It weighs 17 kg and carries up to 170 kg.", False),
        ("how much weight can the bicycle carry?", "Max. permitted load: 170 kg", False),
        ("what line is the ferry on?", "Its terminus is Wexham.", True),
        ("what line is the ferry on?", "Line 4, terminus Wexham.", False),
        ("what is the last stop of the line?", "Its terminus is Wexham.", False),
        ("how many hours of sun does the heath want?", "It is in bloom for 40 days.", True),
        ("how many hours of sun does the heath want?", "With 5 hours of sun it flowers well.", False),
        ("how long does the heath bloom?", "It is in bloom for 40 days.", False),
        ("current home of the sculptor, which town?", "A native of Ede, she left early.", True),
        ("where could I visit the sculptor?", "The place of birth is Ede.", True),
        ("which town is the home town of the sculptor?", "The place of birth is Ede.", False),
        ("when is the hall open?", "It is closed on Monday.", False),
        ("whoever did the motif for the vase came from where?", "Designed by: Osric Fell.", True),
        ("who painted what's on the vase?", "Designed by: Osric Fell.", True),
        ("who painted what's on the vase?", "Motif by: Osric Fell.", False),
        ("who painted the vase?", "Designed by: Osric Fell.", False),
        ("what's the ballad about?", "People quarrel about it.", True),
        ("what's the ballad about?", "It tells of a drowned miller.", False),
        ("what does the wagon weigh fully loaded?", "tare weight: 8 t", True),
        ("what does the wagon weigh?", "tare weight: 8 t", False),
        ("how heavy is the trunk when it is full?", "empty weight: 9 kg", True),
        ("where does the ferry go?", "At night it is put up in the depot at Ede.", True),
        ("where does the ferry go?", "It crosses to Wexham.", False),
        ("where is the bench from?", "It stands in Wexham.", False),
        ("how many kilos can the shelf bear?", "weight: 12 kg", True),
        ("how many kilos can the shelf bear?", "maximum load: 40 kg", False),
        ("how many kilos would I carry home?", "weight: 12 kg", False),
        ("with how many kilos is the bow strung?", "The weight is 900 g.", True),
        ("if the tender fills up at the well, how much goes in?", "It displaces 30 t.", True),
        ("how heavy is it when it is filled?", "weight: 12 kg", False),
        ("from which town does the ferry set off?", "It goes to Wexham.", True),
        ("from which town does the ferry set off?", "It goes from Ede to Wexham.", False),
        ("where does the ferry end up?", "It sets off in Ede.", True),
        ("what do dealers charge for the coin now?", "In the mint it cost €2.", True),
        ("what do dealers charge for the coin now?", "It costs €80 now.", False),
        ("the price of this coin?", "In the mint it cost €2.", True),
        ("how many callers has the museum in one year?", "There are 30 in the hall as I write.", True),
        ("how many callers has the museum in one year?", "It has 900 callers a year.", False),
        ("how many are in the hall right now?", "It has 900 callers a year.", True),
        ("what did the coin cost in the mint?", "In the mint it cost €2.", False),
        ("any allergy warnings for this soup?", "The ingredients are leek and cream.", True),
        ("any allergy warnings for this soup?", "ingredients: leek; allergens: milk", False),
        ("what is in this soup?", "The ingredients are leek and cream.", False),
        ("how long may the pickles stand shut?", "Once open they keep for a week.", True),
        ("how long may the pickles stand shut?", "They keep for a year.", False),
        ("when is the museum shut?", "It is closed on Monday.", False),
        ("which village do the pickles come from?", "Sent out all over Norland.", True),
        ("which village do the pickles come from?", "Pickled in Ede and sold all over Norland.", False),
        ("where do you sell the pickles?", "Sent out all over Norland.", False),
        ("where can I get off?", "Known throughout Norland.", True),
        ("when was the mill done up?", "built: 1811", True),
        ("who restored the mill?", "It was built by Osric Fell.", True),
        ("when was the mill built?", "It was last renovated in 1990.", True),
        ("when was the mill built?", "Built in 1811, it was renovated in 1990.", False),
        ("when was the mill done up?", "Last renovated: 1990", False),
        ("what is the map worth?", "€300 for having it cleaned, cleaning is dear.", True),
        ("what is the map worth?", "value: €3000", False),
        ("what is the hut worth?", "30 euros a night, sheets included.", True),
        ("how much does the hut cost?", "30 euros a night, sheets included.", False),
        ("how fast does the sledge go?", "It needs 9 s to reach 40 km/h.", True),
        ("how fast does the sledge go?", "It reaches 40 km/h.", False),
        ("how fast does it charge?", "From 0 to 80 % it takes an hour.", False),
        ("how fast does it accelerate?", "It needs 9 s to reach 40 km/h.", False),
        ("how high can the goat jump?", "It stands 80 cm tall.", True),
        ("how high is the goat?", "It stands 80 cm tall.", False),
        ("how high can the goat jump?", "It leaps over fences of 2 m.", False),
        ("who composed the music?", "publisher: Quarrow", True),
        ("who composed the music?", "music: Osric Fell", False),
        ("who drew the pattern of the vase?", "Osric Fell made it and is proud of that.", True),
        ("who drew the pattern of the vase?", "The pattern on it is Osric Fell's.", False),
        ("who made the vase?", "Osric Fell made it and is proud of that.", False),
        ("when was the artist behind the print on the vase born?", "Its design is by Osric Fell.", True),
        ("when was the print's artist born?", "Its designer is Osric Fell.", True),
        ("when was the artist behind the vase born?", "Its design is by Osric Fell.", False),
        ("when was the print's artist born?", "The print was designed by Osric Fell.", False),
        ("what is the opera about?", "A cook wrote a poem about it.", True),
        ("what is the opera about?", "It is about a cook.", False),
        ("where might I hear the opera?", "Osric Fell sings in Ede, his home these days.", True),
        ("what did the cleaning cost?", "€300 for having it cleaned, cleaning is dear.", False),
        ("how much is a week ticket?", "ticket: €2", True),
        ("how much is a week ticket?", "A week ticket is €12, a plain ticket €2.", False),
        ("how much is a ticket?", "ticket: €2", False),
        ("which firm made it?", "place of manufacture: Wexham", True),
        ("which firm made it?", "firm: Quarrow", False),
        ("the company that sells it?", "Their place is in Wexham, by the bridge.", True),
        ("the company that sells it, where is it?", "Their place is in Wexham, by the bridge.", False),
        ("where does it come from, which company?", "Born in Ede, as all of them.", True),
        ("where does the firm make it?", "place of manufacture: Wexham", False),
        ("who is the present vicar?", "Today Osric Fell is at home in Wexham.", True),
        ("who lives in the tower?", "Osric Fell lives in Wexham.", False),
        ("who is the present vicar?", "Osric Fell lives in Wexham, where he is vicar.", False),
        ("where is the auction held?", "Osric Fell lives in Wexham", True),
        ("where is the auction held?", "It is held in Wexham.", False),
        ("how much can the cart carry, by weight?", "kerb weight: 900 kg", True),
        ("what is the stamp worth in postage?", "catalogue value: 40 EUR", True),
        ("what is the stamp worth?", "catalogue value: 40 EUR", False),
        ("how much can the cart carry, by weight?", "payload: 300 kg", False),
        ("for how many hours is the badger awake?", "It sleeps for 14 hours.", True),
        ("how long does the badger sleep?", "It sleeps for 14 hours.", False),
        ("may I tumble dry the scarf?", "machine wash: yes", True),
        ("may I wash the scarf?", "machine wash: yes", False),
        ("what is a return to Ede?", "A single is €4.", True),
        ("what is a return to Ede?", "A return is €7, a single €4.", False),
        ("what is a day pass?", "For a single we paid €4.", True),
        ("who presents the trophy?", "It was endowed by Ida Brand.", True),
        ("who presents the trophy?", "Ida Brand hands it out.", False),
        ("who wins the trophy?", "They get it from Ida Brand.", True),
        ("how old is this fossil?", "It was discovered in 1990.", True),
        ("how long ago was the fossil discovered?", "It was discovered in 1990.", False),
        ("how many people fit into the carriage?", "fleet size: 40", True),
        ("how many carriages are there?", "fleet size: 40", False),
        ("how many can stand in it?", "40 people can sit in it.", True),
        ("how many can stand in it?", "40 people can sit or stand in it.", False),
        ("how many fit into it in all?", "seats: 40", True),
        ("who steers the barge?", "It is operated by Quarrow.", True),
        ("who steers the barge?", "Ida Brand steers it for the operator.", False),
        ("how many people live there?", "attendance: 300", True),
        ("which stop comes first?", "terminus: Ede", True),
        ("what does a full tank cost?", "price: €9000", True),
        ("what does it cost?", "price: €9000", False),
        ("how far does it go on a tank?", "It burns 5 l.", True),
        ("how heavy is the jar when it is full?", "weight: 12 kg", True),
        ("how tall is the aerial?", "Ede lies at an altitude of 90 m.", True),
        ("how high does Ede lie?", "Ede lies at an altitude of 90 m.", False),
        ("who steers it?", "It runs to Ede.", True),
        ("how many people can the carriage carry?", "90 of the type are in service.", True),
        ("when does the wax melt?", "boiling point: 370 °C", True),
        ("when does the wax boil?", "It melts at 60 °C.", True),
        ("what is it there and back?", "toll: €1", True),
    ],
)
def test_what_is_said_of_the_case_that_was_not_asked_about(question: str, text: str, other: bool) -> None:
    assert of_the_other_case(question, text) is other


def _page(text: str) -> Evidence:
    return Evidence("e", "passage", "https://a.invalid", text, 0.0, subject="Heron Bench")


def test_the_day_of_a_report_is_no_birthday() -> None:
    asked = parse_clause("when was she born?")
    assert relevance_factor(_page("4 March 2023: we went to see the maker."), asked) < 0.1
    assert relevance_factor(_page("4 March 2023: the maker was born on 2 May 1950."), asked) > 0.1


def test_a_place_is_nobody() -> None:
    who = parse_clause("who keeps it?").expected
    assert agreement(who, "Their seat is in Wexham, by the bridge.") < 0
    assert agreement(who, "We send it all over Norland.") < 0
    assert agreement(who, "In Wexham it is Osric Fell.") > 0
    assert agreement(who, "It is in Osric Fell's care.") > 0


def test_where_somebody_is_a_native_of_is_a_place() -> None:
    where = parse_clause("in which town was the weaver born?").expected
    assert agreement(where, "A native of Wexham, she went to sea.") > 0
    assert agreement(where, "The place of birth is Ede.") > 0
    assert agreement(where, "The name of the dog is Rex.") < 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("All praise to Osric Fell for it.", ("Osric Fell",)),
        ("Full marks to Osric Fell.", ("Osric Fell",)),
        ("Visitors like the work of Osric Fell.", ("Osric Fell",)),
        ("Quarrow keeps it in repair.", ("Quarrow",)),
        ("Final checks are made in Quarrow.", ("Quarrow",)),
    ],
)
def test_words_that_only_open_a_sentence_name_nobody(text: str, names: tuple[str, ...]) -> None:
    assert targets_of(_page(text)) == names


def test_a_country_that_it_is_sent_to_is_nobody() -> None:
    assert named_as_place(_page("We send it all over Norland."))
    assert not named_as_place(_page("Norland Post brings it."))


@pytest.mark.parametrize(
    ("question", "key", "value", "doubted"),
    [
        ("where is it produced?", "producer", "Quarrow", True),
        ("where is it produced?", "produced_in", "Wexham", False),
        ("where is it produced?", "producer", "Quarrow, works in Wexham", False),
        ("who produces it?", "producer", "Quarrow", False),
        ("how many boxes are there?", "per_box", "24", True),
        ("how many wheels has it?", "wheel_bolts", "16", True),
        ("how many wheel bolts has it?", "wheel_bolts", "16", False),
        ("how many wheels has it?", "wheel_count", "4", False),
        ("how many pens are there?", "per_box", "24", False),
        ("how many are there per box?", "per_box", "24", False),
        ("how many seats does one carriage have?", "seats", "640", True),
        ("how many seats does one carriage have?", "seats_per_carriage", "64", False),
        ("how many seats does it have?", "seats", "640", False),
    ],
)
def test_what_is_told_of_something_else_is_doubted(question: str, key: str, value: str, doubted: bool) -> None:
    e = Evidence("a", "attribute", "Heron Pen", f"{key}: {value}", 1.0, "Heron Pen", key, value)
    assert (relevance_factor(e, parse_clause(question)) < 0.5) is doubted


def test_people_who_work_there_are_none_of_it() -> None:
    staff = _page("At the works 410 people earn their bread.")
    assert relevance_factor(staff, parse_clause("how many of these does the firm own?")) < 0.5
    assert relevance_factor(staff, parse_clause("how many of the locals work there?")) == 1.0
    assert relevance_factor(_page("They keep 12 of them."), parse_clause("how many of these does the firm own?")) == 1.0


def test_how_high_one_sits_is_not_how_high_it_is() -> None:
    seat = _page("We sit 48 cm above the floor on it.")
    assert relevance_factor(seat, parse_clause("how tall is this stool?")) < 0.5
    assert relevance_factor(seat, parse_clause("how high is its seat?")) == 1.0


def test_which_of_several_it_is_counts_nothing() -> None:
    asked = parse_clause("how many of these were printed?")
    volume = Evidence("e", "attribute", "Heron Bench", "volume: 3", 0.0, "Heron Bench", "volume", "3")
    copies = Evidence("e", "attribute", "Heron Bench", "print run: 300", 0.0, "Heron Bench", "print run", "300")
    assert relevance_factor(volume, asked) < 0.5 < relevance_factor(copies, asked)


@pytest.mark.parametrize(
    ("question", "doubted"), [("what did they sell there?", True), ("what kind of poster is it?", False)]
)
def test_what_sort_it_is_says_nothing_of_a_deed(question: str, doubted: bool) -> None:
    e = Evidence("a", "attribute", "x", "type: poster (sale)", 1.0, "Poster of the Barn", "type", "poster (sale)")
    assert (relevance_factor(e, parse_clause(question)) < 1.0) is doubted


@pytest.mark.parametrize(
    ("key", "question", "counts"),
    [
        ("photo_width", "how wide is the barn?", False),
        ("photo_width", "how wide is the photo?", True),
        ("door_width", "how wide is the barn?", True),
        ("type", "whom did they marry?", False),
        ("type", "what do they call it?", True),
    ],
)
def test_the_size_of_a_picture_is_not_that_of_the_thing(key: str, question: str, counts: bool) -> None:
    assert (worth_of_key(key, question) == 1.0) is counts


def test_closed_it_lasts_is_not_how_long_it_keeps_once_open() -> None:
    assert of_the_other_case("how long does it stay good after you open it?", "Closed it lasts 5 months, I am told.")
    assert not of_the_other_case("how long does it keep unopened?", "Closed it lasts 5 months, I am told.")
