"""A sentence of a page as an answer: its subject named, cut to the clause that answers."""

from __future__ import annotations

import re

from assistant.reading.attribute_templates import spoken_attribute
from assistant.reading.compose import clauses_of, sentence_case
from assistant.reading.scoring.rank import agreement
from assistant.text.attribute_keys import labelled_value
from assistant.text.english import content_stems, named_subject, plain, shared
from assistant.text.values import find_dates, find_quantities
from assistant.understanding.clause import WH
from assistant.understanding.intent import ParsedQuestion

#: When a page was written says nothing of its subject: "(posted on 3 May, edited once)".
_OF_THE_PAGE = re.compile(
    r"\s*[(\[](?:posted|edited|written|updated|published online|last|seen|checked|as of my)\b[^)\]]*[)\]]",
    re.IGNORECASE,
)


#: "What does it eat? Worms and fallen fruit.": what follows the question is said.
_OWN_QUESTION = re.compile(rf"^{WH}\b[^?.!]{{3,80}}\?\s+(?=\w)", re.IGNORECASE)


#: "They sew it by hand": those who do are not the thing, and "they live long" is no sentence with one name.
_THEY = re.compile(r"^They\b")


def passage_sentence(subject: str, text: str, asked: ParsedQuestion) -> str:
    """The page's sentence with the subject named, trimmed to the clause that answers when it says several things."""
    text = _OWN_QUESTION.sub("", _OF_THE_PAGE.sub("", plain(text, 1200)))
    pair = labelled_value(text)
    if pair is not None:
        return spoken_attribute(subject, *pair)
    full = text if _THEY.match(text) else named_subject(text, subject)
    clause = answering_clause(full, asked)
    if clause != full:
        if subject.lower() in clause.lower():
            return sentence_case(clause)
        lead = re.match(r"^(?:and|but|while|which|whereas|yet|so|or|with)\s+", clause)
        rest = clause[lead.end() :] if lead else clause
        if re.match(r"^(?:it|he|she)\b", rest, re.IGNORECASE):
            return sentence_case(named_subject(rest[0].upper() + rest[1:], subject))
        if re.match(
            r"^(?:is|was|are|were|has|had|weighs?|costs?|measures?|holds?|lasts?|takes?|comes?|stands?|\w+s|\w+ed)\b",
            rest,
        ) and not re.match(r"^\w+s\s+(?:is|are|was|were)\b", rest):
            return sentence_case(f"{subject} {rest}")
        return sentence_case(f"{subject}: {rest}")
    if subject.lower() not in full.lower():
        return sentence_case(f"{subject}: {full}")
    return sentence_case(full)


def answering_clause(text: str, asked: ParsedQuestion) -> str:
    """The clause that carries the kind of value asked for and most of the question's words; the whole when unsure."""
    parts = clauses_of(text)
    if len(parts) < 2:
        return text
    stems = content_stems(" ".join((asked.core, *asked.about)))
    values = len(find_quantities(text)) + len(find_dates(text))
    if values < 2 and len(text) <= 180:
        return text
    scores = [(1.5 * agreement(asked.expected, p) + shared(stems, content_stems(p)), -i) for i, p in enumerate(parts)]
    best = max(range(len(parts)), key=lambda i: scores[i])
    tie = sorted((s[0] for s in scores), reverse=True)
    if len(tie) > 1 and tie[0] - tie[1] < 0.5:
        return text
    return parts[best]
