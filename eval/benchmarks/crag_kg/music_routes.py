"""Routes of the music domain: artists and songs, the Billboard Hot 100, the Grammys of 1958 to 2019.

A Grammy of a year is given in the first months of the next. Artists are counted as the released server counts them: by
rows whose nominee, artist or workers contain the name as a part of their text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from eval.benchmarks.crag_kg.names import RESULTS
from eval.benchmarks.crag_kg.registry import Name, Route, View, Words, said

Artist = Annotated[str, said("the name of the artist or band")]
Song = Annotated[str, said("the name of the song")]
Day = Annotated[str, said("YYYY-MM-DD")]
Year = Annotated[int, said("the year, 1957 to 2019")]
Attribute = Annotated[str, said("rank_last_week, weeks_in_chart, top_position or rank")]
#: Where a row of a chart has what is asked: the columns stand otherwise for a song that is new in it.
_CHART_COLUMNS = {"rank_last_week": 4, "weeks_in_chart": 6, "top_position": 5}
_NEW_IN_CHART = {"rank_last_week": 6, "weeks_in_chart": 5, "top_position": 4}
_RANK = 3


def search_artist_entity_by_name(view: View, query: Words) -> list[str]:
    """Find musicians and bands by name: up to ten names, the best match first."""
    return [name for names in view.store.find("artists", query) for name in names][:RESULTS]


def search_song_entity_by_name(view: View, query: Words) -> list[str]:
    """Find songs by name: up to ten names, the best match first."""
    return [name for names in view.store.find("songs", query) for name in names][:RESULTS]


def get_billboard_rank_date(
    view: View, rank: Annotated[int, said("1 to 100")], date: Annotated[str | None, said("YYYY-MM-DD")] = None
) -> list[Any]:
    """Look up which song held a rank of the Billboard Hot 100 on a date, or on every date: a list of songs and a list
    of their artists.
    """
    chart = view.store.entry("chart ranks", str(rank))
    if not isinstance(chart, list):
        return [None, None]
    rows = [row for row in chart if isinstance(row, dict) and _shown(view, row.get("Date"))]
    if date:
        rows = [row for row in rows if row.get("Date") == date][:1]
    return [[row.get("Song") for row in rows], [row.get("Artist") for row in rows]]


def get_billboard_attributes(view: View, date: Day, attribute: Attribute, song_name: Song) -> Any:
    """Look up rank_last_week, weeks_in_chart, top_position or rank of a song in the Billboard Hot 100 of a date."""
    dates = view.store.entry("chart songs", song_name)
    row = dates.get(date) if isinstance(dates, dict) and _shown(view, date) else None
    if not isinstance(row, list) or len(row) <= max(_NEW_IN_CHART.values()):
        return None
    columns = _NEW_IN_CHART if row[6] == "-" else _CHART_COLUMNS
    return row[columns.get(attribute, _RANK)]


def grammy_get_best_artist_by_year(view: View, query: Year) -> list[Any] | None:
    """Look up who won the Grammy for Best New Artist of a year."""
    return _winners(view, query, "Best New Artist")


def grammy_get_award_count_by_artist(view: View, query: Artist) -> int:
    """Count the Grammys of an artist."""
    return sum(query in text for award in _awards(view) for text in award.searched)


def grammy_get_award_count_by_song(view: View, query: Song) -> int:
    """Count the Grammys of a song."""
    return sum(award.nominee == query for award in _awards(view))


def grammy_get_best_song_by_year(view: View, query: Year) -> list[Any] | None:
    """Look up the Grammy for Song Of The Year of a year."""
    return _winners(view, query, "Song Of The Year")


def grammy_get_award_date_by_artist(view: View, query: Artist) -> list[int]:
    """Look up the years in which an artist won Grammys."""
    awards = [award for award in _awards(view) if any(query in text for text in award.searched)]
    # The order is that of Python's sets, as in the released server.
    return list(set([award.year_by_label for award in awards if award.year_by_label is not None]))  # noqa: C403


def grammy_get_best_album_by_year(view: View, query: Year) -> list[Any] | None:
    """Look up the Grammy for Album Of The Year of a year."""
    return _winners(view, query, "Album Of The Year")


def grammy_get_all_awarded_artists(view: View) -> list[str]:
    """List every artist who ever won the Grammy for Best New Artist."""
    found = (award.nominee for award in _awards(view) if award.category == "Best New Artist")
    return list(dict.fromkeys(name for name in found if name is not None))


def get_artist_birth_place(view: View, query: Artist) -> Any:
    """Look up the country an artist was born in, as two letters (ISO 3166)."""
    return _known(view, "artists", query, "country")


def get_artist_birth_date(view: View, query: Artist) -> Any:
    """Look up when an artist was born or a band began, as exactly as is known (YYYY-MM-DD)."""
    return _known(view, "artists", query, "birth_date")


def get_members(view: View, query: Annotated[str, said("the name of the band")]) -> list[Any] | None:
    """List the members of a band."""
    # Each once, as they stand in the file; the released server gives them in a new order at every start.
    artist = view.store.entry("artists", query)
    members = artist.get("members") if isinstance(artist, dict) else None
    return list(dict.fromkeys(members)) if isinstance(members, list) else None


def get_lifespan(view: View, query: Artist) -> list[Any]:
    """Look up when an artist was born and died, or a band began and ended."""
    artist = view.store.entry("artists", query)
    if not isinstance(artist, dict) or not {"birth_date", "end_date"} <= artist.keys():
        return [None, None]
    return [artist["birth_date"], artist["end_date"]]


def get_song_author(view: View, query: Song) -> Any:
    """Look up who made a song."""
    return _known(view, "songs", query, "author")


def get_song_release_country(view: View, query: Song) -> Any:
    """Look up the country a song was released in, as two letters (ISO 3166)."""
    return _known(view, "songs", query, "country")


def get_song_release_date(view: View, query: Song) -> Any:
    """Look up when a song was released, YYYY-MM-DD."""
    return _known(view, "songs", query, "date")


def get_artist_all_works(view: View, query: Name) -> Any:
    """List all works of an artist or band."""
    return view.store.entry("works", query)


@dataclass(frozen=True)
class _Award:
    year: int | None
    category: str | None
    nominee: str | None
    searched: list[str]
    year_by_label: int | None


def _awards(view: View) -> Iterator[_Award]:
    for award in (_Award(*values) for values in view.store.entries("grammys")):
        if view.moment is None or view.moment.shows_ceremony(award.year):
            yield award


def _winners(view: View, year: int, category: str) -> list[Any] | None:
    if not 1957 <= year <= 2019:
        return None
    return [award.nominee for award in _awards(view) if award.category == category and award.year == year]


def _shown(view: View, date: Any) -> bool:
    return view.moment is None or (isinstance(date, str) and view.moment.shows_date(date))


def _known(view: View, part: Any, name: str, key: str) -> Any:
    entry = view.store.entry(part, name)
    return (entry.get(key) if isinstance(entry, dict) else None) or None


_LATER_CHARTS, _LATER_AWARDS = "later charts", "awards given in the same year or later"
ROUTES = (
    Route("/music/search_artist_entity_by_name", search_artist_entity_by_name, ("artists",)),
    Route("/music/search_song_entity_by_name", search_song_entity_by_name, ("songs",)),
    Route("/music/get_billboard_rank_date", get_billboard_rank_date, ("chart ranks",), _LATER_CHARTS),
    Route("/music/get_billboard_attributes", get_billboard_attributes, ("chart songs",), _LATER_CHARTS),
    Route("/music/grammy_get_best_artist_by_year", grammy_get_best_artist_by_year, ("grammys",), _LATER_AWARDS),
    Route("/music/grammy_get_award_count_by_artist", grammy_get_award_count_by_artist, ("grammys",), _LATER_AWARDS),
    Route("/music/grammy_get_award_count_by_song", grammy_get_award_count_by_song, ("grammys",), _LATER_AWARDS),
    Route("/music/grammy_get_best_song_by_year", grammy_get_best_song_by_year, ("grammys",), _LATER_AWARDS),
    Route("/music/grammy_get_award_date_by_artist", grammy_get_award_date_by_artist, ("grammys",), _LATER_AWARDS),
    Route("/music/grammy_get_best_album_by_year", grammy_get_best_album_by_year, ("grammys",), _LATER_AWARDS),
    Route("/music/grammy_get_all_awarded_artists", grammy_get_all_awarded_artists, ("grammys",), _LATER_AWARDS),
    Route("/music/get_artist_birth_place", get_artist_birth_place, ("artists",)),
    Route("/music/get_artist_birth_date", get_artist_birth_date, ("artists",)),
    Route("/music/get_members", get_members, ("artists",)),
    Route("/music/get_lifespan", get_lifespan, ("artists",)),
    Route("/music/get_song_author", get_song_author, ("songs",)),
    Route("/music/get_song_release_country", get_song_release_country, ("songs",)),
    Route("/music/get_song_release_date", get_song_release_date, ("songs",)),
    Route("/music/get_artist_all_works", get_artist_all_works, ("works",)),
)
