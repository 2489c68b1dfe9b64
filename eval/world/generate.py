"""Writes a whole world folder: region, pages, pictures, questions, conversations, gold.

The folder appears under its name only when it is complete; until then it grows in a hidden one beside it, from which
the same command goes on after an interruption. Every text is the same bytes for a seed, whatever the number of
processes; pictures are, for equal package versions.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from assistant.core.errors import BadInput
from eval.world import seeds
from eval.world.content import conversations
from eval.world.content.gold import gold_line
from eval.world.content.knowledge import attributes, indexed_things, picture_counts
from eval.world.content.pages import PageWriter
from eval.world.content.questions import Asker
from eval.world.content.quota import Quota
from eval.world.content.region import make_region
from eval.world.drawing.kit.canvas import FontBox
from eval.world.frame_sampling import SPLITS, TABLE_2, Cast, Director
from eval.world.frames import Shot
from eval.world.image_prefetch import Equipment, Studio
from eval.world.model import Placed, Question, Thing
from eval.world.rows import LABELS, RowWriter
from eval.world.vocabulary import load_vocabulary

FORMAT_VERSION = 1
#: Single-turn questions on one frame, in turn.
ON_A_FRAME = (1, 2, 2, 3)
#: With balanced qualities: frames of each, at the least.
BALANCED_FRAMES = 60
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
    hold_out: tuple[str, ...] = ()
    phrasings: Path | None = None
    attributes: Path | None = None
    backgrounds: Path | None = None
    fonts: Path | None = None


def generate(options: Options, out: Path, progress: Progress | None = None, processes: int = 1) -> dict[str, int]:
    """Make the world `out`; an existing folder is replaced only if it is a world. Returns counts.

    Interrupted, it leaves a hidden folder beside `out`; called again with the same options it goes on from there.

    Raises:
        BadInput: `out` is something else than a world, or an option cannot be used.
    """
    check_target(out)
    world = _World(options, progress or (lambda share, text: None))
    partial = out.with_name(f".{out.name}.partial")
    recipe = _recipe(options)
    if partial.exists() and _text(partial / "recipe.json") != recipe:
        shutil.rmtree(partial)
    partial.mkdir(parents=True, exist_ok=True)
    _write(partial / "recipe.json", recipe)
    equipment = Equipment(options.seed, options.fonts, options.backgrounds)
    with Studio(equipment, partial / "shots", processes) as studio:
        counts = world.write(partial, studio)
    shutil.rmtree(partial / "shots")
    (partial / "recipe.json").unlink()
    if out.exists():
        shutil.rmtree(out)
    partial.rename(out)
    return counts


def check_target(out: Path) -> None:
    """Refuse to put a world where something else is."""
    if out.is_file():
        raise BadInput(f"{str(out)!r} is a file: give the name of a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / "world.json").is_file():
        raise BadInput(f"{str(out)!r} holds something that is not a world: give an empty or a new folder")


def _recipe(options: Options) -> str:
    """What decides the pictures of an unfinished world: options, packages, and the bytes of what the user gave."""
    given: dict[str, Any] = {k: str(v) if isinstance(v, Path) else v for k, v in asdict(options).items()}
    for name in ("phrasings", "attributes", "backgrounds", "fonts"):
        path = getattr(options, name)
        files = sorted(path.iterdir()) if path is not None and path.is_dir() else [path] if path is not None else []
        given[f"{name} digest"] = [hashlib.sha256(f.read_bytes()).hexdigest() for f in files if f.is_file()]
    code = sorted(Path(__file__).parent.rglob("*.py")) + sorted(Path(__file__).parent.rglob("*.json"))
    given["program"] = hashlib.sha256(b"".join(f.read_bytes() for f in code)).hexdigest()
    return json.dumps(given | {"packages": _packages()}, indent=1)


def _packages() -> dict[str, str]:
    return {p: importlib.metadata.version(p) for p in ("numpy", "opencv-python-headless", "pillow", "pyarrow")}


class _World:
    """The making of one world."""

    def __init__(self, options: Options, report: Progress) -> None:
        self.o = options
        self.report = report
        self.vocabulary = load_vocabulary(options.phrasings, options.attributes)
        FontBox.open(options.fonts)
        if options.backgrounds is not None and not options.backgrounds.is_dir():
            raise BadInput(f"{str(options.backgrounds)!r} is no folder of backgrounds: give one with pictures")
        unknown = set(options.hold_out) - set(LABELS["single_turn"]["domain"])
        if unknown:
            raise BadInput(
                f"{sorted(unknown)[0]!r} is no domain: say one of {', '.join(LABELS['multi_turn']['domain'])}"
            )
        self.region = make_region(options.seed, options.entities, options.unindexed, self.vocabulary)
        self.asker = Asker(self.region, self.vocabulary.phrasings)

    def write(self, root: Path, studio: Studio) -> dict[str, int]:
        """Everything into the folder `root`."""
        self.root, self.studio = root, studio
        self.report(0.0, "pages")
        pages = PageWriter(self.o.seed, self.region, self.vocabulary).write_all()
        _jsonl(root / "web" / "pages.jsonl", (asdict(p) for p in pages))
        pictures = self._knowledge_graph()
        (root / "gold").mkdir(exist_ok=True)
        (root / "urlcache").mkdir(exist_ok=True)
        self.turns = 0
        with (root / "gold" / "turns.jsonl").open("w", encoding="utf-8", newline="\n") as gold:
            self.gold = gold
            singles = self._write_set("single_turn", self._single_rows())
            talks = self._write_set("multi_turn", self._conversation_rows())
        counts = {
            "entities": len(self.region.entities),
            "indexed": sum(t.indexed for t in self.region.entities),
            "index_pictures": pictures,
            "pages": len(pages),
            "questions": singles,
            "conversations": talks,
            "turns": self.turns,
        }
        self._manifest(counts)
        self.report(1.0, "done")
        return counts

    def _manifest(self, counts: dict[str, int]) -> None:
        options = {k: str(v.name) if isinstance(v, Path) else v for k, v in asdict(self.o).items() if k != "seed"}
        manifest = {
            "format_version": FORMAT_VERSION,
            "seed": self.o.seed,
            "region": self.region.name,
            "options": options,
            "versions": _packages(),
            "licence": "CC0-1.0",
            "counts": counts,
        }
        _write(self.root / "world.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")

    def _knowledge_graph(self) -> int:
        """Attributes and index pictures of what is indexed; nothing of what is not."""
        (self.root / "kg" / "images").mkdir(parents=True, exist_ok=True)
        indexed, counts = indexed_things(self.o.seed, self.region), picture_counts(self.region)
        records, jobs = [], []
        for thing in indexed:
            images = []
            for n in range(counts[thing.id]):
                name = seeds.opaque_id(self.o.seed, "index picture", thing.id, n, length=24)
                host = seeds.opaque_id(self.o.seed, "kg host", int(name, 16) % 5, length=8)
                images.append({"file": f"kg/images/{name}.jpg", "url": f"https://{host}.invalid/{name}.jpg"})
                jobs.append((thing, n, self.root / "kg" / "images" / f"{name}.jpg"))
            records.append({"name": thing.name, "attributes": attributes(self.o.seed, thing), "images": images})
        _jsonl(self.root / "kg" / "entities.jsonl", records)
        for i, _ in enumerate(self.studio.index_pictures(jobs)):
            self.report(0.02 + 0.3 * i / len(jobs), "index pictures")
        return len(jobs)

    def _write_set(self, set_name: str, rows: Iterator[tuple[str, dict[str, Any]]]) -> int:
        """Write (split, row) as they come; returns how many there were."""
        written = 0
        with RowWriter(self.root, set_name, SPLITS) as writer:
            for split, row in rows:
                writer.add(split, row)
                written += 1
        return written

    def _single_rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """One row a question; up to three questions share a frame."""
        o = self.o
        wanted = 2 * o.entities if o.questions is None else o.questions
        least = BALANCED_FRAMES if o.balance and o.questions is None else 0
        director = Director(o.seed, "single", self.region, o.degraded, o.balance, o.hold_out)
        quota, seen, made = Quota(), Counter(dict.fromkeys(TABLE_2, 0)), 0
        if not wanted:
            return
        for number, (cast, shot) in enumerate(self.studio.frames(director.singles())):
            self.report(0.32 + 0.43 * min(1, made / wanted), "single-turn frames")
            r = seeds.rng(o.seed, "questions", cast.key)
            placed = _placed(cast, shot)
            asked: set[str] = set()
            for _ in range(min(max(1, wanted - made), r.choice(ON_A_FRAME))):
                question = self._next_question(quota, cast.things[0], placed, r, asked)
                if question is None:
                    break
                asked.add(question.relation)
                session = seeds.opaque_uuid(o.seed, "single", made)
                yield cast.split, self._row("single_turn", cast, shot, session, [question], [session])
                made += 1
            seen[cast.quality] += bool(asked)
            if (made >= wanted and min(seen.values()) >= least) or number > 6 * wanted + 60:
                return

    def _next_question(
        self, quota: Quota, thing: Thing, placed: list[Placed], r: Any, asked: set[str]
    ) -> Question | None:
        """A question of the type that is most due among those this frame has."""
        for hidden in (True, False) if quota.hide(thing) else (False,):
            for type_ in quota.types():
                question = self.asker.ask(
                    type_, thing, placed, r, hidden=hidden, asked=frozenset(asked), welcome=quota.welcome
                )
                if question is not None:
                    quota.made(self.region, question)
                    return question
        return None

    def _conversation_rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        o = self.o
        wanted = max(2, o.entities // 3) if o.conversations is None else o.conversations
        director = Director(o.seed, "multi", self.region, o.degraded, o.balance, o.hold_out)
        quota, made = Quota(), 0
        if not wanted:
            return
        for cast, shot in self.studio.frames(director.conversations()):
            self.report(0.75 + 0.24 * made / wanted, "conversations")
            r = seeds.rng(o.seed, "conversation", cast.key)
            questions = conversations.converse(self.asker, _placed(cast, shot), cast.turns, quota, r)
            if len(questions) > 1:
                session = seeds.opaque_uuid(o.seed, "multi", made)
                ids = [seeds.opaque_uuid(o.seed, "multi", made, i) for i in range(len(questions))]
                yield cast.split, self._row("multi_turn", cast, shot, session, questions, ids)
                made += 1
            if made == wanted:
                return

    def _row(
        self, set_name: str, cast: Cast, shot: Shot, session: str, questions: list[Question], ids: list[str]
    ) -> dict[str, Any]:
        """One row; its gold lines and the bytes behind its URL are written here."""
        turns, answers = [], []
        for i, (question, interaction) in enumerate(zip(questions, ids, strict=True)):
            turns.append(
                {
                    "interaction_id": interaction,
                    "domain": question.thing.domain,
                    "query_category": question.type,
                    "dynamism": question.dynamism,
                    "query": question.query,
                    "image_quality": cast.quality,
                }
            )
            answers.append({"interaction_id": interaction, "ans_full": question.answer_text})
            place: dict[str, Any] = {"set": set_name, "split": cast.split, "session_id": session}
            place |= {"interaction_id": interaction, "turn_idx": i}
            about_main = question.thing.id == cast.things[0].id
            place |= {"outline_px": shot.outline_px if about_main else None, "quality": cast.quality}
            line = gold_line(self.region, question, place)
            line["on_frame"] = [t.name for t in cast.things]
            self.gold.write(json.dumps(line, ensure_ascii=False) + "\n")
            self.turns += 1
        jpeg = self.studio.jpeg(shot)
        if shot.url is not None:
            _write_bytes(self.root / "urlcache" / hashlib.sha256(shot.url.encode()).hexdigest(), jpeg)
        image = {"bytes": jpeg, "path": f"{shot.id}.jpg"} if shot.url is None else None
        return {"session_id": session, "image": image, "image_url": shot.url, "turns": turns, "answers": answers}

    gold: TextIO
    root: Path
    studio: Studio
    turns: int


def _placed(cast: Cast, shot: Shot) -> list[Placed]:
    return [Placed(t, spot.centre_x, spot.area) for t, spot in zip(cast.things, shot.spots, strict=True)]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _write_bytes(path: Path, data: bytes) -> None:
    if not path.is_file():
        path.write_bytes(data)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _jsonl(path: Path, objects: Iterable[Any]) -> None:
    _write(path, "".join(json.dumps(o, ensure_ascii=False) + "\n" for o in objects))
