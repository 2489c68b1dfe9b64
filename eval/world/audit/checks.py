"""Checks of a finished world folder: does it keep the rules that make its figures honest?

It reads the folder alone, never the generator's memory. The checks are in `audit_leaks` (nothing gives an answer
away), `audit_blind` (who does not look is seldom right) and `audit_shares` (the labels are as promised).
"""

from __future__ import annotations

from pathlib import Path

from eval.world.audit import blind as audit_blind
from eval.world.audit import leaks as audit_leaks
from eval.world.audit import shares as audit_shares
from eval.world.audit.reading import Finding, Folder

__all__ = ["Finding", "audit"]


def audit(root: Path) -> list[Finding]:
    """All checks, in a fixed order."""
    folder = Folder.read(root)
    return [check(folder) for check in (*audit_leaks.CHECKS, *audit_blind.CHECKS, *audit_shares.CHECKS)]
