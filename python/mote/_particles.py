"""Fields of the particles of a world, of one kind: copies, views that are lent, rows by ids."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from ._arrays import Array, TYPES, Lender, copy_of, numbers, pointer
from ._checks import checked
from ._core import Core
from ._library import Error, call, ffi, lib, string, suggest
from ._tables import Field, fields_of

KINDS = {"fluid": (lib.MOTE_KIND_FLUID, lib.mote_world_view), "elastic": (lib.MOTE_KIND_ELASTIC, lib.mote_world_elastic_view),
         "lattice": (lib.MOTE_KIND_LATTICE, lib.mote_world_lattice_view)}
MEASURES = {"elastic": ("mote_elastic_measures", lib.mote_world_elastic_measure),
            "lattice": ("mote_lattice_measures", lib.mote_world_lattice_measure)}


class Particles:
    """particles["velocity"] is a copy, which never changes."""

    __slots__ = ("_core", "_kind", "_number", "_find")

    def __init__(self, core: Core, kind: str) -> None:
        self._core, self._kind = core, kind
        self._number, self._find = KINDS[kind]

    @property
    def fields(self) -> list[Field]:
        """The fields that these particles can have in this world, with type, unit and text."""
        with self._core.read() as world:
            return fields_of(world, self._number)

    def _view(self, world: Any, name: str) -> Any:
        view = self._find(world, name.encode() if type(name) is str else string(name, "field"))
        if view.name == ffi.NULL:
            known = [field.name for field in fields_of(world, self._number)]
            raise KeyError(f"{self._kind} particles have no field {name!r}{suggest(name, known)}")
        return view

    def __getitem__(self, name: str) -> Array:
        with self._core.read() as world:
            return copy_of(self._view(world, name))

    def __contains__(self, name: object) -> bool:
        return any(field.name == name for field in self.fields)

    def __iter__(self) -> Iterator[str]:
        return iter([field.name for field in self.fields])

    def __len__(self) -> int:
        with self._core.read() as world:
            return self._view(world, "id").count

    def views(self, *names: str) -> "Views":
        """with particles.views("position", "velocity") as (x, v): read-only arrays without copies.

        As long as one of them or of their slices lives, calls that change or end the world raise HeldView.
        """
        return Views(self, names)

    @checked
    def by_id(self, field: str, ids: Any, missing: str = "raise") -> Array:
        """Rows in the order of ids. A particle that is gone is a KeyError; missing="nan": its numbers are NaN."""
        if missing not in ("raise", "nan"):
            raise Error(f"missing: {missing!r} is none of raise, nan", key="missing")
        asked = numbers(ids, "ids", np.uint64)
        with self._core.read() as world:
            view = self._view(world, field)
            shape = (len(asked),) if view.components == 1 else (len(asked), view.components)
            out, found = np.empty(shape, TYPES[view.type]), np.empty(len(asked), np.bool_)
            call(lib.mote_world_gather, world, self._number, string(field, "field"), pointer(asked, "uint64_t"), len(asked),
                 pointer(out, "void"), pointer(found, "bool"))
        return out if found.all() else _without(out, found, asked, missing)

    def measure(self) -> dict[str, Array]:
        """Measures of elastic or lattice particles, one number each: stress, strain, ..."""
        if self._kind not in MEASURES:
            raise Error(f"{self._kind} particles have no measures")
        kind, function = MEASURES[self._kind]
        struct, out = ffi.new(kind + " *"), {}
        with self._core.read() as world:
            count = self._view(world, "id").count
            for name, member in ffi.typeof(struct).item.fields:
                out[name] = np.empty(count, np.float64 if "double" in member.type.cname else np.uint32)
                setattr(struct, name, pointer(out[name], member.type.item.cname))
            call(function, world, struct)
        return out


class Views:
    """Views of fields, lent for a block of a with statement."""

    __slots__ = ("_particles", "_names", "_lenders")

    def __init__(self, particles: Particles, names: tuple[str, ...]) -> None:
        self._particles, self._names = particles, names
        self._lenders: list[Lender] = []

    def __enter__(self) -> Any:
        particles = self._particles
        core, arrays = particles._core, []
        world = core.begin()  # not read(): this is to take microseconds
        try:
            for name in self._names:
                lender = core.lend(particles._view(world, name))
                self._lenders.append(lender)
                arrays.append(np.asarray(lender))
        finally:
            core._lock.release()
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    def __exit__(self, *_: Any) -> None:
        self._lenders = []


def _without(out: Array, found: Array, ids: Array, missing: str) -> Array:
    if missing == "raise":
        raise KeyError(f"there is no particle {ids[~found][0]}")
    if out.dtype.kind != "f":
        out = out.astype(np.float64)
    out[~found] = np.nan
    return out


