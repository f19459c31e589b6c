"""Scenes: from files, texts, dicts and keywords, all read by the library's reader of scene files."""
from __future__ import annotations

import json
import math
import os
from typing import Any, Optional

import numpy as np

from ._checks import items
from ._library import (DEFAULT, Environment, Error, check, ffi, lib, owned, make_error, path_of, string, suggest, text)
from ._tables import section_keys


def to_text(value: Any, name: str = "") -> str:
    """A value in the scene language, on one line."""
    if isinstance(value, dict):
        pairs = [f"{json.dumps(str(key))}: {to_text(one, str(key))}" for key, one in value.items() if one is not None]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(to_text(one, name) for one in value) + "]"
    return _scalar(value, name)


def _scalar(value: Any, name: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else {math.inf: "inf", -math.inf: "-inf"}.get(value, "nan")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    raise Error(f"{name}: {value!r} is nothing that a scene can hold", key=name)


def dict_text(tree: dict[str, Any]) -> str:
    """A whole scene as text: a line for each key, and for each element of the named lists."""
    lines = []
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            lines.append(f"{json.dumps(str(key))}:")
            lines += [f"  {json.dumps(str(name))}: {to_text(one, str(name))}" for name, one in value.items()
                      if one is not None]
        elif value is not None:
            lines.append(f"{json.dumps(str(key))}: {to_text(value, str(key))}")
    return "\n".join(lines) + "\n"


def changes(keys: dict[str, Any], prefix: str = "") -> list[str]:
    """Keywords as changes "a.b=c" of a scene."""
    found = []
    for key, value in keys.items():
        if isinstance(value, dict) and value:
            found += changes(value, f"{prefix}{key}.")
        elif value is not None:
            found.append(f"{prefix}{key}={to_text(value, key)}")
    return found


def check_names(section: str, keys: dict[str, Any]) -> None:
    """Refuses keywords that the section does not have, with the nearest one."""
    known = section_keys(section)
    for name in keys:
        if name not in known:
            raise Error(f"unknown key \"{name}\" in {section}{suggest(name, list(known))}", key=name)


class Spare:
    """The mote_world of a copy that is no longer used, for the next copy; one at most."""

    def __init__(self) -> None:
        self._world, self._is_over, self._destroy = None, False, lib.mote_world_destroy

    def take(self) -> Any:
        world, self._world = self._world, None
        return world

    def keep(self, world: Any) -> None:
        if self._world is None and not self._is_over:
            self._world = world
        else:
            self._destroy(world)

    def __del__(self) -> None:
        self._is_over = True
        world = self.take()
        if world is not None:
            self._destroy(world)


class Scene:
    """A scene that was read and checked.

    source: the name of a file or of a built-in scene; a text with at least one line break; a dict. `set`: changes "a.b=c".
    folder: to which files that a text or dict names are relative.
    """

    def __init__(self, source: Any, set: Any = (), environment: Environment = DEFAULT, folder: Any = ".") -> None:
        self.environment = environment
        self.path, self.given = _split(source, folder)
        self.folder = os.path.abspath(os.path.dirname(self.path))
        self.set = items([set] if isinstance(set, str) else set, "set")
        self.file = self._open(_built_in(self.path) if self.given is None else self.given)
        self.pointer = lib.mote_scene_file_scene(self.file)
        self.spare = Spare()

    def _open(self, written: Optional[str]) -> Any:
        kept = [path_of(self.path), [string(one, "set") for one in self.set]]
        source, out, errors = ffi.new("mote_scene_source *"), ffi.new("mote_scene_file **"), ffi.new("mote_error_list *")
        changed = ffi.new("char *[]", kept[1] or [ffi.NULL])
        source.path, source.set, source.sets = kept[0], changed, len(self.set)
        if written is not None:
            data = written.encode()
            kept.append(ffi.new("char[]", data))
            source.text, source.size = kept[2], len(data)
        result = lib.mote_scene_open(source, self.environment.pointer, out, errors)
        if result != lib.MOTE_OK:
            raise_all(errors, result)
        return owned(out[0], lib.mote_scene_file_destroy, self.environment)

    @property
    def text(self) -> str:
        """The whole scene in one text, without includes."""
        size = ffi.new("size_t *")
        found = lib.mote_scene_file_text(self.file, size)
        return ffi.buffer(found, size[0])[:].decode()

    @property
    def hash(self) -> int:
        """Of everything that influences the results."""
        return lib.mote_scene_file_hash(self.file)

    @property
    def frames(self) -> int:
        """Frames, the one at t = 0 included."""
        return lib.mote_scene_frames(self.pointer)

    def frame_time(self, n: int) -> float:
        """Time of frame n, from 1, s."""
        return lib.mote_scene_frame_time(self.pointer, n)

    def notes(self) -> list[Error]:
        """Keys without an effect, and meshes that were mended, with their places."""
        found: list[Error] = []
        handle = ffi.new_handle(found)
        lib.mote_scene_file_unused(self.file, lib.mote_python_note, handle)
        lib.mote_scene_file_mended(self.file, lib.mote_python_note, handle)
        return found

    def fail(self, error: Any, result: int) -> None:
        """Raises an error with the place of its key in the scene."""
        if result == lib.MOTE_OK:
            return
        lib.mote_scene_file_locate(self.file, error)
        check(result, error)

    def __repr__(self) -> str:
        return f"Scene({text(self.pointer.title) or self.path!r}, {self.frames} frames)"


def _split(source: Any, folder: Any) -> tuple[str, Optional[str]]:
    """The name of the file, and the text where the scene is no file."""
    if isinstance(source, dict):
        return os.path.join(folder, "scene"), dict_text(source)
    if isinstance(source, str) and "\n" in source:
        return os.path.join(folder, "scene"), source
    try:
        return os.fsdecode(source), None
    except TypeError:
        raise Error(f"scene: {source!r} is no file, text or dict", key="scene") from None


def _built_in(name: str) -> Optional[str]:
    """The text of a built-in scene; None: the name is that of a file, or none but a file can have it."""
    if os.path.exists(name) or not name.isidentifier():
        return None
    from ._tool import ask_tool, examples

    known = examples()
    if name not in known:
        raise Error(f"{name}: no such file, and no built-in scene of that name{suggest(name, list(known))}", code="file")
    return ask_tool(["examples", name])


def raise_all(errors: Any, result: int) -> None:
    """Raises the errors of a scene as one."""
    listed = [make_error(errors.error[k], result) for k in range(min(errors.count, lib.MOTE_ERRORS_LISTED))]
    if len(listed) == 0:
        check(result, ffi.new("mote_error *"))
    first = listed[0]
    raise Error(first.text, first.code, first.file, first.line, first.column, first.key, listed)


def check_scene(source: Any, set: Any = ()) -> list[Error]:
    """Reads and checks a scene: raises Error with all errors; returns notes on keys that have no effect."""
    return Scene(source, set).notes()
