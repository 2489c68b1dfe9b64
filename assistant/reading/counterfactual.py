"""What a piece of evidence would say if it were about a relative: the same fact of another thing, put in its place.

For showing that an answer is read from its evidence and not recited. The exchanged piece keeps its id, subject and
key, so that everything downstream takes it for the original; who shows it says whose it is. Nothing is invented: what
stands in the exchanged piece stands in the index, about the relative. Text on the frame has no relatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.core.types import Evidence
from assistant.text.attribute_keys import stated_value
from assistant.text.english import content_stems, plain, sentences, shared
from assistant.understanding.reference.relatives import sibling_entities

if TYPE_CHECKING:
    from assistant.index.catalogue import EntityRecord
    from assistant.index.knowledge import Knowledge

#: Relatives that are tried before giving up, and pages that are read for each.
MOST_RELATIVES, PAGES = 40, 2
#: Shown of a page before and after the sentence that was used.
AROUND_CHARS = 220


def make_counterfactual(
    evidence: Evidence, question: str, tried: tuple[str, ...], knowledge: Knowledge
) -> tuple[str, Evidence] | None:
    """The first relative that can say something else, and the piece with what it says.

    Args:
        evidence: an entity, a fact or a passage about an indexed entity.
        question: what is asked; a relative's passage is chosen by it.
        tried: names of relatives that were in its place already.
        knowledge: the index.
    """
    subject = evidence.subject
    if subject is None or evidence.kind in ("text", "code", "taught"):
        return None
    for name in _relatives(subject, knowledge):
        if name in tried:
            continue
        if (piece := _about(name, subject, evidence, question, knowledge)) is not None:
            return name, piece
    return None


def _relatives(subject: str, knowledge: Knowledge) -> Iterator[str]:
    """Things of the same series or range first, then of the same kind, then with most keys in common."""
    from assistant.text.kinds import kind_of

    nearest = sibling_entities(subject, knowledge)
    yield from nearest
    record = knowledge.entity(subject)
    own = set(record.attributes) if record is not None else set()
    kind = kind_of(subject, record.attributes) if record is not None else None
    scored = []
    for name in knowledge.names:
        other = knowledge.entity(name) if name != subject and name not in nearest else None
        if other is not None and (common := len(own & set(other.attributes))):
            scored.append((kind_of(name, other.attributes) != kind, -common, name))
    yield from (name for _, _, name in sorted(scored)[:MOST_RELATIVES])


def _about(name: str, subject: str, evidence: Evidence, question: str, knowledge: Knowledge) -> Evidence | None:
    from assistant.text.markup import clean_value

    record = knowledge.entity(name)
    if record is None:
        return None
    if evidence.kind == "entity":
        url = record.image_urls[0] if record.image_urls else ""
        return replace(evidence, text=record.name, subject=record.name, source=url)
    if evidence.kind == "attribute" and evidence.key is not None:
        cleaned = clean_value(record.attributes.get(evidence.key))
        value = plain(stated_value(evidence.key, cleaned)) if cleaned else ""
        if not value and name in sibling_entities(subject, knowledge):
            value = _under_another_key(record, question, knowledge)
        if not value or value == str(evidence.value):
            return None
        return replace(evidence, text=f"{evidence.key}: {value}", value=value)
    return _passage(record.name, subject, evidence, question, knowledge)


def _under_another_key(record: EntityRecord, question: str, knowledge: Knowledge) -> str:
    """What a relative states in answer to the question under a key of its own ("design" for "designed_by"), or ""."""
    from assistant.reading.fact_finder import ANSWER_THRESHOLD
    from assistant.reading.retrieve import stated_about
    from assistant.reading.scoring.evidence_scoring import score_evidence
    from assistant.understanding.intent import asked_in

    facts = [e for e in stated_about(record.name, record.attributes) if e.kind == "attribute"]
    found = score_evidence(asked_in(question), facts, knowledge.encode)
    return str(found[0].evidence.value) if found and found[0].probability >= ANSWER_THRESHOLD else ""


def _passage(name: str, subject: str, evidence: Evidence, question: str, knowledge: Knowledge) -> Evidence | None:
    """The sentence about the relative that is most like the exchanged one, with the subject's name in it."""
    wanted = content_stems(f"{question} {evidence.text}")
    best: tuple[float, str, str, str] | None = None
    for passage in knowledge.search(f"{name}: {question}", k=PAGES):
        if name not in knowledge.mentioned(f"{passage.title} {passage.text}"):
            continue
        for sentence in sentences(plain(passage.text, 6000)):
            if name not in knowledge.mentioned(sentence):
                continue
            score = shared(wanted, content_stems(sentence))
            if best is None or score > best[0]:
                best = (score, sentence, passage.url, passage.title)
    if best is None or best[0] <= 0:
        return None
    text = re.sub(re.escape(name), lambda _: subject, best[1], flags=re.IGNORECASE)
    return None if text == evidence.text else replace(evidence, text=text, source=best[2], title=plain(best[3]))


def around(evidence: Evidence, knowledge: Knowledge) -> tuple[str, str]:
    """What the page says just before and just after a passage; empty where the page does not hold its words."""
    if evidence.kind != "passage":
        return "", ""
    for chunk in knowledge.page(evidence.source):
        text = plain(chunk.text, 12_000)
        place = text.find(evidence.text)
        if place < 0:
            continue
        before, after = text[:place].rstrip(), text[place + len(evidence.text) :].lstrip()
        if len(before) > AROUND_CHARS:
            before = "… " + before[-AROUND_CHARS:].partition(" ")[2]
        if len(after) > AROUND_CHARS:
            after = after[:AROUND_CHARS].rpartition(" ")[0] + " …"
        return before, after
    return "", ""
