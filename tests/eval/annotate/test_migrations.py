"""Files of other versions: older ones are brought up to date, newer ones refused; what is no such file is said."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import eval.annotate
from assistant.core.errors import BadInput, UnknownFormat
from eval.annotate.catalogue import FILE
from eval.annotate.schema import REVISIONS, Base
from eval.annotate.store import Store
from eval.annotate.values import Label
from tests.eval.annotate.annotator import Clock, project_of, uid

DERIVED = ("standings", "tallies", "leases")


def test_the_migrations_are_those_that_the_code_names_and_make_what_it_expects(tmp_path):
    config = Config()
    config.set_main_option("script_location", str(Path(eval.annotate.__file__).parent / "migrations"))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS
    Store(tmp_path).close()
    with create_engine(f"sqlite:///{tmp_path / FILE}").connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_an_older_file_is_brought_up_to_date(tmp_path):
    with Store(tmp_path, Clock()) as store:
        made = project_of(store, [3], overlap=2)
        items = [item.id for item in store.items(made.id)]
        for item in items:
            store.label(made.id, "Ida", item, Label("perfect"), uid())
        store.label(made.id, "Bo", items[0], Label("missing"), uid())
        store.undo(made.id, "Ida", uid())
        before = store.labels(made.id)
        assert len(before) == 3
    with sqlite3.connect(tmp_path / FILE) as connection:  # as the first version left it
        for table in DERIVED:
            connection.execute(f"DROP TABLE {table}")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    with Store(tmp_path, Clock()) as store:
        assert store.labels(made.id) == before
        assert store.next_item(made.id, "Ida").id == items[2]


def test_a_newer_file_is_refused_in_one_sentence(tmp_path):
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0099'")
    with pytest.raises(UnknownFormat, match=r"newer Vitrine .*'0099'"):
        Store(tmp_path)


@pytest.mark.parametrize("content", [b"no database at all, only text" * 50, b""])
def test_what_is_no_such_file(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    if content:
        with pytest.raises(BadInput, match="no file of annotations"):
            Store(tmp_path)
    else:
        Store(tmp_path).close()


def test_a_database_of_something_else(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE recipes (id)")
    with pytest.raises(BadInput, match="recipes"):
        Store(tmp_path)
