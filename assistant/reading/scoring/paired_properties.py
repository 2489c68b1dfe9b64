"""The same property of several things: what is surely it for one tells how it is stated of the others.

One index entry says "established: 1928" and its page "first awarded: 1928": two ways to state one property, told by the
value that they share. Another thing's "first_awarded: 1934" or a sentence in the same words is then that property too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Evidence
from assistant.reading.fact_finder import ANSWER_THRESHOLD, Fact, FactFinder, stated_key
from assistant.reading.scoring.measures import wanted_measure
from assistant.text import arithmetic
from assistant.text.attribute_keys import key_words
from assistant.text.english import content_stems, mask

#: Less is enough where only the kind of value agrees; where the key does, still less.
ALIKE_THRESHOLD = 0.3
#: What is stated in the words of a sure fact about a relative is nearly as sure.
_AS_SURE = 0.8
#: Figures below this are shared by chance.
_TELLING = 100
_REMARK = re.compile(r"\s*[(\[][^)\]]*[)\]]")


def of_one_property(found: Sequence[Fact | None], subjects: Sequence[str], finder: FactFinder) -> list[Fact | None]:
    """The facts, with those exchanged or added that another thing's surest fact shows to be the same property."""
    return _as_stated(_of_one_key(list(found), finder), subjects, finder)


def stated_alike(facts: Sequence[Fact]) -> bool:
    """Whether all facts stand under one key, or in one sentence with other figures."""
    return len({_form(f.evidence) for f in facts}) == 1


def _of_one_key(found: list[Fact | None], finder: FactFinder) -> list[Fact | None]:
    """The same property for all, where the surest fact names it and the others have it too."""
    sure = [f for f in found if f is not None and f.key is not None and f.through is None]
    keys = {key_words(f.key) for f in sure if f.key}
    if not sure or (len(keys) == 1 and len(sure) == len(found)):
        return found
    lead = max(sure, key=lambda f: f.probability)
    out: list[Fact | None] = []
    for f in found:
        if f is None or (f.key is not None and _one_key(f.key, lead.key)):
            out.append(f)
            continue
        same = next(
            (
                j
                for j in finder.judged(f.subject, f.asked)
                if _one_key(stated_key(j.evidence), lead.key)
                and (
                    wanted_measure(lead) is None
                    or wanted_measure(Fact(f.subject, j.evidence, j.probability, f.asked)) is not None
                )
            ),
            None,
        )
        better = same is not None and same.probability >= min(ALIKE_THRESHOLD, f.probability)
        out.append(Fact(f.subject, same.evidence, same.probability, f.asked) if same is not None and better else f)
    return out


def _as_stated(found: list[Fact | None], subjects: Sequence[str], finder: FactFinder) -> list[Fact | None]:
    """Where nothing sure is known of one thing, what is stated of it as the same property is of the others."""
    sure = [f for f in found if f is not None and f.through is None and f.probability >= ANSWER_THRESHOLD]
    if not sure or len(sure) == len(found):
        return found
    known: dict[str, float] = {}
    for fact in sure:
        for form in _forms(fact, finder):
            known[form] = max(known.get(form, 0.0), fact.probability)
    asked = sure[0].asked
    out = list(found)
    for i, (known_fact, subject) in enumerate(zip(found, subjects, strict=True)):
        if known_fact is not None and (known_fact in sure or known_fact.through is not None):
            continue
        alike = [
            Fact(subject, j.evidence, max(j.probability, _AS_SURE * known[form]), asked)
            for j in finder.judged(subject, asked)
            if (form := _form(j.evidence)) in known
        ]
        best = max((f for f in alike if wanted_measure(f) is not None), key=lambda f: f.probability, default=None)
        out[i] = best or known_fact
    return out


def _forms(fact: Fact, finder: FactFinder) -> set[str]:
    """The ways in which the fact is stated: its own, and those of other statements with the same telling value."""
    forms = {_form(fact.evidence)}
    value = wanted_measure(fact)
    if value is None or (value.quantity is not None and value.quantity.middle < _TELLING and not value.quantity.unit):
        return forms
    for e in finder.evidence:
        if e.subject == fact.subject:
            other = wanted_measure(Fact(fact.subject, e, 1.0, fact.asked))
            if (
                other is not None
                and (one := arithmetic.common([value, other])) is not None
                and arithmetic.size(one[0]) == arithmetic.size(one[1])
            ):
                forms.add(_form(e))
    return forms


def _form(e: Evidence) -> str:
    """A key, or a sentence without its subject's name and its figures."""
    key = stated_key(e)
    if key is not None:
        return f"key {key_words(key)}"
    text = mask(_REMARK.sub("", e.text), [e.subject] if e.subject else []).lower()
    return re.sub(r"\d[\d,.\s]*", "# ", text).strip()


def _one_key(a: str | None, b: str | None) -> bool:
    """Whether two keys name one property: the same words, or all words of the shorter in the longer."""
    if not a or not b:
        return False
    one, two = content_stems(key_words(a)), content_stems(key_words(b))
    return key_words(a) == key_words(b) or bool(one and two and (one <= two or two <= one))
