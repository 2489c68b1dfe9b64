"""The tables of DATA/annotations/annotations.sqlite, as the newest migration leaves them.

`events` is the record: one row for everything that anybody did, never changed, and deleted only with the person whose
it is (a trigger holds to that). `projects`, `guidelines`, `people`, `assignments` and `items` are what the events speak
of. `standings` (what each person says of each item now) and `tallies` (how many say what) follow from the events, are
written in the transaction that adds the event, and can be made again from them (`eval.annotate.ledger.rebuild`).
`leases` say who is at work on what; nothing is lost with them. Times are in seconds since 1970, UTC.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ColumnElement, Float, ForeignKey, Function, Index, UniqueConstraint, case, func
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

#: The revisions of `eval/annotate/migrations`, oldest first; the file names its own in `alembic_version`.
REVISIONS = ("0001", "0002")


class Base(DeclarativeBase):
    type_annotation_map = {dict[str, Any]: JSON, float: Float}  # noqa: RUF012 (SQLAlchemy reads it from the class)


class ProjectRow(Base):
    __tablename__ = "projects"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    settings: Mapped[dict[str, Any]]
    archived: Mapped[bool] = mapped_column(default=False)
    created: Mapped[float]


class GuidelineRow(Base):
    __tablename__ = "guidelines"
    project: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    markdown: Mapped[str]
    at: Mapped[float]


class PersonRow(Base):
    """`key` is the name in small letters, so that nobody is two people; `leaving` lets the trigger delete events."""

    __tablename__ = "people"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    first_seen: Mapped[float]
    leaving: Mapped[bool] = mapped_column(default=False)


class AssignmentRow(Base):
    """The only conversations that a person gets in a project; people without a row get all."""

    __tablename__ = "assignments"
    project: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    conversations: Mapped[list[str]] = mapped_column(JSON)


class ItemRow(Base):
    __tablename__ = "items"
    id: Mapped[int] = mapped_column(primary_key=True)
    project: Mapped[int] = mapped_column(ForeignKey("projects.id"))
    digest: Mapped[str]
    conversation: Mapped[str]
    turn_idx: Mapped[int]
    content: Mapped[dict[str, Any]]
    gold: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    __table_args__ = (
        UniqueConstraint("project", "digest"),
        Index("items_in_order", "project", "conversation", "turn_idx"),
    )


class EventRow(Base):
    """`uid` is made by whoever writes: the same one again writes nothing. `kind` is one of `ledger.KINDS`."""

    __tablename__ = "events"
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    uid: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    at: Mapped[float]
    project: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))
    person: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    item: Mapped[int | None] = mapped_column(ForeignKey("items.id"))
    content: Mapped[dict[str, Any]]
    __table_args__ = (
        Index("events_of_person", "project", "person", "seq"),
        {"sqlite_autoincrement": True},
    )


class StandingRow(Base):
    """`event` is the one that says it, `value` the grade or the winner ("" unless labelled)."""

    __tablename__ = "standings"
    item: Mapped[int] = mapped_column(ForeignKey("items.id"), primary_key=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    project: Mapped[int] = mapped_column(ForeignKey("projects.id"))
    state: Mapped[str]
    value: Mapped[str]
    skips: Mapped[int]
    third: Mapped[bool]
    event: Mapped[int | None] = mapped_column(ForeignKey("events.seq"))
    __table_args__ = (Index("standings_of_person", "project", "person"),)


class TallyRow(Base):
    """labels: how many people have labelled the item; top: how many of them say what most say; thirds: how many of
    them were asked because others differ."""

    __tablename__ = "tallies"
    item: Mapped[int] = mapped_column(ForeignKey("items.id"), primary_key=True)
    project: Mapped[int] = mapped_column(ForeignKey("projects.id"), index=True)
    labels: Mapped[int]
    top: Mapped[int]
    thirds: Mapped[int]


class LeaseRow(Base):
    """`until` may lie in the past: the row then says that the person has seen the item. `place` is the order in which
    a person gets the items they hold."""

    __tablename__ = "leases"
    item: Mapped[int] = mapped_column(ForeignKey("items.id"), primary_key=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    project: Mapped[int] = mapped_column(ForeignKey("projects.id"))
    until: Mapped[float]
    place: Mapped[int]
    third: Mapped[bool]
    __table_args__ = (Index("leases_of_person", "project", "person"),)


def count_if(condition: ColumnElement[bool] | Mapped[bool]) -> Function[int]:
    """How many rows of a group fit: a sum of truth values would come back as one truth value."""
    return func.count(case((condition, 1)))
