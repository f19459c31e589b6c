"""Meshes that the particles of a world carry: skins of elastic bodies and lattices, surfaces of bodies that break."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import copy_numbers, doubles, numbers
from ._core import Core
from ._library import Error, call, choose, ffi, lib, make, owned
from ._parts import find_body
from ._surface import Mesh, copy_mesh


class Skin:
    """A mesh in the rest shape of an elastic body, or in a lattice that does not break: `mesh` is where it is now."""

    def __init__(self, core: Core, body: str, mesh: Mesh, kind: str, support: float) -> None:
        self._core, self._faces = core, mesh.faces
        self._count = len(mesh.vertices)
        vertex = numbers(mesh.vertices, "mesh", np.float64, columns=3)
        with core.read() as world:
            handle = find_body(world, body)
            about = make("mote_body_info", lib.mote_world_body_about, world, handle)
            self._is_elastic = about.kind == lib.MOTE_KIND_ELASTIC
            if self._is_elastic:
                definition = ffi.new("mote_world_skin_def *")
                definition.body, definition.vertex, definition.count = handle, doubles(vertex), self._count
                definition.kind, definition.support = choose("mote_skin_kind", "MOTE_SKIN_", kind), support
                out = make("mote_world_skin *", lib.mote_world_skin_create, world, definition)
                self._pointer = owned(out, lib.mote_world_skin_destroy, world)
            else:
                out = make("mote_lattice_skin *", lib.mote_world_lattice_skin, world, handle, doubles(vertex),
                           self._count)
                self._pointer = owned(out, lib.mote_lattice_skin_destroy, world)

    @property
    def mesh(self) -> Mesh:
        """Moved with the particles as they are now."""
        vertex = np.zeros((self._count, 3))
        with self._core.read() as world:
            if self._is_elastic:
                call(lib.mote_world_skin_move, self._pointer, ffi.NULL, doubles(vertex), ffi.NULL)
            else:
                call(lib.mote_lattice_skin_move, self._pointer, world, doubles(vertex))
        return Mesh(vertex, self._faces)


class Pieces:
    """The surface of an elastic body that can break: `mesh`, `fragment` and `wall` (crack face) of each triangle."""

    def __init__(self, core: Core, body: str, edge: float) -> None:
        self._core = core
        with core.read() as world:
            out = make("mote_world_pieces *", lib.mote_world_pieces_create, world, find_body(world, body), edge)
            self._pointer = owned(out, lib.mote_world_pieces_destroy, world)
        self.update()

    def update(self) -> None:
        """To the cracks and positions of now."""
        with self._core.read() as world:
            call(lib.mote_world_pieces_update, self._pointer, world)
            view = lib.mote_world_pieces_look(self._pointer)
            self.mesh = copy_mesh(view.mesh)
            self.fragment = copy_numbers(view.fragment, (view.mesh.triangles,), np.uint32)
            self.wall = copy_numbers(view.wall, (view.mesh.triangles,), np.uint8).astype(bool)
            rest = lib.mote_world_pieces_rest(self._pointer)
            self.rest = copy_numbers(rest, (view.mesh.vertices, 3), np.float64)

    def stretched(self, times: float) -> int:
        """Triangles with a side more than so many times as long as at rest."""
        return int(lib.mote_world_pieces_stretched(self._pointer, times))


def as_mesh(value: Any) -> Mesh:
    """A Mesh, or (vertices, faces)."""
    if isinstance(value, Mesh):
        return value
    try:
        return Mesh(*value)
    except TypeError:
        raise Error("mesh: neither a Mesh nor (vertices, faces)", key="mesh") from None

