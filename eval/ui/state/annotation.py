"""What the pages of annotation share: the store, the frames, who may do what. Nothing belongs to one visitor."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import BadInput
from assistant.settings import Settings
from eval.annotate.values import ANNOTATIONS, Item, Project, person_name
from eval.ui.state.rights import Rights
from eval.ui.state.sample_view import FramePicture, FramePictures

if TYPE_CHECKING:
    from eval.annotate.sources import FrameSource
    from eval.annotate.store import Store

FRAME_SIDE_PX = 1100


class AnnotationDesk:
    """Opened once for a page; safe between threads."""

    def __init__(self, settings: Settings, rights: Rights):
        self.settings, self.rights = settings, rights
        self._pictures = FramePictures(settings.data_dir, FRAME_SIDE_PX)

    @cached_property
    def store(self) -> Store:
        """Opened at the first look: it makes the file and brings it up to date."""
        from eval.annotate.store import open_store

        return open_store(self.settings.data_dir)

    @property
    def folder(self) -> Path:
        """Where annotations are kept."""
        return self.settings.data_dir / ANNOTATIONS

    @property
    def frames(self) -> FrameSource:
        """The frames that items refer to."""
        return self._pictures.source

    @property
    def may(self) -> bool:
        """Whether labels may be given here."""
        return self.rights.start

    def check(self) -> None:
        """Raises:
        BadInput: nothing may be written from this page.
        """
        if not self.may:
            raise BadInput(self.rights.why)

    def projects(self) -> list[Project]:
        return self.store.projects()

    def project(self, key: str | int | None) -> Project:
        """A project by its name or number.

        Raises:
            BadInput: none is chosen, or it is not there.
        """
        if key in (None, "", -1):
            raise BadInput("choose a project first: make one under “Projects” where there is none")
        assert key is not None
        return self.store.project(key)

    def name(self, signed_in: str | None, typed: str) -> str:
        """Who labels: whom a login names, else who says so.

        Raises:
            BadInput: nobody, or nothing may be written here.
        """
        self.check()
        if not (signed_in or typed.strip()):
            raise BadInput("say who you are first: your labels are kept under that name")
        return person_name(signed_in or typed)

    def suggestion(self, project: Project, item: Item) -> str:
        """What a judge said of the answer, where the project allows that it is shown before people choose."""
        if not project.settings.allow_suggestions:
            return ""
        return next((judged.verdict for judged in item.judged if judged.verdict), "") or ""

    def picture(self, item: Item) -> FramePicture:
        """The frame as the page shows it; never raises for data that are gone."""
        ref = item.picture
        if ref is None:
            return FramePicture()
        return self._pictures.of(ref)
