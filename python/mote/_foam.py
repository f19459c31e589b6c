"""Spray, foam and bubbles on the particles of a liquid."""
from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from ._arrays import TYPES, Array, copy_numbers, doubles, numbers, pointer
from ._checks import checked
from ._library import DEFAULT, Callback, Error, Record, call, ffi, fill, lib, make, record, text

Obstacle = Callable[[Array, float], tuple[float, Any, Any]]
FUNCTION = "double(void *, const double *, double, double *, double *)"


@checked
class Foam:
    """Spray, foam and bubbles of a liquid: Foam(spacing=0.01, length=0.5).advance(moment, next_moment).

    length: the first height of the liquid; dimensions: 2 or 3. The keywords are the members of mote_foam_def
    (mote/foam.h). foam["position"], "velocity", "id", "kind" (0 spray, 1 foam, 2 bubbles), "life", "size" are copies.
    """

    def __init__(self, spacing: float, length: float, dimensions: int = 3, **options: Any) -> None:
        values = {"spacing": spacing, "length": length, **options}
        self._definition = fill(ffi.new("mote_foam_def *", lib.mote_foam_def_default(dimensions)), values)
        self._pointer = ffi.gc(make("mote_foam *", lib.mote_foam_create, self._definition, DEFAULT.pointer),
                               lib.mote_foam_destroy)

    def advance(self, start: Any, end: Any, energy: float = float("nan"), obstacle: Optional[Obstacle] = None) -> Record:
        """From one moment, (time, ids, positions, velocities), to a later one; says how many were born.

        energy: what the liquid lost between both, J; nan: found from the moments. obstacle(x, time) -> (distance,
        normal, velocity of the nearest one); a distance of nan ends what is there.
        """
        first, kept = _moment(start, "start")
        last, also = _moment(end, "end")
        report = ffi.new("mote_foam_report *")
        arguments = self._pointer, first, last, float(energy)
        if obstacle is None:
            call(lib.mote_foam_advance, *arguments, ffi.NULL, ffi.NULL, report)
            return record(report[0])
        if not callable(obstacle):
            raise Error(f"obstacle: {obstacle!r} is no function", key="obstacle")
        ask: Obstacle = obstacle

        def nearest(_: Any, x: Any, time: float, normal: Any, velocity: Any) -> float:
            distance, *vectors = ask(copy_numbers(x, (3,), np.float64), time)
            for out, value in ((normal, vectors[0]), (velocity, vectors[1])):
                found = np.ascontiguousarray(value, np.float64).reshape(3)
                ffi.memmove(out, ffi.from_buffer(found), 24)
            return float(distance)

        with Callback(FUNCTION, nearest, float("nan")) as function:
            call(lib.mote_foam_advance, *arguments, function, ffi.NULL, report)
        return record(report[0])

    @property
    def rise(self) -> float:
        """The speed at which bubbles rise in still liquid, m/s."""
        return lib.mote_foam_rise(self._definition)

    def __len__(self) -> int:
        return lib.mote_foam_count(self._pointer)

    def __getitem__(self, name: str) -> Array:
        for k in range(lib.MOTE_FOAM_FIELDS if isinstance(name, str) else 0):
            view = lib.mote_foam_view(self._pointer, k)
            if text(view.name) == name:
                shape = (view.count,) if view.components == 1 else (view.count, view.components)
                return copy_numbers(view.data, shape, TYPES[view.type])
        raise KeyError(name)


def foam_kinds() -> list[str]:
    """What the numbers in foam["kind"] mean."""
    return [text(lib.mote_foam_kind_name(k)) for k in range(lib.MOTE_FOAM_KINDS)]


def _moment(value: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 4:
        raise Error(f"{name}: {value!r} is not (time, ids, positions, velocities)", key=name)
    ids = numbers(value[1], name, np.uint64)
    order = np.argsort(ids, kind="stable")
    x = np.ascontiguousarray(numbers(value[2], name, np.float64, 3, len(ids))[order])
    v = np.ascontiguousarray(numbers(value[3], name, np.float64, 3, len(ids))[order])
    ids = np.ascontiguousarray(ids[order])
    try:
        time = float(value[0])
    except (TypeError, ValueError):
        raise Error(f"{name}: {value[0]!r} is not a time", key=name) from None
    moment = ffi.new("mote_foam_moment *", [time, len(ids), pointer(ids, "uint64_t"), doubles(x), doubles(v)])
    return moment, (ids, x, v)
