"""The schedule on a clock of its own: order, slots, batches, waits, and that nothing is left idle."""

from __future__ import annotations

import random
import threading
import time

import pytest

from eval.runs.schedule import Line, Schedule


def simulate(turns: list[int], limit: int, batch: int = 1) -> tuple[int, list[list[int]]]:
    """Run a schedule of calls that take one tick each; the makespan in ticks and who was asked in each."""
    schedule = Schedule(turns, batch=batch, limit=lambda: limit, clock=lambda: 0.0)
    left = sum(turns)
    ticks = []
    while left:
        calls = []
        while len(calls) < limit and (schedule._ready or schedule._fresh):
            calls.append(schedule.take())
        assert calls, "turns are left and none is ready"
        ticks.append([line.number for lines in calls for line in lines])
        for lines in calls:
            for line in lines:
                schedule.finished(line)
                left -= 1
            schedule.call_ended()
    assert schedule.take() == []
    return len(ticks), ticks


@pytest.mark.parametrize("seed", range(12))
def test_no_schedule_ends_sooner(seed):
    chance = random.Random(seed)
    turns = [chance.choice([1, 1, 1, 2, 3, 5, 8]) for _ in range(chance.randint(10, 120))]
    limit = chance.choice([2, 5, 16])
    makespan, _ = simulate(turns, limit)
    possible = max(-(-sum(turns) // limit), max(turns))
    assert makespan <= possible + 1  # one tick for the round in which the order of the data gives way


def test_single_turns_first_and_long_conversations_last_is_no_trap():
    makespan, _ = simulate([1] * 160 + [6] * 20, 16)
    assert makespan <= -(-(160 + 120) // 16) + 1


def test_one_at_a_time_keeps_the_order_of_the_data():
    _, ticks = simulate([1, 3, 2], 1)
    assert ticks == [[0], [1], [1], [1], [2], [2]]


def test_conversations_that_are_open_go_before_new_ones():
    _, ticks = simulate([9] * 40, 4)
    assert ticks[:9] == [[0, 1, 2, 3]] * 9
    assert ticks[9] == [4, 5, 6, 7]


def test_a_batch_holds_turns_of_different_conversations():
    makespan, ticks = simulate([2] * 20, 1, batch=16)
    assert len(ticks[0]) == 16
    assert all(len(set(tick)) == len(tick) for tick in ticks)
    assert makespan == 3


def test_the_limit_is_asked_before_every_call():
    limit = [2]
    schedule = Schedule([1] * 5, limit=lambda: limit[0])
    taken = [schedule.take(), schedule.take()]
    waiting = threading.Thread(target=lambda: taken.append(schedule.take()), daemon=True)
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    limit[0] = 1
    schedule.finished(taken[0][0])
    schedule.call_ended()
    waiting.join(0.1)
    assert waiting.is_alive()  # one call is open, and one is all there may be
    limit[0] = 2
    schedule.pause(False)  # anything that wakes it
    waiting.join(2)
    assert not waiting.is_alive()


def test_a_turn_that_waits_leaves_its_slot_and_comes_back():
    now = [0.0]
    schedule = Schedule([1, 1], clock=lambda: now[0])
    first = schedule.take()[0]
    schedule.later(first, 5.0)
    schedule.call_ended()
    assert schedule.waiting == 1
    second = schedule.take()[0]
    assert second.number == 1
    schedule.finished(second)
    schedule.call_ended()
    now[0] = 5.0
    assert schedule.take() == [first]


def test_waiting_for_a_later_turn_ends_when_its_time_comes():
    schedule = Schedule([1])
    line = schedule.take()[0]
    schedule.later(line, 0.2)
    schedule.call_ended()
    begun = time.monotonic()
    assert schedule.take() == [line]
    assert 0.15 <= time.monotonic() - begun < 5


def test_pause_stop_and_dropping():
    schedule = Schedule([2, 3])
    line = schedule.take()[0]
    schedule.pause(True)
    taken: list[list[Line]] = []
    waiting = threading.Thread(target=lambda: taken.append(schedule.take()), daemon=True)
    waiting.start()
    schedule.dropped(line)
    schedule.call_ended()
    waiting.join(0.1)
    assert waiting.is_alive()
    schedule.pause(False)
    waiting.join(2)
    assert [line.number for line in taken[0]] == [1]
    schedule.stop()
    assert schedule.take() == []


@pytest.mark.parametrize("seed", range(4))
def test_under_threads_every_turn_is_made_once_and_in_order(seed):
    chance = random.Random(seed)
    turns = [chance.randint(0, 6) for _ in range(80)]
    schedule = Schedule(turns, batch=chance.choice([1, 3]), limit=lambda: 8)
    made = [0] * len(turns)
    lock = threading.Lock()

    def work() -> None:
        while lines := schedule.take():
            for line in lines:
                with lock:
                    again = chance.random() < 0.1
                    if not again:
                        made[line.number] += 1
                if again:
                    schedule.later(line, 0.001)
                else:
                    schedule.finished(line)
            schedule.call_ended()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    assert len(schedule._later) == schedule.open == 0
    assert made == turns
