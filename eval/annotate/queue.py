"""Which item a person gets next.

In this order:

1. what they hold already: the rest of a conversation that they have begun, items that an undo opened again;
2. where a third grader is wanted, an item on which the others differ and that they have not seen;
3. an item whose answer is known, when one is due: of every 1 / gold_rate items one, at a place drawn from the seed;
4. the first conversation of their own order that has room for them, all its turns, one after another;
5. what they skipped, once.

Everybody's order is a shuffle of the conversations by (seed, person); turns are never shuffled. At most `overlap`
people have an item, counting labels and open leases; one more where a third grader was asked. Beginning a conversation
leases all of its turns, so that nobody else begins it in the middle; a lease lapses 30 minutes after its person was
last seen. Items with a known answer stand by themselves, between conversations, and take any number of people.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Exists, Row, and_, exists, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from eval.annotate.schema import AssignmentRow, ItemRow, LeaseRow, StandingRow, TallyRow, count_if
from eval.annotate.values import ProjectSettings

LEASE_S = 30 * 60.0
#: A lease is renewed when its person is seen again, yet not with every look at it.
_RENEW_S = 60.0
#: So many conversations are looked at in one query; SQLite takes 32,766 values at most.
_CHUNK = 200


@dataclass(frozen=True)
class Turn:
    """Whose turn it is: everything that a rule of the queue looks at."""

    project: int
    person: int
    name: str
    settings: ProjectSettings
    now: float


class Orders:
    """The order in which each person comes to the conversations of a project; kept as long as no items are added.

    `start` is a hint only: how many conversations at the beginning had no room when they were last looked at. Whoever
    finds nothing behind it looks from the beginning.
    """

    _KEPT = 64

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[tuple[Any, ...], list[str]] = {}
        self._starts: dict[tuple[Any, ...], int] = {}

    def of(self, c: Connection, turn: Turn) -> tuple[tuple[Any, ...], Sequence[str], int]:
        """The key of the order, the conversations in it, and where to begin to look."""
        newest = c.execute(select(func.max(ItemRow.id)).where(ItemRow.project == turn.project)).scalar_one()
        key = (turn.project, turn.name, turn.settings.seed, newest)
        with self._lock:
            if key in self._found:
                return key, self._found[key], self._starts.get(key, 0)
        names = c.execute(select(ItemRow.conversation).where(ItemRow.project == turn.project).distinct()).scalars()
        order = shuffled(list(names), turn.settings.seed, turn.name)
        with self._lock:
            while len(self._found) >= self._KEPT:
                gone = next(iter(self._found))
                self._found.pop(gone)
                self._starts.pop(gone, None)
            self._found[key] = order
        return key, order, 0

    def starts_at(self, key: tuple[Any, ...], number: int) -> None:
        with self._lock:
            if key in self._found:
                self._starts[key] = number


def shuffled(names: Sequence[str], seed: int, person: str) -> list[str]:
    """The names in this person's order: by their hashes with seed and person, so that a new one moves no other."""
    return sorted(names, key=lambda name: _drawn(seed, person, name))


def _drawn(*parts: object) -> bytes:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).digest()


def next_id(c: Connection, turn: Turn, orders: Orders) -> int | None:
    """The item that the person gets now, leased to them; None where nothing is left for them."""
    held = _held(c, turn)
    if held is not None:
        return held
    if (third := _third(c, turn)) is not None:
        take(c, turn, [third], third=True)
        return third
    if (gold := _due_gold(c, turn)) is not None:
        take(c, turn, [gold])
        return gold
    turns = _fresh(c, turn, orders)
    if not turns:
        again = _skipped(c, turn)
        turns = [again] if again is not None else []
    take(c, turn, turns)
    return turns[0] if turns else None


def take(c: Connection, turn: Turn, items: Sequence[int], *, third: bool = False, first: bool = False) -> None:
    """Lease items to the person, behind what they hold, or before it with `first`."""
    mine = (LeaseRow.project == turn.project, LeaseRow.person == turn.person)
    least, most = c.execute(select(func.min(LeaseRow.place), func.max(LeaseRow.place)).where(*mine)).one()
    place = (least or 0) - len(items) if first else (most or 0) + 1
    for number, item in enumerate(items):
        values = {"project": turn.project, "until": turn.now + LEASE_S, "place": place + number, "third": third}
        made = upsert(LeaseRow).values(item=item, person=turn.person, **values)
        c.execute(made.on_conflict_do_update(index_elements=["item", "person"], set_=values))


def renew(c: Connection, turn: Turn) -> None:
    """The person was seen: what they hold stays theirs."""
    c.execute(
        update(LeaseRow)
        .where(
            LeaseRow.project == turn.project,
            LeaseRow.person == turn.person,
            LeaseRow.until > turn.now,
            LeaseRow.until < turn.now + LEASE_S - _RENEW_S,
        )
        .values(until=turn.now + LEASE_S)
    )


def peek_held(c: Connection, turn: Turn) -> int | None:
    """The item that they hold and get next, if its lease needs no renewal: an answer that takes no writing."""
    first = _leases(c, turn, LeaseRow.until > turn.now)[:1]
    return first[0].item if first and first[0].until >= turn.now + LEASE_S - _RENEW_S else None


def lease_of(c: Connection, turn: Turn, item: int) -> Row[int, float, bool] | None:
    """The person's lease on an item, lapsed or not."""
    return next(iter(_leases(c, turn, LeaseRow.item == item)), None)


def may_label(c: Connection, turn: Turn, item: int) -> bool:
    """Whether the person may label an item now: they hold it, have labelled it before, or it has room for them."""
    lease = lease_of(c, turn, item)
    if lease is not None and lease.until > turn.now:
        return True
    if is_labelled(c, turn, item) or has_room(c, turn, item):
        return True
    return lease is not None and bool(lease.third) and _third_wanted(c, turn, ItemRow.id == item) == item


def is_labelled(c: Connection, turn: Turn, item: int) -> bool:
    """Whether the person's label stands on an item."""
    mine = StandingRow.item == item, StandingRow.person == turn.person, StandingRow.state == "labelled"
    return c.execute(select(StandingRow.item).where(*mine)).first() is not None


def has_room(c: Connection, turn: Turn, item: int) -> bool:
    """Whether one more person may have the item."""
    open_ = or_(_room(turn), ItemRow.gold.is_not(None))
    return c.execute(select(ItemRow.id).where(ItemRow.id == item, open_)).first() is not None


def _leases(c: Connection, turn: Turn, *conditions: ColumnElement[bool]) -> Sequence[Row[int, float, bool]]:
    wanted = select(LeaseRow.item, LeaseRow.until, LeaseRow.third).where(
        LeaseRow.project == turn.project, LeaseRow.person == turn.person, *conditions
    )
    return c.execute(wanted.order_by(LeaseRow.place)).all()


def _held(c: Connection, turn: Turn) -> int | None:
    """The first of what they hold; a lapsed lease is theirs again where nobody came in between."""
    renew(c, turn)
    leases = _leases(c, turn)
    for lease in leases:
        if lease.until > turn.now:
            return int(lease.item)
    for lease in leases:
        if not lease.third and has_room(c, turn, lease.item) and _assigned(c, turn, lease.item):
            c.execute(
                update(LeaseRow)
                .where(LeaseRow.item == lease.item, LeaseRow.person == turn.person)
                .values(until=turn.now + LEASE_S)
            )
            return int(lease.item)
    return None


def _assigned(c: Connection, turn: Turn, item: int) -> bool:
    only = assigned(c, turn)
    return only is None or c.execute(select(ItemRow.conversation).where(ItemRow.id == item)).scalar_one() in only


def assigned(c: Connection, turn: Turn) -> frozenset[str] | None:
    """The only conversations that a person gets; None for all."""
    found = c.execute(
        select(AssignmentRow.conversations).where(
            AssignmentRow.project == turn.project, AssignmentRow.person == turn.person
        )
    ).scalar_one_or_none()
    return None if found is None else frozenset(found)


def _others_at_work(turn: Turn) -> Any:
    return (
        select(func.count())
        .where(LeaseRow.item == ItemRow.id, LeaseRow.person != turn.person, LeaseRow.until > turn.now)
        .correlate(ItemRow)
        .scalar_subquery()
    )


def _labels() -> Any:
    return func.coalesce(
        select(TallyRow.labels).where(TallyRow.item == ItemRow.id).correlate(ItemRow).scalar_subquery(), 0
    )


def _room(turn: Turn) -> ColumnElement[bool]:
    """That one more person may have the item."""
    return _labels() + _others_at_work(turn) < turn.settings.overlap


def _unseen(turn: Turn) -> ColumnElement[bool]:
    """That the person neither did anything with the item nor ever held it."""
    return and_(~_stands(turn), ~_leased(turn))


def _untouched(turn: Turn) -> ColumnElement[bool]:
    """That the person has no say on the item, or took it back, and does not come to it by a lease."""
    return and_(~_stands(turn, StandingRow.state != "open"), ~_leased(turn))


def _stands(turn: Turn, *conditions: ColumnElement[bool]) -> Exists:
    mine = StandingRow.item == ItemRow.id, StandingRow.person == turn.person
    return exists().where(*mine, *conditions).correlate(ItemRow)


def _leased(turn: Turn, *conditions: ColumnElement[bool]) -> Exists:
    mine = LeaseRow.item == ItemRow.id, LeaseRow.person == turn.person
    return exists().where(*mine, *conditions).correlate(ItemRow)


def contested(settings: ProjectSettings) -> ColumnElement[bool]:
    """That as many people as are wanted have labelled an item (a `TallyRow`), and no more than half of them agree."""
    return and_(TallyRow.labels >= settings.overlap, TallyRow.top * 2 <= TallyRow.labels)


def _third(c: Connection, turn: Turn) -> int | None:
    return _third_wanted(c, turn) if turn.settings.third_grader else None


def _third_wanted(c: Connection, turn: Turn, *conditions: ColumnElement[bool]) -> int | None:
    asked = exists().where(LeaseRow.item == ItemRow.id, LeaseRow.third, LeaseRow.until > turn.now).correlate(ItemRow)
    wanted = (
        select(ItemRow.id, ItemRow.conversation)
        .join(TallyRow, TallyRow.item == ItemRow.id)
        .where(TallyRow.project == turn.project, contested(turn.settings), TallyRow.thirds == 0, *conditions)
        .where(ItemRow.gold.is_(None), or_(_unseen(turn), _leased(turn, LeaseRow.third.is_(True))), ~asked)
        .order_by(ItemRow.id)
    )
    only = assigned(c, turn)
    return next((int(id_) for id_, name in c.execute(wanted) if only is None or name in only), None)


def gold_due(settings: ProjectSettings, person: str, given: int, gold: int) -> bool:
    """Whether the next item is to be one with a known answer, after `given` items of which `gold` were such.

    The items are parted into stretches of 1 / gold_rate; in each one place is drawn by (seed, person, stretch). Where
    that place lies within a conversation, the item waits for its end.
    """
    rate = settings.gold_rate
    if rate <= 0:
        return False
    share = int.from_bytes(_drawn("gold", settings.seed, person, gold)[:4], "big") / 2**32
    return given >= int((gold + share) / rate)


def _due_gold(c: Connection, turn: Turn) -> int | None:
    if turn.settings.gold_rate <= 0:
        return None
    counted = (
        select(func.count(), count_if(ItemRow.gold.is_not(None)))
        .select_from(StandingRow)
        .join(ItemRow, ItemRow.id == StandingRow.item)
        .where(StandingRow.project == turn.project, StandingRow.person == turn.person)
    )
    given, gold = c.execute(counted).one()
    if not gold_due(turn.settings, turn.name, int(given), int(gold)):
        return None
    wanted = select(ItemRow.id, ItemRow.conversation).where(
        ItemRow.project == turn.project, ItemRow.gold.is_not(None), _untouched(turn)
    )
    only = assigned(c, turn)
    found = [int(id_) for id_, name in c.execute(wanted) if only is None or name in only]
    return min(found, key=lambda id_: _drawn(turn.settings.seed, turn.name, id_), default=None)


def _fresh(c: Connection, turn: Turn, orders: Orders) -> list[int]:
    """The turns with room of the first conversation that has any."""
    key, order, start = orders.of(c, turn)
    only = assigned(c, turn)
    for begin, end in ((start, len(order)), (0, start)):
        for at in range(begin, end, _CHUNK):
            chunk = order[at : min(at + _CHUNK, end)]
            found = _with_room(c, turn, [name for name in chunk if only is None or name in only])
            if found:
                number = next(i for i, name in enumerate(chunk) if name in found)
                orders.starts_at(key, at + number)
                return found[chunk[number]]
    return []


def _with_room(c: Connection, turn: Turn, names: Sequence[str]) -> dict[str, list[int]]:
    wanted = (
        select(ItemRow.conversation, ItemRow.id)
        .where(ItemRow.project == turn.project, ItemRow.conversation.in_(names), ItemRow.gold.is_(None))
        .where(_untouched(turn), _room(turn))
        .order_by(ItemRow.turn_idx, ItemRow.id)
    )
    found: dict[str, list[int]] = {}
    for name, item in c.execute(wanted) if names else ():
        found.setdefault(name, []).append(int(item))
    return found


def _skipped(c: Connection, turn: Turn) -> int | None:
    wanted = (
        select(ItemRow.conversation, ItemRow.turn_idx, ItemRow.id)
        .join(StandingRow, StandingRow.item == ItemRow.id)
        .where(StandingRow.project == turn.project, StandingRow.person == turn.person)
        .where(StandingRow.state == "skipped", StandingRow.skips == 1)
        .where(or_(_room(turn), ItemRow.gold.is_not(None)))
    )
    only = assigned(c, turn)
    found = [row for row in c.execute(wanted) if only is None or row.conversation in only]
    drawn = turn.settings.seed, turn.name
    first = min(found, key=lambda row: (_drawn(*drawn, row.conversation), row.turn_idx, row.id), default=None)
    return None if first is None else int(first.id)


def open_to(c: Connection, turn: Turn) -> tuple[int, int]:
    """How many items the person may still get, and how many of the skipped will come again.

    Items with a known answer count as far as the rate lets them come.
    """
    only = assigned(c, turn)
    done, held_now = _stands(turn, StandingRow.state != "open"), _leased(turn, LeaseRow.until > turn.now)
    left = select(ItemRow.conversation, ItemRow.gold.is_not(None)).where(
        ItemRow.project == turn.project, ~done, or_(held_now, _room(turn), ItemRow.gold.is_not(None))
    )
    golden = [bool(gold) for name, gold in c.execute(left) if only is None or name in only]
    plain = golden.count(False)
    rate = turn.settings.gold_rate
    golds = min(golden.count(True), round(plain * rate / (1 - rate)))
    skipped = select(ItemRow.conversation).join(StandingRow, StandingRow.item == ItemRow.id).where(
        StandingRow.project == turn.project, StandingRow.person == turn.person, StandingRow.state == "skipped",
        StandingRow.skips == 1, or_(_room(turn), ItemRow.gold.is_not(None)))  # fmt: skip
    again = sum(only is None or name in only for name in c.execute(skipped).scalars())
    return plain + golds, again
