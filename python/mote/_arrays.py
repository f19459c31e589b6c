"""Arrays: copies of the library's rows, views that are lent, and arrays that the library reads."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._library import Error, ffi, lib, string

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    Array = np.ndarray

TYPES: dict[int, np.dtype[Any]] = {
    lib.MOTE_TYPE_F32: np.dtype("<f4"), lib.MOTE_TYPE_F64: np.dtype("<f8"), lib.MOTE_TYPE_U8: np.dtype("u1"),
    lib.MOTE_TYPE_U32: np.dtype("<u4"), lib.MOTE_TYPE_U64: np.dtype("<u8"), lib.MOTE_TYPE_I32: np.dtype("<i4"),
}
CODES = {value: dtype.str for value, dtype in TYPES.items()}
ADDRESS, NOTHING = ffi.typeof("uintptr_t"), ffi.new("double[1]")  # NOTHING: where fields without rows are
NUMBERS = {dtype: value for value, dtype in TYPES.items()}


def shape_of(view: Any) -> tuple[int, ...]:
    """(rows,), or (rows, components) where a row has several."""
    return (view.count,) if view.components == 1 else (view.count, view.components)


def copy_of(view: Any) -> Array:
    """A copy of a mote_field_view in an array of its own."""
    out = np.empty(shape_of(view), TYPES[view.type])
    if out.nbytes:
        ffi.memmove(ffi.from_buffer(out), view.data, out.nbytes)
    return out


def copy_numbers(pointer: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    """A copy of so many numbers behind a pointer; null: zeros."""
    out = np.zeros(shape, dtype)
    if out.nbytes and pointer != ffi.NULL:
        ffi.memmove(ffi.from_buffer(out), pointer, out.nbytes)
    return out


class Lender:
    """Memory of the library that arrays look at: every array of it, and every slice, keeps it alive."""

    __slots__ = ("__array_interface__", "owner", "name", "__weakref__")

    def __init__(self, owner: Any, view: Any) -> None:
        count, components = view.count, view.components
        self.owner, self.name = owner, view.name
        address = int(ffi.cast(ADDRESS, view.data if count else NOTHING))
        self.__array_interface__ = {"shape": (count,) if components == 1 else (count, components), "version": 3,
                                    "typestr": CODES[view.type], "data": (address, True)}


def numbers(value: Any, name: str, dtype: Any, columns: Optional[int] = None, rows: Optional[int] = None,
            finite: bool = True) -> Array:
    """An array as the library reads it: `rows` rows (None: any) of `columns` numbers (None: one-dimensional)."""
    dtype = np.dtype(dtype)
    array = converted(value, name, dtype)
    wanted = 1 if columns is None else 2
    if array.ndim != wanted or (columns is not None and array.shape[1] != columns):
        shape = "(rows,)" if columns is None else f"(rows, {columns})"
        raise Error(f"{name}: the shape is {array.shape}, not {shape}", key=name)
    if rows is not None and len(array) != rows:
        raise Error(f"{name}: there are {len(array)} rows, not {rows}", key=name)
    if finite and dtype.kind == "f" and not np.isfinite(array).all():
        raise Error(f"{name}: {array[~np.isfinite(array)][0]} is not finite", key=name)
    return array


def converted(value: Any, name: str, dtype: np.dtype[Any]) -> Array:
    """A contiguous array of a type that holds all values."""
    try:
        array = np.asarray(value)
    except ValueError as wrong:
        raise Error(f"{name}: {wrong}", key=name) from None
    if array.size and array.dtype.kind not in ("biu" if dtype.kind in "iu" else "biuf"):
        raise Error(f"{name}: the type is {array.dtype}, not {dtype}", key=name)
    if dtype.kind == "u" and array.size and array.dtype.kind == "i" and array.min() < 0:
        raise Error(f"{name}: {array.min()} is negative", key=name)
    if dtype.kind in "iu" and array.size and (array.min() < np.iinfo(dtype).min or array.max() > np.iinfo(dtype).max):
        raise Error(f"{name}: {array.max()} is too large", key=name)
    return np.asarray(array, dtype=dtype, order="C")


def spread(value: Any, rows: int, name: str) -> Array:
    """A number for each row, of one for all or of one for each."""
    array = converted(value, name, np.dtype(np.float64))
    return numbers(np.full(rows, array) if array.ndim == 0 else array, name, np.float64, rows=rows)


def vector(value: Any, name: str, components: int = 3) -> Any:
    """Three numbers for the library; two leave the third 0."""
    array = numbers(value, name, np.float64)
    if len(array) == components - 1:
        array = np.append(array, 0.0)
    if len(array) != components:
        raise Error(f"{name}: {len(array)} numbers, not {components}", key=name)
    return ffi.new(f"double[{components}]", array.tolist())


def pointer(array: Array, kind: str) -> Any:
    """The numbers of a contiguous array, which must outlive the call; none: null."""
    return ffi.cast(kind + " *", ffi.from_buffer(array)) if array.size else ffi.NULL


def doubles(array: Array) -> Any:
    """The same of an array of float64."""
    return pointer(array, "double")


class FieldViews:
    """Arrays with names as mote_field_views."""

    def __init__(self, fields: dict[str, Any], rows: int, most: int) -> None:
        if not isinstance(fields, dict):
            raise Error(f"fields: {fields!r} is no dict", key="fields")
        if len(fields) > most:
            raise Error(f"fields: {len(fields)}, more than {most}", key="fields")
        self.views = ffi.new(f"mote_field_view[{max(1, len(fields))}]")
        self.count = len(fields)
        self.kept: list[Any] = []
        for at, (name, value) in enumerate(fields.items()):
            self._set(self.views[at], name, value, rows)

    def put(self, struct: Any) -> None:
        """Sets the members fields and field of a struct, which must not outlive this object."""
        struct.fields = self.count
        for k in range(self.count):
            struct.field[k] = self.views[k]

    def _set(self, view: Any, name: str, value: Any, rows: int) -> None:
        array = np.ascontiguousarray(value)
        if array.dtype == np.float16 or array.dtype not in NUMBERS:
            array = converted(array, name, np.dtype("<f8" if array.dtype.kind == "f" else "<i4"))
        if array.ndim not in (1, 2) or len(array) != rows:
            raise Error(f"{name}: the shape is {array.shape}, not ({rows},) or ({rows}, components)", key=name)
        kept = string(name, "fields"), string(""), array
        self.kept.append(kept)
        view.name, view.unit, view.type, view.count = kept[0], kept[1], NUMBERS[array.dtype], rows
        view.components = 1 if array.ndim == 1 else array.shape[1]
        view.data = ffi.from_buffer(array) if array.size else ffi.NULL
