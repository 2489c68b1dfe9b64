"""Writes a whole world folder: region, pages, pictures, questions, conversations, gold.

The folder appears under its name only when it is complete. Every text is the same bytes for a seed; pictures are, for
equal package versions.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assistant.errors import BadInput
from eval.world import conversations, seeds
from eval.world.drawing.canvas import FontBox
from eval.world.frames import SECOND_SHARE, Photographer, Shot, second_thing
from eval.world.gold import gold_line
from eval.world.model import Question, Thing
from eval.world.pages import PageWriter
from eval.world.questions import TYPES, Asker
from eval.world.region import make_region
from eval.world.rows import write_rows
from eval.world.say import dirty
from eval.world.vocabulary import load_vocabulary

FORMAT_VERSION = 1
UNINDEXED_SHARE = 0.066
#: Share of questions (notices aside) whose answer stands nowhere, beside those about entities that are not indexed.
HIDDEN_SHARE = 0.08
SPLITS = ("validation", "public_test")
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Options:
    """What a world is made from. None for a share or a count means the usual one."""

    seed: int
    entities: int
    questions: int | None = None
    conversations: int | None = None
    unindexed: float | None = None
    degraded: float | None = None
    balance: bool = False
    phrasings: Path | None = None
    attributes: Path | None = None
    backgrounds: Path | None = None
    fonts: Path | None = None


def generate(options: Options, out: Path, progress: Progress | None = None) -> dict[str, int]:
    """Make the world `out`; an existing folder is replaced only if it is a world. Returns counts.

    Raises:
        BadInput: `out` is something else than a world, or an option cannot be used.
    """
    check_target(out)
    report = progress or (lambda share, text: None)
    partial = out.with_name(f".{out.name}.partial")
    if partial.exists():
        shutil.rmtree(partial)
    partial.mkdir(parents=True)
    try:
        counts = _World(options, partial, report).write()
        if out.exists():
            shutil.rmtree(out)
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return counts


def check_target(out: Path) -> None:
    """Refuse to put a world where something else is."""
    if out.is_file():
        raise BadInput(f"{str(out)!r} is a file: give the name of a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / "world.json").is_file():
        raise BadInput(f"{str(out)!r} holds something that is not a world: give an empty or a new folder")


class _World:
    """The making of one world in the folder `root`."""

    def __init__(self, options: Options, root: Path, report: Progress) -> None:
        self.o = options
        self.root = root
        self.report = report
        self.vocabulary = load_vocabulary(options.phrasings, options.attributes)
        fonts = FontBox.open(options.fonts)
        self.photographer = Photographer(options.seed, fonts, options.backgrounds, options.degraded, options.balance)
        share = UNINDEXED_SHARE if options.unindexed is None else options.unindexed
        self.region = make_region(options.seed, options.entities, share, self.vocabulary)
        self.asker = Asker(self.region, self.vocabulary.phrasings)
        self.gold: list[dict[str, Any]] = []
        self.rows: dict[tuple[str, str], list[dict[str, Any]]] = {
            (s, split): [] for s in ("single_turn", "multi_turn") for split in SPLITS
        }

    def write(self) -> dict[str, int]:
        self.report(0.0, "pages")
        pages = PageWriter(self.o.seed, self.region, self.vocabulary).write_all()
        _jsonl(self.root / "web" / "pages.jsonl", (asdict(p) for p in pages))
        pictures = self._knowledge_graph()
        singles = self._single_turns()
        talks = self._conversations()
        for (set_name, split), rows in self.rows.items():
            write_rows(self.root / set_name / f"{split}.parquet", set_name, rows)
        _jsonl(self.root / "gold" / "turns.jsonl", self.gold)
        (self.root / "urlcache").mkdir(exist_ok=True)
        counts = {
            "entities": len(self.region.entities),
            "indexed": sum(t.indexed for t in self.region.entities),
            "index_pictures": pictures,
            "pages": len(pages),
            "questions": singles,
            "conversations": talks,
            "turns": len(self.gold),
        }
        self._manifest(counts)
        self.report(1.0, "done")
        return counts

    def _manifest(self, counts: dict[str, int]) -> None:
        options = {k: str(v.name) if isinstance(v, Path) else v for k, v in asdict(self.o).items() if k != "seed"}
        packages = ("numpy", "opencv-python-headless", "pillow", "pyarrow")
        manifest = {
            "format_version": FORMAT_VERSION,
            "seed": self.o.seed,
            "region": self.region.name,
            "options": options,
            "versions": {p: importlib.metadata.version(p) for p in packages},
            "licence": "CC0-1.0",
            "counts": counts,
        }
        _write(self.root / "world.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")

    def _knowledge_graph(self) -> int:
        """Attributes and index pictures of what is indexed; nothing of what is not."""
        folder = self.root / "kg" / "images"
        folder.mkdir(parents=True)
        records, pictures = [], 0
        indexed = [t for t in self.region.entities if t.indexed]
        seeds.rng(self.o.seed, "kg order").shuffle(indexed)
        for i, thing in enumerate(indexed):
            self.report(0.02 + 0.3 * i / len(indexed), "index pictures")
            images = []
            for n in range(2 if thing.popularity == "head" else 1):
                name = seeds.opaque_id(self.o.seed, "index picture", thing.id, n, length=24)
                (folder / f"{name}.jpg").write_bytes(self.photographer.index_picture(thing, n))
                host = seeds.opaque_id(self.o.seed, "kg host", int(name, 16) % 5, length=8)
                images.append({"file": f"kg/images/{name}.jpg", "url": f"https://{host}.invalid/{name}.jpg"})
                pictures += 1
            records.append({"name": thing.name, "attributes": self._attributes(thing), "images": images})
        _jsonl(self.root / "kg" / "entities.jsonl", records)
        return pictures

    def _attributes(self, thing: Thing) -> dict[str, Any]:
        """Dirty, as the benchmark's are; some None, some of no use."""
        r = seeds.rng(self.o.seed, "attributes", thing.id)
        found: dict[str, Any] = {r.choice(["name", "title", "label"]): thing.name}
        if "series_key" in thing.content:
            found[thing.content["series_key"]] = r.choice([thing.family_name, f"[[{thing.family_name}]]"])
            if thing.kind == "book":
                found[r.choice(["volume", "series_no"])] = str(thing.content["number"])
        if thing.kind == "notice":
            found["type"] = f"{thing.noun} ({thing.content['form']})"
        for fact in thing.facts.values():
            if fact.in_kg:
                found[fact.key] = dirty(fact.value, r)
        extras = {
            "caption": r.choice([None, "", "Seen from the front"]),
            "coordinates": r.choice(
                [None, f"{{{{coord|{r.uniform(40, 60):.3f}|{r.uniform(1, 20):.3f}|display=inline}}}}"]
            ),
            "image_size": r.choice([None, "250px"]),
            "website": f"{{{{URL|{seeds.opaque_id(self.o.seed, 'site', thing.id, length=8)}.invalid}}}}",
        }
        for key in r.sample(sorted(extras), r.randint(1, 3)):
            found[key] = extras[key]
        keys = list(found)
        r.shuffle(keys)
        return {k: found[k] for k in keys}

    def _single_turns(self) -> int:
        """One row a question; up to three questions share a frame."""
        wanted = 2 * self.o.entities if self.o.questions is None else self.o.questions
        r = seeds.rng(self.o.seed, "single turns")
        deck = _deck(wanted, r)
        order: list[Thing] = []
        made = frame = 0
        while made < wanted and frame < 6 * wanted + 60:
            if not order:
                order = list(self.region.entities)
                r.shuffle(order)
            thing = order.pop()
            self.report(0.32 + 0.43 * made / max(1, wanted), "single-turn frames")
            key = f"single/{frame}"
            fr = seeds.rng(self.o.seed, "questions", key)
            shot = self.photographer.frame(self._company(thing, fr, SECOND_SHARE), key)
            split = SPLITS[frame % 2]
            asked: set[str] = set()
            for _ in range(min(wanted - made, fr.choice([1, 2, 2, 3]))):
                question = self._next_question(deck, shot, fr, asked)
                if question is None:
                    break
                asked.add(question.relation)
                self._add_single(shot, split, question, made)
                made += 1
            frame += 1
        return made

    def _company(self, thing: Thing, r: Any, share: float) -> list[Thing]:
        """The things on a frame: `thing`, now and then with another indexed one."""
        if thing.kind == "notice" or r.random() >= share:
            return [thing]
        other = second_thing(self.region, thing, r)
        return [thing] if other is None else [thing, other]

    def _next_question(self, deck: deque[str], shot: Shot, r: Any, asked: set[str]) -> Question | None:
        """The first type in the deck that this frame has a question for."""
        thing = shot.placed[0].thing
        hide = thing.kind != "notice" and thing.indexed and r.random() < HIDDEN_SHARE
        for hidden in (True, False) if hide else (False,):
            for _ in range(len(deck)):
                type_ = deck.popleft()
                question = self.asker.ask(type_, thing, shot.placed, r, hidden=hidden, asked=frozenset(asked))
                if question is not None:
                    return question
                deck.append(type_)
        return None

    def _add_single(self, shot: Shot, split: str, question: Question, number: int) -> None:
        session = seeds.opaque_uuid(self.o.seed, "single", number)
        self._add(("single_turn", split), session, shot, [question], [session])

    def _conversations(self) -> int:
        wanted = max(2, self.o.entities // 3) if self.o.conversations is None else self.o.conversations
        r = seeds.rng(self.o.seed, "conversations")
        order: list[Thing] = []
        for number in range(wanted):
            if not order:
                order = list(self.region.entities)
                r.shuffle(order)
            thing = order.pop()
            self.report(0.75 + 0.24 * number / wanted, "conversations")
            cr = seeds.rng(self.o.seed, "conversation", number)
            shot = self.photographer.frame(self._company(thing, cr, conversations.DRIFT_SHARE), f"multi/{number}")
            turns = conversations.length(cr)
            hidden = [cr.random() < 1.5 * HIDDEN_SHARE for _ in range(turns)]  # not every follow-up can hide
            questions = conversations.converse(self.asker, shot.placed, turns, hidden, cr)
            session = seeds.opaque_uuid(self.o.seed, "multi", number)
            ids = [seeds.opaque_uuid(self.o.seed, "multi", number, i) for i in range(len(questions))]
            self._add(("multi_turn", SPLITS[number % 2]), session, shot, questions, ids)
        return wanted

    def _add(self, where: tuple[str, str], session: str, shot: Shot, questions: list[Question], ids: list[str]) -> None:
        """One row, its gold lines, and the bytes behind its URL."""
        turns, answers = [], []
        for i, (question, interaction) in enumerate(zip(questions, ids, strict=True)):
            turns.append(
                {
                    "interaction_id": interaction,
                    "domain": question.thing.domain,
                    "query_category": question.type,
                    "dynamism": question.dynamism,
                    "query": question.query,
                    "image_quality": shot.quality,
                }
            )
            answers.append({"interaction_id": interaction, "ans_full": question.answer_text})
            place: dict[str, Any] = {
                "set": where[0],
                "split": where[1],
                "session_id": session,
                "interaction_id": interaction,
            }
            about_main = question.thing.id == shot.placed[0].thing.id
            place |= {"turn_idx": i, "outline_px": shot.outline_px if about_main else None, "quality": shot.quality}
            self.gold.append(gold_line(self.region, question, place))
        image = {"bytes": shot.jpeg, "path": f"{shot.id}.jpg"} if shot.url is None else None
        row = {"session_id": session, "image": image, "image_url": shot.url, "turns": turns, "answers": answers}
        self.rows[where].append(row)
        if shot.url is not None:
            target = self.root / "urlcache" / hashlib.sha256(shot.url.encode()).hexdigest()
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(shot.jpeg)


def _deck(count: int, r: Any) -> deque[str]:
    """Question types in their shares, shuffled, with some to spare."""
    cards = [t for t, share in TYPES.items() for _ in range(max(1, round(share * count * 1.1)))]
    r.shuffle(cards)
    return deque(cards)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _jsonl(path: Path, objects: Iterable[Any]) -> None:
    _write(path, "".join(json.dumps(o, ensure_ascii=False) + "\n" for o in objects))
