"""Runs the migrations on the connection that `eval.annotate.database` hands in, within its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
