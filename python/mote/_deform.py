"""Meshes bent by handles (mote/deform.h)."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Array, copy_numbers, doubles, numbers, pointer, vector
from ._checks import checked, items, number
from ._library import DEFAULT, Error, Record, as_dict, call, ffi, fill, lib, make, owned, record
from ._shape import Shape
from ._surface import Mesh, mesh_pointer


@checked
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
        self._pointer = owned(make("mote_deform *", lib.mote_deform_create, definition, DEFAULT.pointer),
                              lib.mote_deform_destroy)

    def add_region(self, vertices: Any) -> int:
        """A handle of vertices, which move as one rigid body; returns its number."""
        chosen = numbers(vertices, "vertices", np.uint32)
        vertex = pointer(chosen, "uint32_t")
        return make("mote_deform_handle", lib.mote_deform_add_region, self._pointer, vertex, len(chosen))

    def add_point(self, point: Any) -> int:
        """A handle at a point of the shape at rest; returns its number."""
        return make("mote_deform_handle", lib.mote_deform_add_point, self._pointer, vector(point, "point"))

    def set_pose(self, handle: int, *, move: Any = (0, 0, 0), rotation: Any = None, pivot: Any = (0, 0, 0)) -> None:
        """Where a handle is to go: x -> rotation @ (x - pivot) + pivot + move."""
        pose = ffi.new("mote_pose *")
        turn = np.eye(3) if rotation is None else numbers(rotation, "rotation", np.float64, columns=3, rows=3)
        pose.rotation = turn.ravel().tolist()
        pose.pivot, pose.move = list(vector(pivot, "pivot")), list(vector(move, "move"))
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

    def solve(self, **options: Any) -> Record:
        """Moves the nodes to a minimum of the energy; keywords: members of mote_deform_solve_opts."""
        opts = ffi.new("mote_deform_solve_opts *", lib.mote_deform_solve_opts_default())
        return record(make("mote_deform_report", lib.mote_deform_solve, self._pointer, fill(opts, options)))

    @property
    def mesh(self) -> Mesh:
        """The mesh as it is bent now, with normals."""
        shape = (lib.mote_deform_vertices(self._pointer), 3)
        vertex, normal = np.zeros(shape), np.zeros(shape)
        call(lib.mote_deform_read, self._pointer, doubles(vertex), doubles(normal))
        return Mesh(vertex, self._faces, normal)

    @property
    def state(self) -> Array:
        """Positions of the nodes; set it to go to another state."""
        return copy_numbers(lib.mote_deform_state(self._pointer), (lib.mote_deform_nodes(self._pointer), 3), np.float64)

    @state.setter
    def state(self, position: Any) -> None:
        nodes = self._nodes(position)
        call(lib.mote_deform_set_state, self._pointer, doubles(nodes))

    @property
    def rest(self) -> Array:
        """Positions of the nodes at rest."""
        return copy_numbers(lib.mote_deform_rest(self._pointer), (lib.mote_deform_nodes(self._pointer), 3), np.float64)

    def mesh_at(self, state: Any) -> Mesh:
        """The mesh at another state."""
        nodes = self._nodes(state)
        shape = (lib.mote_deform_vertices(self._pointer), 3)
        vertex, normal = np.zeros(shape), np.zeros(shape)
        call(lib.mote_deform_read_at, self._pointer, doubles(nodes), doubles(vertex), doubles(normal))
        return Mesh(vertex, self._faces, normal)

    def _nodes(self, value: Any) -> Array:
        return numbers(value, "state", np.float64, columns=3, rows=lib.mote_deform_nodes(self._pointer))

    def interpolate(self, value: Any, points: Any) -> Array:
        """Values of the nodes, three each, at points of the shape at rest."""
        nodes, x = self._nodes(value), numbers(points, "points", np.float64, columns=3)
        out = np.zeros_like(x)
        call(lib.mote_deform_interpolate, self._pointer, doubles(nodes), doubles(x), len(x), doubles(out))
        return out

    def path_lengths(self, start: Any, points: Any) -> Array:
        """Lengths of the shortest paths inside the shape at rest, m."""
        x = numbers(points, "points", np.float64, columns=3)
        out = np.zeros(len(x))
        call(lib.mote_deform_path_lengths, self._pointer, vector(start, "start"), doubles(x), len(x), doubles(out))
        return out

    @property
    def ties(self) -> list[dict[str, Any]]:
        """Parts that touch nothing and are tied to the nearest one: points and triangles of both, and the gap."""
        rows = ffi.new("mote_deform_tie **")
        return [as_dict(rows[0][k]) for k in range(lib.mote_deform_ties(self._pointer, rows))]

    def measure(self) -> Record:
        """What became of the mesh: stretched edges, inverted triangles."""
        vertex = self.mesh.vertices
        return record(make("mote_deform_mesh_report", lib.mote_deform_measure, self._pointer, doubles(vertex)))

    def energy(self, state: Any) -> tuple[Record, Array]:
        """The energy at a state, and its gradient with respect to the nodes."""
        nodes, report = self._nodes(state), ffi.new("mote_deform_report *")
        out = np.zeros_like(nodes)
        call(lib.mote_deform_energy, self._pointer, doubles(nodes), report, doubles(out))
        return record(report[0]), out

    @property
    def size(self) -> float:
        """The diagonal of the bounds at rest, m."""
        return float(lib.mote_deform_size(self._pointer))

    def remove_handles(self) -> None:
        lib.mote_deform_remove_handles(self._pointer)

    def is_pushed_through(self, handle: int) -> bool:
        """Whether a handle's pose lies beyond the body."""
        return bool(lib.mote_deform_pushed_through(self._pointer, self._known(handle)))

    def reset(self) -> None:
        """Back to rest, with all handles."""
        lib.mote_deform_reset(self._pointer)

    def fit(self, mesh: Mesh) -> float:
        """Takes the state whose mesh is nearest to a mesh with the same vertices; returns what remains, m."""
        vertex = numbers(mesh.vertices, "mesh", np.float64, columns=3, rows=lib.mote_deform_vertices(self._pointer))
        return make("double", lib.mote_deform_fit, self._pointer, doubles(vertex))

    @property
    def volume(self) -> float:
        vertex = self.mesh.vertices
        return lib.mote_deform_volume(self._pointer, doubles(vertex))


@checked
def deform(mesh: Mesh, **options: Any) -> Deform:
    """A mesh to be bent by handles: see Deform."""
    return Deform(mesh, **options)


@checked
class Motion:
    """A smooth motion between states of a Deform, past obstacles: Motion(deform, {0.0: rest, 1.0: state}).

    obstacles: Shapes at rest; the keywords are the members of mote_deform_motion_def.
    """

    def __init__(self, bent: Deform, keys: dict[float, Any], *, obstacles: Any = (),
                 weights: Optional[dict[str, float]] = None, **options: Any) -> None:
        definition = ffi.new("mote_deform_motion_def *", lib.mote_deform_motion_def_default())
        definition.deform = bent._pointer
        fill(definition.weight, weights or {})
        fill(definition, options, ("deform", "weight"))
        rows, kept = ffi.new("mote_deform_key[]", max(1, len(keys))), []
        for row, time in zip(rows, sorted(keys, key=lambda one: number(one, "keys"))):
            kept.append(bent._nodes(keys[time]))
            row.time, row.position = time, doubles(kept[-1])
        self._obstacles = items(obstacles, "obstacles", Shape)
        shapes = ffi.new("mote_deform_obstacle[]", [{"shape": one._pointer} for one in self._obstacles] or [{}])
        self._deform = bent
        out = make("mote_deform_motion *", lib.mote_deform_motion_create, definition, rows, len(keys), shapes,
                   len(self._obstacles))
        self._pointer = owned(out, lib.mote_deform_motion_destroy, bent._pointer, *(one._pointer for one in self._obstacles))

    def solve(self, seconds: float = float("inf")) -> Record:
        """Finds the motion; may be called again to continue."""
        return record(make("mote_deform_motion_report", lib.mote_deform_motion_solve, self._pointer, seconds))

    @property
    def times(self) -> Array:
        """Of its frames, s."""
        times = ffi.new("double **")
        count = lib.mote_deform_motion_frames(self._pointer, times)
        return copy_numbers(times[0], (count,), np.float64)

    def state(self, time: float) -> tuple[Array, Array, Array]:
        """Positions, velocities and accelerations of the nodes."""
        shape = (lib.mote_deform_nodes(self._deform._pointer), 3)
        out = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        call(lib.mote_deform_motion_evaluate, self._pointer, time, *(doubles(one) for one in out))
        return out

    def mesh(self, time: float) -> Mesh:
        """The mesh at a time; its field "velocity" is that of the vertices."""
        shape = (lib.mote_deform_vertices(self._deform._pointer), 3)
        vertex, normal, velocity = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        call(lib.mote_deform_motion_read, self._pointer, time, *(doubles(one) for one in (vertex, normal, velocity)))
        return Mesh(vertex, self._deform._faces, normal, {"velocity": velocity})
