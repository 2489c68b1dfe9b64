"""From a prompt to tensors: the model's own chat template, pictures before the text, nothing forged by the text.

A user may write `<image>` or `<|im_end|>`: such words are encoded as plain text. Where the installed transformers
cannot do that, a space is put into them.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import whole_text
from assistant.models.local.loading import Loaded, control_tokens, template_options
from assistant.models.protocol import Prompt
from assistant.vision.frame import read_frame


def pictures_of(prompt: Prompt, picture_px: int) -> list[Any]:
    """The prompt's pictures, decoded, upright, RGB, no side longer than `picture_px`.

    Raises:
        BadImage: one of them cannot be read.
    """
    from PIL import Image

    found = []
    for data in prompt.images:
        picture = Image.fromarray(read_frame(bytes(data)).pixels)
        scale = picture_px / max(picture.size)
        if scale < 1:
            picture = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
        found.append(picture)
    return found


def conversation_of(prompt: Prompt, pictures: Sequence[Any], *, in_parts: bool) -> list[dict[str, Any]]:
    """The messages as chat templates take them; pictures stand before the text of the user's last message.

    Args:
        prompt: what is asked.
        pictures: decoded.
        in_parts: contents are lists of parts, as models with eyes want them.

    Raises:
        BadInput: no message, a content that is no text, or pictures without a message of the user.
    """
    turns: list[dict[str, Any]] = []
    for message in prompt.messages:
        role, text = str(message.get("role")), message.get("content")
        if not isinstance(text, str):
            raise BadInput(f"a message for the local model must be text, not {type(text).__name__}")
        text = whole_text(text)
        turns.append({"role": role, "content": [{"type": "text", "text": text}] if in_parts else text})
    if not turns:
        raise BadInput("the local model was asked without a message")
    if pictures:
        last = next((turn for turn in reversed(turns) if turn["role"] == "user"), None)
        if last is None:
            raise BadInput("pictures were given for the local model without a message of the user to go with")
        last["content"] = [*({"type": "image", "image": picture} for picture in pictures), *last["content"]]
    return turns


def tensors_of(loaded: Loaded, prompts: Sequence[Prompt], picture_px: int) -> dict[str, Any]:
    """What `generate` takes for one prompt or several, padded on the left; on the model's device, in its format.

    Raises:
        BadInput, BadImage: a prompt that the model cannot be asked.
    """
    import torch

    if loaded.processor is None and any(prompt.images for prompt in prompts):
        raise BadInput(f"the model {loaded.name!r} only reads: it cannot be shown a picture")
    if any(prompt.tools for prompt in prompts):
        raise BadInput(f"the model {loaded.name!r} on this machine calls no functions: use a chat endpoint for that")
    chats = []
    for prompt in prompts:
        pictures = pictures_of(prompt, picture_px)
        chats.append(conversation_of(prompt, pictures, in_parts=loaded.processor is not None))
    encoded = _encoded(loaded, chats)
    there: dict[str, Any] = {}
    for name, value in encoded.items():
        if isinstance(value, torch.Tensor):
            value = value.to(loaded.model.device)
            value = value.to(loaded.model.dtype) if value.is_floating_point() else value
        there[name] = value
    return there


def _encoded(loaded: Loaded, chats: list[list[dict[str, Any]]]) -> Any:
    import jinja2

    try:
        return _by_template(loaded, chats)
    except jinja2.TemplateError:  # a template that knows no system message, or wants turns to alternate
        pass
    try:
        return _by_template(loaded, [_without_system(chat) for chat in chats])
    except jinja2.TemplateError as problem:
        words = " ".join(str(problem).split())
        raise BadInput(f"the chat template of {loaded.name!r} does not take this conversation ({words})") from None


def _by_template(loaded: Loaded, chats: list[list[dict[str, Any]]]) -> Any:
    padded: dict[str, Any] = {"padding": True} if len(chats) > 1 else {}
    how: dict[str, Any] = template_options(loaded.speaker) | {
        "tokenize": True,
        "return_dict": True,
        "add_generation_prompt": True,
        "return_tensors": "pt",
    }
    how |= {"processor_kwargs": padded} if loaded.processor is not None else padded
    if knows_sanitising(loaded.speaker):
        try:
            return loaded.speaker.apply_chat_template(chats, sanitize_control_tokens=True, **how)
        # Not made for some tokenizers; LFM2-VL's processor counts the marked words as pictures and refuses.
        except (NotImplementedError, ValueError):
            pass
    tokens = control_tokens(loaded.tokenizer)
    return loaded.speaker.apply_chat_template([defused(chat, tokens) for chat in chats], **how)


def knows_sanitising(speaker: Any) -> bool:
    """Whether this transformers encodes control tokens in a user's text as text."""
    methods = (kind.__dict__.get("apply_chat_template") for kind in type(speaker).__mro__)
    return any("sanitize_control_tokens" in inspect.signature(method).parameters for method in methods if method)


def defused(chat: list[dict[str, Any]], tokens: Sequence[str]) -> list[dict[str, Any]]:
    """The conversation with a space after the first character of every control token in its texts."""

    def plain(text: str) -> str:
        while found := next((token for token in tokens if token in text), None):
            text = text.replace(found, f"{found[0]} {found[1:]}")
            if len(found) == 1:  # a space does not part a single character
                text = text.replace(found, "")
        return text

    def of(content: Any) -> Any:
        if isinstance(content, str):
            return plain(content)
        return [part | {"text": plain(part["text"])} if part["type"] == "text" else part for part in content]

    return [turn | {"content": of(turn["content"])} for turn in chat]


def _without_system(chat: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the system says goes before the first words of the user; turns of one role in a row become one."""
    said: list[dict[str, Any]] = []
    for turn in chat:
        turn = turn | {"role": "user" if turn["role"] == "system" else turn["role"]}
        if said and said[-1]["role"] == turn["role"]:
            before, now = said[-1]["content"], turn["content"]
            joined = f"{before}\n\n{now}" if isinstance(now, str) else _joined(before, now)
            said[-1] = turn | {"content": joined}
        else:
            said.append(turn)
    return said


def _joined(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Parts of two messages as those of one: pictures first, then one text."""
    pictures = [part for part in (*before, *now) if part["type"] == "image"]
    text = "\n\n".join(part["text"] for part in (*before, *now) if part["type"] == "text")
    return [*pictures, {"type": "text", "text": text}]
