"""What an answer claims, for the lexical judge: yes or no, which of two, and whether things have changed places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.judges.lexical.advice import implied
from eval.judges.lexical.choice import degrees
from eval.judges.lexical.words import Word, content_words, find, opposed, plain, read, same, share

_EMPHATIC = re.compile(
    r"^\W*(?:definitely|certainly|absolutely|of course|surely|probably|unfortunately|sadly|alas|better"
    r"|i'?m afraid|i am afraid),? not\b"
    r"|^\W*(?:nobody|no one|none)\b",
    re.I,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|correct|indeed|absolutely|definitely|certainly|of course|sure|right|true)\b", re.I
)
_NO = re.compile(r"^\W*(?:no|nope|not really|not at all|incorrect|false|never|negative)\b(?! (?:one|problem|other"
    r"|doubt|"
                 r"\w+ (?:has|have|is|are)\b))", re.I)  # fmt: skip
_THERE_IS = re.compile(
    r"\W*(?:but )?there(?:'s| is| are| was| were) (?!no\b|not\b|nothing|nobody|only|just|hardly|neither)", re.I
)
_SHORT = re.compile(
    r"^\W*(?:he|she|it|they|we|you|i|this|that|these|those|there) "
    r"(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)( not)?\s*(?:[.,;:!]|$)",
    re.I,
)
_DENIES = re.compile(r"\b(?:not|no|never|neither|nor|cannot|without|isnt|no longer)\b", re.I)
_BOTH = re.compile(r"^\W*(?:yes (?:and|or) no|no (?:and|or) yes|maybe|perhaps|it depends)\b", re.I)


def lead(text: str) -> bool | None:
    """Yes or no by the first word; None for neither, for both and for "it depends"."""
    if _BOTH.match(text):
        return None
    if _EMPHATIC.match(text):
        return False
    if short := _SHORT.match(plain(text)):
        return short[1] is None
    return True if _YES.match(text) else False if _NO.match(text) else None


def stance(question: str, text: str) -> bool | None:
    """Whether a statement affirms or denies what a yes/no question asks, by the question's own words in it.

    A word of the question affirmed counts for yes, denied for no; its opposite the other way round. None when the
    statement takes up no word that could tell.
    """
    words = content_words(read(text))
    for wanted in _predicate(question):
        against = {_turned(word) for word in words if opposed(word, wanted)}
        if len(against) == 1 and not any(same(word, wanted) for word in words):
            return against.pop()
    denied = [w for w in _predicate(question) if (own := find(w, words)) and all(_turned(f) != w.denied for f in own)]
    if denied:
        return False
    for wanted in reversed(_predicate(question)):
        votes = {_turned(word) == wanted.denied for word in words if same(word, wanted)}
        votes |= {_turned(word) != wanted.denied for word in words if opposed(word, wanted)}
        if votes:
            return votes.pop() if len(votes) == 1 else None
    return (
        False
        if re.match(r"^\W*(?:\w+ ){0,4}(?:is|are|was|were|does|do|did|can|has|have|will) not\b", plain(text), re.I)
        else None
    )


def _turned(word: Word) -> bool:
    return word.denied or word.excepted


def _predicate(question: str) -> list[Word]:
    """The words of a question that say what is asked of its subject: behind the subject, weighed last to first."""
    words = content_words(read(question))
    words = [w for w in words if not w.capital] or words
    return words[-4:] if len(words) > 4 else words


def yesno_problem(question: str, truth: str, answer: str) -> str | None:
    """What is wrong with an answer to a yes/no question; "" when it says the same, None when it says neither."""
    if _BOTH.match(answer) and not _BOTH.match(truth):
        return "says neither yes nor no"
    wanted = lead(truth)
    if wanted is None:
        wanted = stance(question, truth)
    if re.match(r"\W*only\b", truth, re.I):
        return None
    if wanted is None and len(parts := re.split(r"(?<=[a-z0-9)])[.;]\s|,\s", truth)) > 1:
        wanted = stance(question, parts[-1])
    said, own = lead(answer), None
    rest = re.sub(r"^\W*\w+\b", "", answer, count=1) if said is not None else answer
    own = stance(question, _first(rest)) if rest.strip(" .,!") else None
    if wanted is None:
        return None
    if said is None:
        advised = implied(question, answer, _first(answer))
        said = own if advised is None else advised
        if said is None:
            return None
    elif own is not None and own != said and not _EMPHATIC.match(answer) and _taken_up(question, rest) >= 0.5:
        usual = stance(question, _first(re.sub(r"^\W*\w+\b", "", truth, count=1)))
        more = usual != own or _taken_up(question, rest) > _taken_up(question, truth)
        main, *conceded = re.split(r"\b(?:although|though|but|however)\b", plain(_first(rest)), maxsplit=1)
        mild = said is False and _DENIES.search(main) and not any(stance(question, part) for part in conceded)
        if more and lead(truth) is not None and not mild:
            return f"begins with {'yes' if said else 'no'} and then says the opposite"
    if said is False and _THERE_IS.match(rest) and re.search(r"\bany|\bthere\b|\bsome", question, re.I):
        return "begins with no and then says that there is"
    if said != wanted:
        return f"says {'yes' if said else 'no'}, the truth is {'yes' if wanted else 'no'}"
    return ""


def _taken_up(question: str, text: str) -> float:
    """Which share of a question's meaning-bearing words a statement says."""
    return share(content_words(read(question)), read(_first(text)))


def _first(text: str) -> str:
    return re.split(r"(?<=[a-z0-9)])[.!?](?:\s|$)", text.strip(" .,!"), maxsplit=1)[0]


def swapped(truth: str, answer: str) -> str:
    """What has changed places between the parts of a ground truth; "" when nothing has.

    Words that stand in one part of the truth only must not stand mixed with another part's in two parts of the answer
    ("the black queen and a white knight" for "the white queen and a black knight").
    """
    for word in ("against", "than"):
        if (found := _turned_round(truth, answer, word)) is not None:
            return found
    for one, joint, two in re.findall(r"\b(\w+) (and|or) (\w+)\b", truth):
        answer = re.sub(rf"\b{two} (?:and|or) {one}\b", f"{one} {joint} {two}", answer, flags=re.I)
    truths, answers = _parts(truth), _parts(answer)
    for i, one in enumerate(truths):
        for two in truths[i + 1 :]:
            only_one = [w for w in one if not find(w, two)]
            only_two = [w for w in two if not find(w, one)]
            mixed = [
                part
                for part in answers
                if any(find(w, only_one) for w in part) and any(find(w, only_two) for w in part)
            ]
            pure = [
                part for part in answers if part not in mixed and any(find(w, [*only_one, *only_two]) for w in part)
            ]
            if len(mixed) >= 2 and len(pure) < len(mixed) and len(answers) <= len(mixed) + 2:
                return " ".join(w.text for w in mixed[0][:4])
            for part in mixed[:1] if len(mixed) == 1 else ():
                borrowed = [w for w in part if find(w, only_two)]
                left_over = [w for w in only_two if not find(w, borrowed)]
                if (
                    left_over
                    and any(
                        other is not part
                        and any(find(w, left_over) for w in other)
                        and not any(find(w, borrowed) for w in other)
                        and not any(find(w, only_one) for w in other)
                        for other in answers
                    )
                    and any(w.capital for w in left_over)
                ):
                    return " ".join(w.text for w in part[:4])
    return ""


def _turned_round(truth: str, answer: str, word: str) -> str | None:
    """Both sides of an "against" exchanged; None where the two texts do not both have the word once."""
    cut = rf"\b{word}\b"
    if len(re.findall(cut, truth)) != 1 or len(re.findall(cut, answer)) != 1:
        return None
    (one, two), (left, right) = (
        [content_words(read(side)) for side in re.split(cut, text, maxsplit=1)] for text in (truth, answer)
    )
    only_one = [w for w in one if w.text[0].isalpha() and not find(w, two)]
    only_two = [w for w in two if not find(w, one)]
    if word == "than" and degrees(truth) != degrees(answer):
        return None
    if any(find(w, only_two) for w in left) and any(find(w, only_one) for w in right):
        return " ".join(w.text for w in left[:4])
    return None


def doer_and_done(truth: str, answer: str, asked: Sequence[Word]) -> str:
    """Who does and to whom have changed places around a verb of the question ("aphids eat the ladybug")."""
    if re.search(r"\bby\b", truth) or re.search(r"\bby\b", answer):
        return ""
    told, said = read(truth), read(answer)
    for verb in asked:
        own, other = find(verb, told), find(verb, said)
        if not verb.content or len(own) != 1 or len(other) != 1:
            continue
        before = [w for w in content_words(told) if w.at < own[0].at and w.clause == own[0].clause]
        after = [w for w in content_words(told) if w.at > own[0].at and w.clause == own[0].clause]
        left = [w for w in content_words(said) if w.at < other[0].at and w.clause == other[0].clause]
        right = [w for w in content_words(said) if w.at > other[0].at and w.clause == other[0].clause]
        if any(find(w, after) for w in left) and any(find(w, before) for w in right):
            return f"{left[0].text!r} and {right[0].text!r} have changed places"
    return ""


def _parts(text: str) -> list[list[Word]]:
    pieces = re.split(r"[.;,:](?:\s|$)|\b(?:and|but|while|whereas|then|or|than|compared|against|versus|with)\b", text)
    return [words for piece in pieces if len(words := content_words(read(piece))) >= 1]


def _subject(clause: str) -> bool:
    """Whether a clause has a subject of its own ("the iced tea has the least")."""
    return (
        re.match(
            r"(?:and |but |while )?(?:the|a|an|this|that|\w+)(?: \w+){0,3} (?:has|have|is|are|was|were)\b",
            clause.strip(),
            re.I,
        )
        is not None
    )


_ALIKE = re.compile(
    r"(?<!not )\b(?:both (?:are|have|is|were)|(?:the|exactly) same\b(?! as)|no difference|identical)\b", re.I
)


_BEAT = r"(?:beat|beats|defeated|overcame|edged|thrashed|won against|won over|outplayed)"


def beaten(truth: str, answer: str, keys: Sequence[Word]) -> str:
    """ "France beat Argentina" where Argentina won; "" otherwise."""
    loser = re.search(rf"\b(?:against|{_BEAT}) (?:the )?([A-Z]\w+)", truth)
    if loser and re.search(r"\bw[io]n", truth) and re.search(rf"\b{loser[1]} (?:won|wins|{_BEAT})\b", answer):
        return f"says that {loser[1]!r} won"
    for key in keys:
        name = re.escape(key.text)
        lost = re.search(rf"\b{_BEAT} (?:the )?{name}\b|\b{name} (?:lost|was beaten|were beaten)\b", answer, re.I)
        if key.text[:1].isupper() and lost and not re.search(rf"\b{_BEAT} (?:the )?{name}\b", truth, re.I):
            return f"says that {key.text!r} lost"
    return ""


def alike(truth: str, answer: str) -> str:
    """The same said of both where the truth tells two things apart; "" otherwise."""
    apart = re.search(r"\b(?:while|whereas)\b", truth, re.I) and not _ALIKE.search(truth)
    return "says the same of both" if apart and _ALIKE.search(plain(answer)) else ""


def other_degree(truth: str, answer: str, keys: Sequence[Word]) -> str:
    """ "least" where the truth says "most", and the like; "" otherwise, and where it is said of something else."""
    clauses = re.split(r"[.;,]\s", answer)
    if any(find(k, read(clause)) for clause in clauses for k in keys):
        answer = " ".join(c for c in clauses if any(find(k, read(c)) for k in keys) or not _subject(c))
    told, said = (set(re.findall(r"[a-z]+", text.lower())) for text in (truth, answer))
    if "only" in told and "only" not in said and said & {"all", "every", "everything", "any", "both"} - told:
        return "says it of all where the truth says only"
    degrees = [("most", "least"), ("least", "most")]
    if "than" not in said:
        degrees += [("more", "less"), ("more", "fewer"), ("less", "more"), ("fewer", "more")]
    for own, other in degrees:
        if own in told and other not in told and other in said and own not in said:
            return f"says {other!r} where the truth says {own!r}"
    return ""


def before_and_after(truth: str, answer: str) -> str:
    """ "after" where the truth says "before", of the same thing; "" otherwise."""
    for own, other in (("before", "after"), ("after", "before")):
        for match in re.finditer(rf"\b{own}\b([^.,;]*)", truth, re.I):
            wanted = content_words(read(match[1]))[:3]
            for said in re.finditer(rf"\b{other}\b([^.,;]*)", answer, re.I):
                if re.search(rf"\b{own}\b", answer, re.I) is None and any(
                    find(w, content_words(read(said[1]))[:3]) for w in wanted
                ):
                    return f"says {other!r} where the truth says {own!r}"
    return ""
