"""How probably an answer is wrong: what each sign does, and weights fitted to a run."""

import json
import random
from pathlib import Path

import pytest

from assistant.core.errors import BadInput, UnknownFormat
from assistant.core.types import Sentence
from assistant.pipelines.risk import STATED, RiskModel, fit, refusing, signs_of

EVIDENCE, PICTURE, MEMORY = (Sentence("x", (), ground) for ground in ("evidence", "picture", "memory"))


def test_the_weakest_ground_counts_and_each_sign_goes_its_way():
    risk = RiskModel().risk
    checked, seen, known = (risk(signs_of((EVIDENCE, s), {})) for s in (EVIDENCE, PICTURE, MEMORY))
    assert 0 < checked < seen < known < 1
    assert risk(signs_of((MEMORY, PICTURE), {})) == known
    assert risk(signs_of((PICTURE,), {"I": 0.4})) > seen > risk(signs_of((PICTURE,), {}, doubt=0.0))
    assert risk(signs_of((PICTURE,), {}, doubt=0.9)) > seen
    assert risk(signs_of((EVIDENCE,), {}, named_by_model=True)) > checked
    assert risk(signs_of((PICTURE,), {}, named_by_model=True)) == seen  # what is seen does not hang on a name


def test_what_is_not_known_is_no_sign():
    assert signs_of((EVIDENCE,), {}) == {}
    assert signs_of((MEMORY,), {"The": 0.9}) == {"memory": 1.0, "refusing": 0.0}


def test_how_a_refusal_begins():
    assert refusing({" I": 0.25, "Sorry": 0.25, "The": 0.5}) == 0.5
    assert refusing({"I": 0.8, "i": 0.8}) == 1.0


def test_a_fit_finds_what_makes_a_model_wrong_and_keeps_what_it_cannot_tell():
    draw = random.Random(3)
    rows = []
    for _ in range(2000):
        memory = draw.random() < 0.5
        rows.append(({"memory": 1.0} if memory else {}, draw.random() < (0.7 if memory else 0.1)))
    model = fit(rows, "a run")
    assert model.risk({"memory": 1.0}) == pytest.approx(0.7, abs=0.05)
    assert model.risk({}) == pytest.approx(0.1, abs=0.04)
    assert model.weights["doubted"] == pytest.approx(STATED["doubted"])


@pytest.mark.parametrize("rows", [[({}, True)] * 5, [({}, False)] * 40, []])
def test_too_little_to_fit_is_one_sentence(rows):
    with pytest.raises(BadInput, match="at least 20"):
        fit(rows, "a run")


def test_a_file_of_weights(tmp_path: Path):
    path = tmp_path / "risk.json"
    model = RiskModel({"bias": -1.0, "memory": 2.0}, "run R, judge typed")
    path.write_text(json.dumps(model.as_json()))
    assert RiskModel.load(path) == model
    for content, problem in (
        ("[]", BadInput),
        ('{"format_version": 9, "weights": {}}', UnknownFormat),
        ('{"format_version": 1, "weights": {"colour": 1}}', BadInput),
        ('{"format_version": 1, "weights": {"bias": NaN}}', BadInput),
        ('{"format_version": 1, "weights": {"bias": "x"}}', BadInput),
    ):
        path.write_text(content)
        with pytest.raises(problem) as found:
            RiskModel.load(path)
        assert "\n" not in str(found.value)
