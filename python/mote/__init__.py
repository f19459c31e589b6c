"""Mote, a meshless physics library: worlds of particles, their fields as NumPy arrays, surfaces. docs/python.md"""
from typing import TYPE_CHECKING, Any

from ._library import Busy, Error, HeldView, Record, __version__
from ._particles import Particles
from ._scene import Scene
from ._scene import check_scene as check
from ._steering import read_commands
from ._tables import COMMANDS, Command, Field, Key, fields
from ._world import Frame, World

if TYPE_CHECKING:
    from ._approx import Kernel, Mls, Shapes, Sph, Tree, components, neighbours
    from ._deform import Deform, Motion, deform
    from ._files import Cloud, Run, endings, read, write
    from ._more import (Formula, Snapshot, contact_sheet, differences, length, march, numeric, presets, write_video)
    from ._pictures import preview, read_image, render, write_image
    from ._shape import Shape, cut, shatter
    from ._tables import SECTIONS
    from ._surface import Contour, Mesh, Surface, Tracked, contour, track

# Parts that are imported when they are first used.
_LATER = {
    "_approx": ("Kernel", "Mls", "Shapes", "Sph", "Tree", "components", "neighbours"),
    "_deform": ("Deform", "Motion", "deform"),
    "_files": ("Cloud", "Run", "endings", "read", "write"),
    "_more": ("Formula", "Snapshot", "contact_sheet", "differences", "length", "march", "numeric", "presets", "write_video"),
    "_pictures": ("preview", "read_image", "render", "write_image"),
    "_shape": ("Shape", "cut", "shatter"),
    "_surface": ("Contour", "Mesh", "Surface", "Tracked", "contour", "track"),
    "_tables": ("SECTIONS",),
}

__all__ = [
    "Busy", "COMMANDS", "Cloud", "Command", "Contour", "Deform", "Error", "Field", "Formula", "Frame", "HeldView",
    "Kernel", "Key", "Mesh", "Mls", "Motion", "Particles", "Record", "Run", "SECTIONS", "Scene", "Shape", "Shapes", "Snapshot",
    "Sph", "Surface", "Tracked", "Tree", "World", "__version__", "check", "components", "contact_sheet", "contour",
    "cut", "deform", "differences", "endings", "fields", "length", "march", "neighbours", "numeric", "presets",
    "preview", "read", "read_commands", "read_image", "render", "shatter", "track", "write", "write_image",
    "write_video",
]


def __getattr__(name: str) -> Any:
    import importlib

    for module, names in _LATER.items():
        if name in names:
            value = getattr(importlib.import_module("." + module, __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'mote' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
