"""The one SQLite file of annotations: opening and migrating it, transactions, a consistent copy.

WAL with `synchronous=FULL`: what was acknowledged is on the disk, also when the process is killed the moment after.
Several threads and several processes may use the file at once: a writer begins with BEGIN IMMEDIATE and waits up to 30
seconds for another, a reader waits for nobody. `secure_delete`: what is deleted is overwritten, so that a name that was
asked to go is gone from the file. Migrations are Alembic's (`eval/annotate/migrations`) and run at opening, in one
transaction, by one process at a time.
"""

from __future__ import annotations

import fcntl
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from assistant.core.errors import BadInput, UnknownFormat, VitrineError
from eval.annotate.schema import REVISIONS

BUSY_S = 30.0
_MIGRATIONS = Path(__file__).parent / "migrations"


class NotWritten(VitrineError):
    """The file could not be read or written; what was acknowledged before is safe."""


class Database:
    """The file, open; safe between threads. A process that was forked opens its own."""

    def __init__(self, path: Path, after_migration: Callable[[Connection], None] = lambda connection: None):
        """Open the file, make it where there is none, and bring an older one up to date.

        Args:
            path: the file.
            after_migration: called in the transaction that brought an older file up to date.

        Raises:
            BadInput: it is no such file.
            UnknownFormat: a newer Vitrine wrote it.
            NotWritten: no rights, no space, or another process holds it for too long.
        """
        self.path = path
        self._engine = _engine(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with (path.parent / f"{path.name}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._migrate(after_migration)
        except OSError as problem:
            raise NotWritten(f"{str(path)!r} cannot be opened ({problem.strerror or problem})") from problem

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that sees one moment."""
        with self._said(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Connection]:
        """One transaction that writes, alone; on the disk when the block has ended, or undone where it raised.

        Without `durable` it outlives the process, though perhaps no power cut: for leases, which nobody misses.
        """
        with (
            self._said(),
            self._engine.connect().execution_options(writes="FULL" if durable else "NORMAL") as connection,
            connection.begin(),
        ):
            yield connection

    def copy(self, out: Path) -> None:
        """A copy of one moment, others may write meanwhile (SQLite's backup API)."""
        with self._said(), self._engine.connect() as connection:
            source: Any = connection.connection.dbapi_connection
            out.parent.mkdir(parents=True, exist_ok=True)
            target = sqlite3.connect(out)
            try:
                source.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")  # one file, that needs no other beside it
            finally:
                target.close()

    def empty_log(self) -> None:
        """Bring the log beside the file into the file, as far as nobody reads from it, and cut it off."""
        with self._said(), self._engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, sqlite3.Error) as problem:
            why = str(problem.orig if isinstance(problem, DBAPIError) else problem)
            if "not a database" in why or "malformed" in why:
                raise BadInput(f"{str(self.path)!r} is no file of annotations ({why})") from problem
            if "locked" in why:
                raise NotWritten(
                    f"{str(self.path)!r} has been held by another process for {BUSY_S:.0f} s: try again"
                ) from problem
            raise NotWritten(f"{str(self.path)!r} cannot be used ({why}): nothing of this was written") from problem

    def _migrate(self, after_migration: Callable[[Connection], None]) -> None:
        with self._said(), self._engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            driver.execute("PRAGMA journal_mode=WAL")
            found = _revision(driver)
        if found == REVISIONS[-1]:
            return
        if found is not None and found not in REVISIONS:
            raise UnknownFormat(
                f"{str(self.path)!r} was written by a newer Vitrine (its version is {found!r}, this one knows up to "
                f"{REVISIONS[-1]!r}): use the newer one"
            )
        from alembic import command
        from alembic.config import Config

        with self.writing() as connection:
            config = Config()
            config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            if found is not None:
                after_migration(connection)


def _revision(driver: sqlite3.Connection) -> str | None:
    """The revision that the file says it has; None for an empty file."""
    tables = {name for (name,) in driver.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "alembic_version" in tables:
        rows = driver.execute("SELECT version_num FROM alembic_version").fetchall()
        return str(rows[0][0]) if rows else None
    if tables:
        raise BadInput(f"the file holds the table {sorted(tables)[0]!r} and says no version: it holds no annotations")
    return None


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_S}, pool_size=8, max_overflow=24)

    @event.listens_for(engine, "connect")
    def _connect(driver: Any, record: Any) -> None:
        driver.isolation_level = None  # transactions begin where they are begun, not where sqlite3 thinks
        for setting in ("foreign_keys=ON", "synchronous=FULL", "secure_delete=ON", f"busy_timeout={BUSY_S * 1000:.0f}"):
            driver.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        if writes:
            connection.exec_driver_sql(f"PRAGMA synchronous={writes}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def wall_clock() -> float:
    """Seconds since 1970."""
    return time.time()
