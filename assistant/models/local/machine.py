"""What this machine has for a model: memory, a GPU, and whether its processor computes in bfloat16.

Only `accelerator` imports torch; the rest reads what the system says.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from pathlib import Path

from assistant.core.threads import workers

_CGROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Machine:
    """Sizes in bytes; None where the system does not say.

    Attributes:
        memory: what this process may use in all, a container's limit included.
        free: what of it is free now.
        cores: how many this process may use.
        cpu_bf16: the processor multiplies in bfloat16, so that weights need half the memory and prompts half the time.
        gpu: "cuda", "mps" or "" for none.
        gpu_memory: of the GPU; on Apple's chips it is the machine's own memory.
    """

    memory: int | None
    free: int | None
    cores: int
    cpu_bf16: bool
    gpu: str = ""
    gpu_memory: int | None = None

    @property
    def bytes_per_weight(self) -> int:
        """bfloat16 where the hardware has it, else float32."""
        return 2 if self.gpu or self.cpu_bf16 else 4

    @property
    def room(self) -> int | None:
        """Where the weights would lie: the GPU's memory, or this machine's."""
        return self.gpu_memory if self.gpu == "cuda" else self.memory


def this_machine() -> Machine:
    """Measured anew at each call; imports torch, which takes a second the first time."""
    memory, free = main_memory()
    gpu, gpu_memory = accelerator()
    return Machine(memory, free, workers(), cpu_has_bf16(), gpu, gpu_memory)


def main_memory() -> tuple[int | None, int | None]:
    """All of the memory and what is free of it; psutil is asked where /proc is not there."""
    total, free = _from_proc()
    if total is None:
        total, free = _from_psutil()
    limit, used = _number(_CGROUP / "memory.max"), _number(_CGROUP / "memory.current")
    if limit is not None and (total is None or limit < total):
        left = limit - (used or 0)
        return limit, left if free is None else min(free, left)
    return total, free


def accelerator() -> tuple[str, int | None]:
    """The kind of GPU that torch can use, and its memory."""
    import torch

    if torch.cuda.is_available():
        return "cuda", int(torch.cuda.get_device_properties(0).total_memory)
    if torch.backends.mps.is_available():
        return "mps", main_memory()[0]
    return "", None


def cpu_has_bf16() -> bool:
    """Whether the processor has instructions for bfloat16; without them it is slower than float32."""
    import torch

    try:
        found = torch.cpu.get_capabilities()
    except (AttributeError, RuntimeError):  # a torch that does not tell
        return False
    return any(bool(found.get(name)) for name in ("avx512_bf16", "amx_bf16", "bf16", "sve_bf16"))


def _from_proc() -> tuple[int | None, int | None]:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None, None
    found = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines) if rest}
    return found.get("MemTotal"), found.get("MemAvailable")


def _from_psutil() -> tuple[int | None, int | None]:
    try:
        memory = importlib.import_module("psutil").virtual_memory()
        return int(memory.total), int(memory.available)
    except ImportError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), None
    except (AttributeError, ValueError, OSError):
        return None, None


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):  # "max" is no limit
        return None
