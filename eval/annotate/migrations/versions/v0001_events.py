"""Projects, people, items, and the record of events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("archived", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "guidelines",
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("markdown", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String, nullable=False, unique=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("first_seen", sa.Float, nullable=False),
        sa.Column("leaving", sa.Boolean, nullable=False),
    )
    op.create_table(
        "assignments",
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("conversations", sa.JSON, nullable=False),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id"), nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("conversation", sa.String, nullable=False),
        sa.Column("turn_idx", sa.Integer, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("gold", sa.JSON),
        sa.UniqueConstraint("project", "digest"),
    )
    op.create_index("items_in_order", "items", ["project", "conversation", "turn_idx"])
    op.create_table(
        "events",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("uid", sa.String, nullable=False, unique=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id")),
        sa.Column("person", sa.Integer, sa.ForeignKey("people.id")),
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id")),
        sa.Column("content", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("events_of_person", "events", ["project", "person", "seq"])
    op.execute(
        "CREATE TRIGGER events_stay_as_they_are BEFORE UPDATE ON events "
        "BEGIN SELECT RAISE(ABORT, 'events are never changed'); END"
    )
    op.execute(
        "CREATE TRIGGER events_leave_with_their_person BEFORE DELETE ON events "
        "WHEN NOT EXISTS (SELECT 1 FROM people WHERE people.id = OLD.person AND people.leaving) "
        "BEGIN SELECT RAISE(ABORT, 'events are deleted only with their person'); END"
    )
