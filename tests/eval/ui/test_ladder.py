"""The ladder's figures beneath its button: every rung in chart and table, nothing for what cannot be read."""

from __future__ import annotations

import json

from eval.reports.ladder import ladder_path, read_ladder
from eval.ui.html.ladder import render_ladder
from tests.eval.ui.test_html import EVIL, Tags, assert_inert


def rung(given, asked, truth, won):
    return {"given": given, "asked": asked, "accuracy": 0.5, "hallucination_rate": 0.2, "truthfulness": truth,
            "paper_truthfulness": truth, "won": won, "paper_won": won}  # fmt: skip


LADDER = {
    "rungs": [rung("nothing", 0, -0.2, 0.0), rung("entity", 9, 0.1, 0.3), rung("query", 5, 0.1, 0.0),
              rung("passage", 5, 0.45, 0.35)],
    "left": 0.55, "n_failed_turns": 12, "n_asked_again": 9, "judge": "typed (version 3)",
}  # fmt: skip


def test_every_rung_stands_in_the_table_and_in_the_chart():
    tags = Tags(render_ladder(LADDER))
    for words in ("the run", "+ entity", "+ query", "+ pages", "−20.0", "+45.0", "+35.0", "9 of 12 failed turns",
                  "typed (version 3)", "55.0 points", "keep their verdict", "−100"):  # fmt: skip
        assert words in tags.words, words
    heights = [float(attrs["height"]) for tag, attrs in tags.found if attrs.get("class") == "won"]
    # From −100 to +100 over 110 px: 0.3 is 16.5 of them, 0.35 is 19.25.
    assert heights == [0.0, 16.5, 0.0, 19.2]


def test_words_of_a_file_stay_words():
    odd = {**LADDER, "judge": EVIL, "rungs": [rung(EVIL, 1, 0.2, 0.0)]}
    assert "<script>alert(2)</script>" in assert_inert(render_ladder(odd)).words


def test_a_ladder_that_is_not_there_or_broken_shows_nothing(tmp_path):
    assert render_ladder(read_ladder(tmp_path)) == ""
    path = ladder_path(tmp_path)
    path.parent.mkdir()
    for text in ("", "[]", '{"rungs": []}', json.dumps({**LADDER, "left": "much"})):
        path.write_text(text)
        assert render_ladder(read_ladder(tmp_path)) == ""
    path.write_text(json.dumps(LADDER))
    assert "<svg" in render_ladder(read_ladder(tmp_path))
    assert Tags(render_ladder(LADDER)).words
