"""Parts of a world: bodies, colliders, probes, ledger, events, surfaces."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from ._checks import checked, items
from ._core import Core
from ._library import Error, Record, as_dict, call, ffi, lib, make, string, suggest, text, word


def arrays(values: dict[str, Any]) -> dict[str, Any]:
    """Lists of numbers as arrays."""
    return {name: np.array(value) if isinstance(value, list) else value for name, value in values.items()}


# --- Bodies -----------------------------------------------------------------------------------------------


def body_name(world: Any, handle: Any) -> str:
    about, error = ffi.new("mote_body_info *"), ffi.new("mote_error *")
    found = handle.generation != 0 and lib.mote_world_body_about(world, handle, about, error) == lib.MOTE_OK
    return text(about.name) if found else ""


def body_handles(world: Any) -> dict[str, Any]:
    """All bodies by their names: those of the scene, flows of emitters, fragments."""
    handles = [lib.mote_world_body_at(world, k) for k in range(lib.mote_world_bodies(world))]
    return {body_name(world, handle): handle for handle in handles}


def find_body(world: Any, name: str) -> Any:
    handle = lib.mote_world_find_body(world, string(name))
    if handle.generation:
        return handle
    handles = body_handles(world)
    if name not in handles:
        raise KeyError(f"there is no body {name!r}{suggest(name, list(handles))}")
    return handles[name]


def body_record(world: Any, handle: Any) -> Record:
    about = make("mote_body_info", lib.mote_world_body_about, world, handle)
    found = arrays(as_dict(about))
    found["kind"], found["parent"] = word("mote_kind", about.kind), body_name(world, about.parent)
    found["position"] = found["centre"]
    if about.kind == lib.MOTE_KIND_RIGID:
        state = make("mote_body_state", lib.mote_world_body, world, handle)
        found.update(arrays(as_dict(state)))
        found["pose"] = pose_record(state.pose)
    return Record(found)


@checked
class Bodies:
    """The bodies of a world by their names."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def __getitem__(self, name: str) -> Record:
        with self._core.read() as world:
            return body_record(world, find_body(world, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def keys(self) -> list[str]:
        with self._core.read() as world:
            return list(body_handles(world))

    def values(self) -> list[Record]:
        with self._core.read() as world:
            return [body_record(world, handle) for handle in body_handles(world).values()]

    def split(self, name: str, ids: Any) -> str:
        """Makes a new body of particles of a fluid or elastic body; returns its name."""
        from ._arrays import numbers, pointer

        chosen, out = numbers(ids, "ids", np.uint64), ffi.new("mote_body *")
        with self._core.change() as world:
            call(lib.mote_world_split_body, world, find_body(world, name), pointer(chosen, "uint64_t"), len(chosen), out)
            return body_name(world, out[0])

    def merge(self, name: str) -> None:
        """Returns the particles of a fragment to its parent, and removes the fragment."""
        with self._core.change() as world:
            call(lib.mote_world_merge_body, world, find_body(world, name))


# --- Colliders and probes ---------------------------------------------------------------------------------


def pose_record(pose: Any) -> Record:
    """x -> rotation @ (x - pivot) + pivot + move"""
    found = arrays(as_dict(pose))
    found["rotation"] = found["rotation"].reshape(3, 3)
    return Record(found)


class Named:
    """Items of the scene by their names."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def _names(self) -> list[str]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def keys(self) -> list[str]:
        return self._names()

    def _missing(self, name: str) -> KeyError:
        return KeyError(f"there is no {name!r}{suggest(name, self._names())}")


class Colliders(Named):
    """Poses of the colliders of the scene that are not removed."""

    def _names(self) -> list[str]:
        scene = self._core.scene.pointer
        return [text(scene.collider[k].name) for k in range(scene.colliders)]

    def __getitem__(self, name: str) -> Record:
        with self._core.read() as world:
            handle = lib.mote_world_find_collider(world, string(name))
            if handle.generation == 0:
                raise self._missing(name)
            return pose_record(make("mote_pose", lib.mote_world_pose, world, handle))


class Probes(Named):
    """Readings of the probes of the scene now: one number or vector for each of a probe's points."""

    def _names(self) -> list[str]:
        scene = self._core.scene.pointer
        return [text(scene.probe[k].name) for k in range(scene.probes)]

    def __getitem__(self, name: str) -> Record:
        with self._core.change() as world:
            handle = lib.mote_world_find_probe(world, string(name))
            if handle.generation == 0:
                raise self._missing(name)
            count = lib.mote_world_probe_points(world, handle)
            rows = ffi.new("mote_reading[]", count)
            call(lib.mote_world_probe, world, handle, rows)
        readings = [as_dict(rows[k]) for k in range(count)]
        return Record({key: np.array([one[key] for one in readings]) for key in as_dict(ffi.new("mote_reading *")[0])})


# --- Reports ----------------------------------------------------------------------------------------------


def ledger(world: Any) -> dict[str, float]:
    entry = ffi.new("mote_ledger_entry *")
    found: dict[str, float] = {}
    while lib.mote_world_ledger(world, len(found), entry):
        found[text(entry.name)] = entry.energy
    return found


def stages(world: Any) -> dict[str, float]:
    seconds, found = ffi.new("double *"), {}
    for k in range(lib.mote_world_stages(world)):
        name = text(lib.mote_world_stage(world, k, seconds))
        found[name] = seconds[0]
    return found


def faults(world: Any) -> list[str]:
    compression = lib.mote_world_compression_report(world)
    body = lib.mote_world_body_fault(world)
    found = [lib.mote_compression_reason_text(compression.reason),
             lib.mote_inversion_text(lib.mote_world_inversion_report(world)), lib.mote_body_fault_text(body.fault)]
    return [words for words in map(text, found) if words]


def events(world: Any) -> Record:
    count = ffi.new("size_t *")
    phases = lib.mote_world_phase_events(world, count)
    changed = [(phases[k].id, phases[k].froze) for k in range(count[0])]
    tracked = lib.mote_world_track_events(world, count)
    surface = [as_dict(tracked[k]) for k in range(count[0])]
    most = lib.mote_world_breaks(world, 0, ffi.NULL)
    breaks = ffi.new("mote_break[]", most)
    lib.mote_world_breaks(world, most, breaks)
    pairs = [(body_name(world, one.parent), body_name(world, one.fragment)) for one in breaks]
    return Record({"melted": [id for id, froze in changed if not froze], "frozen": [id for id, froze in changed if froze],
                   "broken": pairs, "surface": surface})


def picked(core: Core, world: Any, hit: Any) -> Record:
    kind, scene = word("mote_pick_kind", hit.kind), core.scene.pointer
    collider = text(scene.collider[hit.collider.index].name) if hit.collider.generation else ""
    return Record({"kind": kind, "particle": hit.particle if kind == "particle" else None,
                   "body": body_name(world, hit.body), "collider": collider,
                   "position": np.array(list(hit.position)), "distance": hit.distance})


def hand(world: Any) -> Record:
    state = lib.mote_world_hand(world)
    return Record({"holds": word("mote_hold_kind", state.holds), "body": body_name(world, state.body),
                   "at": np.array(list(state.at)), "to": np.array(list(state.to)), "particles": state.particles})


def surface(core: Core, name: str, fields: Any) -> Any:
    from ._surface import take_surface

    fields = items(fields, "fields", str)
    views, out = ffi.new(f"mote_field_view[{max(1, len(fields))}]"), ffi.new("mote_surface *")
    with core.change() as world:
        handle = lib.mote_world_find_surface(world, string(name))
        if handle.generation == 0:
            raise Error(f"the scene has no surface {name!r}: it has one with outputs: {{surface: true}}")
        for k, field in enumerate(fields):
            views[k] = lib.mote_world_view(world, string(field, "fields"))
            if views[k].name == ffi.NULL:
                raise KeyError(f"there is no field {field!r}")
        call(lib.mote_world_build_surface, world, handle, views, len(fields), out)
        return take_surface(out, core.scene.environment)
