"""The C world of a World: who uses it now, and what is lent of it."""
from __future__ import annotations

import threading
import weakref
from typing import Any

from ._arrays import Lender
from ._library import Busy, Error, HeldView, call, ffi, lib, owned, text
from ._scene import Scene


def make_world(scene: Scene, is_copy: bool) -> Any:
    """A mote_world of a scene; of copies one that an earlier copy no longer needs."""
    world = scene.spare.take() if is_copy else None
    if world is None:
        out, error = ffi.new("mote_world **"), ffi.new("mote_error *")
        scene.fail(error, lib.mote_world_create_scene(scene.pointer, scene.environment.pointer, out, error))
        world = out[0]
    return owned(world, scene.spare.keep if is_copy else lib.mote_world_destroy, scene.file, scene.environment)




class Core:
    """One mote_world. It lives as long as anything that looks at its memory."""

    __slots__ = ("scene", "pointer", "_lock", "_lent", "__weakref__")

    def __init__(self, scene: Scene, is_copy: bool = False) -> None:
        self.scene, self.pointer = scene, make_world(scene, is_copy)
        self._lock = threading.Lock()
        self._lent: list[weakref.ref[Lender]] = []

    def read(self) -> "Use":
        """with core.read() as world: calls that leave views as they are."""
        return Use(self, False)

    def change(self) -> "Use":
        """with core.change() as world: calls after which views are invalid; HeldView where there are any."""
        return Use(self, True)

    def begin(self) -> Any:
        """The world, in the hands of this thread until its lock is released."""
        if not self._lock.acquire(False):
            raise Busy("another thread is using this world, or a function that it has called")
        if self.pointer is None:
            self._lock.release()
            raise Error("the world is closed")
        return self.pointer

    def lend(self, view: Any) -> Lender:
        """An object whose arrays look at the rows of a field."""
        lender = Lender(self, view)
        if len(self._lent) > 16:
            self._lent = [one for one in self._lent if one() is not None]
        self._lent.append(weakref.ref(lender))
        return lender

    def held(self) -> list[str]:
        """The names of the fields that arrays look at."""
        return [text(lender.name) for lender in (one() for one in self._lent) if lender is not None]

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls a function that changes the world."""
        with self.change() as world:
            call(function, world, *arguments)

    def end(self) -> None:
        """Frees the world now, or with the last skin that looks at it."""
        with self.change():
            self.pointer = None


class Use:
    """The world in the hands of one thread, for a call or several."""

    __slots__ = ("_core", "_changes")

    def __init__(self, core: Core, changes: bool) -> None:
        self._core, self._changes = core, changes

    def __enter__(self) -> Any:
        world = self._core.begin()
        if self._changes and self._core._lent:
            self._refuse_held()
        return world

    def _refuse_held(self) -> None:
        held = self._core.held()
        if held:
            self._core._lock.release()
            raise HeldView(f"views of {', '.join(sorted(set(held)))} are alive: delete them first, or use copies")
        self._core._lent.clear()

    def __exit__(self, *_: Any) -> None:
        self._core._lock.release()
