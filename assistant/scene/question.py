"""What a question wants of the picture itself, told by meaning: the nearest of a few sample questions.

For what needs no index: to describe, to name roughly, a colour, what a cover says, whether there is light enough; and
for what is no question about anything. Nearest neighbours over sentence vectors (all-MiniLM-L6-v2); what is nearer to a
question for a fact, or near to none, wants nothing of the picture.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import numpy as np

from assistant.text.encoder import text_encoder
from assistant.text.english import content_stems, stem, words_of
from assistant.text.kinds import is_kind_word

Wants = Literal[
    "describe",
    "identify",
    "colour",
    "title",
    "author",
    "brand",
    "translate",
    "light",
    "any_text",
    "read",
    "hello",
    "thanks",
    "abilities",
    "",
]
_SAMPLES: dict[Wants, tuple[str, ...]] = {
    "describe": (
        "What do you see?",
        "Describe what is in front of me.",
        "What's in this picture?",
        "What am I looking at?",
        "Can you describe this for me?",
        "What is around me?",
    ),
    "identify": (
        "What is this?",
        "What is that thing?",
        "What's that in my hand?",
        "What kind of thing is this?",
        "What object is this?",
        "Do you recognise this?",
    ),
    "colour": (
        "What colour is it?",
        "What colour is this thing?",
        "Which colours does it have?",
        "What color is the bag?",
        "What colours are on the cover?",
    ),
    "title": (
        "What is the title of this book?",
        "What book is this?",
        "What game is this?",
        "What film is on this poster?",
        "What album is this?",
        "What magazine am I holding?",
    ),
    "author": (
        "Who wrote this book?",
        "Who is the author?",
        "Which writer is this by?",
        "What's the name of the author on the cover?",
    ),
    "brand": (
        "What brand is this?",
        "Which company makes this?",
        "What make is it?",
        "What brand of bread is this?",
        "What company is this?",
        "Who is the manufacturer?",
    ),
    "translate": (
        "Translate this.",
        "What does that mean in English?",
        "Can you translate the sign for me?",
        "What language is this?",
    ),
    "light": (
        "Is the picture too dark?",
        "Is it too bright?",
        "Is the picture blurry?",
    ),
    "any_text": (
        "Is there any text here?",
        "Is anything written on it?",
        "Can you see any writing?",
    ),
    "read": (
        "What does it say?",
        "What does the lower one say?",
        "What is written on the left one?",
        "Read the text to me.",
    ),
    "hello": ("Hello", "Hi there!", "Good morning", "Hey, how are you?"),
    "thanks": (
        "Thanks",
        "Thanks a lot",
        "OK, thanks",
        "Thank you very much",
        "Great, thank you!",
        "That's all, thanks",
    ),
    "abilities": ("What can you do?", "How can you help me?", "What can I ask you?", "Who are you?", "Help"),
    "": (
        "How much does it cost?",
        "How heavy is it?",
        "When was it made?",
        "When was it founded?",
        "Where is it from?",
        "Where was this taken?",
        "Which town is this?",
        "Who designed this?",
        "Who built it?",
        "Who lives here?",
        "Who founded it?",
        "What is it made of?",
        "What is it used for?",
        "What is the weight of this?",
        "What is its height?",
        "How many are there?",
        "How many fingers am I holding up?",
        "How old is it?",
        "Is it waterproof?",
        "Can I eat this?",
        "Which one is older?",
        "When does it open?",
        "How long does it last?",
        "What ingredients does it have?",
        "What is it called?",
        "What is its name?",
        "What's the name of this place?",
        "What species is this?",
        "What kind of stone is it made from?",
        "Where can I buy one?",
        "What is this worth?",
        "What is the population?",
        "What colour are its flowers when they open?",
        "What is the company's revenue?",
        "Why is it here?",
        "Tell me its history.",
        "What subjects are there?",
        "What is behind it?",
        "What is inside the box?",
        "What is next to the door?",
        "Which way does it point?",
    ),
}
#: A question must be so near to a sample (cosine) to want the same. "What can it do?" is near to "What can you do?".
_NEAR: dict[Wants, float] = {"hello": 0.55, "thanks": 0.55, "abilities": 0.72}
_NEAR_OTHERS = 0.52


def wanted(question: str) -> Wants:
    """What `question` wants of the picture itself; "" for anything else."""
    wants, vectors = _known()
    near = vectors @ text_encoder().encode([question])[0]
    best = int(np.argmax(near))
    return wants[best] if near[best] >= _NEAR.get(wants[best], _NEAR_OTHERS) else ""


def is_all(want: Wants, question: str) -> bool:
    """Whether the question asks for nothing beside it: its words are those of the samples, or name a kind of thing."""
    told = frozenset[str]().union(*map(content_stems, _SAMPLES[want]))
    words = re.sub(r"['’]s\b", "", question)
    kinds = frozenset(stem(word) for word in words_of(words) if is_kind_word(word.lower()))
    return content_stems(words) <= told | kinds


@lru_cache(maxsize=1)
def _known() -> tuple[list[Wants], np.ndarray]:
    wants = [want for want, samples in _SAMPLES.items() for _ in samples]
    return wants, text_encoder().encode([text for samples in _SAMPLES.values() for text in samples])
