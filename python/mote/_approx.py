"""Fields from scattered samples: kernels, SPH, moving least squares, neighbours."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Array, converted, copy_numbers, doubles, numbers, pointer, spread, vector
from ._checks import checked, number
from ._library import DEFAULT, Error, as_dict, call, choose, ffi, fill, lib, make, owned


def points_of(value: Any, name: str = "position") -> Array:
    """Points as triples: (n, 3), or (n, 2) and (n, 1), which get zeros, or (n,)."""
    array = converted(value, name, np.dtype(np.float64))
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or not 1 <= array.shape[1] <= 3:
        raise Error(f"{name}: the shape is {array.shape}, not (points, 1 to 3)", key=name)
    padded = np.zeros((len(array), 3))
    padded[:, :array.shape[1]] = array
    return numbers(padded, name, np.float64, columns=3)


def domain_of(dimensions: int, period: Optional[tuple[Any, Any]]) -> Any:
    """A mote_domain; period: its low and high corner, with equal numbers or infinities along open axes."""
    domain = ffi.new("mote_domain *", lib.mote_domain_open(dimensions))
    if period is not None:
        corners = converted(period, "period", np.dtype(np.float64))
        if corners.ndim != 2 or len(corners) != 2 or corners.shape[1] < dimensions:
            raise Error(f"period: the shape is {corners.shape}, not (2, {dimensions})", key="period")
        low, high = corners.tolist()
        for axis in range(dimensions):
            if np.isfinite(high[axis] - low[axis]) and high[axis] > low[axis]:
                domain.periodic[axis], domain.low[axis], domain.high[axis] = True, low[axis], high[axis]
    return domain


def field_of(value: Any, rows: int, name: str = "field") -> tuple[Array, int]:
    """Values of samples and how many a sample has."""
    array = np.asarray(value)
    if array.ndim not in (1, 2):
        raise Error(f"{name}: the shape is {array.shape}, not ({rows},) or ({rows}, components)", key=name)
    components = 1 if array.ndim == 1 else array.shape[1]
    flat = numbers(array.reshape(len(array), components), name, np.float64, columns=components, rows=rows)
    return flat, components


def shaped(out: Array, field: Any, axes: tuple[int, ...] = ()) -> Array:
    """Results in the shape of the field that they are of, with further axes."""
    return out.reshape((-1, *np.shape(field)[1:], *axes))


@checked
class Kernel:
    """A kernel with a support radius: Kernel("wendland_c2", 3, 0.1)."""

    def __init__(self, kind: str, dimensions: int, radius: float) -> None:
        self.kind, self.dimensions, self.radius = kind, dimensions, radius
        value = choose("mote_kernel_kind", kind, "kind")
        self._kernel = ffi.new("mote_kernel *", lib.mote_kernel_make(value, dimensions, radius))
        if self._kernel.scale == 0.0:
            raise Error(f"no kernel has {dimensions} dimensions and the radius {radius}", key="radius")

    def _each(self, function: Any, distance: Any) -> Any:
        r = converted(distance, "distance", np.dtype(np.float64))
        out = np.array([function(self._kernel, one) for one in r.ravel()]).reshape(r.shape)
        return out if r.ndim else float(out)

    def value(self, distance: Any) -> Any:
        """At a distance, or at each of an array."""
        return self._each(lib.mote_kernel_value, distance)

    def derivative(self, distance: Any) -> Any:
        return self._each(lib.mote_kernel_derivative, distance)

    def second(self, distance: Any) -> Any:
        return self._each(lib.mote_kernel_second, distance)

    def laplacian(self, distance: Any) -> Any:
        return self._each(lib.mote_kernel_laplacian, distance)

    def gradient(self, difference: Any) -> Array:
        """With respect to x_i at x_i - x_j."""
        out = ffi.new("double[3]")
        lib.mote_kernel_gradient(self._kernel, vector(difference, "difference"), out)
        return np.array(list(out))

    def anisotropic(self, G: Any, difference: Any) -> float:
        """W(r, G): G takes r to units of the support radius; xx xy xz yy yz zz."""
        return lib.mote_kernel_anisotropic(self._kernel, vector(G, "G", 6), vector(difference, "difference"))


# --- Neighbours -------------------------------------------------------------------------------------------


def lists_of(lists: Any) -> tuple[Array, Array]:
    """mote_lists as CSR: the neighbours of i are index[first[i]:first[i + 1]]."""
    first, index, _ = entries_of(lists)
    return first, index


def entries_of(lists: Any) -> tuple[Array, Array, Array]:
    """The same, and where each entry stands in the lists, which are padded."""
    number = copy_numbers(lists.number, (lists.count,), np.uint32)
    padded = copy_numbers(lists.first, (lists.count + 1,), np.uint64)
    index = copy_numbers(lists.index, (int(padded[-1]) if lists.count else 0,), np.uint32)
    first = np.zeros(lists.count + 1, np.int64)
    np.cumsum(number, out=first[1:])
    keep = np.arange(first[-1]) + np.repeat(padded[:-1].astype(np.int64) - first[:-1], number)
    return first, index[keep].astype(np.int64), keep


@checked
def neighbours(position: Any, radius: Any, *, at: Any = None, reach: str = "gather", dimensions: int = 3,
               period: Optional[tuple[Any, Any]] = None) -> tuple[Array, Array]:
    """(first, index): the points within radius of point i, itself not among them, are index[first[i]:first[i + 1]].

    at: of these points instead, each with all points near it. radius may be one for each: with reach="gather" that of
    the point which looks, with "scatter" of the one which is found, with "symmetric" (not with `at`) the larger of both.
    """
    x, centres = points_of(position), None if at is None else points_of(at, "at")
    kind = choose("mote_reach", reach, "reach")
    if at is not None and kind == lib.MOTE_REACH_SYMMETRIC:
        raise Error("reach: 'symmetric' is for neighbours of the points themselves", key="reach")
    radii = None
    if np.ndim(radius) > 0:
        rows = len(centres) if centres is not None and kind == lib.MOTE_REACH_GATHER else len(x)
        radii = numbers(radius, "radius", np.float64, rows=rows)
    definition = ffi.new("mote_grid_def *", lib.mote_grid_def_default(_largest(radius, radii)))
    definition.domain = domain_of(dimensions, period)[0]
    grid = ffi.gc(make("mote_grid *", lib.mote_grid_create, definition, DEFAULT.pointer), lib.mote_grid_destroy)
    call(lib.mote_grid_build, grid, doubles(x), len(x))
    each = ffi.NULL if radii is None else doubles(radii)
    if centres is not None:
        found = make("mote_lists", lib.mote_grid_neighbours_at, grid, doubles(centres), len(centres), each, kind)
    elif radii is not None:
        found = make("mote_lists", lib.mote_grid_neighbours_radii, grid, each, kind)
    else:
        found = make("mote_lists", lib.mote_grid_neighbours, grid)
    return lists_of(found)


def _largest(radius: Any, radii: Optional[Array]) -> float:
    if radii is None:
        return number(radius, "radius")
    return float(radii.max()) if len(radii) else 1.0


@checked
def components(position: Any, distance: float, *, dimensions: int = 3,
               period: Optional[tuple[Any, Any]] = None) -> Array:
    """The number of the connected component of each point; points within `distance` are connected."""
    x = points_of(position)
    label, count = np.zeros(len(x), np.uint32), ffi.new("size_t *")
    call(lib.mote_components, domain_of(dimensions, period), doubles(x), len(x), distance, DEFAULT.pointer,
         pointer(label, "uint32_t"), count)
    return label


@checked
class Tree:
    """A kd-tree of points."""

    def __init__(self, position: Any, dimensions: int = 3) -> None:
        x = points_of(position)
        self._count = len(x)
        out = make("mote_kdtree *", lib.mote_kdtree_create, dimensions, doubles(x), len(x), DEFAULT.pointer)
        self._pointer = ffi.gc(out, lib.mote_kdtree_destroy)

    def nearest(self, position: Any, k: int = 1) -> tuple[Array, Array]:
        """The k nearest to each point, nearest first: indices and distances."""
        x = points_of(position)
        if not 1 <= k <= max(1, self._count):
            raise Error(f"k: {k} is not between 1 and {self._count}", key="k")
        index, squared = np.zeros((len(x), k), np.uint32), np.zeros((len(x), k))
        call(lib.mote_kdtree_nearest_at, self._pointer, doubles(x), len(x), k, pointer(index, "uint32_t"),
             doubles(squared))
        return index, np.sqrt(squared)

    def within(self, position: Any, radius: Any) -> tuple[Array, Array]:
        """The points within a radius, or one for each, of each point, as CSR (first, index)."""
        x = points_of(position)
        radii = spread(radius, len(x), "radius")
        return lists_of(make("mote_lists", lib.mote_kdtree_neighbours_at, self._pointer, doubles(x), len(x), doubles(radii)))


# --- SPH --------------------------------------------------------------------------------------------------


@checked
class Sph:
    """Samples with masses: values and derivatives by smoothed particle hydrodynamics (mote/approx.h)."""

    def __init__(self, position: Any, radius: float, *, mass: Any = None, boundary: Any = None, boundary_volume: Any = None,
                 dimensions: int = 3, period: Optional[tuple[Any, Any]] = None, **options: Any) -> None:
        """boundary, boundary_volume: samples of a wall. Keywords: kernel, rest_density."""
        x = points_of(position)
        definition = ffi.new("mote_sph_def *", lib.mote_sph_def_default())
        definition.domain = domain_of(dimensions, period)[0]
        fill(definition, {"radius": radius, **options}, ("domain", "count", "boundary_count"))
        definition.position, definition.count = doubles(x), len(x)
        m = None if mass is None else numbers(mass, "mass", np.float64, rows=len(x))
        if m is not None:
            definition.mass = doubles(m)
        if boundary is not None:
            wall = points_of(boundary, "boundary")
            volume = numbers(boundary_volume, "boundary_volume", np.float64, rows=len(wall))
            definition.boundary, definition.boundary_volume = doubles(wall), doubles(volume)
            definition.boundary_count = len(wall)
        self._count, self._dimensions = len(x), dimensions
        self._pointer = ffi.gc(make("mote_sph *", lib.mote_sph_create, definition, DEFAULT.pointer), lib.mote_sph_destroy)

    @property
    def density(self) -> Array:
        return copy_numbers(lib.mote_sph_density(self._pointer), (self._count,), np.float64)

    @property
    def volume(self) -> Array:
        return copy_numbers(lib.mote_sph_volume(self._pointer), (self._count,), np.float64)

    @property
    def neighbours(self) -> tuple[Array, Array]:
        return lists_of(lib.mote_sph_lists(self._pointer))

    def value(self, field: Any) -> Array:
        """Of a field at the samples."""
        f, c = field_of(field, self._count)
        out = np.zeros((self._count, c))
        call(lib.mote_sph_value, self._pointer, doubles(f), c, doubles(out))
        return shaped(out, field)

    def gradient(self, field: Any, form: str = "corrected") -> Array:
        f, c = field_of(field, self._count)
        out = np.zeros((self._count, c, 3))
        call(lib.mote_sph_gradient, self._pointer, choose("mote_gradient_form", form, "form"),
             doubles(f), c, doubles(out))
        return shaped(out, field, (3,))

    def divergence(self, field: Any, form: str = "corrected") -> Array:
        f, c = field_of(field, self._count)
        if c != self._dimensions:
            raise Error(f"field: {c} components, not {self._dimensions}", key="field")
        out = np.zeros(self._count)
        call(lib.mote_sph_divergence, self._pointer, choose("mote_gradient_form", form, "form"),
             doubles(f), doubles(out))
        return out

    def laplacian(self, field: Any, form: str = "pair") -> Array:
        f, c = field_of(field, self._count)
        out = np.zeros((self._count, c))
        call(lib.mote_sph_laplacian, self._pointer, choose("mote_laplacian_form", form, "form"),
             doubles(f), c, doubles(out))
        return shaped(out, field)

    def at(self, points: Any, field: Any, shepard: bool = False, what: str = "value") -> Array:
        """The "value", "gradient" or "laplacian" of the field at any points, or the "density" of the samples there."""
        x, (f, c) = points_of(points, "points"), field_of(field, self._count)
        shapes = {"value": (len(x), c), "gradient": (len(x), c, 3), "laplacian": (len(x), c), "density": (len(x),)}
        if what not in shapes:
            raise Error(f"what: {what!r} is none of {', '.join(shapes)}", key="what")
        out = np.zeros(shapes[what])
        definition = ffi.new("mote_sph_sample_def *", lib.mote_sph_sample_def_default())
        definition.position, definition.count, definition.field = doubles(x), len(x), doubles(f)
        definition.components, definition.shepard = c, shepard
        setattr(definition, what, doubles(out))
        call(lib.mote_sph_sample, self._pointer, definition)
        return out if what == "density" else shaped(out, field, out.shape[2:])


# --- Moving least squares ---------------------------------------------------------------------------------


@checked
class Mls:
    """Samples: values and derivatives by moving least squares of order 0, 1 or 2 (mote/approx.h)."""

    def __init__(self, position: Any, radius: Any, *, dimensions: int = 3, period: Optional[tuple[Any, Any]] = None,
                 **options: Any) -> None:
        """radius: of the supports, one for all samples or one for each. Keywords: order, kernel, rescue, tolerance."""
        x = points_of(position)
        definition = ffi.new("mote_mls_def *", lib.mote_mls_def_default())
        definition.domain = domain_of(dimensions, period)[0]
        fill(definition, options, ("domain", "count", "uniform_radius"))
        radii = spread(radius, len(x), "radius")
        definition.position, definition.radius, definition.count = doubles(x), doubles(radii), len(x)
        self._position = x
        self._pointer = owned(make("mote_mls *", lib.mote_mls_create, definition, DEFAULT.pointer), lib.mote_mls_destroy)

    def at(self, points: Any = None, derivatives: int = 1) -> "Shapes":
        """Shape functions of points (default: the samples), to be applied to any number of fields."""
        x = self._position if points is None else points_of(points, "points")
        return Shapes(self, x, derivatives)

    def direct_gradient(self, field: Any) -> Array:
        """The gradient of the fit at the samples, EG09 (37)."""
        f, c = field_of(field, len(self._position))
        out = np.zeros((len(f), c, 3))
        call(lib.mote_mls_direct_gradient, self._pointer, doubles(f), c, doubles(out))
        return shaped(out, field, (3,))


@checked
class Shapes:
    """Shape functions of points: value(field), gradient(field), laplacian(field), and how the fits went."""

    def __init__(self, mls: Mls, points: Array, derivatives: int) -> None:
        out = make("mote_mls_shapes *", _make_shapes, mls._pointer, points, derivatives)
        self._pointer = owned(out, lib.mote_mls_shapes_destroy, mls._pointer)
        self._count, self._samples, self._derivatives = len(points), len(mls._position), derivatives

    def _apply(self, field: Any, which: int, axes: tuple[int, ...]) -> Array:
        f, c = field_of(field, self._samples)
        out = np.zeros((self._count, c, *axes))
        places = [ffi.NULL] * 3
        places[which] = doubles(out)
        call(lib.mote_mls_apply, self._pointer, doubles(f), c, *places)
        return shaped(out, field, axes)

    def value(self, field: Any) -> Array:
        return self._apply(field, 0, ())

    def gradient(self, field: Any) -> Array:
        """A vector for each number of the field."""
        return self._apply(field, 1, (3,))

    def laplacian(self, field: Any) -> Array:
        """Needs derivatives=2."""
        return self._apply(field, 2, ())

    def functions(self, derivative: int = 0) -> tuple[Array, Array, Array]:
        """The shape functions themselves as CSR (first, index, values), or their derivatives.

        The field at point i is the sum of values[k] * field[index[k]]; first derivatives are three numbers each, second
        ones six: xx xy xz yy yz zz.
        """
        if derivative not in (0, 1, 2) or derivative > self._derivatives:
            raise Error(f"derivative: {derivative} is not between 0 and {self._derivatives}", key="derivative")
        read = (lib.mote_mls_shapes_value, lib.mote_mls_shapes_gradient, lib.mote_mls_shapes_second)[derivative]
        lists = lib.mote_mls_shapes_lists(self._pointer)[0]
        first, index, keep = entries_of(lists)
        rows = lists.first[lists.count] if lists.count else 0
        values = copy_numbers(read(self._pointer), (rows, (1, 3, 6)[derivative]), np.float64)[keep]
        return first, index, values[:, 0] if derivative == 0 else values

    @property
    def fit(self) -> dict[str, Array]:
        """What became of each point: order of the basis, rank and condition of the moments."""
        rows = lib.mote_mls_shapes_fit(self._pointer)
        every = [as_dict(rows[k]) for k in range(self._count)]
        return {name: np.array([one[name] for one in every]) for name in ("order", "rank", "condition")}

    @property
    def neighbours(self) -> tuple[Array, Array]:
        return lists_of(lib.mote_mls_shapes_lists(self._pointer)[0])


def _make_shapes(mls: Any, points: Array, derivatives: int, out: Any, error: Any) -> int:
    return lib.mote_mls_shapes_create(mls, doubles(points), len(points), derivatives, DEFAULT.pointer, out, error)
