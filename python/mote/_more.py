"""Formulas, numbers that are the same on every machine, distances on grids, snapshots as data, films."""
from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import numpy as np

from ._arrays import Array, FieldViews, converted, copy_of, doubles, numbers, pointer
from ._checks import checked, items
from ._library import (DEFAULT, Callback, Error, Record, as_dict, call, ffi, fill, lib, make, path_of, record, string,
                       suggest, text, value_of, word)
from ._scene import Scene


@checked
class Formula:
    """Formula("2*x + sin(t)", "x t")(1, 0.5): a formula of scene files (docs/formulas.md)."""

    def __init__(self, formula: str, variables: str = "x y z t") -> None:
        words = string(formula, "formula"), string(variables, "variables")
        out = make("mote_formula *", lib.mote_formula_create, *words, DEFAULT.pointer)
        self._pointer = ffi.gc(out, lib.mote_formula_destroy)
        self.text, self.variables = formula, variables.split()

    def __call__(self, *values: Any) -> Any:
        """The value for the variables in their order: of numbers, or of arrays row by row."""
        if len(values) != len(self.variables):
            raise Error(f"{len(values)} values, not {len(self.variables)}: {' '.join(self.variables)}")
        given = [converted(value, name, np.dtype(np.float64)) for name, value in zip(self.variables, values)]
        try:
            rows = np.broadcast_arrays(*given)
        except ValueError as wrong:
            raise Error(str(wrong)) from None
        flat = np.ascontiguousarray(np.stack([row.ravel() for row in rows], axis=1))
        out = np.array([lib.mote_formula_value(self._pointer, doubles(row)) for row in flat])
        return out.reshape(rows[0].shape) if rows[0].ndim else float(out[0])

    def uses(self, variable: str) -> bool:
        """Whether the value depends on a variable."""
        if variable not in self.variables:
            raise Error(f"there is no variable {variable!r}{suggest(variable, self.variables)}")
        return bool(lib.mote_formula_uses(self._pointer, self.variables.index(variable)))


@checked
class Numeric:
    """Functions of plain numbers by their names in C without mote_: numeric.sin(1.0), numeric.random_uniform(1, 0, 7).

    Of 3x3 matrices, also many of them (n, 3, 3): eigen3, svd3, polar3. All have the same bits on every machine.
    """

    def eigen3(self, a: Any) -> tuple[Array, Array]:
        """Eigenvalues of symmetric matrices, largest first, and eigenvectors in columns."""
        return _of_matrices(lib.mote_eigen3, a, (3,), (3, 3))

    def svd3(self, a: Any) -> tuple[Array, Array, Array]:
        """u, s, v: a = u @ diag(s) @ v.T with rotations u and v; the last of s has the sign of the determinant."""
        return _of_matrices(lib.mote_svd3, a, (3, 3), (3,), (3, 3))

    def polar3(self, a: Any) -> tuple[Array, Array]:
        """r, p: a = r @ p with a rotation r and a symmetric p."""
        return _of_matrices(lib.mote_polar3, a, (3, 3), (3, 3))

    def __dir__(self) -> list[str]:
        return ["eigen3", "polar3", "svd3"] + [name[len("mote_"):] for name in dir(lib) if _is_plain(name)]

    def __getattr__(self, name: str) -> Callable[..., float]:
        if not _is_plain("mote_" + name):
            raise AttributeError(f"no function of plain numbers is called {name!r}{suggest(name, dir(self))}")
        function = getattr(lib, "mote_" + name)

        def value(*given: Any) -> float:
            try:
                return float(function(*given))
            except (TypeError, OverflowError, ValueError) as wrong:
                raise Error(f"{name}: {wrong}") from None

        return value


def _of_matrices(function: Any, a: Any, *shapes: tuple[int, ...]) -> Any:
    given = np.asarray(a)
    if given.ndim < 2 or given.shape[-2:] != (3, 3):
        raise Error(f"a: the shape is {given.shape}, not (..., 3, 3)", key="a")
    rows = numbers(given.reshape(-1, 9), "a", np.float64, columns=9)
    outs = [np.zeros((len(rows), int(np.prod(shape)))) for shape in shapes]
    for row, *out in zip(rows, *outs):
        function(doubles(row), *map(doubles, out))
    return tuple(out.reshape(given.shape[:-2] + shape) for out, shape in zip(outs, shapes))


def _is_plain(name: str) -> bool:
    """Whether a function takes and returns plain numbers only."""
    kind = ffi.typeof(getattr(lib, name)) if name.startswith("mote_") and hasattr(lib, name) else None
    if kind is None or kind.kind != "function" or not kind.args:
        return False
    return all(one.kind == "primitive" for one in (*kind.args, kind.result))


numeric = Numeric()


@checked
def length(words: str) -> float:
    """A length as scenes have it: "2 cm" is 0.02; a number without unit is itself."""
    value, plain = ffi.new("double *"), ffi.new("bool *")
    call(lib.mote_length_read, string(words, "words"), value, plain)
    return float(value[0])


@checked
def differences(a: Scene, b: Scene) -> dict[str, tuple[str, str]]:
    """The keys of two scenes (Scene) whose values differ and influence results, with both values."""
    found: dict[str, tuple[str, str]] = {}

    def report(_: Any, key: Any, one: Any, other: Any) -> None:
        found[text(key)] = (text(one), text(other))

    with Callback("void(void *, const char *, const char *, const char *)", report) as function:
        lib.mote_scene_differences(a.file, b.file, function, ffi.NULL)
    return found


# --- Distances on a grid ----------------------------------------------------------------------------------


@checked
def march(value: Any, cell: float, *, mask: Any = None, speed: Any = None, order: int = 2,
          farthest: float = np.inf, signed: bool = False) -> Array:
    """Path lengths on a grid (z, y, x) from the nodes whose value is finite; signed: distances to the zero level."""
    given = np.asarray(value)
    if given.ndim not in (2, 3) or not given.size:
        raise Error(f"value: the shape is {given.shape}, not (z, y, x) or (y, x)", key="value")
    out = numbers(given.ravel(), "value", np.float64, finite=False).reshape(given.shape).copy()
    definition, kept = ffi.new("mote_march_def *", lib.mote_march_def_default()), []
    definition.nodes = [*reversed(out.shape)] + [1] * (3 - out.ndim)
    fill(definition, {"cell": cell, "order": order, "farthest": farthest})
    for name, nodes, dtype, kind in (("mask", mask, np.uint8, "uint8_t"), ("speed", speed, np.float64, "double")):
        if nodes is not None:
            if np.shape(nodes) != out.shape:
                raise Error(f"{name}: the shape is {np.shape(nodes)}, not {out.shape}", key=name)
            kept.append(numbers(np.ravel(nodes) != 0 if name == "mask" else np.ravel(nodes), name, dtype))
            setattr(definition, name, pointer(kept[-1], kind))
    call(lib.mote_fast_march_field if signed else lib.mote_fast_march, definition, doubles(out), DEFAULT.pointer)
    return out


# --- Snapshots --------------------------------------------------------------------------------------------


@checked
class Snapshot:
    """A snapshot as data, without its scene: Snapshot(path)["particles"]["position"]."""

    def __init__(self, path: Any) -> None:
        file = make("mote_file_in *", lib.mote_file_in_open, path_of(path), DEFAULT.pointer)
        try:
            out = make("mote_snapshot *", lib.mote_snapshot_read, ffi.addressof(lib, "mote_file_in_read"), file,
                       lib.mote_file_in_size(file), DEFAULT.pointer)
        finally:
            lib.mote_file_in_close(file)
        self._pointer = ffi.gc(out, lib.mote_snapshot_destroy)

    @property
    def about(self) -> Record:
        """Time, step, numbers of particles, hashes of definitions and state."""
        return record(lib.mote_snapshot_about(self._pointer))

    def __iter__(self) -> Iterator[str]:
        rows = ffi.new("size_t *")
        count = lib.mote_snapshot_tables(self._pointer)
        return iter([text(lib.mote_snapshot_table(self._pointer, k, rows)) for k in range(count)])

    def _find(self, table: str) -> int:
        number = lib.mote_snapshot_find(self._pointer, string(table))
        if number < 0:
            raise KeyError(f"there is no table {table!r}{suggest(table, list(self))}")
        return int(number)

    def __getitem__(self, table: str) -> dict[str, Array]:
        """The fields of a table; of two of one name, that of another group is called "velocity (elastic)"."""
        number = self._find(table)
        found: dict[str, Array] = {}
        view = lib.mote_snapshot_view(self._pointer, number, 0)
        while view.name != ffi.NULL:
            name, group = text(view.name), text(lib.mote_snapshot_group(self._pointer, number, len(found)))
            found[f"{name} ({group})" if name in found else name] = copy_of(view)
            view = lib.mote_snapshot_view(self._pointer, number, len(found))
        return found

    def difference(self, other: "Snapshot", table: str = "particles") -> Record:
        """Compares the rows of a table with those of another snapshot."""
        out = ffi.new("mote_diff *")
        call(lib.mote_snapshot_diff, self._pointer, self._find(table), other._pointer, other._find(table), out)
        return _difference(out)


def _difference(out: Any) -> Record:
    """A mote_diff."""
    found = {name: value_of(getattr(out, name)) for name in ("same", "rows", "only_a", "only_b")}
    fields = {}
    for row in out.field[0:out.fields]:
        fields[text(row.name)] = {**as_dict(row), "match": word("mote_field_match", row.match)}
        del fields[text(row.name)]["name"]
    return Record({**found, "fields": fields})


@checked
def compare(a: dict[str, Any], b: dict[str, Any]) -> Record:
    """Compares two clouds, dicts of arrays, row by row: by the field "id" where both have one, else by place."""
    rows = [max((len(np.atleast_1d(value)) for value in one.values()), default=0) for one in (a, b)]
    first, second = (FieldViews(one, count, 64) for one, count in zip((a, b), rows))
    out = ffi.new("mote_diff *")
    call(lib.mote_views_diff, first.views, first.count, second.views, second.count, DEFAULT.pointer, out)
    return _difference(out)


# --- Films ------------------------------------------------------------------------------------------------


@checked
def write_video(path: Any, pictures: Any, fps: float = 25.0) -> None:
    """Writes pictures (rows of pixels, of one size) as a film: mp4, gif or webm, by the program ffmpeg."""
    from ._pictures import image_of

    film: Optional[Any] = None
    try:
        for picture in items(pictures, "pictures"):
            image = image_of(picture)
            if film is None:
                width, height = lib.mote_image_width(image), lib.mote_image_height(image)
                film = make("mote_video *", lib.mote_video_begin, path_of(path), width, height, fps,
                            DEFAULT.pointer)
            call(lib.mote_video_add, film, image)
    except BaseException:
        if film is not None:
            lib.mote_video_abandon(film)
        raise
    if film is None:
        raise Error("there are no pictures", key="pictures")
    call(lib.mote_video_commit, film)


@checked
def contact_sheet(pictures: Any, columns: int = 4) -> Array:
    """Pictures of one size in one, with a margin."""
    from ._pictures import image_of, pixels_of

    images = [image_of(picture) for picture in items(pictures, "pictures")]
    rows = ffi.new("mote_image *[]", images)
    return pixels_of(make("mote_image *", lib.mote_image_contact_sheet, rows, len(images), columns, DEFAULT.pointer))
