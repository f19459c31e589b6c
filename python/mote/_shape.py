"""Shapes, as scenes have them: distances, volumes, fillings, pieces."""
from __future__ import annotations

from operator import index
from typing import Any, Optional, Sequence

import numpy as np

from ._arrays import Array, converted, copy_numbers, doubles, numbers, vector
from ._checks import checked
from ._library import DEFAULT, Error, Record, as_dict, call, choose, ffi, fill, lib, make, owned, path_of
from ._scene import Scene
from ._surface import Mesh, copy_mesh, mesh_pointer, take_mesh


@checked
class Shape:
    """Shape({"sphere": {"radius": "2 cm"}}), Shape(sphere={"radius": 0.02}): a shape in the words of scenes.

    Shape(mesh): the solid that a Mesh bounds.
    """

    def __init__(self, definition: Any = None, *, dimensions: int = 3, **keys: Any) -> None:
        self.dimensions = dimensions
        if isinstance(definition, Mesh):
            self._kept: Any = definition
            shape = ffi.new("mote_shape_def *", lib.mote_shape_def_default())
            shape.kind, shape.mesh = lib.MOTE_SHAPE_MESH, mesh_pointer(definition)[0]
        elif definition is None or isinstance(definition, dict):
            shape = self._read({**(definition or {}), **keys}, dimensions)
        else:
            raise Error(f"definition: {definition!r} is neither a dict nor a Mesh", key="definition")
        out = make("mote_shape *", lib.mote_shape_create, shape, dimensions, DEFAULT.pointer)
        self._pointer = owned(out, lib.mote_shape_destroy)

    def _read(self, tree: dict[str, Any], dimensions: int) -> Any:
        scene = Scene({"spacing": 1, "dimensions": dimensions, "drains": {"shape": {"shape": tree}}})
        self._kept = scene
        return ffi.addressof(scene.pointer.drain[0], "shape")

    def _points(self, value: Any) -> tuple[Array, bool]:
        array = converted(value, "points", np.dtype(np.float64))
        one = array.ndim == 1
        return numbers(array[None, :] if one else array, "points", np.float64, columns=3), one

    def distance(self, points: Any) -> Any:
        """Signed: negative inside; of a point, or of each of many."""
        x, one = self._points(points)
        out = np.array([lib.mote_shape_distance(self._pointer, doubles(row)) for row in x])
        return float(out[0]) if one else out

    def normal(self, points: Any) -> Array:
        """The direction in which the distance grows fastest."""
        x, one = self._points(points)
        out = np.zeros_like(x)
        for row, normal in zip(x, out):
            lib.mote_shape_closest(self._pointer, doubles(row), doubles(normal))
        return out[0] if one else out

    def sweep(self, start: Any, end: Any, clearance: float = 0.0) -> float:
        """Where the segment first comes within `clearance`, as a fraction; 2: nowhere."""
        return lib.mote_shape_sweep(self._pointer, vector(start, "start"), vector(end, "end"), clearance)

    @property
    def volume(self) -> float:
        """m^3, in 2D m^2."""
        return make("double", lib.mote_shape_volume, self._pointer)

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The low and the high corner."""
        low, high = ffi.new("double[3]"), ffi.new("double[3]")
        lib.mote_shape_bounds(self._pointer, low, high)
        return np.array(list(low)), np.array(list(high))

    @property
    def moments(self) -> Record:
        """Volume, centre and inertia at density 1."""
        found = as_dict(make("mote_moments", lib.mote_shape_moments, self._pointer))
        inertia = np.array(found["inertia"]).reshape(3, 3)
        return Record({"volume": found["volume"], "centre": np.array(found["centre"]), "inertia": inertia})

    @property
    def mesh(self) -> Optional[Mesh]:
        """The triangles of a shape that is one mesh; None of others."""
        found = lib.mote_shape_mesh(self._pointer)
        return None if found == ffi.NULL else copy_mesh(found)

    def count(self, spacing: float) -> float:
        """About how many particles fill(spacing) makes."""
        return lib.mote_shape_fill_estimate(self._pointer, spacing)

    def fill(self, spacing: float, kind: str = "cubic", *, seed: int = 1, most: int = 10**8) -> tuple[Array, Array]:
        """Particles that fill the shape: positions and volumes."""
        value = choose("mote_fill_kind", kind, "kind")
        return _samples(lib.mote_shape_fill, self._pointer, spacing, value, seed, most)

    def fill_graded(self, spacing: float, grading: int, depth: float, *, most: int = 10**8) -> tuple[Array, Array]:
        """The same, with particles up to `grading` times as far apart below `depth`."""
        return _samples(lib.mote_shape_fill_graded, self._pointer, spacing, grading, depth,
                        most)

    def shell(self, spacing: float, depth: float, low: Any, high: Any, *, most: int = 10**8) -> tuple[Array, Array]:
        """Samples of the solid just below its surface, within a box: positions and volumes."""
        return _samples(lib.mote_shape_shell, self._pointer, spacing, depth,
                        vector(low, "low"), vector(high, "high"), most)


def _samples(function: Any, *arguments: Any) -> tuple[Array, Array]:
    out = ffi.new("mote_samples *")
    call(function, *arguments, DEFAULT.pointer, out)
    position = copy_numbers(out.position, (out.count, 3), np.float64)
    volume = copy_numbers(out.volume, (out.count,), np.float64)
    lib.mote_samples_free(out, DEFAULT.pointer)
    return position, volume


# --- Pieces -----------------------------------------------------------------------------------------------


@checked
class Fragments(Sequence[Mesh]):
    """The pieces of a shape that triangles cut, each a closed mesh: len(pieces), pieces[0], for piece in pieces.

    mesh: all of them in one; fragment, wall: of each of its triangles, the number of its piece and whether a cut made it.
    Keywords: members of mote_fragments_def: edge, gap, ...
    """

    def __init__(self, shape: Shape, **options: Any) -> None:
        definition = fill(ffi.new("mote_fragments_def *", lib.mote_fragments_def_default()), options)
        definition.shape = shape._pointer
        out = make("mote_fragments *", lib.mote_fragments_create, definition, DEFAULT.pointer)
        self._pointer = owned(out, lib.mote_fragments_destroy, shape._pointer)

    def cut(self, corners: Any) -> None:
        """Cuts by triangles (n, 3, 3), besides those before."""
        triangles = np.asarray(corners)
        if triangles.ndim != 3 or triangles.shape[1:] != (3, 3):
            raise Error(f"corners: the shape is {triangles.shape}, not (triangles, 3, 3)", key="corners")
        flat = numbers(triangles.reshape(-1, 9), "corners", np.float64, columns=9)
        call(lib.mote_fragments_cut, self._pointer, doubles(flat), len(flat))

    def sharpen(self) -> None:
        """Restores the sharp edges and corners of the shape, which the grid cuts off, until the next cut."""
        call(lib.mote_fragments_sharpen, self._pointer)

    def simplify(self, **options: Any) -> None:
        """Fewer triangles, until the next cut; keywords: deviation, volume."""
        definition = ffi.new("mote_simplify_def *", lib.mote_simplify_def_default())
        call(lib.mote_fragments_simplify, self._pointer, fill(definition, options, ("values",)))

    @property
    def _view(self) -> Any:
        return lib.mote_fragments_look(self._pointer)

    def __len__(self) -> int:
        return int(self._view.fragments)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[one] for one in range(*k.indices(len(self)))]
        at = index(k) + (len(self) if k < 0 else 0)
        if not 0 <= at < len(self):
            raise IndexError(f"there is no piece {k}")
        out = ffi.new("mote_mesh *")
        call(lib.mote_fragments_take, self._pointer, at, DEFAULT.pointer, out)
        return take_mesh(out)

    @property
    def mesh(self) -> Mesh:
        return copy_mesh(self._view.mesh)

    @property
    def fragment(self) -> Array:
        return fragment_of(self._view)

    @property
    def wall(self) -> Array:
        return wall_of(self._view)

    def write(self, path: Any) -> None:
        """glb: a node for each piece; other formats: one mesh with a field "fragment"."""
        write_fragments(path, self._view)


def fragment_of(view: Any) -> Array:
    """The piece of each triangle of a mote_fragments_view."""
    return copy_numbers(view.fragment, (view.mesh.triangles,), np.uint32)


def wall_of(view: Any) -> Array:
    """Whether a cut made it."""
    return copy_numbers(view.wall, (view.mesh.triangles,), np.uint8).astype(bool)


def write_fragments(path: Any, view: Any) -> None:
    call(lib.mote_fragments_write, ffi.new("mote_fragments_view *", view), ffi.NULL, path_of(path))


@checked
def cut(shape: Shape, corners: Any, *, simplify: bool = True, **options: Any) -> Fragments:
    """The pieces of a shape cut by triangles (n, 3, 3); keywords as of Fragments."""
    fragments = Fragments(shape, **options)
    fragments.cut(corners)
    if simplify:
        fragments.simplify()
    return fragments


@checked
def shatter(shape: Shape, pieces: int = 20, *, seed: int = 1, roughness: float = 0.1, focus: Any = None,
            detail: float = 0.0, simplify: bool = True, **options: Any) -> Fragments:
    """Breaks a shape into about so many pieces; keywords as of Fragments."""
    values = {"pieces": pieces, "seed": seed, "roughness": roughness, "detail": detail}
    definition = fill(ffi.new("mote_shatter_def *", lib.mote_shatter_def_default()), values)
    if focus is not None:
        definition.focus = list(vector(focus, "focus"))
    soup = ffi.new("mote_soup *")
    call(lib.mote_shatter, shape._pointer, definition, DEFAULT.pointer, soup)
    corners = copy_numbers(soup.corner, (soup.count, 3, 3), np.float64)
    lib.mote_soup_free(soup, DEFAULT.pointer)
    return cut(shape, corners, simplify=simplify, **options)
