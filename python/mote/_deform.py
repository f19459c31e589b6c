"""Meshes bent by handles (mote/deform.h)."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Array, copy_numbers, numbers, pointer, vector
from ._library import DEFAULT, Error, Record, call, choose, ffi, fill, lib, make, record
from ._surface import Mesh, mesh_pointer


class Deform:
    """A mesh bent by its handles: deform = mote.deform(mesh, nodes=160); deform.add_region(vertices); ...

    The keywords are the members of mote_deform_def; weights=dict(handle=..., rigidity=..., volume=...).
    """

    def __init__(self, mesh: Mesh, *, weights: Optional[dict[str, float]] = None, **options: Any) -> None:
        definition = ffi.new("mote_deform_def *", lib.mote_deform_def_default())
        definition.mesh = mesh_pointer(mesh)[0]
        fill(definition.weight, weights or {})
        fill(definition, options, ("mesh", "normal", "weight"))
        self._faces = mesh.faces
        self._pointer = ffi.gc(make("mote_deform *", lib.mote_deform_create, definition, DEFAULT.pointer),
                               lib.mote_deform_destroy)

    def add_region(self, vertices: Any) -> int:
        """A handle of vertices, which move as one rigid body; returns its number."""
        chosen = numbers(vertices, "vertices", np.uint32)
        return make("mote_deform_handle", lib.mote_deform_add_region, self._pointer, pointer(chosen, "uint32_t"), len(chosen))

    def add_point(self, point: Any) -> int:
        """A handle at a point of the shape at rest; returns its number."""
        return make("mote_deform_handle", lib.mote_deform_add_point, self._pointer, vector(point, "point"))

    def set_pose(self, handle: int, *, move: Any = (0, 0, 0), rotation: Any = None, pivot: Any = (0, 0, 0)) -> None:
        """Where a handle is to go: x -> rotation @ (x - pivot) + pivot + move."""
        pose = ffi.new("mote_pose *")
        turn = np.eye(3) if rotation is None else numbers(rotation, "rotation", np.float64, columns=3, rows=3)
        pose.rotation, pose.pivot, pose.move = turn.ravel().tolist(), list(vector(pivot, "pivot")), list(vector(move, "move"))
        call(lib.mote_deform_set_pose, self._pointer, self._known(handle), pose)

    def set_point(self, handle: int, target: Any) -> None:
        """Where the handle of a point is to go."""
        call(lib.mote_deform_set_point, self._pointer, self._known(handle), vector(target, "target"))

    def set_free(self, handle: int, free: bool = True) -> None:
        """A free handle does not count."""
        call(lib.mote_deform_set_free, self._pointer, self._known(handle), free)

    def _known(self, handle: int) -> int:
        if not 0 <= handle < lib.mote_deform_handles(self._pointer):
            raise Error(f"handle: there is no handle {handle}", key="handle")
        return handle

    def solve(self, *, method: str = "newton", **options: Any) -> Record:
        """Moves the nodes to a minimum of the energy; keywords: members of mote_deform_solve_opts."""
        opts = ffi.new("mote_deform_solve_opts *", lib.mote_deform_solve_opts_default())
        opts.method = choose("mote_deform_method", "MOTE_DEFORM_", method)
        return record(make("mote_deform_report", lib.mote_deform_solve, self._pointer, fill(opts, options, ("method",))))

    @property
    def mesh(self) -> Mesh:
        """The mesh as it is bent now, with normals."""
        shape = (lib.mote_deform_vertices(self._pointer), 3)
        vertex, normal = np.zeros(shape), np.zeros(shape)
        call(lib.mote_deform_read, self._pointer, pointer(vertex, "double"), pointer(normal, "double"))
        return Mesh(vertex, self._faces, normal)

    @property
    def state(self) -> Array:
        """Positions of the nodes; set it to go to another state."""
        return copy_numbers(lib.mote_deform_state(self._pointer), (lib.mote_deform_nodes(self._pointer), 3), np.float64)

    @state.setter
    def state(self, position: Any) -> None:
        nodes = numbers(position, "state", np.float64, columns=3, rows=lib.mote_deform_nodes(self._pointer))
        call(lib.mote_deform_set_state, self._pointer, pointer(nodes, "double"))

    @property
    def rest(self) -> Array:
        """Positions of the nodes at rest."""
        return copy_numbers(lib.mote_deform_rest(self._pointer), (lib.mote_deform_nodes(self._pointer), 3), np.float64)

    def reset(self) -> None:
        """Back to rest, with all handles."""
        lib.mote_deform_reset(self._pointer)

    def fit(self, mesh: Mesh) -> float:
        """Takes the state whose mesh is nearest to a mesh with the same vertices; returns what remains, m."""
        vertex = numbers(mesh.vertices, "mesh", np.float64, columns=3, rows=lib.mote_deform_vertices(self._pointer))
        return make("double", lib.mote_deform_fit, self._pointer, pointer(vertex, "double"))

    @property
    def volume(self) -> float:
        vertex = self.mesh.vertices
        return lib.mote_deform_volume(self._pointer, pointer(vertex, "double"))


def deform(mesh: Mesh, **options: Any) -> Deform:
    """A mesh to be bent by handles: see Deform."""
    return Deform(mesh, **options)
