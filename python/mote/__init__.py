"""Mote, a meshless physics library: worlds of particles, their fields as NumPy arrays, surfaces. docs/python.md"""
from typing import TYPE_CHECKING, Any

from ._library import Busy, Error, HeldView, Record, __version__, presets
from ._particles import Particles
from ._scene import Scene
from ._scene import check_scene as check
from ._steering import read_commands
from ._tables import COMMANDS, Command, Field, Key, fields
from ._world import Frame, World

if TYPE_CHECKING:
    from ._approx import Kernel, Mls, Shapes, Sph, Tree, components, neighbours
    from ._deform import Deform, Motion, deform
    from ._foam import Foam, foam_kinds
    from ._files import Cloud, Run, endings, read, write, write_grid, write_series
    from ._model import Model
    from ._more import Formula, Snapshot, compare, contact_sheet, differences, length, march, numeric, write_video
    from ._pictures import (Look, Texture, preview, read_image, render, render_engine, texture_coordinates, write_image)
    from ._shape import Fragments, Shape, cut, shatter
    from ._surface import Contour, Flow, Mesh, Surface, Tracked, contour, replay, track
    from ._tables import SECTIONS
    from ._tool import examples

# Parts that are imported when they are first used.
_LATER = {
    "_approx": ("Kernel", "Mls", "Shapes", "Sph", "Tree", "components", "neighbours"),
    "_deform": ("Deform", "Motion", "deform"),
    "_foam": ("Foam", "foam_kinds"),
    "_files": ("Cloud", "Run", "endings", "read", "write", "write_grid", "write_series"),
    "_model": ("Model",),
    "_more": ("Formula", "Snapshot", "compare", "contact_sheet", "differences", "length", "march", "numeric", "write_video"),
    "_pictures": ("Look", "Texture", "preview", "read_image", "render", "render_engine", "texture_coordinates", "write_image"),
    "_shape": ("Fragments", "Shape", "cut", "shatter"),
    "_surface": ("Contour", "Flow", "Mesh", "Surface", "Tracked", "contour", "replay", "track"),
    "_tables": ("SECTIONS",),
    "_tool": ("examples",),
}

__all__ = [
    "Busy", "COMMANDS", "Cloud", "Command", "Contour", "Deform", "Error", "Field", "Flow", "Foam", "Formula", "Fragments", "Frame",
    "HeldView", "Kernel", "Key", "Look", "Mesh", "Mls", "Model", "Motion", "Particles", "Record", "Run", "SECTIONS", "Scene",
    "Shape", "Shapes", "Snapshot", "Sph", "Surface", "Texture", "Tracked", "Tree", "World", "__version__", "check",
    "compare", "components", "contact_sheet", "contour", "cut", "deform", "differences", "endings", "examples", "fields",
    "length", "march", "neighbours", "numeric", "presets", "preview", "read", "read_commands", "read_image", "render", "render_engine",
    "replay", "shatter", "texture_coordinates", "track", "write", "write_grid",
    "write_image", "write_series", "write_video",
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
