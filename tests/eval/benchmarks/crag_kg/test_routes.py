"""Every route of the mock KG, in process and over HTTP: what is known, what is not, and what is of a wrong type."""

from __future__ import annotations

import json
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.crag_kg.kg import ROUTES, CragKg
from eval.benchmarks.crag_kg.server import KgServer
from tests.eval.benchmarks.crag_kg import released as r

EVERTON, LEEDS, MONACO = (repr(label) for label in r.SOCCER_LABELS[:3])
SOCCER_9_MARCH = {
    "date": {EVERTON: "2024-03-09T00:00:00.000", LEEDS: "2024-03-09T00:00:00.000"},
    "time": {EVERTON: "12:30:00", LEEDS: "12:30:00"},
    "GF": {EVERTON: "0", LEEDS: "2"},
    "xG": {EVERTON: 1.6, LEEDS: 2.7},
    "Poss": {EVERTON: 49, LEEDS: 51},
}
MONACO_GAME = {
    "date": {MONACO: "2024-03-10T00:00:00.000"},
    "time": {MONACO: None},
    "GF": {MONACO: "1"},
    "xG": {MONACO: None},
    "Poss": {MONACO: 60},
}
BULLS_IN_OCTOBER = {
    "game_id": {"0": "001"},
    "game_date": {"0": "2022-10-11 00:00:00"},
    "team_name_home": {"0": "Chicago Bulls"},
    "team_name_away": {"0": "Utah Jazz"},
    "min": {"0": 240},
    "fg3": {"0": 5},
    "pct": {"0": 0.532},
}

#: Route, parameters, result. Rankings by name are told in test_names.
ANSWERS: list[tuple[str, dict[str, Any], Any]] = [
    # Length of "florida city florida": 3 of 8/6 words on average (five are one word long): its score for two hits is
    # 5/(2 + 1.5 (0.25 + 0.75 * 3/1.6)) = 1.11, that of "florida" 2.5/(1 + 1.5 (0.25 + 0.75/1.6)) = 1.20, each times
    # the weight of the word, ln((5 - 2 + 0.5)/(2 + 0.5)) = 0.34 of five names (both Georgias are one).
    ("open_search_entity_by_name", {"query": "FLORIDA?"}, ["Florida", "Florida City, Florida"]),
    ("open_search_entity_by_name", {"query": "georgia"}, ["Georgia", "GEORGIA!"]),
    ("open_search_entity_by_name", {"query": "nowhere"}, []),
    ("open_search_entity_by_name", {"query": ""}, []),
    ("open_get_entity", {"query": "Oregon"}, r.OPEN["Oregon"]),
    ("open_get_entity", {"query": "oregon"}, None),
    # Two names of two words are equally good: the later one first.
    ("movie_get_person_info", {"query": "Moss"}, [r.PEOPLE["olaf moss"], r.PEOPLE["ida moss"]]),
    ("movie_get_person_info", {"query": "ida_moss"}, [r.PEOPLE["ida moss"], r.PEOPLE["olaf moss"]]),
    ("movie_get_movie_info", {"query": "glass"}, [r.MOVIES["glass house"], r.MOVIES["glass key"]]),
    ("movie_get_movie_info", {"query": "?"}, []),
    ("movie_get_year_info", {"query": "1992"}, r.YEARS["1992"]),
    ("movie_get_year_info", {"query": "1993"}, None),
    ("movie_get_year_info", {"query": "2022"}, None),  # only 1990 to 2021 are answered
    ("movie_get_year_info", {"query": "last year"}, None),
    ("movie_get_movie_info_by_id", {"query": 7}, r.MOVIES["glass key"]),
    ("movie_get_movie_info_by_id", {"query": "10"}, r.MOVIES["short summer"]),  # of two with one id the later
    ("movie_get_movie_info_by_id", {"query": 10**30}, None),
    ("movie_get_person_info_by_id", {"query": 2}, r.PEOPLE["olaf moss"]),
    ("movie_get_person_info_by_id", {"query": -1}, None),
    # Of four and three words; "glass" is in two of four names, which weighs nothing: ln(2.5/2.5) = 0.
    ("finance_get_company_name", {"query": "glass"}, []),
    ("finance_get_company_name", {"query": "oat mill"}, ["Oat Mill Corp"]),
    ("finance_get_ticker_by_name", {"query": "Glass, Sand & Co"}, "GSC"),
    ("finance_get_ticker_by_name", {"query": "Reed plc"}, "NA"),
    ("finance_get_ticker_by_name", {"query": "glass"}, None),
    ("finance_get_price_history", {"query": "GLSW"}, r.PRICES),
    ("finance_get_price_history", {"query": "glsw"}, None),
    ("finance_get_detailed_price_history", {"query": "GLSW"}, r.MINUTES),
    ("finance_get_detailed_price_history", {"query": ""}, None),
    ("finance_get_dividends_history", {"query": "GLSW"}, r.DIVIDENDS),
    ("finance_get_market_capitalization", {"query": "GLSW"}, 1.25e9),
    ("finance_get_market_capitalization", {"query": "OATM"}, None),
    ("finance_get_eps", {"query": "GLSW"}, 2.5),
    ("finance_get_eps", {"query": "OATM"}, None),
    ("finance_get_pe_ratio", {"query": "GLSW"}, None),  # NaN in the file
    ("finance_get_info", {"query": "GLSW"}, {**r.INFO, "forwardPE": None}),
    ("finance_get_info", {"query": "NONE"}, None),
    # "moss" is in 3 of 243 names: the one-word name (two spellings) before those of two and three words.
    ("music_search_artist_entity_by_name", {"query": "moss"}, ["MOSS", "moss.", "Ida Moss", "The Moss Five"]),
    ("music_search_artist_entity_by_name", {"query": "nobody at all"}, []),
    ("music_search_song_entity_by_name", {"query": "harbour glass"}, ["Glass Harbour", "Harbour (Live)"]),
    ("music_search_song_entity_by_name", {"query": ""}, []),
    ("music_get_billboard_rank_date", {"rank": 1, "date": "2024-02-28"}, [["Glass Harbour"], ["Ida Moss"]]),
    ("music_get_billboard_rank_date", {"rank": 1}, [["Fog", "Glass Harbour"], ["Kim Reed", "Ida Moss"]]),
    ("music_get_billboard_rank_date", {"rank": 1, "date": "1999-01-01"}, [[], []]),
    ("music_get_billboard_rank_date", {"rank": 101, "date": None}, [None, None]),
    *[
        (
            "music_get_billboard_attributes",
            {"date": date, "attribute": attribute, "song_name": "Glass Harbour"},
            value,
        )
        for date, attribute, value in [
            ("2024-02-28", "rank_last_week", "9"),
            ("2024-02-28", "top_position", "1"),
            ("2024-02-28", "weeks_in_chart", "2"),
            ("2024-02-28", "rank", "1"),
            ("2024-02-21", "rank_last_week", "-"),
            ("2024-02-21", "weeks_in_chart", "1"),
            ("2024-02-21", "top_position", "9"),
            ("2024-02-21", "anything else", "9"),
            ("2024-03-06", "rank", None),  # a row that breaks off
            ("1999-01-01", "rank", None),
        ]
    ],
    ("music_get_billboard_attributes", {"date": "2024-02-28", "attribute": "rank", "song_name": "?"}, None),
    ("music_grammy_get_best_artist_by_year", {"query": 2019}, ["Kim Reed"]),
    ("music_grammy_get_best_artist_by_year", {"query": 1998}, ["Ida Moss", None]),
    ("music_grammy_get_best_artist_by_year", {"query": 2000}, []),
    ("music_grammy_get_best_artist_by_year", {"query": 2020}, None),
    # 2019 as artist, 2018 as artist and as worker, 1998 as nominee.
    ("music_grammy_get_award_count_by_artist", {"query": "Ida Moss"}, 4),
    ("music_grammy_get_award_count_by_artist", {"query": "nobody"}, 0),
    ("music_grammy_get_award_count_by_artist", {"query": "nan"}, 7),  # Python's word for an empty cell
    ("music_grammy_get_award_count_by_song", {"query": "Glass Harbour"}, 1),
    ("music_grammy_get_award_count_by_song", {"query": "Glass"}, 0),
    ("music_grammy_get_best_song_by_year", {"query": 2018}, ["Glass Harbour"]),
    ("music_grammy_get_best_song_by_year", {"query": 1956}, None),
    ("music_grammy_get_award_date_by_artist", {"query": "Kim Reed"}, [2019]),
    ("music_grammy_get_award_date_by_artist", {"query": "nobody"}, []),
    ("music_grammy_get_best_album_by_year", {"query": 2019}, ["Fog"]),
    ("music_grammy_get_best_album_by_year", {"query": 1957}, []),
    ("music_grammy_get_all_awarded_artists", {}, ["Kim Reed", "Ida Moss"]),
    ("music_get_artist_birth_place", {"query": "Ida Moss"}, "NO"),
    ("music_get_artist_birth_place", {"query": "The Moss Five"}, None),
    ("music_get_artist_birth_date", {"query": "The Moss Five"}, "1999"),
    ("music_get_artist_birth_date", {"query": "MOSS"}, None),
    ("music_get_members", {"query": "The Moss Five"}, ["Kim", "Lee"]),
    ("music_get_members", {"query": "Ida Moss"}, []),
    ("music_get_members", {"query": "moss."}, None),
    ("music_get_lifespan", {"query": "Ida Moss"}, ["1987-05-05", None]),
    ("music_get_lifespan", {"query": "MOSS"}, [None, None]),
    ("music_get_song_author", {"query": "Glass Harbour"}, "Ida Moss"),
    ("music_get_song_author", {"query": "Harbour (Live)"}, None),
    ("music_get_song_release_country", {"query": "Glass Harbour"}, "XW"),
    ("music_get_song_release_date", {"query": "Glass Harbour"}, "2023-09-21"),
    ("music_get_song_release_date", {"query": "glass harbour"}, None),
    ("music_get_artist_all_works", {"query": "Ida Moss"}, ["Glass Harbour", "Harbour (Live)"]),
    ("music_get_artist_all_works", {"query": "Kim Reed"}, None),
    ("sports_soccer_get_games_on_date", {"date": "2024-03-09"}, SOCCER_9_MARCH),
    ("sports_soccer_get_games_on_date", {"date": "2024-03", "team_name": "Monaco"}, MONACO_GAME),
    ("sports_soccer_get_games_on_date", {"date": "2024", "team_name": "Monaco"}, MONACO_GAME),
    ("sports_soccer_get_games_on_date", {"date": "2024", "team_name": "Lille"}, None),  # of no known league
    ("sports_soccer_get_games_on_date", {"date": "2024-3-9"}, None),
    ("sports_soccer_get_games_on_date", {"date": "2024-03-09-1"}, None),
    ("sports_nba_get_games_on_date", {"date": "2022-10-11", "team_name": "Utah Jazz"}, BULLS_IN_OCTOBER),
    ("sports_nba_get_games_on_date", {"date": "2022-10", "team_name": "Chicago Bulls"}, BULLS_IN_OCTOBER),
    ("sports_nba_get_games_on_date", {"date": "2021", "team_name": None}, None),
    ("sports_nba_get_games_on_date", {"date": "2022", "team_name": "O'Neal' or '1'='1"}, None),
    # In the order of the file, not of the question.
    (
        "sports_nba_get_play_by_play_data_by_game_ids",
        {"game_ids": ["002", "001", "001", "nine"]},
        {
            "game_id": {"0": "001", "1": "002", "2": "001"},
            "eventnum": {"0": 1, "1": 1, "2": 2},
            "score": {"0": None, "1": "2 - 0", "2": "0 - 2"},
        },
    ),
    ("sports_nba_get_play_by_play_data_by_game_ids", {"game_ids": []}, None),
    ("sports_nba_get_play_by_play_data_by_game_ids", {"game_ids": ["'"]}, None),
]

#: Route, parameters, part of the sentence.
REFUSALS = [
    ("open_get_entity", {}, "query: field required"),
    ("open_get_entity", {"query": 5}, "query: input should be a valid string, not 5"),
    ("open_get_entity", {"query": None}, "valid string"),
    ("movie_get_movie_info_by_id", {"query": "seven"}, "valid integer"),
    ("movie_get_movie_info_by_id", {"query": 7.5}, "valid integer"),
    ("music_get_billboard_rank_date", {"rank": 1, "date": 20240228}, "date: input should be a valid string"),
    ("music_get_billboard_attributes", {"date": "2024-02-28", "song_name": "x"}, "attribute: field required"),
    ("sports_nba_get_play_by_play_data_by_game_ids", {"game_ids": "001"}, "valid list, not '001'"),
    ("sports_nba_get_play_by_play_data_by_game_ids", {"game_ids": ["001", 2]}, "game_ids.1: "),
    ("finance_get_eps", {"query": ["x" * 500]}, "…"),
]


def test_all_routes_are_asked():
    assert len(ROUTES) == 38
    assert {name for name, _, _ in ANSWERS} == set(ROUTES)


@pytest.mark.parametrize(("name", "parameters", "result"), ANSWERS)
def test_functions_answer(kg: CragKg, name: str, parameters: dict[str, Any], result: Any):
    assert kg.ask(name, **parameters) == result


def test_a_month_and_a_gap_make_fractions(kg: CragKg):
    """pandas reads a column of whole numbers with a gap as fractions; one without stays."""
    table = kg.ask("sports_nba_get_games_on_date", date="2022-10")
    assert json.dumps(table["min"]) == '{"0": 240, "1": 240}'
    assert json.dumps(table["fg3"]) == '{"0": 5.0, "1": null}'
    assert list(table["game_id"].values()) == ["001", "002"]


def test_years_of_an_artist(kg: CragKg):
    assert sorted(kg.ask("music_grammy_get_award_date_by_artist", query="Ida")) == [1998, 2018, 2019]


@pytest.mark.parametrize(("name", "parameters", "said"), REFUSALS)
def test_functions_refuse_wrong_types(kg: CragKg, name: str, parameters: dict[str, Any], said: str):
    with pytest.raises(BadInput) as problem:
        kg.ask(name, **parameters)
    assert said in str(problem.value)
    assert len(str(problem.value)) < 200


def test_there_is_no_such_route(kg: CragKg):
    with pytest.raises(BadInput, match="there is no route 'finance_get_rich'"):
        kg.ask("finance_get_rich")


@pytest.mark.parametrize("text", ["\ud83d", "a\x00b", "<script>", "x" * 100_000, "'; DROP TABLE entries; --"])
def test_odd_names_are_unknown_names(kg: CragKg, text: str):
    for name, route in ROUTES.items():
        kinds = route.parameters.model_json_schema()["properties"]
        if list(kinds) == ["query"] and kinds["query"]["type"] == "string" and "grammy" not in name:
            assert kg.ask(name, query=text) in (None, [], [None, None])


@pytest.fixture(scope="module")
def port(kg: CragKg) -> Iterator[int]:
    with KgServer(kg, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def post(port: int, path: str, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", path, body, headers or {})
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


def test_http_answers(port: int):
    for name, parameters, result in ANSWERS:
        body = json.dumps(parameters).encode() if parameters else b""
        assert post(port, ROUTES[name].path, body) == (200, {"result": result}), (name, parameters)


def test_http_refuses_wrong_types(port: int):
    for name, parameters, said in REFUSALS:
        status, reply = post(port, ROUTES[name].path, json.dumps(parameters).encode())
        assert status == 422
        assert said in reply["detail"]


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "said"),
    [
        ("/open/get_entity", b"{", {}, 400, "no JSON"),
        ("/open/get_entity", b"\xff", {}, 400, "no JSON"),
        ("/open/get_entity", b"[" * 100_000, {}, 400, "no JSON"),
        ("/open/get_entity", b"[1]", {}, 422, "list, not an object"),
        ("/open/get_entity", b'{"name": "x", "self": 1, "query": "Oregon", "more": []}', {}, 200, ""),
        ("/open/get_entity", b'{"query": "\\ud83d"}', {}, 200, ""),
        ("/open/get_rich", b"{}", {}, 404, "there is no path '/open/get_rich'"),
        ("/open/get_entity", b"", {"Content-Length": "2000000"}, 413, "2000000 bytes"),
        ("/open/get_entity", b"", {"Content-Length": "-5"}, 400, "Content-Length"),
        ("/open/get_entity", b"", {"Content-Length": "9" * 5000}, 400, "Content-Length, not '999"),
        ("/open/get_entity?more=1", b'{"query": "Oregon"}', {}, 200, ""),
        (
            "/open/get_entity",
            b'{"query": "Oregon"}',
            {"Host": "localhost:8000", "Origin": "http://[::1]:3000"},
            200,
            "",
        ),
        ("/open/get_entity", b'{"query": "Oregon"}', {"Host": "rebound.example:8000"}, 403, "no pages of other sites"),
        ("/open/get_entity", b'{"query": "Oregon"}', {"Host": "["}, 403, "no pages of other sites"),
        ("/open/get_entity", b"{}", {"Origin": "https://site.example"}, 403, "no pages of other sites"),
        ("/open/get_entity", b"{}", {"Origin": "null"}, 403, "no pages of other sites"),
    ],
)
def test_http_and_odd_requests(port: int, path: str, body: bytes, headers: dict[str, str], status: int, said: str):
    got, reply = post(port, path, body, headers)
    assert got == status
    assert said in str(reply)


def test_http_get_says_what_to_post(port: int):
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/")
    reply = connection.getresponse()
    assert reply.status == 200
    assert len(json.loads(reply.read())["paths"]) == 38
    connection.request("GET", "/open/get_entity")
    assert connection.getresponse().status == 405
    connection.close()


@pytest.mark.parametrize("method", ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_http_and_other_methods(port: int, method: str):
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    for path, status in (("/open/get_entity", 405), ("/open/get_rich", 404)):
        connection.request(method, path, b'{"query": "Oregon"}')
        reply = connection.getresponse()
        text = reply.read()
        assert reply.status == status
        assert text == b"" if method == "HEAD" else b"ask with POST" in text
    connection.request("GET", "/", headers={"Host": "rebound.example"})
    assert connection.getresponse().status == 403
    connection.close()


def test_the_command_serves(store_file: Path):
    """As a process of its own, from its first sentence to Ctrl-C."""
    command = [sys.executable, "-m", "eval", "crag-kg", "serve", str(store_file), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[4]) as served:
        try:
            assert served.stderr is not None
            said = served.stderr.readline()
            assert said.startswith("the mock KG answers at http://127.0.0.1:")
            at = int(said.split(":")[2].split()[0])
            assert post(at, "/finance/get_eps", b'{"query": "GLSW"}') == (200, {"result": 2.5})
            served.send_signal(signal.SIGINT)
            assert served.wait(30) == 130
            assert served.stderr.read() == "stopped\n"
        finally:
            served.kill()


def test_a_client_that_goes_away(kg: CragKg, port: int, capfd: pytest.CaptureFixture[str]):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(b"POST /sports/nba/get_games_on_date HTTP/1.1\r\nContent-Length: 50\r\n\r\n{")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not closed
    connection.close()
    assert post(port, "/finance/get_eps", b'{"query": "GLSW"}') == (200, {"result": 2.5})
    assert "Traceback" not in capfd.readouterr().err


def test_a_port_that_is_taken(kg: CragKg, port: int):
    with pytest.raises(BadInput, match=f"port {port} cannot be used"):
        KgServer(kg, port)
    with pytest.raises(BadInput, match="port 70000 cannot be used"):
        KgServer(kg, 70_000)
