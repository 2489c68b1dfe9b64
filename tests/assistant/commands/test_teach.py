"""Teaching end to end: the command, the answers that follow, and that no benchmark run ever sees any of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assistant.__main__ import COMMANDS
from assistant.agent import Assistant
from assistant.commands.command_line import main
from assistant.core.events import Finished
from assistant.core.types import Conversation, Frame, Turn
from assistant.factory import open_index
from assistant.settings import read_settings
from assistant.teaching.store import TaughtStore
from tests.assistant.pictures import cover, shown

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_one_text_reader")]

NAME = "Aunt Vreni's Almanac"
FACTS = ["maker: Vreni Huber", "weight: 340 g", "It was printed in Olten in 1961."]


def frame(look: int, turn_deg: float = 6.0, title: str = "Silent Mill", seed: int = 107) -> Frame:
    pixels, _ = shown([cover(seed, title)], seed=look, turn_deg=turn_deg)
    return Frame(pixels)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The thing twice: to teach it, and to ask about it."""
    folder = tmp_path_factory.mktemp("pictures")
    paths = folder / "teach.png", folder / "ask.png"
    for path, (look, turn) in zip(paths, ((1, 6.0), (5, -18.0)), strict=True):
        Image.fromarray(frame(look, turn).pixels).save(path)
    return paths


@pytest.fixture(scope="module")
def taught(small_index: Path, pictures: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which the thing was taught by the command."""
    folder = tmp_path_factory.mktemp("taught")
    facts = [word for fact in FACTS for word in ("--fact", fact)]
    assert teach(folder, small_index, "--image", str(pictures[0]), "--name", NAME, *facts) == 0
    return folder


def teach(folder: Path, index: Path | None, *words: str) -> int:
    where = ["--data-dir", str(folder), *(["--index", str(index)] if index else [])]
    return main("python -m assistant", COMMANDS, ["teach", *words, *where])


def ask(assistant: Assistant, question: str, picture: Frame | None, conversation: Conversation | None = None) -> Turn:
    events = assistant.answer(conversation or Conversation("t"), question, picture)
    return next(e.turn for e in events if isinstance(e, Finished))


def open_with(folder: Path, index: Path, *, use_taught: bool) -> Assistant:
    return open_index(index, read_settings(data_dir=folder, index=index, use_taught=use_taught, environ={}))


@pytest.fixture(scope="module")
def assistant(taught: Path, small_index: Path) -> Assistant:
    return open_with(taught, small_index, use_taught=True)


@pytest.mark.parametrize(
    ("question", "said", "evidence"),
    [
        ("What is this?", NAME, "entity"),
        ("How heavy is it?", "340 g", "taught"),
        ("Who is the maker of this?", "Vreni Huber", "taught"),
        ("In which year was this printed?", "1961", "taught"),
    ],
)
def test_questions_are_answered_from_what_was_taught(assistant: Assistant, question: str, said: str, evidence: str):
    turn = ask(assistant, question, frame(5, -18.0))
    assert turn.answer.status == "answered"
    assert said in turn.answer.text
    used = {i for s in turn.answer.sentences for i in s.evidence_ids}
    (kind,) = {e.kind for e in turn.answer.evidence if e.id in used}
    assert kind == evidence
    assert turn.answer.entity is not None
    assert turn.answer.entity.image_url.startswith("taught:")


def test_it_is_known_by_name_without_a_picture(assistant: Assistant):
    assert "340 g" in ask(assistant, f"How heavy is {NAME}?", None).answer.text


def test_what_was_not_taught_is_not_made_up(assistant: Assistant):
    turn = ask(assistant, "What does this cost?", frame(5, -18.0))
    assert turn.answer.status == "abstained"
    assert ask(assistant, "What is this?", frame(2, title="Paper Moon", seed=41)).answer.status == "abstained"


def test_known_at_once_also_on_a_frame_that_was_seen_before(small_index: Path, tmp_path: Path):
    visitor = open_with(tmp_path, small_index, use_taught=True)
    other = open_with(tmp_path, small_index, use_taught=True)
    picture = frame(5, -18.0)
    first = ask(visitor, "What is this?", picture)
    assert first.answer.status == "abstained"
    assert other.teacher is not None
    saved = other.teacher.save(
        NAME, FACTS, [other.teacher.look(frame(1), [(40, 40), (690, 40), (690, 930), (40, 930)])]
    )
    follow_up = ask(visitor, "What is this?", None, Conversation("t").with_turn(first))
    assert NAME in follow_up.answer.text
    other.teacher.store.forget(saved.object.id)
    assert ask(visitor, "What is this?", picture).answer.status == "abstained"


def test_a_look_alike_and_a_like_name_are_warned_of(assistant: Assistant, taught: Path):
    teacher = assistant.teacher
    assert teacher is not None
    draft = teacher.look(frame(5, -18.0), [(40, 40), (690, 40), (690, 930), (40, 930)])
    assert draft.looks_like == NAME
    told = " ".join(teacher.warnings("Aunt Vrenis Almanac", [draft]))
    assert "looks like" in told
    assert "name is close" in told
    assert TaughtStore(taught / "taught").find("Aunt Vrenis Almanac") is None  # looking keeps nothing


def test_benchmark_settings_never_see_it(taught: Path, small_index: Path):
    plain = open_with(taught, small_index, use_taught=False)
    assert plain.teacher is None
    assert NAME not in plain.knowledge.names
    assert plain.knowledge.entity(NAME) is None
    _, recognition = plain.recognise("What is this?", frame(1))
    assert recognition.entity is None


def _recognised(world: Path, index: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    from eval.__main__ import COMMANDS as EVAL

    where = ["--index", str(index), "--data-dir", str(folder)]
    assert main("python -m eval", EVAL, ["recognise", "--data", str(world), *where, "--limit", "1", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_runs_are_the_same_with_and_without_taught_objects(
    small_world: Path, small_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The world's own frame is taught under a wrong name: had a run seen that, it would be wrong."""
    from eval.__main__ import COMMANDS as EVAL
    from eval.data.datasets import load

    samples = load(str(small_world), "all", "both").samples
    before = _recognised(small_world, small_index, tmp_path, capsys)
    liar = open_with(tmp_path, small_index, use_taught=True)
    assert liar.teacher is not None
    picture = samples[0].frame()
    assert picture is not None
    whole = [(0, 0), (picture.width_px, 0), (picture.width_px, picture.height_px), (0, picture.height_px)]
    liar.teacher.save("Wrong", ["price: 1 CHF"], [liar.teacher.look(picture, whole)])
    assert "Wrong" in ask(liar, "What is this?", picture).answer.text
    assert _recognised(small_world, small_index, tmp_path, capsys) == before
    run = tmp_path / "run"
    where = ["--index", str(small_index), "--data-dir", str(tmp_path), "--out", str(run)]
    words = ["run", "--data", str(small_world), "--limit", "1", *where]
    assert main("python -m eval", EVAL, words) == 0
    assert "Wrong" not in (run / "turns.jsonl").read_text()
    assert "taught" not in (run / "traces.jsonl").read_text()


def test_listed_added_to_and_forgotten(
    taught: Path, pictures: tuple[Path, Path], small_index: Path, tmp_path: Path, capsys
):
    assert teach(taught, None, "--list", "--json") == 0
    (thing,) = json.loads(capsys.readouterr().out)
    assert (thing["name"], thing["facts"]["weight"], thing["pictures"]) == (NAME, "340 g", 1)
    words = ["--image", str(pictures[1]), "--name", "Aunt", "--fact", "a: b", "--json"]
    assert teach(tmp_path, small_index, *words) == 0
    assert json.loads(capsys.readouterr().out)["pictures"] == 1
    assert teach(tmp_path, small_index, *words) == 2
    assert "taught already" in capsys.readouterr().err
    assert teach(tmp_path, small_index, *words, "--add", "--fact", "c: d") == 0
    more = json.loads(capsys.readouterr().out)
    assert (more["pictures"], more["facts"]) == (2, {"a": "b", "c": "d"} | more["facts"])
    assert teach(tmp_path, None, "--forget", "aunt") == 0
    assert teach(tmp_path, None, "--list") == 0
    assert "nothing is taught yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "one thing at a time"),
        (["--list", "--forget", "x"], "one thing at a time"),
        (["--name", "x"], "--image"),
        (["--image", "/nowhere.png", "--name", "x"], "nowhere"),
        (["--image", "IMAGE", "--name", "\u202e"], "no name"),
        (["--image", "IMAGE", "--name", "n" * 100_000], "characters"),
        (["--image", "IMAGE", "--name", "x", "--fact", "f" * 100_000], "characters"),
        (["--image", "IMAGE", "--name", "x", "--box", "1,2,3"], "four numbers"),
        (["--image", "IMAGE", "--name", "x", "--box", "1,1,5,5"], "too few"),
        (["--image", "IMAGE", "--name", "x", "--outline", "[[1,"], "not JSON"),
        (["--image", "BROKEN", "--name", "x"], "picture"),
        (["--forget", "nothing of that name"], "nothing called"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    words: list[str], sentence: str, pictures: tuple[Path, Path], small_index: Path, tmp_path: Path, capsys
):
    broken = tmp_path / "broken.png"
    broken.write_bytes(pictures[0].read_bytes()[:2000])
    given = [{"IMAGE": str(pictures[0]), "BROKEN": str(broken)}.get(word, word) for word in words]
    assert teach(tmp_path, small_index, *given) == 2
    out = capsys.readouterr()
    assert sentence in out.err
    assert out.err.count("\n") == 1
    assert len(out.err) < 500
    assert out.out == ""
    assert not (tmp_path / "taught").exists()
