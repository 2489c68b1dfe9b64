"""Are the labels and shares as promised, and is every question hard enough: look-alikes, idle pages, second objects?

Shares are allowed three standard errors of their number of draws, so a small world can pass; what must hold in every
row is checked in every row.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from eval.world.audit.reading import Finding, Folder, Turn, near, slack
from eval.world.content.quota import FINDABLE_SHARE, TYPES
from eval.world.content.region import UNINDEXED_SHARE
from eval.world.frame_sampling import DRIFT_SHARE, SECOND_SHARE, SIBLING_SHARE, picture_shares
from eval.world.rows import label_names

OTHER_PICTURES, SIBLING_PICTURES, IDLE_PAGES = 20, 3, 2
#: Entities from which on every question is promised its siblings: smaller worlds have families cut short.
LARGE = 200
MEAN_TURNS, MAX_WORDING, NAMELESS = 4.9, 0.15, 0.40
BALANCED = 60
MIN_USES = 40
#: References that say nothing about which.
BARE = {"this", "that", "it", "this one", "that one", "this thing", "this product"}


def orders(w: Folder) -> Finding:
    """Both sets have the same labels in another order, and what the rows say is what gold says."""
    single, multi = (label_names(w.root / s / "validation.parquet") for s in ("single_turn", "multi_turn"))
    same = all(sorted(single[c]) == sorted(multi[c]) for c in single)
    differ = all(single[c] != multi[c] for c in single)
    pairs = (("domain", "domain"), ("query_category", "question_type"), ("image_quality", "quality"))
    wrong = sum(any(t.labels[a] != t.gold[b] for a, b in pairs) for t in w.turns)
    return Finding("labels have another order in each set and agree with gold", not (same and differ) or wrong > 0,
                   f"{len(single)} columns, {wrong} rows disagree")  # fmt: skip


def domains(w: Folder) -> Finding:
    """All domains are asked about; those held out in the public test alone."""
    held = set(w.about["options"].get("hold_out") or [])
    every = set(label_names(w.root / "single_turn" / "validation.parquet")["domain"])
    asked = {t.labels["domain"] for t in w.turns}
    leaked = sum(t.labels["domain"] in held for t in w.turns if t.split == "validation")
    missing = sorted(every - asked) if w.about["counts"]["entities"] >= LARGE else []
    detail = f"missing {missing}, held out {sorted(held)}, {leaked} of those in validation"
    return Finding("all domains are there, held-out ones in public_test alone", bool(missing or leaked), detail)


def types(w: Folder) -> Finding:
    """Question types in their shares, in both sets."""
    bad, seen = [], []
    for name in ("single_turn", "multi_turn"):
        turns = w.of(name)
        found = Counter(t.labels["query_category"] for t in turns)
        for type_, share in TYPES.items():
            have = found[type_] / max(1, len(turns))
            seen.append(f"{100 * have:.0f}")
            if turns and abs(have - share / sum(TYPES.values())) > slack(share, len(turns), 0.03):
                bad.append(f"{name} {type_} {have:.1%}")
    return Finding("question types come in their shares", bool(bad), f"{'/'.join(seen)} % {'; '.join(bad)}")


def dynamism(w: Folder) -> Finding:
    """All four dynamism labels, and head, torso and tail."""
    found = Counter(t.labels["dynamism"] for t in w.turns)
    fame = Counter(t.gold["popularity"] for t in w.turns)
    lacking = [k for k in label_names(w.root / "single_turn" / "validation.parquet")["dynamism"] if not found[k]]
    lacking += [k for k in ("head", "torso", "tail") if fame[k] < 0.1 * len(w.turns)]
    enough = len(w.turns) >= 200
    detail = f"{dict(found.most_common())}, {dict(fame.most_common())}"
    return Finding("four dynamism labels; head, torso and tail", enough and bool(lacking), detail)


def _sessions(turns: list[Turn]) -> dict[str, list[Turn]]:
    sessions: dict[str, list[Turn]] = defaultdict(list)
    for t in turns:
        sessions[t.session].append(t)
    return sessions


def talks(w: Folder) -> Finding:
    """Conversations have 2 to 6 turns, 4.9 on average, over one to three domains; 38 % drift."""
    sessions = list(_sessions(w.of("multi_turn")).values())
    n = len(sessions)
    if not n:
        return Finding("conversations are as long and drift as often as promised", False, "there are none")
    lengths = [len(s) for s in sessions]
    mean = sum(lengths) / n
    touched = [len({t.labels["domain"] for t in s}) for s in sessions]
    drift = sum(x > 1 for x in touched) / n
    bad = min(lengths) < 2 or max(lengths) > 6 or max(touched) > 3
    bad |= abs(mean - MEAN_TURNS) > max(0.25, 3.3 / n**0.5) or abs(drift - DRIFT_SHARE) > slack(DRIFT_SHARE, n, 0.05)
    detail = f"{n} of {min(lengths)} to {max(lengths)} turns, {mean:.2f} on average; {drift:.0%} drift, "
    return Finding("conversations are as long and drift as often as promised", bad,
                   f"{detail}up to {max(touched)} domains")  # fmt: skip


def pictures(w: Folder) -> Finding:
    """Egocentric and web frames, and their quality, as in Table 2, or as the options want."""
    o = w.about["options"]
    frames = {t.frame: t for t in w.turns}
    n = len(frames)
    if o.get("balance"):
        seen = Counter(t.labels["image_quality"] for t in w.turns)
        low = [q for q, c in seen.items() if c < BALANCED] if len(w.turns) >= 6 * BALANCED else []
        return Finding("picture quality is balanced", bool(low) or len(seen) < 6, f"{dict(seen)}")
    promised = picture_shares(o.get("degraded"), False)
    found = Counter((t.labels["image_quality"], bool(t.url)) for t in frames.values())
    bad = []
    for quality in {q for q, _ in promised}:
        share = sum(v for (q, _), v in promised.items() if q == quality)
        have = sum(v for (q, _), v in found.items() if q == quality) / max(1, n)
        if abs(have - share) > slack(share, n):
            bad.append(f"{quality} {have:.1%} for {share:.1%}")
    web = sum(v for (_, is_web), v in promised.items() if is_web)
    ego = 1 - sum(v for (_, is_web), v in found.items() if is_web) / max(1, n)
    bad += [f"egocentric {ego:.1%}"] if abs(ego - 1 + web) > slack(web, n, 0.03) else []
    return Finding("picture quality and egocentric share as promised", bool(bad),
                   f"{ego:.0%} egocentric of {n} {'; '.join(bad)}")  # fmt: skip


def indexed(w: Folder) -> Finding:
    """93 % of the entities asked about are indexed."""
    asked = {t.gold["entity"]: t.gold["indexed"] for t in w.turns}
    n = len(asked)
    if w.about["options"].get("unindexed") is not None:
        return Finding("entities asked about are indexed", False, f"{sum(asked.values())} of {n}, as the options want")
    return near("entities asked about are indexed", sum(asked.values()) / max(1, n), 1 - UNINDEXED_SHARE, n)


def answerable(w: Folder) -> Finding:
    """About 89 % of the answers can be found."""
    n = len(w.turns)
    found = sum(t.gold["answerable"] for t in w.turns) / max(1, n)
    if w.about["options"].get("unindexed") is not None:
        return Finding("answers can be found", False, f"{found:.1%} of {n}, as the options want")
    return near("answers can be found", found, FINDABLE_SHARE, n)


def seconds(w: Folder) -> Finding:
    """Second objects on the frames, a quarter of them siblings; then the question says which."""
    frames = {t.frame: t for t in w.of("single_turn")}
    n = len(frames)
    two = [t for t in frames.values() if len(t.gold["on_frame"]) > 1]
    siblings = sum(bool(set(t.gold["on_frame"][1:]) & set(t.gold["siblings"])) for t in two)
    share = len(two) / max(1, n)
    bad = abs(share - SECOND_SHARE) > slack(SECOND_SHARE, n, 0.05)
    bad |= bool(two) and abs(siblings / len(two) - SIBLING_SHARE) > slack(SIBLING_SHARE, len(two), 0.08)
    vague = sum(_vague(t) for t in w.of("single_turn") if len(t.gold["on_frame"]) > 1)
    detail = f"{share:.0%} of {n} frames, {siblings} of {len(two)} a sibling, {vague} questions leave open which"
    return Finding("frames hold second objects and the question says which", bad or vague > 0, detail)


def _vague(t: Turn) -> bool:
    """Whether a question about one of several things leaves open which. Of siblings the whole family may be meant."""
    said = t.gold["reference"].lower()
    if said and said not in BARE and said in t.query.lower():
        return False
    of_family = "/sum#" in t.gold["wording"] or t.gold["wording"].startswith(("aggregate.", "compare.extreme"))
    return not (of_family and set(t.gold["on_frame"][1:]) <= set(t.gold["siblings"]))


def alike(w: Folder) -> Finding:
    """Enough indexed pictures of others and of siblings to be confused with, for every question."""
    images = {e["name"]: len(e["images"]) for e in w.kg}
    whole = sum(images.values())
    few = sum(whole - images.get(t.gold["entity"], 0) < OTHER_PICTURES for t in w.turns)
    usual = [t for t in w.turns if t.gold["domain"] != "text understanding"]
    lone = sum(sum(images.get(s, 0) for s in t.gold["siblings"]) < SIBLING_PICTURES for t in usual)
    large = w.about["counts"]["entities"] >= LARGE
    allowed = 0.05 * len(usual) if large else len(usual)
    detail = f"{few} questions with fewer than {OTHER_PICTURES} others, {lone} of {len(usual)} with fewer than "
    return Finding("others and siblings to be confused with", few > 0 or lone > allowed,
                   f"{detail}{SIBLING_PICTURES} pictures of siblings")  # fmt: skip


def idle(w: Folder) -> Finding:
    """At least two pages near every question that do not help."""
    pages = {p["url"]: p["text"] for p in w.pages}
    few = helping = 0
    for t in w.turns:
        urls = t.gold["on_topic"]
        few += len(urls) < IDLE_PAGES or any(u not in pages for u in urls)
        if t.gold["answer"]["kind"] == "date":
            helping += any(str(t.gold["answer"]["value"])[:4] in pages.get(u, "") for u in urls)
        helping += bool(set(urls) & set(t.gold["passages"]))
    detail = f"{few} of {len(w.turns)} questions with fewer than {IDLE_PAGES}, {helping} where one would help"
    return Finding("pages on topic that do not help", few + helping > 0, detail)


def nameless(w: Folder) -> Finding:
    """At least 40 % of the entities asked about carry no name."""
    clue = {t.gold["entity"]: t.gold["text_clue"] for t in w.turns}
    share = 1 - sum(clue.values()) / max(1, len(clue))
    allowed = NAMELESS - slack(NAMELESS, len(clue), 0.0)
    return Finding(
        "many entities carry no name", share < allowed, f"{share:.0%} of {len(clue)}, at least {NAMELESS:.0%}"
    )


def wordings(w: Folder) -> Finding:
    """No wording is used for more than 15 % of what is asked about its relation."""
    uses = Counter(t.gold["wording"] for t in w.turns)
    of = Counter(_relation(t.gold["wording"]) for t in w.turns)
    kinds = {k for k, n in of.items() if n >= MIN_USES}
    over = sorted(k for k, n in uses.items() if _relation(k) in kinds and n > MAX_WORDING * of[_relation(k)])
    detail = f"{len(over)} over it of {len(kinds)} relations asked {MIN_USES} times or more {over[:4]}"
    return Finding("no wording takes more than 15 % of its uses", bool(over), detail)


def _relation(wording: str) -> str:
    """What a wording asks for: `relations.price/sum#2` → `relations.price`."""
    return wording.partition("#")[0].partition("/")[0]


CHECKS: tuple[Callable[[Folder], Finding], ...] = (
    orders,
    domains,
    types,
    dynamism,
    talks,
    pictures,
    indexed,
    answerable,
    seconds,
    alike,
    idle,
    nameless,
    wordings,
)
