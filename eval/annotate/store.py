"""The store of annotations: everything that the page and the commands do to projects, people, items and labels.

Every write takes `uid`, a key that the caller made (`uuid4().hex` once for each thing that a person does): the same uid
again is acknowledged again and writes nothing, so that a lost reply can be asked for by sending again. A write has
returned when it is on the disk. All methods may be called from several threads; several processes may have the same
folder open. Where the rules are: `queue` (who gets what), `ledger` (events, undo), `progress`, `verdicts`, all beside
this module.

A project is named by its id. People are named by their names, small and large letters alike, and are made when they are
first seen. No address of anybody is kept.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from assistant.core.errors import BadInput
from eval.annotate import ledger, overlay_files, queue, verdicts
from eval.annotate.catalogue import FILE, Ack, Catalogue, item_of, name_of, project_of
from eval.annotate.progress import GoldAccuracy, Progress, gold_accuracy, of_person, of_project
from eval.annotate.queue import Turn
from eval.annotate.schema import AssignmentRow, EventRow, GuidelineRow, LeaseRow, PersonRow, StandingRow
from eval.annotate.values import (
    ANNOTATIONS,
    Done,
    Item,
    Label,
    Labelled,
    Preference,
    check_label,
    person_name,
    to_json,
)

__all__ = ["FOLDER", "Ack", "Store", "open_store"]

#: Below the data folder; rows that are written here keep their frames beside the file.
FOLDER, ROWS = ANNOTATIONS, "rows"


@dataclass(frozen=True)
class ImportedLabel:
    """A label that was given elsewhere; `at` is when, in seconds since 1970 (None: nobody knows), `uid` what tells it
    from others."""

    person: str
    item: int
    said: Label | Preference
    at: float | None
    uid: str
    third: bool = False


class Store(Catalogue):
    """The annotations under one folder, open. `folder` is DATA/annotations."""

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    # What a person does

    def next_item(self, project: int, person: str) -> Item | None:
        """What the person labels now, leased to them; None where nothing is left for them.

        Asked again, it is the same item, and the lease is renewed. It carries no gold.
        """
        with self._database.reading() as c:
            if (id_ := ledger.person_id(c, person)) is not None:
                turn = self._turn(c, project, id_)
                if turn is not None and (held := queue.peek_held(c, turn)) is not None:
                    return item_of(c, project, held)
        with self._database.writing(durable=False) as c:
            turn = self._turn(c, project, ledger.person_made(c, person, self._now()))
            found = None if turn is None else queue.next_id(c, turn, self._orders)
            return None if found is None else item_of(c, project, found)

    def label(self, project: int, person: str, item: int, label: Label | Preference, uid: str) -> Ack:
        """Say what an answer is worth; on an item that the person has labelled before, say it anew.

        Raises:
            BadInput: a label that cannot be used, an archived project, or an item that others have in the meantime.
        """
        check_label(label)
        said = {"preference" if isinstance(label, Preference) else "label": to_json(label)}
        return self._do(project, person, item, "label", said, uid)

    def skip(self, project: int, person: str, item: int, uid: str) -> Ack:
        """Pass over an item: it comes again at the end, once.

        Raises:
            BadInput: an archived project, or an item that they have labelled.
        """
        return self._do(project, person, item, "skip", {}, uid)

    def _do(self, project: int, person: str, item: int, kind: ledger.Kind, content: dict[str, Any], uid: str) -> Ack:
        with self._writing(uid, kind) as (c, before):
            if before is not None:
                return Ack(before.seq, again=True)
            turn = self._turn(c, project, ledger.person_made(c, person, self._now()))
            if turn is None:
                raise BadInput(f"the project {project_of(c, project).name!r} is archived: nothing is labelled there")
            item_of(c, project, item)
            _check_version(c, project, content)
            if kind == "skip" and queue.is_labelled(c, turn, item):
                raise BadInput(f"item {item!r} has a label of yours: give it another, or undo it first")
            if kind == "label" and not queue.may_label(c, turn, item):
                raise BadInput(f"item {item!r} was given to others in the meantime: go on with the next one")
            lease = queue.lease_of(c, turn, item)
            if _is_third(c, turn, item, lease):
                content = {**content, "third": True}
            who = {"project": project, "person": turn.person, "item": item}
            event = ledger.add_event(c, uid, kind, self._now(), content, **who)
            ledger.stand(c, project, turn.person, item, "labelled" if kind == "label" else "skipped", event, content)
            c.execute(delete(LeaseRow).where(LeaseRow.item == item, LeaseRow.person == turn.person))
            queue.renew(c, turn)
            return Ack(event)

    def undo(self, project: int, person: str, uid: str) -> Item | None:
        """Take back the last label or skip that is not taken back yet; several undos go further back.

        Returns:
            The item that is open again (or has its earlier label again, where it was labelled twice); None where there
            is nothing to take back. It is the next that they get, unless it was skipped and others have it by now.
        """
        return self._step(project, person, "undo", uid)

    def redo(self, project: int, person: str, uid: str) -> Item | None:
        """Take back the last undo, as long as nothing was labelled or skipped since; None where there is none.

        Raises:
            BadInput: the lease has lapsed and others have the item in the meantime.
        """
        return self._step(project, person, "redo", uid)

    def _step(self, project: int, person: str, kind: ledger.Kind, uid: str) -> Item | None:
        with self._writing(uid, kind) as (c, before):
            if before is not None:
                return item_of(c, project, before.item)
            id_ = ledger.person_id(c, person)
            turn = None if id_ is None else self._turn(c, project, id_)
            if turn is None:
                return None
            events = ledger.deeds(c, project, turn.person)
            candidates = ledger.fold(events)[0 if kind == "undo" else 1]
            if not candidates:
                return None
            deed = candidates[-1]
            if kind == "redo" and deed.kind == "label" and not queue.may_label(c, turn, deed.item):
                raise BadInput(f"item {deed.item!r} was given to others in the meantime: go on with the next one")
            who = {"project": project, "person": turn.person, "item": deed.item}
            seq = ledger.add_event(c, uid, kind, self._now(), {"of": deed.seq}, **who)
            events.append(ledger.Event(seq, kind, deed.item, self._now(), {"of": deed.seq}))
            state = ledger.restate(c, project, turn.person, deed.item, events)
            c.execute(delete(LeaseRow).where(LeaseRow.item == deed.item, LeaseRow.person == turn.person))
            # The place that a label held is free again and goes to the same person; a skip held none.
            if kind == "undo" and state != "labelled" and (deed.kind == "label" or queue.has_room(c, turn, deed.item)):
                queue.take(c, turn, [deed.item], third=bool(deed.content.get("third")), first=True)
            return item_of(c, project, deed.item)

    def history(self, project: int, person: str) -> list[Done]:
        """What the person has done and not taken back, each item once, in the order in which they came to it."""
        with self._database.reading() as c:
            id_ = ledger.person_id(c, person)
            events = [] if id_ is None else ledger.surviving(ledger.deeds(c, project, id_))
        last = {event.item: event for event in events}
        return [
            Done(item, "labelled" if last[item].kind == "label" else "skipped", last[item].at,
                 *ledger.said(last[item].content))
            for item in last
        ]  # fmt: skip

    def around(self, project: int, person: str, id_: int) -> tuple[int | None, int | None]:
        """The items before and after one in the person's history; before one that is not in it stands the last."""
        ids = [done.item for done in self.history(project, person)]
        if id_ not in ids:
            return (ids[-1] if ids else None), None
        at = ids.index(id_)
        return (ids[at - 1] if at else None), (ids[at + 1] if at + 1 < len(ids) else None)

    # What comes out

    def labels(self, project: int, person: str | None = None) -> list[Labelled]:
        """What everybody (or one person) says of the items now, by item."""
        with self._database.reading() as c:
            project_of(c, project)
            id_ = None if person is None else ledger.person_id(c, person) or 0
            return ledger.current_labels(c, project, id_)

    def progress(self, project: int, person: str | None = None) -> Progress:
        """How far the project is, or one person in it."""
        with self._database.reading() as c:
            found = project_of(c, project)
            if person is None:
                return of_project(c, project, found.settings)
            id_ = ledger.person_id(c, person) or 0
            name = name_of(c, id_) if id_ else person_name(person)
            return of_person(c, Turn(project, id_, name, found.settings, self._now()))

    def disagreements(self, project: int) -> tuple[verdicts.Disagreement, ...]:
        """The items whose people differ."""
        with self._database.reading() as c:
            return verdicts.disagreements(c, project, project_of(c, project).settings)

    def resolved(self, project: int) -> dict[int, verdicts.Resolution]:
        """What each labelled item comes to: the majority, else the third grader, else None."""
        with self._database.reading() as c:
            project_of(c, project)
            return verdicts.resolved(c, project)

    def gold_accuracy(self, project: int, person: str | None = None) -> tuple[GoldAccuracy, ...]:
        """How everybody (or one person) did where the answer is known."""
        with self._database.reading() as c:
            project_of(c, project)
            id_ = None if person is None else ledger.person_id(c, person) or 0
            return gold_accuracy(c, project, id_)

    def _turn(self, c: Connection, project: int, person: int) -> Turn | None:
        """Whose turn it is; None in an archived project."""
        found = project_of(c, project)
        return None if found.archived else Turn(project, person, name_of(c, person), found.settings, self._now())

    # What comes from elsewhere, leaves, is kept

    def import_labels(self, project: int, labels: Sequence[ImportedLabel]) -> tuple[int, int]:
        """Add labels that were given elsewhere; the overlap does not bound them, and nobody can undo them here.

        What the person says of the item already, or something that they said later, is not replaced.

        Returns:
            How many were new, and how many were not.
        """
        new = 0
        with self._database.writing() as c:
            project_of(c, project)
            for one in labels:
                check_label(one.said)
                if ledger.known(c, one.uid) is not None:
                    continue
                item_of(c, project, one.item)
                person = ledger.person_made(c, one.person, self._now())
                at = self._now() if one.at is None else one.at
                before = ledger.current_labels(c, project, person, one.item)
                if any(one.said in (said.label, said.preference) or said.at > at for said in before):
                    continue
                name = "preference" if isinstance(one.said, Preference) else "label"
                content = {name: to_json(one.said), "imported": True, **({"third": True} if one.third else {})}
                who = {"project": project, "person": person, "item": one.item}
                event = ledger.add_event(c, one.uid, "label", at, content, **who)
                ledger.stand(c, project, person, one.item, "labelled", event, content)
                c.execute(delete(LeaseRow).where(LeaseRow.item == one.item, LeaseRow.person == person))
                new += 1
        return new, len(labels) - new

    def delete_person(self, name: str, uid: str) -> int:
        """Delete a person: their events, their name, also in overlays. Their items are open again.

        Returns:
            How many events were theirs.

        Raises:
            BadInput: nobody has this name.
        """
        with self._writing(uid, "deleted") as (c, before):
            if before is not None:
                return int(before.content["events"])
            id_ = ledger.person_id(c, name)
            if id_ is None:
                raise BadInput(f"nobody is called {name!r} here")
            overlay_files.forget(self.folder, name_of(c, id_))
            touched = c.execute(select(StandingRow.project, StandingRow.item).where(StandingRow.person == id_)).all()
            c.execute(update(PersonRow).where(PersonRow.id == id_).values(leaving=True))
            for table in (LeaseRow, StandingRow, AssignmentRow):
                c.execute(delete(table).where(table.person == id_))
            count = c.execute(delete(EventRow).where(EventRow.person == id_)).rowcount
            c.execute(delete(PersonRow).where(PersonRow.id == id_))
            for project, item in touched:
                ledger.recount(c, project, [item])
            ledger.add_event(c, uid, "deleted", self._now(), {"events": count})
        self._database.empty_log()
        return int(count)

    def backup(self, out: Path) -> list[str]:
        """Copy everything to a new folder: the file as of one moment, overlays, and frames of rows.

        Returns:
            What was written, as names below `out`.

        Raises:
            BadInput: something is there already, or it cannot be written.
        """
        try:
            if out.exists() and (not out.is_dir() or any(out.iterdir())):
                raise BadInput(f"{str(out)!r} is there already: give a new folder for the copy")
            temporary = out.with_name(f".{out.name}.tmp")
            shutil.rmtree(temporary, ignore_errors=True)
            self._database.copy(temporary / FILE)
            for name in (overlay_files.FOLDER, ROWS):
                if (self.folder / name).is_dir():
                    shutil.copytree(self.folder / name, temporary / name)
            if out.exists():
                out.rmdir()
            temporary.replace(out)
        except OSError as problem:
            raise BadInput(f"the copy cannot be written to {str(out)!r} ({problem.strerror or problem})") from problem
        return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def open_store(data_dir: Path) -> Store:
    """The annotations of a data folder (see `Store`)."""
    return Store(data_dir / FOLDER)


def _check_version(c: Connection, project: int, content: dict[str, Any]) -> None:
    said = content.get("label") or content.get("preference") or {}
    version = said.get("guideline_version", 0)
    there = select(GuidelineRow.version).where(GuidelineRow.project == project, GuidelineRow.version == version)
    if version and c.execute(there).first() is None:
        raise BadInput(f"the guideline has no version {version!r}")


def _is_third(c: Connection, turn: Turn, item: int, lease: Row[int, float, bool] | None) -> bool:
    """Whether the person does this because the others differ; a third grader who says it anew stays one."""
    standing = select(StandingRow.third).where(StandingRow.item == item, StandingRow.person == turn.person)
    return bool(lease.third if lease is not None else c.execute(standing).scalar_one_or_none())
