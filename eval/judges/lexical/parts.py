"""Questions with two parts, and things of the truth that an answer puts in another place, for the lexical judge.

Every function returns what is wrong, in a few words, or "" when nothing is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from eval.judges.lexical import dates as when
from eval.judges.lexical import numbers
from eval.judges.lexical.case import Case
from eval.judges.lexical.figures import figures
from eval.judges.lexical.focus import VERB
from eval.judges.lexical.kinds import compares, explains, question_kind
from eval.judges.lexical.tables import GENERIC, PLACES, PLACING
from eval.judges.lexical.words import Word, content_words, find, opposed, read
from eval.judges.units import is_unit

_ASKING = r"who|whom|where|how|what|why|which|when|does|do|did|is|are|was|were|can|has|have|will"
_COMPOUND = re.compile(rf",?\s\b(?:and|but)(?: (?:by|in|at|for|to|from|with|if so,?|also))? (?:{_ASKING})\b", re.I)
_AROUND = ("by", "with")
_TOWARDS = ("to", "from", "into", "over", "under", "against", "above", "below", "behind", "inside")
_JOINS = frozenset(("of", "the", "de", "la", "van", "von", "a", "an"))


def is_compound(case: Case) -> bool:
    """Whether the question asks two things."""
    return _COMPOUND.search(case.question_text) is not None


def parts_said(case: Case) -> str:
    """What of a question of several parts goes unanswered: the amount and the moment where one is asked for, and of
    the names and things of the truth as many as the other parts ask for, none of them replaced by another one."""
    cuts = [0, *(m.start() for m in _COMPOUND.finditer(case.question_text)), len(case.question_text)]
    asking = [re.sub(r"^\W*(?:and|but)\s", "", case.question_text[a:b]) for a, b in itertools.pairwise(cuts)]
    kinds = [question_kind(part, case.truth_text) for part in asking]
    if found := _figures_missing(case, asking, kinds):
        return found
    chunks = list(_chunks(case))
    others = sum(kind not in ("number", "when") for kind in kinds)
    spot = VERB.search(case.truth)
    ahead = len(read(case.truth[: spot.start()])) if spot else 0
    behind = [c for c in chunks if c[0].at >= ahead]
    chunks = behind if not compares(case.question) and len(behind) >= max(1, others) else chunks
    lacking = [c for c in chunks if not _chunk_said(case, c)]
    for chunk in lacking:
        named = any(w.capital for w in chunk)
        replaced = any(w.capital == named or w.capital for w in case.novel if not case.is_figure(w))
        beside = any(_coordinated(case, chunk, c) for c in chunks if c not in lacking)
        if len(chunks) - len(lacking) < max(1, others) or replaced or beside:
            return f"leaves out {' '.join(word.text for word in chunk)!r}"
    return ""


def _coordinated(case: Case, one: Sequence[Word], two: Sequence[Word]) -> bool:
    """Whether two names of the truth stand in one list."""
    first, second = sorted((one, two), key=lambda chunk: chunk[0].at)
    between = case.told[first[-1].at + 1 : second[0].at]
    return one[0].capital and two[0].capital and [w.text.lower() for w in between] in (["and"], [])


def _figures_missing(case: Case, asking: Sequence[str], kinds: Sequence[str]) -> str:
    """The amounts and moments that the parts ask for; all of the truth's where no part asks for any."""
    wanted = case.gold_amounts if "number" in kinds or "when" not in kinds else []
    if "number" in kinds and len(wanted) > 1:
        part = figures(asking[kinds.index("number")])
        by = [g for g in wanted if re.search(r"\bby (?:about |around |some |roughly )?$", case.truth[: g.said.start])]
        words = frozenset(w.stem for w in content_words(read(part)))
        wanted = by if by and "by how" in part else numbers.asked_for(part, case.truth, wanted, words)
    for gold in wanted:
        if not any(numbers.agree(said, gold) for said in case.stated_amounts):
            return f"does not say {gold.written}"
    for moment in case.gold_moments if "when" in kinds or "number" not in kinds else []:
        if not any(when.agree(said, moment) for said in case.stated_moments):
            return "does not say when"
    return ""


def _chunk_said(case: Case, chunk: Sequence[Word]) -> bool:
    found = [word for word in chunk if find(word, case.stated)]
    return bool(found) and (2 * len(found) >= len(chunk) or nothing_beside(case, found[0]))


def nothing_beside(case: Case, word: Word) -> bool:
    """Whether no strange word stands right beside a word that the answer says ("goat cheese" for "sheep cheese")."""
    for own in find(word, case.stated):
        beside = [w for w in case.said if abs(w.at - own.at) == 1 and w.clause == own.clause]
        beside = [b for b in beside if (b.capital or not own.capital) and not VERB.fullmatch(b.text)]
        if not any(b.content and not find(b, case.told) and not find(b, case.asked) for b in beside):
            return True
    return False


def _chunks(case: Case) -> Iterator[list[Word]]:
    """Runs of words of the truth that the question does not say; of a part without any, the part itself."""
    chunk: list[Word] = []
    last = None
    for word in case.told:
        joins = chunk and word.text.lower() in _JOINS
        apart = last is not None and word.clause != last.clause
        if chunk and (apart or not (joins or word.content)):
            yield chunk
            chunk = []
        told = word.content and not case.is_figure(word) and not VERB.fullmatch(word.text)
        if told and not find(word, case.asked):
            chunk.append(word)
        last = word
    if chunk:
        yield chunk
    for number in {word.clause for word in case.told}:
        part = [w for w in content_words(case.told) if w.clause == number]
        if part and all(find(w, case.asked) for w in part):
            yield part[-1:]


def moved(case: Case) -> str:
    """ "Pedestrians yield to cars" for "yield to pedestrians": what stood behind a preposition stands elsewhere, and
    something else behind the preposition."""
    told, said, asked = _behind(case.told), _behind(case.said), _behind(case.asked)
    for word in sorted(asked.keys() & said.keys() - told.keys()):
        own, other = asked[word], said[word]
        turned = any(find(w, case.focus.keys) for w in other) and not any(find(w, other) for w in own)
        if turned and any(find(w, case.said) for w in own):
            return f"says {word} {other[0].text!r}, asked was {word} {own[0].text!r}"
    if found := _exchanged(case):
        return found
    for word in sorted(told.keys() & said.keys()):
        own, other = ([w for w in side if not w.text[0].isdigit()] for side in (told[word], said[word]))
        here = [w for w in case.said if other and w.clause == other[0].clause]
        if not own or not other or any(find(w, other) for w in own) or not any(find(w, here) for w in own):
            continue
        if all(find(w, case.asked) for w in [*own, *other]):
            continue
        return f"says {word} {other[0].text!r}, not {word} {own[0].text!r}"
    return ""


def _exchanged(case: Case) -> str:
    """ "A diamond surrounded by sapphires" for "a sapphire surrounded by diamonds"."""
    told, said = _behind(case.told, _AROUND), _behind(case.said, _AROUND)
    for word in sorted(told.keys() & said.keys()):
        own, other = told[word], said[word]
        before = [
            [w for w in words if w.content and w.at < behind[0].at]
            for words, behind in ((case.told, own), (case.said, other))
        ]
        came = [w for w in other if not find(w, own) and find(w, before[0])]
        left = [w for w in own if not find(w, other) and find(w, before[1])]
        if came and left:
            return f"{came[0].text!r} and {left[0].text!r} have changed places"
    return ""


_BEFORE_VERBS = frozenset(("has", "have", "had", "need", "needs", "able", "used", "want", "wants", "going", "ought"))


def _behind(words: Sequence[Word], prepositions: Sequence[str] = _TOWARDS) -> dict[str, list[Word]]:
    """What stands behind each preposition that a text has once: up to three words of the same clause."""
    found: dict[str, list[list[Word]]] = {}
    for i, word in enumerate(words):
        low = word.text.lower()
        infinitive = low == "to" and (i == 0 or words[i - 1].text.lower() in _BEFORE_VERBS)
        if low in prepositions and not infinitive:
            after = [
                w for w in words[i + 1 : i + 5] if w.clause == word.clause and w.content and not w.text.endswith("ly")
            ]
            found.setdefault(low, []).append(after[:3])
    return {word: places[0] for word, places in found.items() if len(places) == 1 and places[0]}


def of_another(case: Case) -> str:
    """ "The larger vase is green" where the smaller one was asked about."""
    first = [w for w in content_words(case.said) if w.sentence == 0 and not w.denied and not w.aside]
    for word in first:
        if (find(word, case.told) and not case.elsewhere(word)) or find(word, case.asked):
            continue
        for asked in content_words(case.asked):
            if asked.at and case.asked[asked.at - 1].text.lower() == "how":
                continue
            if (opposed(word, asked) or _of_one_kind(word, asked)) and not find(asked, case.said):
                if find(asked, case.told) and not case.elsewhere(word):
                    continue
                return f"says it of {word.text!r}, asked was {asked.text!r}"
    return ""


def _of_one_kind(one: Word, two: Word) -> bool:
    """Whether two words stand for different places in a row ("left", "middle")."""
    return one.stem != two.stem and all(w.text.lower() in PLACES for w in (one, two))


def but_another(case: Case) -> str:
    """ "Sold in Bern but made in Bonn": behind a "but" another name than the one the truth has."""
    if case.kind not in ("who", "text") or not (cut := re.search(r"\bbut\b", case.answer)):
        return ""
    names = [k for k in case.focus.keys if k.capital or case.truth_text.strip(" .").istitle()]
    before, after = (
        content_words(read(f"so {part}")) for part in (case.answer[: cut.start()], case.answer[cut.end() :])
    )
    other = [w for w in after if w.capital and not find(w, case.told) and not find(w, case.asked)]
    if names and other and any(find(n, before) for n in names) and not any(find(n, after) for n in names):
        return f"then says {other[0].text!r}"
    return ""


def asked_denied(case: Case) -> str:
    """ "It was on the shortlist but did not win": denies what the question takes for granted."""
    if any(w.denied for w in [*case.told, *case.asked]):
        return ""
    for word in content_words(case.asked):
        found = find(word, case.said)
        if found and all(f.denied for f in found) and not find(word, case.told):
            return f"denies {found[0].text!r}"
    return ""


_OBJECTS = frozenset(("the", "a", "an", "its", "their", "his", "her", "it", "them", "to", "this", "that"))


def replaced(case: Case) -> str:
    """ "Goat's milk" for "sheep's milk": beside a word that both have, a short answer has an unknown word where
    the truth has one that is not said."""
    if (
        case.kind in ("number", "when")
        or explains(case.question)
        or len(content_words(case.said)) > 12
        or len(content_words(case.told)) > 10
    ):
        return ""
    novel = {w.at for w in case.novel if _of_weight(case, w)}
    for one, two in itertools.pairwise(case.told):
        for gone, beside in ((one, two), (two, one)):
            if one.clause != two.clause or not _of_weight(case, gone) or not (beside.content or beside.text.isdigit()):
                continue
            if find(gone, case.said) or find(gone, case.asked) or VERB.fullmatch(beside.text):
                continue
            if gone is two and (beside.text.isdigit() or find(beside, case.asked) or beside.capital > gone.capital):
                continue
            after = case.told[two.at + 1 : two.at + 2]
            if gone is two and not gone.capital and after and after[0].text.lower() in _OBJECTS:
                continue  # a verb ("loses its needles")
            if gone is two and not gone.capital:
                continue  # "hammer function" for "hammer setting"
            if (
                beside.text.lower() in PLACING
                or beside.stem in PLACING
                or is_unit(beside.text.lower())
                or beside.text.lower().endswith("ly")
                or gone.text.lower().endswith("ly")
            ):
                continue
            for left, right in itertools.pairwise(case.said):
                other, shared = (left, right) if gone is one else (right, left)
                if opposed(other, gone) or left.clause != right.clause:
                    continue
                if shared.stem == beside.stem and other.at in novel:
                    return f"says {left.text} {right.text}, not {one.text} {two.text}"
    return ""


def slot_taken(case: Case, key: Word) -> bool:
    """Whether a strange word stands where the truth has a word that the answer lacks: behind the same words ("mix with
    ammonia" for "mix with bleach")."""

    def behind(word: Word, words: Sequence[Word]) -> tuple[Word | None, list[str]]:
        small: list[str] = []
        for other in reversed(words[: word.at]):
            if other.clause != word.clause or other.content:
                return (other if other.clause == word.clause else None), small
            small.append(other.text.lower())
        return None, small

    before, small = behind(key, case.told)
    for word in case.novel:
        other, between = behind(word, case.said)
        alike = len(small) >= 2 if before is None or other is None else bool(find(before, [other]))
        if between == small and alike and (before is None) == (other is None):
            return True
    return False


def _of_weight(case: Case, word: Word) -> bool:
    """Whether a word names or describes: no figure, unit, initial or word of place and degree."""
    low = word.text.lower()
    return (
        word.content
        and len(low) > 1
        and low not in GENERIC
        and not case.is_figure(word)
        and not is_unit(low)
        and low not in PLACING
        and low not in ("many", "much", "few", "several")
    )
