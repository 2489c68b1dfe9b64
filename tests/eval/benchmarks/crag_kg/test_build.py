"""Building a mock KG: broken files, missing parts, builds that are killed and taken up again."""

from __future__ import annotations

import bz2
import json
import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.core.errors import BadInput, NotReady, UnknownFormat
from eval.__main__ import COMMANDS, main
from eval.benchmarks.crag_kg.build import ALL_FILLS, build
from eval.benchmarks.crag_kg.kg import CragKg
from eval.benchmarks.crag_kg.source_files import json_entries
from tests.eval.benchmarks.crag_kg import released as r

ROOT = Path(__file__).parents[4]


@pytest.fixture
def folder(released: Path, tmp_path: Path) -> Path:
    """A copy of the released folder, to break."""
    return Path(shutil.copytree(released, tmp_path / "cragkg"))


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "music" / "grammy_df.pickle").unlink()
    out = folder.parent / "kg.sqlite"
    assert main("python -m eval", COMMANDS, ["crag-kg", "build", str(folder), "--out", str(out), "--json"]) == 0
    told = capsys.readouterr()
    said = json.loads(told.out)
    assert said["left_out"] == {"grammys": "music/grammy_df.pickle"}
    assert said["entries"]["open"] == 6
    assert said["entries"]["nba plays"] == 4
    assert len(said["entries"]) == len(ALL_FILLS) - 1
    assert "left out: grammys (there is no music/grammy_df.pickle)" in told.err
    assert "100% done" in told.err
    assert sorted(path.name for path in out.parent.iterdir()) == ["cragkg", "kg.sqlite"]

    kg = CragKg.open(out)
    assert kg.ask("music_get_song_author", query="Glass Harbour") == "Ida Moss"
    with pytest.raises(NotReady, match="built without 'grammys'"):
        kg.ask("music_grammy_get_all_awarded_artists")
    assert len(kg.tool_definitions()) == 38 - 7


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "nowhere"], "there is no folder 'nowhere'"),
        (["build", "."], "has none of CRAG's files"),
        (["build", ".", "--port", "5"], "--port belongs to serve"),
        (["serve", "nowhere.sqlite"], "there is no mock KG at 'nowhere.sqlite'"),
        (["serve", "x", "--out", "y"], "--out belongs to build"),
        (["fetch", "x"], "invalid choice"),
    ],
)
def test_the_command_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
):
    monkeypatch.chdir(tmp_path)
    assert main("python -m eval", COMMANDS, ["crag-kg", *arguments]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert list(tmp_path.iterdir()) == []


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"


def value_file(path: Path, value: object) -> None:
    base = sqlite3.connect(path)
    base.execute("DELETE FROM unnamed")
    base.execute("INSERT INTO unnamed VALUES ('GLSW', ?)", (value,))
    base.commit()
    base.close()


class Harm:
    def __reduce__(self):
        return os.system, ("touch harmed",)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("movie/movie_db.json", POINTER, "is a pointer of Git LFS"),
        ("movie/movie_db.json", b"", "cannot be read (it is no object)"),
        ("movie/movie_db.json", b"[1]", "it is no object"),
        ("movie/movie_db.json", b'{"a": {"id": 1}, "b": {"i', "cannot be read"),
        ("movie/movie_db.json", b'{"a": {}} more', "something follows its end"),
        ("movie/movie_db.json", b"\xff\xfe", "cannot be read"),
        ("movie/movie_db.json", b'{"a": ' + b"[" * 200_000, "cannot be read"),
        ("open/kg.1.jsonl.bz2", bz2.compress(b"['x']\n"), "line 1, is no JSON"),
        ("open/kg.1.jsonl.bz2", bz2.compress(b'["x", {}]\n["y"]\n'), "line 2, is not [name, entity]"),
        ("open/kg.1.jsonl.bz2", bz2.compress(b'["x", {}]\n' * 1000)[:-20], "cannot be read"),
        ("open/kg.1.jsonl.bz2", b"no bz2", "cannot be read"),
        ("finance/company_name.dict", b"A,B\n1,2\n", "has no column 'Name'"),
        ("finance/finance_price.sqlite", b"no SQLite at all" * 100, "cannot be read as SQLite"),
        ("finance/finance_price.sqlite", b"", "no such table"),
        ("music/artist_work_dict.pickle", pickle.dumps([1]), "holds no dictionary"),
        ("music/artist_work_dict.pickle", pickle.dumps({5: [1]}), "has the key 5"),
        ("music/artist_work_dict.pickle", pickle.dumps({"a": Harm()}), "it asks for 'posix.system'"),
        ("music/artist_work_dict.pickle", pickle.dumps({"a": "b"})[:-4], "no complete pickle"),
        ("music/grammy_df.pickle", r.pickled(r.frame({"year": [1]}, r.range_index(1))), "has no column 'category'"),
        ("sports/soccer_team_match_stats.pkl", r.pickled(r.frame({"date": [1]}, r.range_index(1))), "has no index of"),
        ("sports/nba.sqlite", b"SQLite format 3\x00" + b"\x00" * 50, "cannot be read as SQLite"),
    ],
)
def test_broken_files(folder: Path, name: str, content: bytes, said: str):
    (folder / name).write_bytes(content)
    out = folder.parent / "kg.sqlite"
    with pytest.raises(BadInput) as problem:
        build(folder, out)
    assert said in str(problem.value)
    assert name in str(problem.value)
    assert not out.exists()


def test_a_database_that_breaks_off(folder: Path):
    path = folder / "sports" / "nba.sqlite"
    base = sqlite3.connect(path)
    base.executemany("INSERT INTO play_by_play VALUES (?, ?, ?)", [("004", n, "x" * 200) for n in range(500)])
    base.commit()
    base.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(BadInput, match=r"nba.sqlite' cannot be read as SQLite"):
        build(folder, folder.parent / "kg.sqlite")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (pickle.dumps(Harm()), "it asks for 'posix.system'"),
        (b"\x80\x04", "no complete pickle"),
        ("text", "is no pickle"),
        (None, "is no pickle"),
    ],
)
def test_broken_values(folder: Path, value: object, said: str):
    path = folder / "finance" / "finance_info.sqlite"
    value_file(path, value)
    with pytest.raises(BadInput) as problem:
        build(folder, folder.parent / "kg.sqlite")
    assert f"the value of 'GLSW' in {str(path)!r}" in str(problem.value)
    assert said in str(problem.value)


class Stop(Exception):
    """Somebody no longer wants it."""


def stopping_at(part: str, error: BaseException):
    def progress(share: float, what: str) -> None:
        assert 0 <= share <= 1
        if what == part and share > 0:
            raise error

    return progress


@pytest.mark.parametrize("error", [Stop(), KeyboardInterrupt()])
def test_a_stopped_build_goes_on(folder: Path, kg: CragKg, error: BaseException):
    out = folder.parent / "kg.sqlite"
    with pytest.raises(type(error)):
        build(folder, out, stopping_at("songs", error))
    assert not out.exists()
    built = build(folder, out)
    assert built.taken_over == tuple(ALL_FILLS)[: list(ALL_FILLS).index("songs")]
    assert set(built.entries) == set(ALL_FILLS)
    made = CragKg.open(out)
    for name in ("music_search_song_entity_by_name", "music_search_artist_entity_by_name"):
        assert made.ask(name, query="moss harbour") == kg.ask(name, query="moss harbour")


def test_a_stopped_build_of_other_files_starts_again(folder: Path):
    out = folder.parent / "kg.sqlite"
    with pytest.raises(Stop):
        build(folder, out, stopping_at("songs", Stop()))
    (folder / "open" / "kg.0.jsonl.bz2").write_bytes(bz2.compress(b'["Nowhere", {"a": 1}]\n'))
    built = build(folder, out)
    assert built.taken_over == ()
    kg = CragKg.open(out)
    assert kg.ask("open_get_entity", query="Nowhere") == {"a": 1}
    assert kg.ask("open_get_entity", query="Florida") is None


def test_a_killed_build_leaves_no_half_store(folder: Path):
    """SIGKILL in the middle of a part, as a machine out of memory would do it."""
    out = folder.parent / "kg.sqlite"
    code = (
        "import os, signal, sys; from pathlib import Path; from eval.benchmarks.crag_kg.build import build\n"
        "def stop(share, what):\n"
        "    if what == 'nba plays' and share > 0.6: os.kill(os.getpid(), signal.SIGKILL)\n"
        "build(Path(sys.argv[1]), Path(sys.argv[2]), stop)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder), str(out)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    assert not out.exists()
    built = build(folder, out)
    assert len(built.taken_over) == len(ALL_FILLS) - 1
    assert built.entries["nba plays"] == 4
    assert sorted(path.name for path in out.parent.iterdir()) == ["cragkg", "kg.sqlite"]


def test_what_is_no_store_beside_it_is_written_over(folder: Path):
    out = folder.parent / "kg.sqlite"
    out.with_name("kg.sqlite.part").write_bytes(b"something else" * 1000)
    out.write_bytes(b"an older one")
    assert build(folder, out).taken_over == ()
    assert CragKg.open(out).ask("finance_get_eps", query="GLSW") == 2.5


def test_two_builds_at_a_time(folder: Path):
    out = folder.parent / "kg.sqlite"

    asked: list[str] = []

    def second(share: float, what: str) -> None:
        if what == "works" and share > 0 and not asked:
            asked.append(what)
            with pytest.raises(BadInput, match="wait for another build"):
                build(folder, out)

    build(folder, out, second)
    assert asked == ["works"]
    assert CragKg.open(out).ask("finance_get_eps", query="GLSW") == 2.5


def test_an_empty_file_that_another_build_has_just_begun_is_left_to_it(folder: Path):
    out = folder.parent / "kg.sqlite"
    other = sqlite3.connect(out.with_name("kg.sqlite.part"))
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(BadInput, match="wait for another build"):
        build(folder, out)
    assert out.with_name("kg.sqlite.part").exists()
    other.close()
    assert build(folder, out).taken_over == ()


def test_only_what_was_built_takes_the_place(folder: Path):
    out = folder.parent / "kg.sqlite"

    def replaced(share: float, what: str) -> None:
        if what == "nba plays":
            unfinished = out.with_name("kg.sqlite.part")
            unfinished.unlink(missing_ok=True)
            unfinished.write_bytes(b"of another one")

    with pytest.raises(BadInput, match="another file took the place"):
        build(folder, out, replaced)
    assert not out.exists()


def test_a_place_that_cannot_be_written(folder: Path):
    with pytest.raises(BadInput, match="cannot be written"):
        build(folder, folder / "open" / "kg.0.jsonl.bz2" / "kg.sqlite")


def test_stores_that_are_none(store_file: Path, tmp_path: Path):
    path = tmp_path / "kg.sqlite"
    path.write_bytes(b"no store" * 100)
    with pytest.raises(BadInput, match="is no mock KG"):
        CragKg.open(path)
    sqlite3.connect(path.with_name("empty.sqlite")).close()
    with pytest.raises(BadInput, match="is no mock KG"):
        CragKg.open(path.with_name("empty.sqlite"))
    shutil.copy(store_file, path)
    base = sqlite3.connect(path)
    base.execute("UPDATE about SET value = '2' WHERE key = 'format_version'")
    base.commit()
    base.close()
    with pytest.raises(UnknownFormat, match="mock KG of format 2"):
        CragKg.open(path)


def test_a_store_that_broke_later(store_file: Path, tmp_path: Path):
    path = tmp_path / "kg.sqlite"
    shutil.copy(store_file, path)
    base = sqlite3.connect(path)
    base.execute("UPDATE entries SET value = x'00ff' WHERE kind = 'open'")
    base.execute("UPDATE entries SET value = '{\"na' WHERE kind = 'artists'")
    base.execute("UPDATE entries SET value = '[1]' WHERE kind = 'grammys'")
    base.execute("DELETE FROM name_results")
    base.execute("DROP TABLE games")
    base.commit()
    base.close()
    kg = CragKg.open(path)
    with pytest.raises(NotReady, match="build it again"):
        kg.ask("open_get_entity", query="Texas")
    with pytest.raises(NotReady, match="build it again"):
        kg.ask("sports_nba_get_games_on_date", date="2022")
    for name, query in (
        ("music_get_members", "The Moss Five"),
        ("music_search_song_entity_by_name", "moss harbour"),
        ("music_grammy_get_award_count_by_artist", "Ida Moss"),
    ):
        assert kg.call(name, json.dumps({"query": query}), 500).endswith("build it again")


def test_values_that_json_has_no_word_for(folder: Path):
    (folder / "movie" / "movie_db.json").write_text(
        '{"a": {"id": 1, "x": NaN, "y": [-Infinity, 1e999]}, "b": {"u": "\\ud83d half"}, "c": {}, "d": {},'
        '"a": {"id": 2, "z": NaN}}'
    )
    kg = CragKg.open(build(folder, folder.parent / "kg.sqlite").out)
    assert kg.ask("movie_get_movie_info_by_id", query=2) == {"id": 2, "z": None}
    assert kg.ask("movie_get_movie_info_by_id", query=1) is None  # the later of two values of a key
    assert kg.ask("movie_get_movie_info", query="b") == [{"u": " half"}]


@pytest.mark.parametrize("text", ["{}", " {\n} ", '{"a":1,"b":[{"c":null}],"a":"x"}', '{"n": 12345, "m": 1.5e3 }'])
def test_json_in_pieces_of_every_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str):
    path = tmp_path / "x.json"
    path.write_text(text)
    whole = json.loads(text, object_pairs_hook=list) if text.strip(" {}\n") else []
    for size in range(1, 12):
        monkeypatch.setattr("eval.benchmarks.crag_kg.source_files._CHUNK", size)
        read = [(key, value) for key, value, _ in json_entries(path)]
        assert [key for key, _ in read] == [key for key, _ in whole]
        assert dict(read) == json.loads(text)
