"""The voice's parts of the page as HTML: the microphone, the reading bar, and what the server feeds to their scripts.

Pure functions. The scripts are assets/style/speaking.js and hearing.js; what they are told stands in `data-` attributes
of elements nobody sees, and passes through `assistant.ui.html.escape` like everything else.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Literal

from assistant.speech.natural_voice import NaturalVoice
from assistant.ui.html.escape import text

_MIC = (
    '<svg class="v-icon-mic" viewBox="0 0 24 24" aria-hidden="true"><rect x="9" y="3" width="6" height="11" rx="3"/>'
    '<path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M8.5 21h7"/><path class="v-icon-slash" d="M4 4l16 16"/></svg>'
)
_HANDS = "Hands-free: just speak; “stop”, “repeat” and “new question” are understood"
_EAR = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 10.5a5 5 0 0 1 10 0c0 3.2-3 3.9-3.4 6.3-.3 1.9-1.3 '
    '3.2-3 3.2A2.9 2.9 0 0 1 7.7 18"/><path d="M9.7 11a2.4 2.4 0 0 1 4.7-.3c.2 1.3-1 1.9-1.6 2.8"/></svg>'
)
_SQUARE = (
    '<svg class="v-icon-stop" viewBox="0 0 24 24" aria-hidden="true">'
    '<rect x="7" y="7" width="10" height="10" rx="1.5"/></svg>'
)
_NO_NATURAL = (
    '<p class="v-quiet">A natural voice: <code>pip install piper-tts</code> and <code>python -m piper.download_voices '
    "en_US-lessac-medium --download-dir DATA/voices</code> (the data folder is in the panel Model and in "
    "<code>doctor</code>). The engine is under the GPL-3.0, each voice under a licence of its own.</p>"
)
_WAVES = '<span class="v-waves" aria-hidden="true"><i></i><i></i><i></i></span>'


def render_microphone(missing: str) -> str:
    """The button beside the question; `missing` is the sentence it says when it cannot hear."""
    what = f' data-missing="{text(missing[:1].upper() + missing[1:])}." title="{text(missing)}"' if missing else ""
    return (
        f'<button type="button" class="v-mic" aria-label="Record a question" aria-describedby="voice-note"{what}>'
        f'<span class="v-mic-level" aria-hidden="true"></span>{_MIC}{_SQUARE}</button>'
        f'<button type="button" class="v-hands" aria-pressed="false" aria-label="Hands-free" title="{_HANDS}"'
        f'{" hidden" * bool(missing)} aria-describedby="voice-note">{_EAR}</button>'
    )


def render_voice_note() -> str:
    """Where the microphone and the reading say what is going on; filled by their scripts."""
    return '<p id="voice-note" class="v-voice-note" role="status" aria-live="polite"></p>'


def render_reading_bar() -> str:
    """The sound itself, and the button that ends it; shown while an answer is read aloud."""
    return (
        f'<button type="button" class="v-hush" hidden>{_WAVES}<span class="v-hush-words">Stop reading</span></button>'
        '<audio preload="auto"></audio><style class="v-said-now"></style>'
    )


def render_voice_settings(natural: Sequence[NaturalVoice], default: str, plain: bool = True) -> str:
    """The voice, speed, volume and mute; kept by the browser. `default` is the voice until one is chosen,
    `plain` whether espeak-ng is there."""
    names = [(voice.name, voice.label) for voice in natural] + [("espeak-ng", "espeak-ng (robot, fastest)")] * plain
    options = "".join(
        f'<option value="{text(name)}"{" selected" * (name == default)}>{text(label)}</option>' for name, label in names
    )
    return (
        f'<div class="v-voice-set"><label>Voice <select data-voice="voice" aria-label="Voice">{options}</select>'
        "</label>"
        f'{"" if natural else _NO_NATURAL}<label>Speed <input type="range" data-voice="speed" min="0.7" max="1.6" '
        'step="0.1" value="1"><output>1.0</output></label><label>Volume <input type="range" data-voice="volume" '
        'min="0" max="1" step="0.1" value="1"><output>1.0</output></label>'
        '<label class="v-voice-mute"><input type="checkbox" data-voice="mute"> Mute</label>'
        '<button type="button" class="v-act" data-voice="try">Read the last answer</button></div>'
    )


# what the scripts are told


def render_reading(token: str, number: int) -> str:
    """Begins the reading `token` of turn `number`; clips are appended to it, and at last how it ended."""
    return f'<i data-reading="{text(token)}" data-turn="{number}"></i>'


def render_clip(wav: bytes, sentence: int) -> str:
    """A piece of sound; `sentence` (from 1) is the sentence of the answer it belongs to, 0 for none."""
    return f'<i data-sentence="{sentence}" data-src="data:audio/wav;base64,{base64.b64encode(wav).decode()}"></i>'


def render_reading_end(words: str = "") -> str:
    """Nothing follows; `words` is one sentence when it went wrong."""
    return f'<i data-end="1" data-words="{text(words)}"></i>'


def render_listening(
    token: str, state: Literal["working", "heard", "failed", "dropped"], words: str = "", share: float = 0.0
) -> str:
    """How far a recording is: `words` is what is being done, what was heard, or why it was not."""
    return (
        f'<i data-listening="{text(token)}" data-state="{state}" data-share="{share:.2f}" '
        f'data-words="{text(words)}"></i>'
    )


def render_heard(token: str, words: str, hint: str) -> str:
    """What was heard, for the question box, and a doubt about it."""
    return (
        f'<i data-listening="{text(token)}" data-state="heard" data-share="1" data-words="{text(words)}" '
        f'data-hint="{text(hint)}"></i>'
    )
