"""Routes of the movie domain: movies, the people in them, years."""

from __future__ import annotations

from typing import Annotated, Any

from eval.benchmarks.crag_kg.names import RESULTS
from eval.benchmarks.crag_kg.registry import Route, View, Words, said
from eval.benchmarks.crag_kg.store import Part

Id = Annotated[int, said("the id")]
Year = Annotated[str, said("the year, 1990 to 2021")]


def get_person_info(view: View, query: Words) -> list[Any]:
    """Find people of the movies by name, up to ten, the best match first. Each may have name, id, birthday
    (YYYY-MM-DD), acted_movies and directed_movies (ids of movies) and oscar_awards (year_ceremony, ceremony, category,
    name, film, winner: false where it was nominated only).
    """
    return _found(view, "people", query)


def get_movie_info(view: View, query: Words) -> list[Any]:
    """Find movies by name, up to ten, the best match first. Each may have title, id, release_date (YYYY-MM-DD),
    original_title, original_language, budget and revenue (US dollars), rating (0 to 10), genres, oscar_awards, cast
    (name, id, character, gender, order) and crew (name, id, job).
    """
    return _found(view, "movies", query)


def get_year_info(view: View, query: Year) -> Any:
    """Look up a year of the movies, 1990 to 2021: movie_list (ids of its movies) and oscar_awards of that year."""
    try:
        year = int(query)
    except ValueError:
        return None
    known = 1990 <= year <= 2021 and (view.moment is None or year < view.moment.day.year)
    return view.store.entry("movie years", query) if known else None


def get_movie_info_by_id(view: View, query: Id) -> Any:
    """Look up a movie by its id, with what get_movie_info gives of one; null where there is none."""
    return view.store.entry_by_id("movies", query)


def get_person_info_by_id(view: View, query: Id) -> Any:
    """Look up a person by the id, with what get_person_info gives of one; null where there is none."""
    return view.store.entry_by_id("people", query)


def _found(view: View, part: Part, query: str) -> list[Any]:
    keys = [key for keys in view.store.find(part, query) for key in keys][:RESULTS]
    return [view.store.entry(part, key) for key in keys]


ROUTES = (
    Route("/movie/get_person_info", get_person_info, ("people",)),
    Route("/movie/get_movie_info", get_movie_info, ("movies",)),
    Route("/movie/get_year_info", get_year_info, ("movie years",), limited="years that were not over"),
    Route("/movie/get_movie_info_by_id", get_movie_info_by_id, ("movies",)),
    Route("/movie/get_person_info_by_id", get_person_info_by_id, ("people",)),
)
