"""Agents in the form of the public kits, as files in a folder of their own, run through the command."""

from __future__ import annotations

import json
import sys

import pytest

from assistant import factory as services
from assistant.core.errors import NotReady
from assistant.index.raw_search import SearchPipeline
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.runs.store import read_turn_lines
from tests.eval.tiny_world import picture, write_world

CHALLENGE = '''
from typing import Any, Dict, List
from PIL import Image
from agents.base_agent import BaseAgent
from cragmm_search.search import UnifiedSearchPipeline

SEEN = []

class Agent(BaseAgent):
    """As the challenge's kit has it: search_pipeline to the class, three lists to the call."""

    def __init__(self, search_pipeline: UnifiedSearchPipeline):
        super().__init__(search_pipeline)
        print("loading the model")

    def get_batch_size(self) -> int:
        return 16

    def batch_generate_response(
        self, queries: List[str], images: List[Image.Image], message_histories: List[List[Dict[str, Any]]]
    ) -> List[str]:
        SEEN.append((queries, images, message_histories))
        return [f"{len(h) // 2} before, {self.search_pipeline(q, k=2)[0]['page_name']}"
                for q, h in zip(queries, message_histories)]
'''

RELEASED = '''
from example_agents.base_agent import BaseAgent

SEEN = []

class Agent(BaseAgent):
    """As the released kit has it: model_name, is_multi_turn; ready evidence and domains to the call."""

    def __init__(self, model_name="none", **kwargs):
        super().__init__(**kwargs)
        self.model_name, self.kwargs = model_name, kwargs

    def get_batch_size(self):
        return 2

    def batch_generate_response(self, queries, images, message_histories, rag_context_list, **kwargs):
        SEEN.append((self.model_name, self.kwargs, queries, rag_context_list, kwargs))
        return ["I don't know."] * len(queries)
'''

PLAIN = """
class Agent:
    def __init__(self, mode="fine"):
        self.mode = mode
        if mode == "unbuilt":
            raise RuntimeError("no weights here")

    def get_batch_size(self):
        return 99 if self.mode != "one" else 1

    def batch_generate_response(self, queries, images, message_histories):
        if self.mode == "short":
            return ["only one"]
        if self.mode == "none":
            return ["fine" if q != "How many parts has it?" else None for q in queries]
        if self.mode == "crash" and "How many parts has it?" in queries:
            raise ValueError("a secret of the model")
        if self.mode == "exit":
            raise SystemExit(3)
        said = [" ".join(f"{m['role'][0]}:{m['content']}" for m in h) for h in message_histories]
        return [f"{before}|{query}" for before, query in zip(said, queries)]
"""


class Pages:
    """A search pipeline by rote."""

    class manifest:
        class image_encoder:
            name = "local features"

    def __init__(self):
        self.asked = []

    def __call__(self, query, k=10):
        self.asked.append((query if isinstance(query, str) else "picture", k))
        if isinstance(query, str):
            page = {"index": "0", "score": 0.9, "page_name": f"about {query}", "page_snippet": "It is old.",
                    "page_url": "https://a.invalid"}  # fmt: skip
            return [page]
        entity = {"entity_name": "Amber Lamp", "entity_attributes": {"weight": "340 g"}}
        return [{"index": 0, "score": 0.4, "url": "https://a.invalid/0.jpg", "entities": [entity]}]


@pytest.fixture
def pages(monkeypatch):
    found = Pages()
    monkeypatch.setattr(services, "ensure_index", lambda settings, progress=None: None)
    monkeypatch.setattr(index_cache, "world_index", lambda world, settings: world / "index")
    monkeypatch.setattr(SearchPipeline, "open", classmethod(lambda cls, *a, **k: found))
    return found


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """A folder with agents, worked in; what was imported from it is forgotten afterwards."""
    folder = tmp_path / "kit"
    (folder / "mine").mkdir(parents=True)
    for name, text in (("challenge", CHALLENGE), ("released", RELEASED), ("plain", PLAIN)):
        (folder / "mine" / f"{name}.py").write_text(text)
    monkeypatch.chdir(folder)
    path, modules = list(sys.path), set(sys.modules)
    yield folder
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.split(".")[0] in ("mine", "agents", "example_agents", "cragmm_search"):
            del sys.modules[name]


@pytest.fixture
def world(tmp_path):
    return write_world(tmp_path / "world")


def run(world, out, *arguments):
    return main("python -m eval", COMMANDS, ["run", "--data", str(world), "--out", str(out), *map(str, arguments)])


def test_the_challenges_form(world, kit, pages, tmp_path, capsys):
    assert run(world, tmp_path / "r", "--agent", "mine.challenge:Agent", "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["n"] == 5  # what the agent prints is not among the results
    assert "loading the model" in shown.err
    seen = sys.modules["mine.challenge"].SEEN
    assert [len(queries) for queries, _, _ in seen] == [3, 1, 1]  # turns of different conversations together
    queries, images, histories = seen[0]
    assert queries == ["How heavy is this?", "And this?", "Who made this?"]
    assert [(image.mode, image.size) for image in images] == [
        ("RGB", (960, 1280)),
        ("RGB", (40, 30)),
        ("RGB", (960, 1280)),
    ]
    assert histories == [[], [], []]
    assert seen[2][2] == [
        [
            {"role": "user", "content": "Who made this?"},
            {"role": "assistant", "content": "0 before, about Who made this?"},
            {"role": "user", "content": "How many parts has it?"},
            {"role": "assistant", "content": "1 before, about How many parts has it?"},
        ]
    ]
    info = json.loads((tmp_path / "r" / "run.json").read_text())
    assert info["options"]["agent"] == "mine.challenge:Agent"
    assert info["batch_size"] == 16


def test_the_released_form_with_full_queries(world, kit, pages, tmp_path):
    rows = [
        {
            "interaction_id": "s1-0",
            "query": "q",
            "agent_response": json.dumps({"updated_question": "Amber Lamp weight"}),
        },
        {"interaction_id": "s2-0", "query": "And this one?", "agent_response": "no JSON"},
    ]
    (tmp_path / "full.jsonl").write_text("\n".join(map(json.dumps, rows)))
    arguments = ["--agent", "mine.released:Agent", "--agent-option", "model_name=tiny", "--set", "single"]
    assert run(world, tmp_path / "r", *arguments, "--full-queries", tmp_path / "full.jsonl") == 0
    name, kwargs, queries, contexts, more = sys.modules["mine.released"].SEEN[0]
    assert name == "tiny"
    assert kwargs["is_multi_turn"] is False
    assert kwargs["search_pipeline"].manifest is pages.manifest
    assert queries == ["How heavy is this?", "And this?"]
    assert pages.asked == [("picture", 30), ("Amber Lamp weight", 50), ("picture", 30), ("And this one?", 50)]
    assert "Amber Lamp" in contexts[0]
    assert "340 g" in contexts[0]
    assert "about Amber Lamp weight" in contexts[0]
    assert more == {"domains": ["shopping", "food"]}
    assert {line["status"] for line in read_turn_lines(tmp_path / "r")} == {"abstained"}


def test_an_agent_that_never_searches_needs_no_index(world, kit, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("no index is needed")

    monkeypatch.setattr(services, "ensure_index", refuse)
    monkeypatch.setattr(index_cache, "world_index", refuse)
    assert run(world, tmp_path / "r", "--agent", "mine.plain:Agent") == 0
    answers = {line["interaction_id"]: line["agent_response"] for line in read_turn_lines(tmp_path / "r")}
    assert answers["m1-1"] == "u:Who made this? a:|Who made this?|How many parts has it?"
    (kit / "mine" / "idle.py").write_text(  # takes a search, as the kit's base class does, and leaves it alone
        "from agents.base_agent import BaseAgent\n"
        "class Agent(BaseAgent):\n"
        "    def get_batch_size(self): return 4\n"
        "    def batch_generate_response(self, queries, images, message_histories): return ['fine'] * len(queries)\n"
    )
    assert run(world, tmp_path / "idle", "--agent", "mine.idle:Agent") == 0
    assert {line["agent_response"] for line in read_turn_lines(tmp_path / "idle")} == {"fine"}


def test_a_search_that_cannot_be_had_ends_the_run_and_keeps_what_is_done(world, kit, tmp_path, monkeypatch, capsys):
    def refuse(world, settings):
        raise NotReady("the index cannot be built here")

    monkeypatch.setattr(index_cache, "world_index", refuse)
    (kit / "mine" / "unsure.py").write_text(
        "from cragmm_search.search import UnifiedSearchPipeline\n"
        "class Agent:\n"
        "    search = None\n"
        "    def get_batch_size(self): return 1\n"
        "    def batch_generate_response(self, queries, images, message_histories):\n"
        "        if queries[0] != 'Who made this?': return ['fine']\n"
        "        self.search = UnifiedSearchPipeline(text_model_name='any')\n"
        "        try: return [str(self.search(queries[0]))]\n"
        "        except Exception: return ['I made do without']\n"
    )
    assert run(world, tmp_path / "r", "--agent", "mine.unsure:Agent") == 2
    assert capsys.readouterr().err.splitlines()[-1] == "the index cannot be built here"
    assert {line["agent_response"] for line in read_turn_lines(tmp_path / "r")} == {"fine"}
    info = json.loads((tmp_path / "r" / "run.json").read_text())
    assert (info["state"], info["problem"]) == ("failed", "the index cannot be built here")


def test_an_index_that_was_named_is_looked_at_first(world, kit, tmp_path, capsys):
    assert run(world, tmp_path / "r", "--agent", "mine.plain:Agent", "--index", tmp_path / "nothing") == 2
    assert "nothing" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("mode", "failed", "reason"),
    [
        ("crash", {"m1-1"}, "the agent failed (ValueError)"),
        ("short", {"s1-0", "s2-0", "m1-0"}, "1 replies to 3 questions"),
        ("none", {"m1-1"}, "replied with NoneType"),
        ("exit", {"s1-0", "s2-0", "m1-0", "m1-1", "m1-2"}, "the agent failed (SystemExit)"),
    ],
)
def test_what_goes_wrong_in_one_batch_fails_only_its_turns(world, kit, tmp_path, mode, failed, reason):
    assert run(world, tmp_path / "r", "--agent", "mine.plain:Agent", "--agent-option", f"mode={mode}") == 0
    lines = {line["interaction_id"]: line for line in read_turn_lines(tmp_path / "r")}
    assert len(lines) == 5
    assert {key for key, line in lines.items() if line["status"] == "error"} == failed
    assert all(reason in lines[key]["reason"] for key in failed)
    assert not any("secret" in line["reason"] for line in lines.values())
    assert all(lines[key]["agent_response"] == "" for key in failed)


def test_batches_are_clipped_as_in_the_kit(world, kit, tmp_path):
    run(world, tmp_path / "r", "--agent", "mine.plain:Agent")
    assert json.loads((tmp_path / "r" / "run.json").read_text())["batch_size"] == 16


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agent", "mine.plain:Nobody"], "has no class 'Nobody'"),
        (["--agent", "mine.lost:Agent"], "there is no module 'mine.lost'"),
        (["--agent", "mine.needs:Agent"], "needs 'not_a_module_of_anyone'"),
        (["--agent", "mine.broken:Agent"], "cannot be imported (SyntaxError"),
        (["--agent", "mine.plain:Agent", "--agent-option", "mode=unbuilt"], "cannot be made (RuntimeError: no weights"),
        (["--agent", "mine.plain:Agent", "--agent-option", "colour=red"], "cannot be made (TypeError"),
        (["--agent", "mine.plain:Agent", "--agent-option", "red"], "no NAME=VALUE"),
        (["--agent", "mine.plain:Agent", "--give", "entity"], "for agents of ours"),
    ],
)
def test_agents_that_cannot_be_had_are_one_sentence(world, kit, tmp_path, capsys, arguments, said):
    (kit / "mine" / "needs.py").write_text("import not_a_module_of_anyone\n")
    (kit / "mine" / "broken.py").write_text("def (:\n")
    assert run(world, tmp_path / "r", *arguments) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert said in last
    assert not (tmp_path / "r").exists()


def test_a_kit_that_has_its_own_base_agent_keeps_it(world, kit, tmp_path):
    (kit / "agents").mkdir()
    (kit / "agents" / "base_agent.py").write_text("class BaseAgent:\n    own = True\n")
    (kit / "agents" / "mine.py").write_text(
        "from agents.base_agent import BaseAgent\n"
        "class Agent(BaseAgent):\n"
        "    def get_batch_size(self): return 4\n"
        "    def batch_generate_response(self, queries, images, message_histories):\n"
        "        return [str(self.own)] * len(queries)\n"
    )
    assert run(world, tmp_path / "r", "--agent", "agents.mine:Agent") == 0
    assert {line["agent_response"] for line in read_turn_lines(tmp_path / "r")} == {"True"}


def test_a_row_without_a_picture_gets_none(kit, tmp_path):
    (kit / "mine" / "looks.py").write_text(
        "class Agent:\n"
        "    def get_batch_size(self): return 4\n"
        "    def batch_generate_response(self, queries, images, message_histories):\n"
        "        return [repr(i and i.size) for i in images]\n"
    )
    (tmp_path / "a.png").write_bytes(picture(size=(20, 10)))
    rows = [{"query": "a", "ground_truth": "x"}, {"image": "a.png", "query": "b", "ground_truth": "x"}]
    (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert run(tmp_path / "d.jsonl", tmp_path / "r", "--agent", "mine.looks:Agent") == 0
    assert [line["agent_response"] for line in read_turn_lines(tmp_path / "r")] == ["None", "(20, 10)"]
