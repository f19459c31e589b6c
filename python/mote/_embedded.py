"""Meshes that the particles of a world carry: skins of elastic bodies and lattices, surfaces of bodies that break."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import copy_numbers, doubles, numbers, pointer
from ._checks import checked
from ._core import Core
from ._library import Error, call, choose, ffi, lib, make, owned
from ._parts import find_body
from ._shape import fragment_of, wall_of, write_fragments
from ._surface import Mesh, copy_mesh


@checked
class Skin:
    """A mesh in the rest shape of an elastic body, or in a lattice that does not break: `mesh` is where it is now.

    The mesh of an elastic body keeps its normals.
    """

    def __init__(self, core: Core, body: str, mesh: Mesh, kind: str, support: float) -> None:
        self._core, self._faces, self._count = core, mesh.faces, len(mesh.vertices)
        vertex = numbers(mesh.vertices, "mesh", np.float64, columns=3)
        normal = None if mesh.normals is None else numbers(mesh.normals, "normals", np.float64, columns=3, rows=self._count)
        with core.read() as world:
            handle = find_body(world, body)
            about = make("mote_body_info", lib.mote_world_body_about, world, handle)
            self._is_elastic, self._body = about.kind == lib.MOTE_KIND_ELASTIC, handle
            self._has_normals = self._is_elastic and normal is not None
            if self._is_elastic:
                definition = ffi.new("mote_world_skin_def *")
                definition.body, definition.vertex, definition.count = handle, doubles(vertex), self._count
                definition.normal = ffi.NULL if normal is None else doubles(normal)
                definition.kind, definition.support = choose("mote_skin_kind", kind, "kind"), support
                out = make("mote_world_skin *", lib.mote_world_skin_create, world, definition)
                self._pointer = owned(out, lib.mote_world_skin_destroy, world)
            else:
                out = make("mote_lattice_skin *", lib.mote_world_lattice_skin, world, handle, doubles(vertex),
                           self._count)
                self._pointer = owned(out, lib.mote_lattice_skin_destroy, world)

    @property
    def mesh(self) -> Mesh:
        """Moved with the particles as they are now."""
        with self._core.read() as world:
            if self._is_elastic:
                return self._elastic(ffi.NULL)
            vertex = np.zeros((self._count, 3))
            call(lib.mote_lattice_skin_move, self._pointer, world, doubles(vertex))
        return Mesh(vertex, self._faces)

    def _elastic(self, position: Any) -> Mesh:
        vertex, normal = np.zeros((self._count, 3)), np.zeros((self._count, 3))
        call(lib.mote_world_skin_move, self._pointer, position, doubles(vertex),
             doubles(normal) if self._has_normals else ffi.NULL)
        return Mesh(vertex, self._faces, normal if self._has_normals else None)

    def _rows(self, world: Any) -> int:
        """How many particles the body has now, with those of its fragments."""
        first, count = ffi.new("size_t *"), ffi.new("size_t *")
        for k in range(lib.mote_world_elastic_bodies(world)):
            if lib.mote_world_elastic_body(world, k, first, count).index == self._body.index:
                return int(count[0])
        return 0

    def mesh_at(self, position: Any, ids: Any = None, lattice_frame: Any = None) -> Mesh:
        """Moved with particles that are elsewhere: rows of a file, say.

        Elastic bodies: a position for each of the body's particles in their order now. Lattices: positions with the ids
        and the field "lattice_frame" of the same particles.
        """
        x = numbers(position, "position", np.float64, columns=3)
        if self._is_elastic:
            with self._core.read() as world:
                return self._elastic(doubles(numbers(x, "position", np.float64, columns=3, rows=self._rows(world))))
        chosen = numbers(() if ids is None else ids, "ids", np.uint64, rows=len(x))
        basis = numbers(() if lattice_frame is None else lattice_frame, "lattice_frame", np.float64, columns=9, rows=len(x))
        vertex = np.zeros((self._count, 3))
        with self._core.read():
            call(lib.mote_lattice_skin_move_to, self._pointer, pointer(chosen, "uint64_t"), doubles(x), doubles(basis), len(x),
                 doubles(vertex))
        return Mesh(vertex, self._faces)


@checked
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
            self.fragment, self.wall = fragment_of(view), wall_of(view)
            rest = lib.mote_world_pieces_rest(self._pointer)
            self.rest = copy_numbers(rest, (view.mesh.vertices, 3), np.float64)

    def stretched(self, times: float) -> int:
        """Triangles with a side more than so many times as long as at rest."""
        return int(lib.mote_world_pieces_stretched(self._pointer, times))


    def write(self, path: Any) -> None:
        """As Fragments.write, of the last update."""
        with self._core.read():
            write_fragments(path, lib.mote_world_pieces_look(self._pointer))
