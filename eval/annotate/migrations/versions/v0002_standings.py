"""What follows from the events, kept beside them, so that the next item is found without reading them all."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "standings",
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id"), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id"), nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("value", sa.String, nullable=False),
        sa.Column("skips", sa.Integer, nullable=False),
        sa.Column("third", sa.Boolean, nullable=False),
        sa.Column("event", sa.Integer, sa.ForeignKey("events.seq")),
    )
    op.create_index("standings_of_person", "standings", ["project", "person"])
    op.create_table(
        "tallies",
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id"), primary_key=True),
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id"), nullable=False),
        sa.Column("labels", sa.Integer, nullable=False),
        sa.Column("top", sa.Integer, nullable=False),
        sa.Column("thirds", sa.Integer, nullable=False),
    )
    op.create_index("ix_tallies_project", "tallies", ["project"])
    op.create_table(
        "leases",
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id"), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("project", sa.Integer, sa.ForeignKey("projects.id"), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("third", sa.Boolean, nullable=False),
    )
    op.create_index("leases_of_person", "leases", ["project", "person"])
