"""The mock KG as tools of a model, and as of the moment a question was asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.crag_kg.kg import ROUTES, CragKg
from eval.benchmarks.crag_kg.moments import parse_query_time
from tests.eval.benchmarks.crag_kg import released as r


def test_tool_definitions(kg: CragKg):
    tools = {tool["function"]["name"]: tool["function"] for tool in kg.tool_definitions()}
    assert set(tools) == set(ROUTES)
    assert tools["music_get_billboard_rank_date"]["parameters"] == {
        "type": "object",
        "properties": {
            "rank": {"type": "integer", "description": "1 to 100"},
            "date": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "default": None,
                "description": "YYYY-MM-DD",
            },
        },
        "required": ["rank"],
        "additionalProperties": False,
    }
    assert tools["music_grammy_get_all_awarded_artists"]["parameters"] == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }
    games = tools["sports_nba_get_play_by_play_data_by_game_ids"]["parameters"]["properties"]["game_ids"]
    assert games["items"] == {"type": "string"}
    for tool in tools.values():
        assert len(tool["name"]) <= 64
        assert len(tool["description"]) > 20
        assert "\n" not in tool["description"]
        assert all("description" in shape for shape in tool["parameters"]["properties"].values())


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("finance_get_eps", '{"query": "GLSW"}', "2.5"),
        ("finance_get_eps", '{"query": "NONE"}', "null"),
        ("music_get_artist_all_works", '{"query": "Ida Moss", "more": 1}', '["Glass Harbour", "Harbour (Live)"]'),
        ("music_grammy_get_all_awarded_artists", "", '["Kim Reed", "Ida Moss"]'),
        ("music_grammy_get_all_awarded_artists", "{}", '["Kim Reed", "Ida Moss"]'),
        ("finance_get_eps", "{}", "Error: /finance/get_eps: query: field required"),
        ("finance_get_eps", '"GLSW"', "Error: the arguments are str, not an object: write one"),
        ("get_rich", "{}", "Error: there is no route 'get_rich': choose one of open_search_entity_by_name, "),
    ],
)
def test_calls(kg: CragKg, name: str, arguments: str, text: str):
    assert kg.call(name, arguments, 100_000).startswith(text)


@pytest.mark.parametrize("arguments", ["{", "nonsense", "[" * 100_000, '{"query": "\ud83d"'])
def test_arguments_that_are_no_json(kg: CragKg, arguments: str):
    assert kg.call("finance_get_eps", arguments, 1000).startswith("Error: the arguments are no JSON")


def test_long_answers_are_cut(kg: CragKg):
    whole = kg.call("open_get_entity", '{"query": "Florida"}', 10_000)
    assert json.loads(whole) == r.OPEN["Florida"]
    cut = kg.call("open_get_entity", '{"query": "Florida"}', 60)
    assert len(cut) == 60
    assert cut.endswith("… (left out here: what follows)")
    assert whole.startswith(cut.partition("…")[0])
    for limit in range(1, len(whole) + 2):
        assert len(kg.call("open_get_entity", '{"query": "Florida"}', limit)) <= limit


def test_of_histories_the_end_is_kept(kg: CragKg):
    cut = kg.call("finance_get_price_history", '{"query": "GLSW"}', 250)
    said, _, kept = cut.partition("… ")
    assert said == "(left out here: what is earlier) "
    last = {day: prices for day, prices in r.PRICES.items() if day >= "2024-02-27"}
    assert json.loads(kept) == last  # two days of about 95 characters
    assert len(cut) <= 250


def test_lengths_are_counted_as_the_caller_counts(kg: CragKg):
    def words(text: str) -> int:
        return len(text.split())

    cut = kg.call("open_get_entity", '{"query": "Florida"}', 7, words)
    assert words(cut) == 7
    assert cut.endswith("(left out here: what follows)")
    with pytest.raises(BadInput, match="the limit 0 is too small"):
        kg.call("finance_get_eps", "{}", 0)


@pytest.mark.parametrize("name", ["open_get_entity", "finance_get_price_history"])
def test_of_answers_of_megabytes_little_more_is_counted_than_is_shown(
    kg: CragKg, monkeypatch: pytest.MonkeyPatch, name: str
):
    answer = {str(n): "word" for n in range(200_000)}
    monkeypatch.setattr(CragKg, "ask", lambda self, name, **parameters: answer)
    counted = []

    def words(text: str) -> int:
        counted.append(len(text))
        return len(text.split())

    text = kg.call(name, '{"query": "x"}', 1000, words)
    assert 990 <= len(text.split()) <= 1000
    assert sum(counted) < 50 * len(text) < 1_000_000


#: 10:04:54 in Los Angeles is 13:04:54 in New York: the exchange is open.
ASKED = "02/28/2024, 10:04:54 PT"


@pytest.mark.parametrize(
    ("when", "name", "parameters", "result"),
    [
        (ASKED, "finance_get_price_history", {"query": "GLSW"}, dict(list(r.PRICES.items())[:2])),
        ("02/28/2024, 12:59:59 PT", "finance_get_price_history", {"query": "GLSW"}, dict(list(r.PRICES.items())[:2])),
        ("02/28/2024, 13:00:00 PT", "finance_get_price_history", {"query": "GLSW"}, r.PRICES),
        ("02/28/2024, 16:00:00 ET", "finance_get_price_history", {"query": "GLSW"}, r.PRICES),
        ("02/25/2024, 16:00:00 ET", "finance_get_price_history", {"query": "GLSW"}, {}),
        (ASKED, "finance_get_price_history", {"query": "NONE"}, None),
        # The minute that began at 13:03 was over, the one that began at 13:04 was not.
        (ASKED, "finance_get_detailed_price_history", {"query": "GLSW"}, dict(list(r.MINUTES.items())[:2])),
        (ASKED, "finance_get_dividends_history", {"query": "GLSW"}, {"2024-02-21 00:00:00 EST": 0.5}),
        ("02/29/2024, 00:00:00 PT", "finance_get_dividends_history", {"query": "GLSW"}, r.DIVIDENDS),
        (ASKED, "finance_get_market_capitalization", {"query": "GLSW"}, 1.25e9),
        (ASKED, "music_get_billboard_rank_date", {"rank": 1, "date": "2024-02-28"}, [["Glass Harbour"], ["Ida Moss"]]),
        ("02/27/2024, 10:00:00 PT", "music_get_billboard_rank_date", {"rank": 1}, [["Fog"], ["Kim Reed"]]),
        ("02/27/2024, 10:00:00 PT", "music_get_billboard_rank_date", {"rank": 1, "date": "2024-02-28"}, [[], []]),
        (
            "02/27/2024, 10:00:00 PT",
            "music_get_billboard_attributes",
            {"date": "2024-02-28", "attribute": "rank", "song_name": "Glass Harbour"},
            None,
        ),
        # The awards of 2019 were given in January 2020.
        ("12/31/2019, 10:00:00 PT", "music_grammy_get_best_artist_by_year", {"query": 2019}, []),
        ("02/01/2020, 10:00:00 PT", "music_grammy_get_best_artist_by_year", {"query": 2019}, ["Kim Reed"]),
        ("12/31/2019, 10:00:00 PT", "music_grammy_get_award_count_by_artist", {"query": "Ida Moss"}, 3),
        ("12/31/2018, 10:00:00 PT", "music_grammy_get_award_count_by_song", {"query": "Glass Harbour"}, 0),
        ("12/31/2018, 10:00:00 PT", "music_grammy_get_best_song_by_year", {"query": 2018}, []),
        ("12/31/2018, 10:00:00 PT", "music_grammy_get_award_date_by_artist", {"query": "Ida Moss"}, [1998]),
        ("12/31/2019, 10:00:00 PT", "music_grammy_get_best_album_by_year", {"query": 2019}, []),
        ("12/31/2019, 10:00:00 PT", "music_grammy_get_all_awarded_artists", {}, ["Ida Moss"]),
        ("06/01/1992, 10:00:00 PT", "movie_get_year_info", {"query": "1992"}, None),
        ("06/01/1993, 10:00:00 PT", "movie_get_year_info", {"query": "1992"}, r.YEARS["1992"]),
        ("03/10/2024, 23:59:59 PT", "sports_soccer_get_games_on_date", {"date": "2024", "team_name": "Monaco"}, None),
        ("10/11/2022, 23:59:59 PT", "sports_nba_get_games_on_date", {"date": "2022"}, None),
        ("10/11/2022, 23:59:59 PT", "sports_nba_get_play_by_play_data_by_game_ids", {"game_ids": ["001"]}, None),
        ("10/12/2023, 23:59:59 PT", "sports_nba_get_play_by_play_data_by_game_ids", {"game_ids": ["nine"]}, None),
    ],
)
def test_as_of(kg: CragKg, when: str, name: str, parameters: dict[str, Any], result: Any):
    assert kg.as_of(when).ask(name, **parameters) == result


def test_games_of_days_that_were_over(kg: CragKg):
    later = kg.as_of("10/12/2022, 00:00:00 PT")
    assert list(later.ask("sports_nba_get_games_on_date", date="2022")["game_id"].values()) == ["001", "002"]
    plays = later.ask("sports_nba_get_play_by_play_data_by_game_ids", game_ids=["001", "003"])
    assert set(plays["game_id"].values()) == {"001"}
    soccer = kg.as_of("03/10/2024, 10:00:00 PT").ask("sports_soccer_get_games_on_date", date="2024-03")
    assert set(soccer["date"].values()) == {"2024-03-09T00:00:00.000"}


def test_every_route_that_is_limited_says_so(kg: CragKg):
    """As of a day before all data, exactly the routes that say it answer otherwise."""
    asked: dict[str, list[dict[str, Any]]] = {
        "movie_get_year_info": [{"query": "1992"}],
        "music_get_billboard_rank_date": [{"rank": 1}],
        "music_get_billboard_attributes": [
            {"date": "2024-02-28", "attribute": "rank", "song_name": "Glass Harbour"},
        ],
        "sports_soccer_get_games_on_date": [{"date": "2024"}],
        "sports_nba_get_games_on_date": [{"date": "2022"}],
        "sports_nba_get_play_by_play_data_by_game_ids": [{"game_ids": ["001"]}],
        "movie_get_movie_info_by_id": [{"query": 7}],
        "movie_get_person_info_by_id": [{"query": 1}],
        "music_grammy_get_all_awarded_artists": [{}],
    }
    queries: list[Any] = ["GLSW", "Ida Moss", "Glass Harbour", "Texas", "moss", "oat", "Oat Mill Corp", "The Moss Five"]
    years: list[Any] = [1998, 2018, 2019]
    early = kg.as_of("01/01/1950, 10:00:00 PT")
    changed, answered = set(), set()
    for name in ROUTES:
        by_year = name.startswith("music_grammy") and name.endswith("by_year")
        for parameters in asked.get(name) or [{"query": query} for query in (years if by_year else queries)]:
            now, then = kg.ask(name, **parameters), early.ask(name, **parameters)
            answered |= {name} if now else set()
            changed |= {name} if now != then else set()
    assert answered == set(ROUTES) - {"finance_get_pe_ratio"}
    assert changed == {name for name, route in ROUTES.items() if route.limited}
    assert len(changed) == 16


@pytest.mark.parametrize(
    "text", ["", "2024-02-28", "02/30/2024, 10:04:54 PT", "02/28/2024, 25:04:54 PT", "02/28/2024, 10:04:54 CET", "<b>"]
)
def test_what_is_no_query_time(kg: CragKg, text: str):
    with pytest.raises(BadInput, match=r"is no query time"):
        kg.as_of(text)


def test_days_and_clocks_of_a_moment():
    """A quarter past nine in the evening in Los Angeles is the next day in New York."""
    moment = parse_query_time(" 03/05/2024, 21:15:00 PT ")
    assert str(moment.day) == "2024-03-05"
    assert str(moment.in_new_york) == "2024-03-06 00:15:00"
    assert moment.shows_date("2024-03-05")
    assert not moment.shows_day("2024-03-05")
    assert not moment.shows_close("no day")
    assert not moment.shows_minute("2024-03-05")
    assert not moment.shows_day(None)
