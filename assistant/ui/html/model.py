"""What stands in the panel "Model", as HTML: pure functions of values; whatever a server said is made inert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.core.types import Strictness
from assistant.models.chat.probe import STEPS, Probed, Step, StepName
from assistant.ui.html.escape import isolated, text
from assistant.ui.state.target import Target

#: One line each for the choice in the panel.
STRICTNESS_SAYS: dict[Strictness, str] = {
    "none": "always answers, guessing where it must",
    "soft": "answers unless it has no idea",
    "moderate": "prefers the evidence; memory only where it is sure",
    "severe": "only what evidence or picture shows; no memory",
}
#: What each step of a test looks at, and while it does.
STEP_WORDS: dict[StepName, tuple[str, str]] = {
    "text": ("Answers", "Asking for one word"),
    "stream": ("Streams", "Having it read a page and count"),
    "picture": ("Sees", "Showing it two squares"),
    "logprobs": ("Probabilities", "Asking for the probabilities of tokens"),
    "tools": ("Tools", "Offering it a tool"),
}
#: The settings by the words of the panel.
FIELD_WORDS: dict[str, str] = {
    "profile": "Who answers",
    "base_url": "Address",
    "api_key": "Key",
    "chat_model": "Model",
    "local_model": "Model on this machine",
    "chat_pictures": "Send pictures",
    "chat_timeout_s": "Time-out",
    "chat_prices": "Prices",
    "pipeline": "Pipeline",
    "strictness": "Strictness",
}


def render_state(
    target: Target,
    *,
    has_key: bool,
    remembers: bool,
    set_by: Mapping[str, str],
    rules: Sequence[tuple[str, str]] = (),
    note: str = "",
    closed: str = "",
) -> str:
    """What is so now.

    Args:
        target: whom questions go to.
        has_key: whether a key is set; it is shown nowhere.
        remembers: whether anything is kept on this machine.
        set_by: settings that a flag or the environment holds, each with its name.
        rules: further settings and their values, for visitors who cannot see the fields.
        note: one sentence about what was remembered.
        closed: why nothing can be changed here; "" where it can.
    """
    who = f"{target.model}, {f'at {target.place}' if target.host else 'on this machine'}"
    if not target.model:
        who = "The embedded reader; no model"
    rows = [("Answered by", who), ("Asking", target.words)]
    if not closed:
        rows += [("Key", "A key is set" if has_key else "No key is set")]
        rows += [("On this machine", "Remembered for the next start" if remembers else "Nothing is remembered")]
    rows += [*rules]
    listed = "".join(f"<div><dt>{text(name)}</dt><dd>{isolated(value, 300)}</dd></div>" for name, value in rows)
    held = "".join(
        f"<li>{text(FIELD_WORDS.get(name, name))}: set by <code>{text(by, 60)}</code></li>"
        for name, by in set_by.items()
    )
    held = held and (
        f'<div class="v-model-held"><p>What is set so wins over what is remembered. A change here holds until the next '
        f"start.</p><ul>{held}</ul></div>"
    )
    said = "".join(f'<p class="v-quiet">{isolated(words, 400)}</p>' for words in (note, closed) if words)
    return f'<dl class="v-model-state">{listed}</dl>{"" if closed else held}{said}'


def render_probe(probed: Probed, words: Sequence[str] = ()) -> str:
    """A test as far as it has come, and `words` about what followed from it."""
    done, trying = len(probed.steps), probed.trying
    percent = round(100 * done / len(STEPS)) if trying else 100
    busy = ""
    if trying:
        busy = (
            f'<li class="v-probe v-probe--busy"><span>{text(STEP_WORDS[trying][0])}</span>'
            f"<p>{text(STEP_WORDS[trying][1])} …</p></li>"
        )
    bar = (
        f'<div class="v-bar-track" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}" '
        f'aria-label="Testing the connection"><span style="width:{percent}%"></span></div>'
        if trying
        else ""
    )
    rows = "".join(_row(step) for step in probed.steps)
    told = "".join(f"<p>{isolated(_sentence(line), 500)}</p>" for line in words)
    about = f"{isolated(probed.model, 100)} at {isolated(probed.endpoint, 200)}"
    return (
        f'<section class="v-probes" aria-label="Test of the connection"><h3>{about}</h3>{bar}<ul>{rows}{busy}</ul>'
        f"{told}</section>"
    )


def summary_of(probed: Probed) -> str:
    """A finished test in one sentence, for those who hear the page."""
    if not probed.answers:
        return f"The test failed: {probed.problem}"
    seen = {True: "it sees pictures", False: "it sees nothing", None: "whether it sees is not known"}[probed.sees]
    speed = f", first words after {probed.first_token_s:.1f} seconds" if probed.first_token_s is not None else ""
    return f"The model answers, {seen}{speed}."


def _row(step: Step) -> str:
    kind, word = {True: ("yes", "yes"), False: ("no", "no"), None: ("open", "not known")}[step.works]
    took = f' <span class="v-quiet">{step.took_s:.1f} s</span>' if step.took_s >= 0.05 else ""
    return (
        f'<li class="v-probe v-probe--{kind}"><span>{text(STEP_WORDS[step.name][0])}<span class="v-sr">: {word}</span>'
        f"</span><p>{isolated(_sentence(step.says), 500)}{took}</p></li>"
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
