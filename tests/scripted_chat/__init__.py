"""A chat server for tests: a process of its own, real HTTP, the form of `/v1/chat/completions`; never a model.

    with scripted_chat.start("--latency", "0.05", "--faults", "429=0.2,half=0.1", "--seed", "3") as server:
        ChatOptions(base_url=server.base_url, api_key=None, model="echo")
        server.requests()          # what was asked so far: one dictionary a request, in order of arrival

or by hand: `python -m tests.scripted_chat --port 0`, which prints one line of JSON with `base_url` and serves until
it is stopped (with `--until-stdin-closes` also when whoever started it goes away).

**A reply is a function of the request alone** (`replies`): the body without `stream` and `stream_options`. Which rule
makes it is named by the request's `model`, so that one server can stand for an answerer and a judge:

- `echo`, and any other name: the numbered line of evidence that shares most words with the question, with its number
  (`… [3]`); `I don't know.` when none shares any.
- `judge`, `judge:json`, `judge:prose`, `judge:cut`, `judge:reasoning`: CORRECT or WRONG by a hash of the request
  (`--judge-correct`, the share of CORRECT, default 0.5), as `Result: CORRECT`, as JSON, within prose, cut off after the
  verdict, or as reasoning without any text.
- `hash`: `Reply <12 hexadecimal digits>.`

`--script FILE` holds a JSON list of rules that come first: `{"match": REGEX, "reply": TEXT, "reasoning": TEXT,
"finish_reason": TEXT or null, "model": NAME, "size": N, "done": BOOL, "first_token": {TOKEN: P}}`; `match` is searched
(DOTALL, any case) in the text of all messages, the first rule that fits answers; `{1}` … in the reply stand for its
groups. With `size` a stream
comes in pieces of so many UTF-16 units instead of words, with `done` false it ends without `[DONE]`.
A rule with `sees` ("Red", "Green", "Blue") fits only where the middle of the last picture has that colour.
`first_token` is given as log-probabilities to requests with `logprobs` that are not streamed. `calls` are functions to
call, `[[NAME, ARGUMENTS], …]`; with `tools` true a rule fits only requests that may call some, with false only others.

**Faults** are chosen per attempt by a hash of seed, request and attempt (`faults`): `--faults 429=0.1,500=0.05,…` with
the kinds `429` (with `Retry-After`, see `--retry-after`), `500`, `503`, `hang` (silence for `--hang` seconds, then the
connection closes), `drop` (closed at once), `half` (closed in the middle of the reply), `malformed` (200, JSON that is
none). The attempts of a request are counted by the server, whoever asks, so a client that was killed goes on where it
was; from attempt `--faulty-attempts` + 1 on all go well. `--always KIND` fails every attempt.

**Pictures** (`--pictures WHAT`): `ignore`, the default, answers as if there were none; `see` answers a question that
asks for a colour with the picture's; a server that only reads has `reject` (400, "… is not a multimodal model"),
`detail` (422, a `{"detail": [...]}` body), `unsupported` (500, "image input is not supported") or `break` (200, a
stream that begins and breaks off; without a stream the connection closes).

Other options: `--logprobs` gives those of the first token where asked for, `--tools` calls the first function that a
request offers, `--no-stream` answers whole whatever was asked, `--context N` refuses prompts of more tokens (four
characters each, 200 a picture) as OpenAI and vLLM do; `--latency S`, `--latency-spread SHARE` (by hash: 0.5 means
half to one and a half times the latency), `--chunk-delay S` between pieces of a stream, `--key KEY` (others get 401,
and the body repeats what they sent, as real servers do), `--models a,b` (others get 404), `--unknown-fields
seed,response_format` (400 that names the field),
`--log FILE` (JSONL: n, at_s, digest, attempt, fault, model, stream, in_flight, images with their type, size and
SHA-256, texts, max_tokens, authorised; `--log-bytes` adds the pictures' data URLs, a key is never written).
"""

from __future__ import annotations

from tests.scripted_chat.process import ScriptedChat, start

__all__ = ["ScriptedChat", "start"]
