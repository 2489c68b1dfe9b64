"""Gathering evidence: attributes of the subjects, sentences of pages about them, text on the frame, one relation
further.

Returns more than an answer needs, in order of how likely each piece answers the question; the reader decides. A
sentence counts as being about a subject when it names it, or when its page is about it and no other name has taken
over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from assistant.core.types import Evidence, Look, Recognition
from assistant.index.catalogue import TaughtRecord
from assistant.reading.multi_hop import HopCandidate, follow_relations
from assistant.reading.names_in_view import MARK, MAX_NAMES, names_on_frame, points_at_frame
from assistant.reading.scoring.evidence_scoring import score_evidence
from assistant.reading.scoring.rank import agreement
from assistant.reading.signs.frame_text import frame_evidence
from assistant.text.attribute_keys import stated_value
from assistant.text.english import content_stems, plain, sentences, shared
from assistant.text.page_dates import page_date
from assistant.understanding.calculations import wants
from assistant.understanding.classifiers.calculation import FOUNDED
from assistant.understanding.plan import Plan

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge, Passage

PAGES_PER_QUERY = 6
#: So many of a subject's pages are looked through for those that are about it and stand behind its namesakes' pages.
PAGES_BY_NAME = 18
SENTENCES_PER_SUBJECT = 48
MAX_EVIDENCE = 60
MAX_SUBJECTS = 6
#: A name that starts this many characters into a sentence is what the sentence is about ("In 1999 the …").
_BEGINS = 12
#: "(posted on 4 May 2023, edited once)" behind a sentence is said of the page.
_POSTED = re.compile(r"\s*[(\[](?:posted|edited|written|commented)\b[^()\[\]]*\d[^()\[\]]*[)\]]\W*$", re.IGNORECASE)
_PRONOUN_BEFORE = re.compile(r".*\b(?:it|its|they|their)\b", re.IGNORECASE | re.DOTALL)
_REFERS = re.compile(r"\b(?:the|it|its|he|his|she|her|him|they|there|here|this|their|them)\b", re.IGNORECASE)
#: "Town rights were granted" names nobody: "rights" is no verb.
_OTHER_SUBJECT = re.compile(
    r"^[A-Z][\w'’-]{2,}(?:\s+[A-Z][\w'’-]+)*\s+(?:is|was|has|had|\w+[^s\W]s)\s"
    r"(?!(?:is|was|are|were|has|have|had|can|could|may|might|will|would|must|should|do|did|go|went|came|come)\b)"
)
_PRONOUN = re.compile(r"^(?:it|its|he|she|his|her|they|their|this|these|the)\b", re.IGNORECASE)


def retrieve(plan: Plan, look: Look | None, recognition: Recognition, knowledge: Knowledge) -> tuple[Evidence, ...]:
    """All evidence worth showing to the reader, best first within its kind."""
    found: list[Evidence] = list(frame_evidence(look))
    if plan.intent != "unclear" and points_at_frame(plan.asked.core, bool(plan.subjects)):
        found += _about_names_on_frame(found, plan, knowledge)
    if plan.intent in ("unclear", "read"):
        return tuple(found)
    seen = {c.name: c for c in recognition.candidates}
    if recognition.entity is not None:
        seen[recognition.entity.name] = recognition.entity
    about: list[Evidence] = []
    for n, subject in enumerate(plan.subjects[:MAX_SUBJECTS]):
        if subject in seen:
            c = seen[subject]
            found.append(
                Evidence(
                    f"entity:{n}", "entity", c.image_url, c.name, c.confidence, subject=c.name, outline_px=c.outline_px
                )
            )
        query = plan.queries[n] if n < len(plan.queries) else plan.asked.core
        raw = seen[subject].attributes if subject in seen else {}
        about += evidence_about(subject, query, plan, knowledge, raw, prefix=str(n))
    if plan.intent == "identify":
        return tuple(found + about[:20])
    told = partial(_told, knowledge)
    links = follow_relations(plan, about, knowledge.encode, told)
    founding = wants("makers_age", plan)
    if founding:
        links = [*follow_relations(replace(plan, asked=FOUNDED), about, knowledge.encode, told), *links]
    taken = {s.lower() for s in plan.subjects}
    for n, target in enumerate(_targets(links, knowledge)):
        if target.lower() not in taken:
            taken.add(target.lower())
            about += evidence_about(target, f"{target}: {plan.asked.core}", plan, knowledge, {}, prefix=f"via{n}")
    scored = score_evidence(plan.asked, about, knowledge.encode)
    if plan.group is not None:
        listed = [n for n in plan.subjects if knowledge.entity(n) is not None]
        text = f"{plan.group.value}: {', '.join(listed)}"
        found.append(Evidence("group", "attribute", listed[0], text, 1.0, listed[0], "members", ", ".join(listed)))
    ordered = sorted(
        (replace(j.evidence, score=round(j.probability, 4)) for j in scored), key=lambda e: (-e.score, e.id)
    )
    return tuple(found + ordered[: MAX_EVIDENCE * (3 if plan.group or founding else 1)])


def _about_names_on_frame(lines: Sequence[Evidence], plan: Plan, knowledge: Knowledge) -> list[Evidence]:
    """Pages about names that stand on the frame, for questions that may mean one of them."""
    out: list[Evidence] = []
    asked = 0
    for name in names_on_frame(lines):
        if asked >= MAX_NAMES or not knowledge.has_pages:
            break
        asked += 1
        if not any(_is_about(p.title, name, knowledge) for p in knowledge.search(name, k=3)):
            continue
        out += evidence_about(name, f"{name}: {plan.asked.core}", plan, knowledge, {}, prefix=f"{MARK}{asked}")
    return out


def _told(knowledge: Knowledge, name: str) -> list[str]:
    """Sentences of the pages about the name."""
    found = knowledge.search(name, k=3) if knowledge.has_pages else ()
    return [s for p in found if _is_about(p.title, name, knowledge) for s in sentences(p.text)]


def _targets(links: Sequence[HopCandidate], knowledge: Knowledge, limit: int = 4) -> list[str]:
    """Names that the links lead to."""
    out: list[str] = []
    for link in links:
        for name in link.targets[: 2 if link.evidence else 3]:
            record = knowledge.entity(name)
            inside = () if record else knowledge.mentioned(name)
            target = record.name if record else (inside[0] if inside else name)
            if all(target.lower() != t.lower() for t in out):
                out.append(target)
    return out[:limit]


def evidence_about(
    subject: str, query: str, plan: Plan, knowledge: Knowledge, raw: object, prefix: str
) -> list[Evidence]:
    """Attributes and page sentences about one subject."""
    record = knowledge.entity(subject)
    attributes = (
        dict(record.attributes)
        if record is not None and record.attributes
        else (dict(raw) if isinstance(raw, dict) else {})
    )
    out: list[Evidence] = list(_taught(record, prefix)) if isinstance(record, TaughtRecord) else []
    taught = record.facts if isinstance(record, TaughtRecord) else {}
    out += stated_about(subject, {key: value for key, value in attributes.items() if key not in taught}, prefix)
    return out + _page_sentences(subject, query, plan, knowledge, prefix)


def stated_about(subject: str, attributes: Mapping[str, object], prefix: str = "") -> Iterator[Evidence]:
    """What the index states about one subject, cleaned; a whole article in one field is read like a page."""
    from assistant.text.markup import clean_value

    for key, raw in attributes.items():
        cleaned = clean_value(raw)
        if not cleaned:
            continue
        value, id = plain(stated_value(key, cleaned)), f"attr{prefix}:{key}"
        if len(value) > 600:
            for i, sentence in enumerate(sentences(plain(cleaned, 6000))[:40]):
                yield Evidence(f"{id}#{i}", "passage", subject, sentence, 0.0, subject=subject, title=subject)
            continue
        yield Evidence(id, "attribute", subject, f"{key}: {value}", 0.0, subject=subject, key=key, value=value)


def _taught(record: TaughtRecord, prefix: str) -> Iterator[Evidence]:
    """What a visitor said of the thing: facts are read like attributes, sentences like passages."""
    for key, value in record.facts.items():
        text = plain(stated_value(key, value))
        yield Evidence(
            f"taught{prefix}:{key}", "taught", record.source, f"{key}: {text}", 0.0, record.name, key, text, record.name
        )
    for i, text in enumerate(s for said in record.sentences for s in sentences(said)):
        yield Evidence(
            f"taught{prefix}#{i}", "taught", record.source, text, 0.0, subject=record.name, title=record.name
        )


def _page_sentences(subject: str, query: str, plan: Plan, knowledge: Knowledge, prefix: str) -> list[Evidence]:
    if not knowledge.has_pages:
        return []
    pages: dict[str, Passage] = {p.url: p for p in knowledge.search(query, k=PAGES_PER_QUERY)}
    wide = knowledge.entity(subject) is None
    for n, passage in enumerate(knowledge.search(subject, k=PAGES_BY_NAME)):
        if wide or n < PAGES_PER_QUERY or _is_about(passage.title, subject, knowledge):
            pages.setdefault(passage.url, passage)
    found: dict[str, Evidence] = {}
    for p, (url, hit) in enumerate(pages.items()):
        about = _is_about(hit.title, subject, knowledge)
        if not about and not _names(hit.text, subject, knowledge):
            continue
        whole = knowledge.page(url)
        chunks = whole if about else (hit,)
        written = page_date(" ".join(plain(c.text, 12_000) for c in whole), plan.today)
        current_first = subject if about else None
        spoken_of = _sentences_about(chunks, subject, current_first, knowledge)
        if not about and knowledge.entity(subject) is None:
            spoken_of = _not_in_passing(spoken_of, subject)
        for i, text in enumerate(spoken_of):
            key = text.lower()
            if key not in found:
                found[key] = Evidence(
                    f"page{prefix}:{p}.{i}",
                    "passage",
                    url,
                    text,
                    hit.score,
                    subject=subject,
                    title=plain(hit.title),
                    written=written,
                )
            elif (found[key].written or "") < (written or ""):
                found[key] = replace(found[key], written=written)
    stems = content_stems(plan.asked.core + " " + query)

    def rough(e: Evidence) -> float:
        return shared(stems, content_stems(e.text)) + 1.5 * agreement(plan.asked.expected, e.text)

    ordered = sorted(found.values(), key=lambda e: (-rough(e), e.id))
    return ordered[:SENTENCES_PER_SUBJECT]


def _not_in_passing(texts: Sequence[str], subject: str) -> list[str]:
    """Sentences that begin with the subject, and those after them, up to one that names it in passing: "the firm's
    seat is in <subject>" speaks of the firm, and so does what follows.
    """
    out, going_on = [], False
    for text in texts:
        place = text.lower().find(subject.lower())
        if place >= 0:
            going_on = place <= _BEGINS
        if going_on:
            out.append(text)
    return out


def _is_about(title: str, subject: str, knowledge: Knowledge) -> bool:
    """The title names the subject itself, not a sibling whose longer name contains it."""
    if knowledge.entity(subject) is not None:
        return subject in knowledge.mentioned(title)
    if any(subject.lower() in n.lower() for n in knowledge.mentioned(title)):
        return False
    at_start = title.lower().removeprefix("the ").startswith(subject.lower().removeprefix("the "))
    return at_start and re.search(rf"(?<!\w){re.escape(subject)}(?!\w)", title, re.IGNORECASE) is not None


def _names(text: str, subject: str, knowledge: Knowledge) -> bool:
    if subject.lower() not in " ".join(text.lower().split()):
        return False
    if knowledge.entity(subject) is not None:
        return subject in knowledge.mentioned(text)
    for name in knowledge.mentioned(text):  # the maker's name inside its product's name is no mention of the maker
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE) if subject.lower() != name.lower() else text
    return subject.lower() in " ".join(text.lower().split())


def _sentences_about(chunks: Sequence[Passage], subject: str, current: str | None, knowledge: Knowledge) -> list[str]:
    """The sentences of a page that speak of the subject; others' sentences are left out."""
    home, out = current, []
    known = knowledge.entity(subject) is not None
    first = next(iter(chunks), None)
    titled = knowledge.mentioned(first.title) if first is not None else ()
    foreign = titled[0] if titled and subject not in titled else None
    for chunk in chunks:
        for text in sentences(plain(chunk.text.replace("\n", " ¶ "), 12_000).replace(" ¶ ", "\n")):
            text = _POSTED.sub("", text) or text
            named = knowledge.mentioned(text)
            own = subject in named or (not known and _names(text, subject, knowledge))
            if own and foreign and _PRONOUN_BEFORE.match(text[: text.lower().find(subject.lower())] or ""):
                current = foreign  # "it is slower than <subject>": "it" is what the page is about
            elif own:
                current = subject
            elif named or (not known and not own and _OTHER_SUBJECT.match(text) and not _REFERS.search(text)):
                current = named[0] if named else "another"
            elif foreign or not _PRONOUN.match(text):
                current = foreign or home or current
            if current == subject and text not in out:
                out.append(text)
    return out
