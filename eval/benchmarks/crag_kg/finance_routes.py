"""Routes of the finance domain: companies, prices, dividends, key figures.

Market capitalisation, earnings per share, price-to-earnings ratio and what is told of a company are one snapshot
without a date, so that they cannot be limited to a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from eval.benchmarks.crag_kg.names import RESULTS
from eval.benchmarks.crag_kg.registry import Name, Route, View, Words, said
from eval.benchmarks.crag_kg.store import Part

Ticker = Annotated[str, said("the ticker symbol, in capitals")]


def get_company_name(view: View, query: Words) -> list[str]:
    """Find companies on the stock market by name: up to ten full names, the best match first."""
    return [name for names in view.store.find("companies", query) for name in names][:RESULTS]


def get_ticker_by_name(view: View, query: Name) -> Any:
    """Look up the ticker symbol of a company by its full name; null where there is none."""
    return view.store.entry("companies", query)


def get_price_history(view: View, query: Ticker) -> Any:
    """Look up a year of daily prices of a ticker: day to Open, High, Low, Close and Volume, the latest last."""
    return _dated(view, "prices", query, lambda key: view.moment is None or view.moment.shows_close(key))


def get_detailed_price_history(view: View, query: Ticker) -> Any:
    """Look up five days of prices of a ticker by the minute (09:30 to 15:59 in New York): time to Open, High, Low,
    Close and Volume, the latest last.
    """
    return _dated(view, "detailed prices", query, lambda key: view.moment is None or view.moment.shows_minute(key))


def get_dividends_history(view: View, query: Ticker) -> Any:
    """Look up the dividends of a ticker: day to dividend a share, the latest last."""
    return _dated(view, "dividends", query, lambda key: view.moment is None or view.moment.shows_date(key[:10]))


def get_market_capitalization(view: View, query: Ticker) -> Any:
    """Look up the market capitalisation of a ticker."""
    return view.store.entry("market caps", query)


def get_eps(view: View, query: Ticker) -> Any:
    """Look up the (forward) earnings per share of a ticker."""
    return _figure(view, query, "forwardEps")


def get_pe_ratio(view: View, query: Ticker) -> Any:
    """Look up the (forward) price-to-earnings ratio of a ticker."""
    return _figure(view, query, "forwardPE")


def get_info(view: View, query: Ticker) -> Any:
    """Look up what is known of the company of a ticker: address, industry, business, officers, key figures."""
    return view.store.entry("company info", query)


def _dated(view: View, part: Part, ticker: str, shown: Callable[[str], bool]) -> Any:
    history = view.store.entry(part, ticker)
    if not isinstance(history, dict):
        return history
    return {key: value for key, value in history.items() if shown(key)}


def _figure(view: View, ticker: str, key: str) -> Any:
    known = view.store.entry("company info", ticker)
    return known.get(key) if isinstance(known, dict) else None


ROUTES = (
    Route("/finance/get_company_name", get_company_name, ("companies",)),
    Route("/finance/get_ticker_by_name", get_ticker_by_name, ("companies",)),
    Route("/finance/get_price_history", get_price_history, ("prices",), "days before their close", dated=True),
    Route(
        "/finance/get_detailed_price_history",
        get_detailed_price_history,
        ("detailed prices",),
        "minutes that were not over",
        dated=True,
    ),
    Route("/finance/get_dividends_history", get_dividends_history, ("dividends",), "later days", dated=True),
    Route("/finance/get_market_capitalization", get_market_capitalization, ("market caps",)),
    Route("/finance/get_eps", get_eps, ("company info",)),
    Route("/finance/get_pe_ratio", get_pe_ratio, ("company info",)),
    Route("/finance/get_info", get_info, ("company info",)),
)
