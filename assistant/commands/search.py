"""Raw vector search: the nearest rows of the image collection for a picture, or of the web collection for a text.

With --json the results are the documented dictionaries, one list on standard output.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--image", metavar="F", help="a picture file")
    what.add_argument("--text", metavar="Q", help="a text")
    parser.add_argument("--k", type=int, default=10, metavar="K", help="how many results (default 10)")
    parser.add_argument("--index", metavar="DIR", help="the index (default: the bundled world's)")
    parser.add_argument("--data-dir", metavar="DIR", help="where indexes are kept")
    parser.add_argument("--json", action="store_true", help="the documented dictionaries as JSON")


def run(args: argparse.Namespace) -> int:
    if args.text is not None and not args.text.strip():
        raise BadInput("the text is empty: say what to look for")
    settings = read_settings(index=args.index, data_dir=args.data_dir)
    from assistant.factory import ensure_index, open_search

    if settings.index is None:
        ensure_index(settings)
    pipeline = open_search(settings)
    results = pipeline(Path(args.image) if args.image is not None else args.text, args.k)
    if args.json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
        return 0
    if not results:
        print("nothing found")
    for result in results:
        print(_line(result))
    return 0


def _line(result: dict[str, Any]) -> str:
    if "entities" in result:
        what = ", ".join(e["entity_name"] for e in result["entities"])
        return f"{result['score']:.3f}  {result['index']:>6}  {what}"
    snippet = " ".join(str(result["page_snippet"]).split())
    return f"{result['score']:.3f}  {result['page_name']}  {result['page_url']}\n       {snippet[:160]}"
