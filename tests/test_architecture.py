"""The rules of the house that a machine can check: one direction of imports, one reader of the environment."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(p for folder in ("assistant", "eval") for p in (ROOT / folder).rglob("*.py"))


@functools.cache
def tree(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file's syntax, its module first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def statements(path: Path) -> Iterator[ast.stmt]:
    """Every statement of a file; not the expressions in them, which are nine nodes of ten."""
    found: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while found:
        node = found.pop()
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            found += below if isinstance(below := getattr(node, part, []), list) else []
        if isinstance(node, ast.stmt):
            yield node


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """Every module that a file imports, at the top or inside a function."""
    names: set[str] = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module)
    return frozenset(names)


def is_under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


#: Room → the other rooms of its package that it may import from. What is not named (agent, factory, commands, ui, ...)
#: stands on top of all of them and may import every room, but no room may import it.
ROOMS = {
    "assistant.core": (),
    "assistant.text": ("core",),
    "assistant.vision": ("core", "text"),
    "assistant.index": ("core", "text", "vision"),
    "assistant.recognition": ("core", "text", "vision", "index"),
    "assistant.teaching": ("core", "text", "vision", "index", "recognition"),
    "assistant.understanding": ("core", "text", "vision", "index"),
    "assistant.reading": ("core", "text", "index", "understanding"),
    "assistant.scene": ("core", "text", "vision", "index", "recognition", "understanding", "reading"),
    "assistant.models": ("core", "text", "vision"),
    "assistant.pipelines": ("core", "text", "index", "recognition", "understanding", "reading", "scene", "models"),
    "assistant.speech": ("core", "text"),
    "assistant.settings": ("core", "models"),
    "assistant.capsule": ("core", "vision"),
    "eval.data": (),
    "eval.metrics": ("data",),
    "eval.agents": ("data", "metrics"),
    "eval.benchmarks": ("data", "metrics", "agents"),
    "eval.runs": ("data", "agents"),
    "eval.judges": ("data", "metrics", "runs"),
    "eval.curation": ("data", "metrics", "agents", "benchmarks", "runs", "judges"),
    "eval.annotate": ("data", "metrics", "benchmarks", "runs", "judges"),
    "eval.world": (),
}
#: Folders inside `ui`, bottom first: each may import those before it.
UI_FOLDERS = ("state", "html", "tab", "panels", "api")
#: Ceilings: modules in a folder, lines of a module, lines of a function; its branches are counted by ruff (C901).
MOST_MODULES, MOST_LINES, MOST_FUNCTION_LINES = 25, 450, 80
#: Of understanding and reading together.
MOST_READER_LINES = 15_000


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(p): p for p in [*SOURCES, ROOT / "app.py"]}


@functools.cache
def imports_of(module: str) -> frozenset[str]:
    """Modules of ours that a module imports: at the top, inside functions and for types alone."""
    found = set()
    for node in tree(MODULES[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: relative import"
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in full}
    return frozenset(name for name in found if name in MODULES)


def imports_in(package: str) -> list[tuple[str, str]]:
    return [(m, other) for m in MODULES if is_under(m, package) for other in sorted(imports_of(m))]


def test_there_are_sources():
    assert len(SOURCES) > 20


def test_every_import_of_ours_names_a_module_that_is_there():
    """mypy is told to pass over missing imports, and would pass over ours."""
    tests = {module_of(p): p for p in (ROOT / "tests").rglob("*.py")}
    known = {*MODULES, *tests, *(module_of(p) for p in SOURCES)}
    guilty = [
        (m, name)
        for m, p in (MODULES | tests).items()
        for name in imported(p)
        if name.split(".")[0] in ("assistant", "eval", "tests", "app") and name not in known
    ]
    assert guilty == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_below_it(room: str):
    package = room.split(".")[0]
    allowed = [room, *(f"{package}.{name}" for name in ROOMS[room])]
    allowed += [] if package == "assistant" else ["assistant"]
    pairs = imports_in(room)
    assert pairs or room == "assistant.core"
    assert [pair for pair in pairs if not any(is_under(pair[1], name) for name in allowed)] == []


def test_no_import_goes_round_in_a_circle():
    state: dict[str, int] = {}
    circles = []

    def visit(module: str, trail: tuple[str, ...]) -> None:
        state[module] = 1
        for other in sorted(imports_of(module)):
            if state.get(other) == 1:
                circles.append(" -> ".join((*trail[trail.index(other) :], other)))
            elif other not in state:
                visit(other, (*trail, other))
        state[module] = 2

    for module in sorted(MODULES):
        if module not in state:
            visit(module, (module,))
    assert circles == []


def test_the_assistant_never_imports_eval():
    assert [pair for pair in imports_in("assistant") if is_under(pair[1], "eval")] == []


def test_only_its_command_imports_the_world_generator():
    guilty = [m for m, other in imports_in("eval") if is_under(other, "eval.world") and not is_under(m, "eval.world")]
    assert set(guilty) == {"eval.commands.world"}


def test_only_the_page_imports_gradio():
    guilty = [
        m
        for m, p in MODULES.items()
        if m != "app" and "ui" not in m.split(".") and any(is_under(name, "gradio") for name in imported(p))
    ]
    assert guilty == []


def test_nothing_below_imports_the_page():
    guilty = [
        (m, other)
        for m, other in [*imports_in("assistant"), *imports_in("eval")]
        if "ui" not in m.split(".")
        and (is_under(other, "assistant.ui") or is_under(other, "eval.ui") or other == "app")
    ]
    assert guilty == []


@pytest.mark.parametrize(("page", "folders"), [("assistant.ui", UI_FOLDERS), ("eval.ui", ("state", "html", "parts"))])
def test_folders_of_the_page_import_downwards(page: str, folders: tuple[str, ...]):
    guilty = []
    for level, folder in enumerate(folders):
        above = [f"{page}.{name}" for name in folders[level + 1 :]]
        guilty += [pair for pair in imports_in(f"{page}.{folder}") if any(is_under(pair[1], a) for a in above)]
    assert guilty == []


def test_folders_modules_and_functions_stay_small():
    folders = Counter(p.parent for p in SOURCES if p.name != "__init__.py")
    guilty = [f"{folder.relative_to(ROOT)}: {n} modules" for folder, n in folders.items() if n > MOST_MODULES]
    for module, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > MOST_LINES:
            guilty.append(f"{module}: {text.count(chr(10))} lines")
        for node in tree(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MOST_FUNCTION_LINES:
                    guilty.append(f"{module}.{node.name}: {lines} lines")
    assert guilty == []


def test_the_reader_stays_within_its_ceiling():
    reader = [p for p in SOURCES if p.relative_to(ROOT).parts[1] in ("understanding", "reading")]
    assert len(reader) > 50
    assert sum(p.read_text(encoding="utf-8").count("\n") for p in reader) <= MOST_READER_LINES


def test_every_module_says_what_it_is_for():
    silent = [m for m, p in MODULES.items() if p.stat().st_size and not ast.get_docstring(tree(p)[0])]
    assert silent == []


def test_only_settings_reads_the_environment():
    """`telemetry` only writes to it, for libraries."""
    allowed = {ROOT / "assistant" / p for p in ("settings.py", "core/telemetry.py")}
    guilty = []
    for p in SOURCES:
        if p in allowed:
            continue
        for node in tree(p):
            if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"):
                guilty.append(f"{p.relative_to(ROOT)}:{node.lineno}")
    assert not guilty


def test_no_agent_code_names_the_gold_folder():
    """Only `index build --without gold` may open gold/: everything else under assistant/ never names it."""
    allowed = {ROOT / "assistant" / p for p in ("index/build.py", "index/world_files.py", "commands/index.py")}
    guilty = [
        str(p.relative_to(ROOT))
        for p in SOURCES
        if p.is_relative_to(ROOT / "assistant") and p not in allowed and "gold/" in p.read_text(encoding="utf-8")
    ]
    assert not guilty


@pytest.mark.parametrize("module", ["assistant.agent", "assistant.factory", "assistant.core.events", "eval.__main__"])
def test_importing_is_cheap(module: str):
    """Heavy libraries are imported where they are used, so that the page paints before they load."""
    heavy = sorted(set(required()) - LIGHT)
    code = f"import sys, {module}; print(*[m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert {"torch", "cv2", "onnxruntime", "faster_whisper", "openai", "pyarrow", "scipy", "pandas"} <= set(heavy)
    assert done.stdout.strip() == ""


def test_the_pages_are_built_before_the_annotations_are_opened():
    """A quarter of a second of the start, for who never labels anything."""
    code = "import sys, eval.ui.pages; print(*{'sqlalchemy', 'alembic', 'statsmodels', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == ""


#: Imported in hundredths of a second, so wherever it is handy.
LIGHT = {"numpy", "threadpoolctl", "dateutil", "platformdirs"}
#: What comes with a package of requirements.txt and is used as well: the module, and what brings it.
BROUGHT = {
    "av": "faster-whisper",
    "cryptography": "trustme",
    "ctranslate2": "faster-whisper",
    "gradio_client": "gradio",
    "httpx": "gradio",
    "httpx2": "openai",
    "huggingface_hub": "datasets",
    "markupsafe": "jinja2",
    "orjson": "gradio",
    "pandas": "gradio",
    "safetensors": "transformers",
    "tokenizers": "chromadb",
    "yaml": "rapidocr",
}


def plain(name: str) -> str:
    """The name of a package as all of its spellings have it."""
    return re.split(r"[\s<>=;\[(!~]", name, maxsplit=1)[0].lower().replace("_", "-")


@functools.cache
def distributions() -> Mapping[str, list[str]]:
    """Modules to the packages that have them; reads the lists of files of all packages, so once."""
    return metadata.packages_distributions()


@functools.cache
def required() -> dict[str, str]:
    """Modules to the package of requirements.txt that has them or brings them."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    packages = {plain(line) for line in lines if line.strip() and not line.startswith("#")}
    found = {
        module: plain(package)
        for module, having in distributions().items()
        for package in having
        if plain(package) in packages and not module.startswith("_")
    }
    return {**BROUGHT, **found}


#: What the app uses only where somebody installed it.
OPTIONAL = {"piper"}


@pytest.mark.slow
def test_what_is_imported_is_required():
    """`pip install -r requirements.txt` is all it takes."""
    theirs = {
        name.partition(".")[0]
        for path in [*SOURCES, ROOT / "app.py", *(ROOT / "tests").rglob("*.py")]
        for name in imported(path)
    } - {"assistant", "eval", "tests", "app", *OPTIONAL, *sys.stdlib_module_names}
    assert theirs <= set(required())
    for module, package in BROUGHT.items():
        names = {plain(name) for name in distributions()[module]}
        assert names & {plain(needed) for needed in metadata.requires(package) or [] if "extra" not in needed}, module
