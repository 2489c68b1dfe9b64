"""Routes of the sports domain: games of soccer and basketball, and what happened in the latter.

Results are tables as pandas writes them into JSON: column to row to value. A date is YYYY-MM-DD, YYYY-MM or YYYY; for
any other text the answer is null (for basketball the released server would give every game there ever was).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from eval.benchmarks.crag_kg.registry import Route, View, said
from eval.benchmarks.crag_kg.store import Part

Date = Annotated[str, said("YYYY-MM-DD, YYYY-MM or YYYY")]
Team = Annotated[str | None, said("the full name of one of the teams; null for all games")]
Table = dict[str, dict[str, Any]]


def get_soccer_games_on_date(view: View, date: Date, team_name: Team = None) -> Table | None:
    """Look up soccer games of a day, a month or a year, one row for each team: venue, result (W, D, L), GF and GA
    (goals for and against), opponent, xG and xGA (expected goals), Poss (possession in percent), Captain, round, and
    more; null where there is none.
    """
    games = _games(view, "soccer games", date, team_name)
    labels = [label for label, _ in games]
    if len(set(labels)) < len(labels):  # pandas refuses such a table, and the released server then answers null
        return None
    columns = view.store.columns("soccer games")
    return _table(columns, zip(*(values for _, values in games), strict=True), labels) if games else None


def get_nba_games_on_date(view: View, date: Date, team_name: Team = None) -> Table | None:
    """Look up NBA games of a day, a month or a year: game_id, game_date, team_name_home, team_name_away, wl_home and
    wl_away (W or L), pts_home and pts_away, and the box score of both teams; null where there is none.
    """
    games = _games(view, "nba games", date, team_name)
    return _sql_table(view.store.columns("nba games"), [values for _, values in games])


def get_nba_play_by_play(
    view: View, game_ids: Annotated[list[str], said("ids of games, for example 0022200547")]
) -> Table | None:
    """Look up what happened in NBA games, event by event: period, wctimestring and pctimestring (wall and game
    clock), eventmsgtype, homedescription, neutraldescription, visitordescription, score, player1_name, and more; null
    where there is none.
    """
    moment = view.moment
    if moment is not None:
        game_ids = [game for game in game_ids if moment.shows_day(view.store.day_of_game("nba games", game))]
    return _sql_table(view.store.columns("nba plays"), view.store.plays(game_ids))


def _games(view: View, part: Part, date: str, team: str | None) -> list[tuple[str, list[Any]]]:
    found = view.store.games(part, date, team)
    return [(label, values) for day, label, values in found if view.moment is None or view.moment.shows_day(day)]


def _sql_table(names: list[str], rows: list[list[Any]]) -> Table | None:
    """Rows of a SQL table as pandas reads them: a column of numbers with a gap or a fraction is one of fractions."""
    if not rows:
        return None
    columns = (_one_kind(column) for column in zip(*rows, strict=True))
    return _table(names, columns, [str(n) for n in range(len(rows))])


def _one_kind(column: Iterable[Any]) -> list[Any]:
    values = list(column)
    kinds = {type(value) for value in values}
    if kinds == {int} or not kinds <= {int, float, type(None)}:
        return values
    return [value if value is None else float(value) for value in values]


def _table(names: list[str], columns: Iterable[Iterable[Any]], labels: list[str]) -> Table:
    return {name: dict(zip(labels, column, strict=True)) for name, column in zip(names, columns, strict=True)}


_LATER_GAMES = "games of the same day or later"
ROUTES = (
    Route("/sports/soccer/get_games_on_date", get_soccer_games_on_date, ("soccer games",), _LATER_GAMES),
    Route("/sports/nba/get_games_on_date", get_nba_games_on_date, ("nba games",), _LATER_GAMES),
    Route(
        "/sports/nba/get_play_by_play_data_by_game_ids",
        get_nba_play_by_play,
        ("nba plays",),
        f"{_LATER_GAMES}, and those without a day",
    ),
)
