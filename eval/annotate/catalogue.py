"""The part of the store that says what there is: projects, guidelines, people, who gets what, and the items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from assistant.core.errors import BadInput
from eval.annotate import ledger
from eval.annotate.database import Database, wall_clock
from eval.annotate.queue import Orders
from eval.annotate.schema import AssignmentRow, GuidelineRow, ItemRow, LeaseRow, PersonRow, ProjectRow
from eval.annotate.values import (
    MOST_NAME,
    Added,
    Guideline,
    Item,
    Label,
    Project,
    ProjectSettings,
    check_label,
    check_settings,
    digest,
    item_from,
    label_from,
    settings_from,
    to_json,
)

FILE = "annotations.sqlite"
_MOST_UID = 200
_PROJECT = (ProjectRow.id, ProjectRow.name, ProjectRow.settings, ProjectRow.archived, ProjectRow.created)
_ITEM = (ItemRow.id, ItemRow.project, ItemRow.content, ItemRow.gold)


@dataclass(frozen=True)
class Ack:
    """A write that is on the disk: the number of its event; `again` when it was there already."""

    event: int
    again: bool = False


class Catalogue:
    """What there is under one folder; `eval.annotate.store.Store` is the whole of it."""

    def __init__(self, folder: Path, now: Callable[[], float] = wall_clock):
        """Open them, make what is not there, bring an older file up to date.

        Raises:
            BadInput: the file in it holds no annotations.
            UnknownFormat: a newer Vitrine wrote it.
            NotWritten: it cannot be written to.
        """
        self.folder = folder
        self._now = now
        self._database = Database(folder / FILE, after_migration=ledger.rebuild)
        self._orders = Orders()

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def _writing(self, uid: str, kind: ledger.Kind) -> Iterator[tuple[Connection, Row[Any] | None]]:
        """A transaction that writes, and the event that this uid has written before."""
        if not uid or len(uid) > _MOST_UID:
            raise BadInput(f"{uid[:_MOST_UID]!r} is no key for a write: give 1 to {_MOST_UID} characters, made once")
        with self._database.writing() as c:
            before = ledger.known(c, uid)
            if before is not None and before.kind != kind:
                raise BadInput(f"the key {uid!r} belongs to another write ({before.kind}): make a new one")
            yield c, before

    # Projects, guidelines, people

    def projects(self, *, archived: bool = False) -> list[Project]:
        """All projects, oldest first; archived ones only where asked for."""
        with self._database.reading() as c:
            rows = c.execute(select(*_PROJECT).order_by(ProjectRow.id)).all()
        return [_project(row) for row in rows if archived or not row.archived]

    def project(self, key: int | str) -> Project:
        """A project by its id or name.

        Raises:
            BadInput: there is none.
        """
        with self._database.reading() as c:
            return project_of(c, key)

    def create_project(self, name: str, settings: ProjectSettings, uid: str) -> Project:
        """Raises:
        BadInput: no name, one that is taken, or settings that cannot be used.
        """
        check_settings(settings)
        name = " ".join(name.split())
        if not name or len(name) > MOST_NAME or not name.isprintable():
            raise BadInput(f"{name[:MOST_NAME]!r} is no name for a project: give 1 to {MOST_NAME} characters")
        with self._writing(uid, "project") as (c, before):
            if before is not None:
                return project_of(c, before.project)
            if c.execute(select(ProjectRow.id).where(ProjectRow.name == name)).first():
                raise BadInput(f"there is a project {name!r} already: give another name")
            made = insert(ProjectRow).values(name=name, settings=to_json(settings), archived=False, created=self._now())
            id_ = int(c.execute(made.returning(ProjectRow.id)).scalar_one())
            content = {"name": name, "settings": to_json(settings)}
            ledger.add_event(c, uid, "project", self._now(), content, project=id_)
            return project_of(c, id_)

    def change_settings(self, project: int, settings: ProjectSettings, uid: str) -> Project:
        """Raises:
        BadInput: no such project, or settings that cannot be used.
        """
        check_settings(settings)
        return self._change(project, uid, "settings", {"settings": to_json(settings)})

    def archive(self, project: int, uid: str, *, archived: bool = True) -> Project:
        """Put a project away (nobody gets items or labels them any more), or take it out again."""
        return self._change(project, uid, "archive", {"archived": archived})

    def _change(self, project: int, uid: str, kind: ledger.Kind, content: dict[str, Any]) -> Project:
        with self._writing(uid, kind) as (c, before):
            project_of(c, project)
            if before is None:
                c.execute(update(ProjectRow).where(ProjectRow.id == project).values(**content))
                ledger.add_event(c, uid, kind, self._now(), content, project=project)
            return project_of(c, project)

    def add_guideline(self, project: int, markdown: str, uid: str) -> int:
        """A new version of the guideline; returns its number, from 1 on."""
        with self._writing(uid, "guideline") as (c, before):
            if before is not None:
                return int(before.content["version"])
            project_of(c, project)
            newest = select(func.max(GuidelineRow.version)).where(GuidelineRow.project == project)
            version = int(c.execute(newest).scalar_one() or 0) + 1
            c.execute(insert(GuidelineRow).values(project=project, version=version, markdown=markdown, at=self._now()))
            ledger.add_event(c, uid, "guideline", self._now(), {"version": version}, project=project)
            return version

    def guideline(self, project: int, version: int | None = None) -> Guideline | None:
        """A version of the guideline, the newest for None; None where there is none yet.

        Raises:
            BadInput: no such version.
        """
        with self._database.reading() as c:
            project_of(c, project)
            wanted = select(GuidelineRow.version, GuidelineRow.markdown, GuidelineRow.at).where(
                GuidelineRow.project == project
            )
            if version is not None:
                wanted = wanted.where(GuidelineRow.version == version)
            row = c.execute(wanted.order_by(GuidelineRow.version.desc()).limit(1)).first()
        if row is None and version is not None:
            raise BadInput(f"the guideline has no version {version!r}")
        return None if row is None else Guideline(*row)

    def person(self, name: str) -> str:
        """The name as it is kept; the person is made when first seen.

        Raises:
            BadInput: it is no name.
        """
        with self._database.writing() as c:
            return name_of(c, ledger.person_made(c, name, self._now()))

    def people(self) -> list[str]:
        """All names, in the order in which they were first seen."""
        with self._database.reading() as c:
            return list(c.execute(select(PersonRow.name).order_by(PersonRow.id)).scalars())

    def assign(self, project: int, person: str, conversations: Sequence[str] | None, uid: str) -> Ack:
        """Say which conversations alone a person gets; None for all, as everybody does who was never assigned.

        Raises:
            BadInput: no such project or conversation.
        """
        with self._writing(uid, "assign") as (c, before):
            if before is not None:
                return Ack(before.seq, again=True)
            project_of(c, project)
            id_ = ledger.person_made(c, person, self._now())
            there = set(c.execute(select(ItemRow.conversation).where(ItemRow.project == project)).scalars())
            if odd := [name for name in conversations or () if name not in there]:
                raise BadInput(f"the project has no conversation {odd[0]!r}")
            mine = AssignmentRow.project == project, AssignmentRow.person == id_
            c.execute(delete(AssignmentRow).where(*mine))
            c.execute(delete(LeaseRow).where(LeaseRow.project == project, LeaseRow.person == id_))
            if conversations is not None:
                values = {"project": project, "person": id_, "conversations": list(conversations)}
                c.execute(insert(AssignmentRow).values(**values))
            content = {"conversations": None if conversations is None else list(conversations)}
            return Ack(ledger.add_event(c, uid, "assign", self._now(), content, project=project, person=id_))

    def assignments(self, project: int) -> dict[str, list[str]]:
        """Who gets which conversations alone; whoever is not there gets all."""
        wanted = select(PersonRow.name, AssignmentRow.conversations).join(
            PersonRow, PersonRow.id == AssignmentRow.person
        )
        with self._database.reading() as c:
            project_of(c, project)
            rows = c.execute(wanted.where(AssignmentRow.project == project).order_by(PersonRow.id))
            return {name: list(conversations) for name, conversations in rows.tuples()}

    # Items

    def add_items(self, project: int, items: Sequence[Item], uid: str) -> Added:
        """Add items; one that is there already (by its digest) is not added again.

        Raises:
            BadInput: no such project.
        """
        given = {digest(item): item for item in items}  # before anybody waits for us: it takes a while for many
        made = {key: _item_row(project, key, item) for key, item in given.items()}
        wanted = select(ItemRow.digest, ItemRow.id).where(ItemRow.project == project)
        with self._writing(uid, "items") as (c, before):
            project_of(c, project)
            known = dict(c.execute(wanted).tuples().all())
            rows = [row for key, row in made.items() if key not in known]
            if rows and before is None:
                c.execute(insert(ItemRow), rows)
            if before is None:
                content = {"new": len(rows), "known": len(items) - len(rows)}
                ledger.add_event(c, uid, "items", self._now(), content, project=project)
            found = dict(c.execute(wanted).tuples().all())
        count = len(rows) if before is None else int(before.content["new"])
        return Added(count, len(items) - count, tuple(found[key] for key in map(digest, items) if key in found))

    def items(self, project: int, *, with_gold: bool = False) -> list[Item]:
        """All items in the order in which they were added; what is known to be right only where asked for."""
        with self._database.reading() as c:
            project_of(c, project)
            rows = c.execute(select(*_ITEM).where(ItemRow.project == project).order_by(ItemRow.id)).all()
        return [_item(row, with_gold) for row in rows]

    def item(self, project: int, id_: int, *, with_gold: bool = False) -> Item:
        """Raises:
        BadInput: no such item.
        """
        with self._database.reading() as c:
            return item_of(c, project, id_, with_gold)

    def conversations(self, project: int) -> dict[str, int]:
        """The conversations of a project and how many items each has, in the order in which they were added."""
        counted = select(ItemRow.conversation, func.count()).where(ItemRow.project == project)
        with self._database.reading() as c:
            return dict(c.execute(counted.group_by(ItemRow.conversation).order_by(func.min(ItemRow.id))).tuples().all())

    def set_gold(self, project: int, item: int, gold: Label | None, uid: str) -> Ack:
        """Make an item one whose answer is known, to check people by, or an ordinary one again."""
        if gold is not None:
            check_label(gold)
        with self._writing(uid, "gold") as (c, before):
            if before is not None:
                return Ack(before.seq, again=True)
            item_of(c, project, item)
            value = None if gold is None else to_json(gold)
            c.execute(update(ItemRow).where(ItemRow.id == item).values(gold=value))
            return Ack(ledger.add_event(c, uid, "gold", self._now(), {"gold": value}, project=project, item=item))


def _project(row: Row[Any]) -> Project:
    return Project(row.id, row.name, settings_from(row.settings), bool(row.archived), row.created)


def project_of(c: Connection, key: int | str) -> Project:
    """Raises:
    BadInput: there is none.
    """
    column = ProjectRow.name if isinstance(key, str) else ProjectRow.id
    row = c.execute(select(*_PROJECT).where(column == key)).first()
    if row is None:
        names = ", ".join(c.execute(select(ProjectRow.name).order_by(ProjectRow.id)).scalars()) or "none yet"
        raise BadInput(f"there is no project {key!r} (there are: {names})")
    return _project(row)


def _item_row(project: int, key: str, item: Item) -> dict[str, Any]:
    return {
        "project": project,
        "digest": key,
        "conversation": item.conversation,
        "turn_idx": item.turn_idx,
        "content": to_json(replace(item, id=0, project=0, gold=None)),
        "gold": None if item.gold is None else to_json(item.gold),
    }


def _item(row: Row[Any], with_gold: bool) -> Item:
    gold = label_from(row.gold) if with_gold and row.gold else None
    return replace(item_from(row.content), id=row.id, project=row.project, gold=gold)


def item_of(c: Connection, project: int, id_: int, with_gold: bool = False) -> Item:
    """Raises:
    BadInput: the project has no such item.
    """
    row = c.execute(select(*_ITEM).where(ItemRow.project == project, ItemRow.id == id_)).first()
    if row is None:
        raise BadInput(f"the project has no item {id_!r}")
    return _item(row, with_gold)


def name_of(c: Connection, person: int) -> str:
    return str(c.execute(select(PersonRow.name).where(PersonRow.id == person)).scalar_one())
