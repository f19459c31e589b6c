"""Mote, a meshless physics library: worlds of particles, their fields as NumPy arrays, surfaces. docs/python.md"""
from ._approx import Kernel, Mls, Shapes, Sph, Tree, components, neighbours
from ._deform import Deform, deform
from ._files import Cloud, Run, endings, read, write
from ._library import Busy, Error, HeldView, Record, __version__
from ._particles import Particles
from ._pictures import preview, read_image, render, write_image
from ._scene import Scene
from ._scene import check_scene as check
from ._shape import Shape, cut, shatter
from ._steering import read_commands
from ._surface import Mesh, Surface, Tracked, track
from ._tables import COMMANDS, SECTIONS, Command, Field, Key, fields
from ._world import Frame, World

__all__ = [
    "Busy", "COMMANDS", "Cloud", "Command", "Deform", "Error", "Field", "Frame", "HeldView", "Kernel", "Key", "Mesh",
    "Mls", "Particles", "Record", "Run", "SECTIONS", "Scene", "Shape", "Shapes", "Sph", "Surface", "Tracked", "Tree",
    "World", "__version__", "check", "components", "cut", "deform", "endings", "fields", "neighbours", "preview",
    "read", "read_commands", "read_image", "render", "shatter", "track", "write", "write_image",
]
