"""Surfaces of particles, meshes, tracked meshes."""
from __future__ import annotations

from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from ._arrays import Array, FieldViews, converted, copy_numbers, copy_of, doubles, numbers, pointer, spread
from ._checks import checked
from ._library import (DEFAULT, Callback, Environment, Error, Record, as_dict, call, choose, ffi, fill, lib, make, owned,
                       path_of, record, string, text)


@checked
class Mesh:
    """Triangles: `vertices` (n, 3), `faces` (m, 3); `normals` and `fields` at the vertices where there are any.

    vertices, faces = mesh: what trimesh and others take.
    """

    def __init__(self, vertices: Any, faces: Any, normals: Any = None, fields: Optional[dict[str, Any]] = None) -> None:
        self.vertices = numbers(vertices, "vertices", np.float64, columns=3)
        self.faces = numbers(faces, "faces", np.uint32, columns=3)
        if self.faces.size and self.faces.max() >= len(self.vertices):
            raise Error(f"faces: there is no vertex {self.faces.max()}", key="faces")
        self.normals, self.fields = normals, fields or {}

    def __iter__(self) -> Iterator[Array]:
        return iter((self.vertices, self.faces))

    def __repr__(self) -> str:
        return f"Mesh({len(self.vertices)} vertices, {len(self.faces)} triangles)"

    def examine(self) -> Record:
        """Whether it is closed, oriented and a manifold, and what is wrong with it."""
        return record(make("mote_mesh_report", lib.mote_mesh_examine, mesh_pointer(self), DEFAULT.pointer))

    @property
    def volume(self) -> float:
        """Of a closed mesh, m^3; positive when it is oriented outward."""
        return lib.mote_mesh_volume(mesh_pointer(self))

    def repair(self) -> "Mesh":
        """A copy that bounds a solid."""
        return self._repaired()[0]

    def mending(self) -> str:
        """What repair() would do, in words; "": nothing worth a word."""
        words = ffi.new("char[512]")
        lib.mote_mesh_mending_text(self._repaired()[1], words, len(words))
        return text(words)

    def _repaired(self) -> tuple["Mesh", Any]:
        out, mending = ffi.new("mote_mesh *"), ffi.new("mote_mesh_mending *")
        call(lib.mote_mesh_repair, mesh_pointer(self), DEFAULT.pointer, out, mending)
        return take_mesh(out), mending

    def nearest(self, points: Any) -> tuple[Array, Array]:
        """The triangle nearest to each point, and the shares of its corners in the nearest point."""
        x = numbers(points, "points", np.float64, columns=3)
        triangle, share = np.zeros(len(x), np.uint32), np.zeros((len(x), 3))
        call(lib.mote_mesh_nearest, mesh_pointer(self), doubles(x), len(x), DEFAULT.pointer,
             pointer(triangle, "uint32_t"), doubles(share))
        return triangle, share

    def smooth(self, passes: int = 1) -> "Mesh":
        """Smoothed; the volume of every part is kept."""
        return _changed(self, lib.mote_surface_smooth, passes)

    def clean(self, angle: float = 0.1745) -> "Mesh":
        """Without angles below `angle`, rad, where that is possible."""
        return _changed(self, lib.mote_surface_clean, angle)

    def drop_parts(self, volume: float) -> "Mesh":
        """Without parts of less volume, m^3."""
        return _changed(self, lib.mote_surface_drop_parts, volume)


def as_mesh(value: Any, name: str = "mesh") -> Mesh:
    """A Mesh, or (vertices, faces)."""
    if isinstance(value, Mesh):
        return value
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise Error(f"{name}: neither a Mesh nor (vertices, faces)", key=name)
    return Mesh(*value)


def mesh_pointer(mesh: Mesh) -> Any:
    """A mote_mesh that looks at the arrays, which must outlive it."""
    out = ffi.new("mote_mesh *")
    out.vertices, out.triangles = len(mesh.vertices), len(mesh.faces)
    out.vertex, out.triangle = doubles(mesh.vertices), pointer(mesh.faces, "uint32_t")
    return out


def copy_mesh(mesh: Any) -> Mesh:
    """A mote_mesh as a Mesh."""
    return Mesh(copy_numbers(mesh.vertex, (mesh.vertices, 3), np.float64),
                copy_numbers(mesh.triangle, (mesh.triangles, 3), np.uint32))


def take_mesh(mesh: Any) -> Mesh:
    """A copy of a mesh of the library, which is freed."""
    out = copy_mesh(mesh)
    lib.mote_mesh_free(mesh, DEFAULT.pointer)
    return out


def copy_surface(surface: Any) -> Mesh:
    """A mote_surface as a Mesh."""
    mesh = copy_mesh(surface.mesh)
    if surface.normal != ffi.NULL:
        mesh.normals = copy_numbers(surface.normal, (len(mesh.vertices), 3), np.float32)
    mesh.fields = {text(surface.field[k].name): copy_of(surface.field[k]) for k in range(surface.fields)}
    return mesh


def take_surface(surface: Any, environment: Environment = DEFAULT) -> Mesh:
    """A copy of a surface of the library, which is freed."""
    try:
        return copy_surface(surface)
    finally:
        lib.mote_surface_free(surface, environment.pointer)


class Held:
    """A mote_surface with the arrays of a Mesh; they must outlive it."""

    def __init__(self, mesh: Mesh) -> None:
        self.pointer = ffi.new("mote_surface *")
        self.pointer.mesh = mesh_pointer(mesh)[0]
        rows = len(mesh.vertices)
        self.normals = None if mesh.normals is None else numbers(mesh.normals, "normals", np.float32, columns=3, rows=rows)
        if self.normals is not None:
            self.pointer.normal = pointer(self.normals, "float")
        self.fields = FieldViews(mesh.fields, len(mesh.vertices), lib.MOTE_SURFACE_FIELDS)
        self.fields.put(self.pointer)


def _changed(mesh: Mesh, function: Callable[..., int], value: float) -> Mesh:
    """A copy in the library's memory, changed by one of its functions."""
    solid = ffi.new("mote_mesh *")
    call(lib.mote_mesh_repair, mesh_pointer(mesh), DEFAULT.pointer, solid, ffi.NULL)
    surface = ffi.new("mote_surface *")
    surface.mesh = solid[0]
    try:
        call(function, surface, value, DEFAULT.pointer)
        return copy_surface(surface)
    finally:
        lib.mote_surface_free(surface, DEFAULT.pointer)


def walls_of(corners: Any) -> Any:
    """A mote_surface_walls of a low and a high corner, infinite where there is no wall; None: no walls."""
    walls = ffi.new("mote_surface_walls *", lib.mote_surface_walls_none())
    if corners is not None:
        low, high = numbers(corners, "walls", np.float64, columns=3, rows=2, finite=False)
        walls.low, walls.high = low.tolist(), high.tolist()
    return walls


@checked
class Surface:
    """Makes meshes of particles: Surface("anisotropic", spacing=0.01).build(positions).

    The keywords are the members of mote_surface_def (mote/surface.h). Memory, and what a method follows from
    frame to frame, is kept between builds. walls=(low, high): the liquid meets these walls squarely; needs the spacing.
    """

    def __init__(self, method: str = "anisotropic", *, walls: Any = None, threads: Optional[int] = None, **options: Any) -> None:
        self._definition = ffi.new("mote_surface_def *", lib.mote_surface_def_default())
        fill(self._definition, {"method": method, **options})
        self._walls, self._environment = walls_of(walls), Environment(threads)
        lib.mote_surface_walls_cut(self._walls, self._definition)
        out = make("mote_surfacer *", lib.mote_surfacer_create, self._definition, self._environment.pointer)
        self._pointer = owned(out, lib.mote_surfacer_destroy, self._environment)

    def build(self, position: Any, *, volume: Any = None, ids: Any = None, fields: Optional[dict[str, Any]] = None) -> Mesh:
        """The surface of particles; volume: of each, m^3; fields are carried to the vertices."""
        particles, environment = Samples(position, volume, ids, fields), self._environment.pointer
        out, images = ffi.new("mote_surface *"), ffi.new("mote_surface_images *")
        call(lib.mote_surface_images_make, self._walls, particles.pointer, self._definition, environment, images)
        try:
            call(lib.mote_surfacer_build, self._pointer, ffi.addressof(images, "view"), out)
        finally:
            lib.mote_surface_images_free(images, environment)
        return take_surface(out, self._environment)

    @property
    def stats(self) -> Record:
        """Of the last build."""
        return record(lib.mote_surfacer_stats(self._pointer))

    def ellipsoids(self) -> tuple[Array, Array]:
        """Centres and upper triangles of G of the kernels of the last build."""
        centre, shape = ffi.new("double **"), ffi.new("double **")
        count = lib.mote_surfacer_ellipsoids(self._pointer, centre, shape)
        return copy_numbers(centre[0], (count, 3), np.float64), copy_numbers(shape[0], (count, 6), np.float64)


class Samples:
    """Arrays as mote_surface_particles."""

    def __init__(self, position: Any, volume: Any, ids: Any, fields: Optional[dict[str, Any]]) -> None:
        self.position = numbers(position, "position", np.float64, columns=3)
        rows = len(self.position)
        self.volume = None if volume is None else numbers(volume, "volume", np.float32, rows=rows)
        self.ids = None if ids is None else numbers(ids, "ids", np.uint64, rows=rows)
        self.fields = FieldViews(fields or {}, rows, lib.MOTE_SURFACE_FIELDS)
        self.pointer = ffi.new("mote_surface_particles *")
        self.pointer.position, self.pointer.count = doubles(self.position), rows
        self.pointer.field, self.pointer.fields = self.fields.views, self.fields.count
        if self.volume is not None:
            self.pointer.volume = pointer(self.volume, "float")
        if self.ids is not None:
            self.pointer.id = pointer(self.ids, "uint64_t")


# --- Tracked meshes ---------------------------------------------------------------------------------------

@checked
class Flow:
    """The velocity of particles at any point near them: tracked.move(Flow(spacing).set(...), time, dt).

    velocity: "fitted", or "mean", which lags.
    """

    def __init__(self, spacing: float, velocity: str = "fitted") -> None:
        kind = choose("mote_track_velocity", velocity, "velocity")
        out = make("mote_track_flow *", lib.mote_track_flow_create, spacing, kind, DEFAULT.pointer)
        self._pointer = ffi.gc(out, lib.mote_track_flow_destroy)

    def set(self, time: float, position: Any, velocity: Any, end: Optional[tuple[float, Any, Any]] = None) -> "Flow":
        """Particles at a time; end: time, position, velocity of the same ones, row by row, later. Returns itself."""
        if end is not None and (not isinstance(end, (tuple, list)) or len(end) != 3):
            raise Error(f"end: {end!r} is not (time, position, velocity)", key="end")
        first, kept = _moment(time, position, velocity)
        last, also = (ffi.NULL, None) if end is None else _moment(*end, rows=len(kept[0]))
        call(lib.mote_track_flow_set, self._pointer, first, last)
        return self

    def __call__(self, time: float, points: Any) -> Array:
        """Velocities at points; 0 where no particle is within three spacings."""
        x = numbers(points, "points", np.float64, columns=3)
        out = np.zeros_like(x)
        lib.mote_track_flow_velocity(self._pointer, time, doubles(x), len(x), doubles(out))
        return out


def _moment(time: float, position: Any, velocity: Any, rows: Optional[int] = None) -> tuple[Any, tuple[Array, Array]]:
    x = numbers(position, "position", np.float64, columns=3, rows=rows)
    v = numbers(velocity, "velocity", np.float64, columns=3, rows=len(x))
    return ffi.new("mote_track_moment *", [time, doubles(x), doubles(v), len(x)]), (x, v)


@checked
class Tracked:
    """A closed mesh that moves with a flow, whose vertices keep their identity: Tracked(mesh, edge=0.01).

    The keywords are the members of mote_track_def (mote/track.h).
    """

    def __init__(self, mesh: Mesh, edge: float, **options: Any) -> None:
        definition = fill(ffi.new("mote_track_def *", lib.mote_track_def_default()), {"edge": edge, **options})
        held = Held(mesh)
        out = make("mote_tracked *", lib.mote_tracked_create, definition, held.pointer, DEFAULT.pointer)
        self._pointer = ffi.gc(out, lib.mote_tracked_destroy)

    def move(self, flow: Union[Flow, Callable[[float, Array], Any]], time: float, dt: float, order: int = 4) -> None:
        """One Runge-Kutta step along flow(time, points) -> velocities, or along a Flow of particles."""

        def velocity(_: Any, now: float, x: Any, count: int, out: Any) -> None:
            ffi.memmove(out, ffi.from_buffer(np.full((count, 3), np.nan)), 24 * count)  # if the flow raises: NUMERIC
            found = numbers(flow(now, copy_numbers(x, (count, 3), np.float64)), "flow", np.float64, 3, count)
            ffi.memmove(out, ffi.from_buffer(found), found.nbytes)

        times = time, dt
        if isinstance(flow, Flow):
            function = ffi.addressof(lib, "mote_track_flow_velocity")
            call(lib.mote_tracked_move, self._pointer, order, function, flow._pointer, *times)
            return
        if not callable(flow):
            raise Error(f"flow: {flow!r} is neither a Flow nor a function", key="flow")
        with Callback("void(void *, double, const double *, size_t, double *)", velocity) as function:
            call(lib.mote_tracked_move, self._pointer, order, function, ffi.NULL, *times)

    def improve(self) -> Record:
        """Splits, collapses and flips until the triangles are well shaped."""
        return record(make("mote_track_report", lib.mote_tracked_improve, self._pointer))

    def project(self, surface: Surface, position: Any, **how: Any) -> Record:
        """Moves vertices onto the surface that `surface` would build of the particles."""
        options = fill(ffi.new("mote_track_projection *", lib.mote_track_projection_default()), how)
        samples = Samples(position, None, None, None)
        return record(make("mote_track_projected", lib.mote_tracked_project, self._pointer, surface._pointer,
                           samples.pointer, options))

    def blend(self, surface: Surface, position: Any, since: int, **how: Any) -> None:
        """After match(): evens the border of vertices whose ids are at least `since`, those of the fresh surface."""
        options = fill(ffi.new("mote_track_projection *", lib.mote_track_projection_default()), how)
        samples = Samples(position, None, None, None)
        call(lib.mote_tracked_blend, self._pointer, surface._pointer, samples.pointer, options, since)

    @property
    def ids(self) -> int:
        """How many ids vertices have had so far: new vertices get this one and the next."""
        return lib.mote_tracked_ids(self._pointer)

    def match(self, fresh: Mesh, reach: float) -> Record:
        """Gives the mesh the topology of a fresh surface of the same particles."""
        held = Held(fresh)
        return record(make("mote_track_match", lib.mote_tracked_match, self._pointer, held.pointer, reach))

    def untangle(self) -> int:
        """Improves the mesh where triangles cross; returns how many pairs remain."""
        return make("size_t", lib.mote_tracked_untangle, self._pointer)

    def crossings(self) -> int:
        """Pairs of triangles that cross; 0 is a proof."""
        return make("size_t", lib.mote_tracked_crossings, self._pointer)

    def rebuild(self, fresh: Mesh, reach: float) -> Record:
        """Replaces the parts whose triangles still cross by those of a fresh surface."""
        held = Held(fresh)
        return record(make("mote_track_match", lib.mote_tracked_rebuild, self._pointer, held.pointer, reach))

    @property
    def events(self) -> list[dict[str, Any]]:
        """Changes of topology of the last match: kind, place, whether parts were rebuilt."""
        count = ffi.new("size_t *")
        rows = lib.mote_tracked_events(self._pointer, count)
        return [{**as_dict(rows[k]), "kind": text(lib.mote_track_kind_name(rows[k].kind))} for k in range(count[0])]

    def waves(self, dt: float, **options: Any) -> float:
        """Moves waves on the mesh for dt (fields "wave_height", "wave_rate"); returns their energy per density.

        Keywords: members of mote_wave_def: law="capillary", strength, ...
        """
        definition = fill(ffi.new("mote_wave_def *", lib.mote_wave_def_default()), options)
        call(lib.mote_tracked_waves, self._pointer, definition, dt, ffi.NULL)
        return float(make("double", lib.mote_tracked_wave_energy, self._pointer, definition))

    @property
    def wave_mesh(self) -> Mesh:
        """The mesh with its vertices raised by the heights of the waves."""
        out = ffi.new("mote_surface *")
        call(lib.mote_tracked_wave_surface, self._pointer, out)
        return take_surface(out)

    def curvature(self) -> Array:
        """Mean curvature at each vertex, 1/m."""
        out = np.zeros(lib.mote_tracked_vertices(self._pointer))
        call(lib.mote_tracked_curvature, self._pointer, doubles(out))
        return out

    def curvature_flow(self, dt: float) -> None:
        """One implicit step of curvature flow, dt in m^2."""
        call(lib.mote_tracked_curvature_flow, self._pointer, dt)

    def tension(self, position: Any, spacing: float, sigma: Any, *, kind: Any = None, cosine: Any = None,
                walls: Any = None) -> Array:
        """Forces on the particles of this surface by its tension, N.

        sigma, cosine (of the contact angle with walls=(low, high)): one number, or one for each kind of particle.
        """
        x = numbers(position, "position", np.float64, columns=3)
        sigmas = np.atleast_1d(converted(sigma, "sigma", np.dtype(np.float64)))
        cosines = spread(0.0 if cosine is None else cosine, len(sigmas), "cosine")
        kinds = numbers(np.zeros(len(x), np.uint32) if kind is None else kind, "kind", np.uint32, rows=len(x))
        if len(kinds) and kinds.max() >= len(sigmas):
            raise Error(f"kind: there is no sigma of kind {kinds.max()}", key="kind")
        how = ffi.new("mote_track_tension *", {"spacing": spacing, "position": doubles(x), "count": len(x),
                                               "kind": pointer(kinds, "uint32_t"), "sigma": doubles(sigmas),
                                               "cosine": doubles(cosines), "walls": walls_of(walls)[0]})
        out = np.zeros_like(x)
        call(lib.mote_tracked_tension, self._pointer, how, doubles(out))
        return out

    @property
    def record(self) -> Array:
        """With record=True: where the values of vertices came from, since forget(): rows of to, from (3), weight (3)."""
        count = ffi.new("size_t *")
        rows = lib.mote_tracked_record(self._pointer, count)
        return copy_numbers(rows, (count[0],), TRANSFER)

    def forget(self) -> None:
        """Begins a new record."""
        lib.mote_tracked_forget(self._pointer)

    def set_field(self, name: str, values: Any, unit: str = "") -> None:
        """Adds values at the vertices, in the order of `mesh`, which move with them."""
        array = converted(values, "values", np.dtype(np.float64))
        if array.ndim not in (1, 2) or len(array) != lib.mote_tracked_vertices(self._pointer):
            raise Error(f"values: the shape is {array.shape}, not a row for each vertex", key="values")
        call(lib.mote_tracked_set_field, self._pointer, string(name), string(unit, "unit"),
             1 if array.ndim == 1 else array.shape[1], doubles(array))

    @property
    def mesh(self) -> Mesh:
        """A copy: vertices, faces, normals, fields, and the vertices' ids as the field "id"."""
        out = ffi.new("mote_surface *")
        call(lib.mote_tracked_surface, self._pointer, out)
        return take_surface(out)

    @property
    def volume(self) -> float:
        return lib.mote_tracked_volume(self._pointer)

    @property
    def area(self) -> float:
        return lib.mote_tracked_area(self._pointer)


TRANSFER = np.dtype([("to", "<u8"), ("from", "<u8", 3), ("weight", "<f8", 3)])


def replay(record: Array, values: Any) -> Array:
    """Values by id of vertices after a Tracked.record: (ids,) or (ids, components), as many as there are ids then."""
    if not isinstance(record, np.ndarray) or record.dtype != TRANSFER or record.ndim != 1:
        raise Error("record: that of no tracked mesh", key="record")
    rows, out = np.ascontiguousarray(record), converted(values, "values", np.dtype(np.float64)).copy()
    if out.ndim not in (1, 2):
        raise Error(f"values: the shape is {out.shape}, not (ids,) or (ids, components)", key="values")
    beyond = max(rows["to"].max(), rows["from"].max()) if len(rows) else 0
    if len(rows) and beyond >= len(out):
        raise Error(f"values: there are {len(out)} rows, and id {beyond}", key="values")
    lib.mote_transfer_replay(ffi.cast("mote_transfer *", ffi.from_buffer(rows)) if len(rows) else ffi.NULL, len(rows),
                             1 if out.ndim == 1 else out.shape[1], doubles(out))
    return out


@checked
def track(mesh: Mesh, edge: float, **options: Any) -> Tracked:
    """A mesh that moves with a flow: see Tracked."""
    return Tracked(mesh, edge, **options)


# --- Contours of 2D particles -----------------------------------------------------------------------------


class Contour:
    """Closed lines in a plane: `loops`, arrays of points (n, 2) with the inside to the left; `area`, `length`; `fields`."""

    def __init__(self, contour: Any) -> None:
        self._pointer = contour
        first = copy_numbers(contour.first, (contour.loops + 1,), np.uint64).astype(np.int64)
        points = copy_numbers(contour.point, (contour.points, 2), np.float64)
        self.loops = [points[first[k]:first[k + 1]] for k in range(contour.loops)]
        self.area, self.length = lib.mote_contour_area(contour), lib.mote_contour_length(contour)
        self.fields = {text(contour.field[k].name): copy_of(contour.field[k]) for k in range(contour.fields)}

    def write(self, path: Any) -> None:
        """csv, vtp (for ParaView) or svg, by the ending."""
        call(lib.mote_contour_write, self._pointer, ffi.NULL, path_of(path))


@checked
def contour(position: Any, spacing: float, *, method: str = "anisotropic", fields: Optional[dict[str, Any]] = None,
            **options: Any) -> Contour:
    """The outline of 2D particles; the keywords are those of Surface."""
    definition = ffi.new("mote_surface_def *", lib.mote_surface_def_default())
    fill(definition, {"spacing": spacing, "method": method, **options})
    call(lib.mote_surface_def_flat, definition)
    made = make("mote_surfacer *", lib.mote_surfacer_create, definition, DEFAULT.pointer)
    surfacer = ffi.gc(made, lib.mote_surfacer_destroy)
    samples, surface = Samples(position, None, None, fields), ffi.new("mote_surface *")
    out = ffi.gc(ffi.new("mote_contour *"), lambda one: lib.mote_contour_free(one, DEFAULT.pointer))
    samples.pointer.fields = 0
    call(lib.mote_surfacer_build, surfacer, samples.pointer, surface)
    try:
        call(lib.mote_surface_cut, surface, 0.0, DEFAULT.pointer, out)
        samples.pointer.fields = samples.fields.count
        call(lib.mote_contour_carry, out, samples.pointer, spacing, DEFAULT.pointer)
        return Contour(out)
    finally:
        lib.mote_surface_free(surface, DEFAULT.pointer)
