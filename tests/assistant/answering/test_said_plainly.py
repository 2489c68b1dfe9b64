"""Roundabout questions for an everyday property, and those that only look like one."""

from __future__ import annotations

import pytest

from assistant.answering.rewording import reworded


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("who gave the teapot its shape?", "who designed the teapot?"),
        ("who gave shape to the bell on the left?", "who designed the bell on the left?"),
        ("to whom does this chapel owe its looks?", "who designed this chapel?"),
        ("who gave the teapot its name?", None),
        ("who gave the teapot to the museum?", None),
        ("what is the potter by training?", "what did the potter study?"),
        ("so, the potter has a degree in what?", "so, what did the potter study?"),
        ("in what does the potter have a degree?", "what did the potter study?"),
        ("what subject did the potter get her degree in?", "what did the potter study?"),
        ("in what number was it printed?", None),
        ("how much rope is there on the winch?", "how long is the rope of the winch?"),
        ("how much rope does the winch have?", "how long is the rope of the winch?"),
        ("how much water is in the kettle?", None),
        ("what's the size of the staff of that bakery?", "how many people work for that bakery?"),
        ("headcount at the bakery it is from?", "how many people work for the bakery it is from?"),
        ("what is the size of the bakery?", None),
        ("how old does a goose like this get?", "how long does a goose like this live?"),
        ("how old must one be?", None),
        ("how many copies of this map exist in all?", "how many of this map were made?"),
        ("how many pieces of cake are there in it?", None),
        ("what would a shop charge for the flute now?", "what does the flute cost now?"),
        ("what do they charge for a ride?", None),
        ("from the foot to the tip, how many metres is the obelisk?", "how tall is the obelisk?"),
        ("which island is the scene of this novel?", "which island is this novel set in?"),
        ("which island is the home of this bird?", None),
        ("where do they hand out the bowl?", "where is the bowl awarded?"),
        ("where do people hand it out?", "where is it awarded?"),
        ("where do they give out?", None),
        ("to what use can I put this reed?", "what is this reed used for?"),
        ("what use is it?", None),
        ("could we still buy that radio today, how many are left?", "how many of that radio are in stock?"),
        ("can I get there by bus, how many are there?", None),
        ("proprietor of that windmill?", "who is the owner of that windmill?"),
        ("who possesses this flute?", "who is the owner of this flute?"),
        ("woven where, that rug on the left?", "where was that rug on the left woven?"),
        ("brewed by whom, this ale?", "who brewed this ale?"),
        ("made, where?", None),
        ("which village does the potter come from?", None),
        ("which village does its founder come from originally?", "in which village was its founder born?"),
        ("where is that guitarist from by birth?", "where was that guitarist born?"),
        ("where is this cheese from originally?", None),
        ("from which city does that coach set out every morning?", "what is the home depot of that coach?"),
        ("where does this walk start in the morning?", None),
        (
            "how big is the port it sails from, residents I mean?",
            "how many residents does the port it sails from have?",
        ),
        ("how big is the port it sails from?", None),
        ("so its founder was a child of which town?", "so in which town was its founder born?"),
        ("was its founder a child of the war?", None),
        ("where is the potter who threw it at home nowadays?", "where does the potter who threw it live now?"),
        ("where is the tram at home nowadays?", None),
        ("in which village do those work who sew the gloves?", "where do they make the gloves?"),
        ("where do the people live who own the gloves?", None),
        ("in whose range is this flute?", "who sells this flute?"),
        ("whose catalogue is this?", None),
        ("the restorer of the organ?", "who restored the organ?"),
        (
            "in which village did the designer of it come into the world?",
            "in which village was the designer of it born?",
        ),
        ("which city has the house where the composer was a newborn?", "in which city was the composer born?"),
        ("when did the novel first see the light of day?", None),
        ("does the diet of this owl include voles?", "does this owl eat voles?"),
        ("if I offered grass to this goose, would it be food for it?", "does this goose eat grass?"),
        ("where does the restorer of the organ live?", None),
    ],
)
def test_an_everyday_property_is_asked_for_plainly(question: str, plain: str | None) -> None:
    assert reworded(question) == (plain or question)
