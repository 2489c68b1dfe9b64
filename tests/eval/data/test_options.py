"""The flags about data as a user gives them, and what a run remembers of them."""

from __future__ import annotations

import argparse
import hashlib
import json

import pytest

from assistant.commands.command_line import main
from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS
from eval.data.datasets import Reading, load
from eval.data.options import (
    DataChoice,
    add_data_arguments,
    data_choice,
    data_options,
    data_record,
    load_data,
    read_ids,
)
from eval.data.public_quirks import REPLACED_URLS, SKIPPED_SESSIONS
from tests.eval.data.crag_sets import MULTI, SINGLE, crag_row, data_set, photo, single_turn_rows


def arguments(*texts: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_data_arguments(parser)
    return parser.parse_args([str(text) for text in texts])


@pytest.fixture
def rows(tmp_path):
    data_set(single_turn_rows(), SINGLE).to_parquet(tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


def test_flags_choose_and_the_record_says_what_was_taken(rows):
    args = arguments("--data", rows, "--ego", "yes", "--where", "domain=food", "--degrade", "blurred:0.5")
    data = load_data(args)
    assert [s.session_id for s in data.samples] == ["s3"]
    assert data.samples[0].degradations[0].kind == "blurred"
    record = data_record(data_choice(args), data)
    assert (record["name"], record["found"], record["taken"], record["world"]) == ("rows.parquet", 3, 1, None)


def test_options_tell_every_choice_apart_and_what_was_not_chosen_is_none(rows, tmp_path):
    (tmp_path / "labels.json").write_text('{"domain": ["a"]}')
    (tmp_path / "ids").write_text("s1\ns2-0\n")
    plain = data_options(arguments("--data", rows))
    assert {key for key, value in plain.items() if value is not None} == {"split", "set"}
    for more in (
        ["--split", "all"],
        ["--set", "single"],
        ["--revision", "v0.1.1"],
        ["--public"],
        ["--labels", tmp_path / "labels.json"],
        ["--where", "domain=food"],
        ["--ego", "no"],
        ["--ids", tmp_path / "ids"],
        ["--sample", "3"],
        ["--sample", "3", "--sample-seed", "1"],
        ["--limit", "2"],
        ["--degrade", "rotated:0.5"],
        ["--degrade", "rotated:0.5:1"],
        ["--no-pictures"],
    ):
        assert data_options(arguments("--data", rows, *more)) != plain
    assert data_options(arguments("--data", rows, "--allow-network")) == plain
    same = [data_options(arguments("--data", rows, "--ids", ids)) for ids in (tmp_path / "ids", "s2-0,s1")]
    assert same[0] == same[1]
    json.dumps(same)  # run.json holds them


def test_ids_from_a_file_a_list_or_the_text(tmp_path):
    (tmp_path / "ids.json").write_text('["a", "b"]')
    (tmp_path / "empty").write_text("\n")
    assert read_ids(str(tmp_path / "ids.json")) == read_ids("a, b") == ("a", "b")
    many = [f"a-rather-long-id-{n}" for n in range(40)]  # longer than the name of any file
    assert read_ids(",".join(many)) == tuple(many)
    with pytest.raises(BadInput, match="holds no id"):
        read_ids(str(tmp_path / "empty"))


def public_rows() -> list:
    session = next(iter(REPLACED_URLS))
    kept = crag_row("kept", SINGLE)
    skipped = [crag_row(name, SINGLE) for name in SKIPPED_SESSIONS]
    return [skipped[0], kept, crag_row(session, SINGLE, url="https://gone.invalid/x.jpg", image=None), skipped[1]]


def test_the_public_evaluators_changes_are_applied_and_listed(tmp_path):
    session, url = next(iter(REPLACED_URLS.items()))
    data_set(public_rows(), SINGLE).to_parquet(tmp_path / "rows.parquet")
    cache = tmp_path / "urlcache"
    cache.mkdir()
    (cache / hashlib.sha256(url.encode()).hexdigest()).write_bytes(photo(1))
    path = str(tmp_path / "rows.parquet")
    data = load(path, reading=Reading(public=True))
    assert [s.session_id for s in data.samples] == ["kept", session]
    assert data.samples[1].image_url == url
    assert data.samples[1].frame().pixels.shape == (64, 48, 3)  # not egocentric: its shape is kept
    assert [said.split("'")[1] for said in data.adjusted] == [SKIPPED_SESSIONS[0], session, SKIPPED_SESSIONS[1]]
    assert url in data.adjusted[1]
    plain = load(path)
    assert [s.session_id for s in plain.samples] == [SKIPPED_SESSIONS[0], "kept", SKIPPED_SESSIONS[1]]
    assert [row.session_id for row in plain.unusable] == [session]
    assert plain.adjusted == ()


def test_the_url_is_replaced_in_the_single_turn_set_only(tmp_path):
    session = next(iter(REPLACED_URLS))
    folder = tmp_path / "crag-mm-multi-turn-public"
    data_set([crag_row(session, MULTI, url="https://a.invalid/x.jpg")], MULTI).save_to_disk(folder)
    (sample,) = load(str(folder), reading=Reading(public=True)).samples
    assert sample.image_url == "https://a.invalid/x.jpg"


def test_a_file_of_nothing_but_skipped_sessions(tmp_path):
    data_set([crag_row(SKIPPED_SESSIONS[0], SINGLE)], SINGLE).to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(BadInput, match="holds no rows that the public evaluator keeps"):
        load(str(tmp_path / "rows.parquet"), reading=Reading(public=True))


def test_an_empty_url_is_egocentric_for_us_and_not_in_the_public_reading(rows):
    """The run's line carries both readings; the sample carries the URL as it stands."""
    from assistant.core.types import Answer, Turn
    from eval.runs.turn_record import turn_line

    first, _, empty = load(str(rows)).samples
    lines = [turn_line(s, s.turns[0], Turn("q", Answer("a", "answered", ""), None), 1.0) for s in (first, empty)]
    assert [(line["is_ego"], line.get("is_ego_public", line["is_ego"])) for line in lines] == [
        (True, True),
        (True, False),
    ]


def command(*texts: object) -> int:
    return main("python -m eval", COMMANDS, ["data", *map(str, texts)])


def test_the_command_shows_what_is_there_and_lists_what_is_not(rows, capsys, tmp_path):
    assert command("--data", rows, "--data-dir", tmp_path / "d") == 0
    shown = capsys.readouterr().out
    assert "3 of 3 samples taken, 3 turns, 0 conversations of several turns, 2 egocentric" in shown
    assert "domain          book 1, vehicle 1, food 1" in shown
    assert "1 rows cannot be used" in shown
    assert "row 3 (s4): the row has no picture and no image_url" in shown


def test_the_command_reads_every_picture_when_asked(tmp_path, capsys):
    broken = [crag_row("good", SINGLE), crag_row("bad", SINGLE, image=b"no picture")]
    data_set(broken, SINGLE).to_parquet(tmp_path / "rows.parquet")
    assert command("--data", tmp_path / "rows.parquet", "--data-dir", tmp_path / "d", "--read-pictures", "--json") == 0
    about = json.loads(capsys.readouterr().out)
    assert about["n_samples"] == 2
    assert [(row["row"], row["session_id"]) for row in about["unusable"]] == [(1, "bad")]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--where", "domain=fod"], "no sample has 'fod' as domain: there are book, food, vehicle"),
        (["--ids", "nobody"], "'nobody' is the first"),
        (["--degrade", "melted:1"], "a kind of low-light"),
        (["--labels", "nowhere.json"], "'nowhere.json' cannot be read"),
        (["--sample", "0"], "--sample is 0"),
        (["--revision", "v1", "--limit", "0"], "--limit is 0"),
    ],
)
def test_a_mistake_is_one_sentence(rows, capsys, tmp_path, more, said):
    assert command("--data", rows, "--data-dir", tmp_path / "d", *more) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1


def test_a_page_can_make_the_same_choice(rows, tmp_path):
    choice = DataChoice(str(rows), ego=True, sample=1, sample_seed=4, data_dir=tmp_path)
    args = arguments("--data", rows, "--ego", "yes", "--sample", "1", "--sample-seed", "4")
    assert choice.options() == data_options(args)
    assert [s.turns for s in choice.load().samples] == [s.turns for s in load_data(args).samples]
