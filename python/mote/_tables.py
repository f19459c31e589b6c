"""The library's own tables: keys of scenes, fields of particles, commands. Names, units and texts come from them."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterator, NamedTuple, Optional

from ._library import ffi, lib, text


class Key(NamedTuple):
    """A key of the scene language."""

    section: str
    name: str
    type: str
    unit: str
    range: str
    default: str
    text: str
    detail: str
    kind: int


def _key(row: Any) -> Key:
    return Key(text(row.section), text(row.name), text(row.type), text(row.unit), text(row.range), text(row.initial),
               text(row.text), text(row.detail), row.kind)


@lru_cache(maxsize=None)
def section_keys(section: str) -> dict[str, Key]:
    """The keys of a section of the scene language by their names."""
    count = ffi.new("size_t *")
    rows = lib.mote_scene_section(section.encode(), count)
    return {key.name: key for key in (_key(rows[k]) for k in range(count[0]))}


SECTIONS: dict[str, dict[str, Key]]  # of all sections: made when it is first used


def __getattr__(name: str) -> Any:
    if name != "SECTIONS":
        raise AttributeError(name)
    count = ffi.new("size_t *")
    rows = lib.mote_scene_keys(count)
    names = dict.fromkeys(text(rows[k].section) for k in range(count[0]))
    globals()["SECTIONS"] = {section: section_keys(section) for section in names}
    return globals()["SECTIONS"]


def lists() -> dict[str, str]:
    """The named lists of a scene and the sections of their elements: {"materials": "material", ...}."""
    return {key.name: key.detail for key in section_keys("scene").values() if key.kind == lib.MOTE_KEY_NAMED}


class Field(NamedTuple):
    """A field of particles."""

    name: str
    unit: str
    type: str
    components: int
    group: str
    saved: bool
    text: str


def fields() -> list[Field]:
    """All fields that particles can have."""
    return fields_of(ffi.NULL, 0)


def fields_of(world: Any, kind: int) -> list[Field]:
    """The fields of particles of a kind in a mote_world."""
    about = ffi.new("mote_field_about *")
    found: list[Field] = []
    while lib.mote_world_field_at(world, kind, len(found), about):
        found.append(Field(text(about.name), text(about.unit), text(lib.mote_type_name(about.type)), about.components,
                           text(about.group), about.saved, text(about.text)))
    return found


class Argument(NamedTuple):
    """A number or vector of a command; target, field, particles and values are arguments as well."""

    name: str
    unit: str
    components: int
    first: int
    optional: bool
    text: str


class Command(NamedTuple):
    """A command of steering."""

    kind: int
    name: str
    target: Optional[str]  # "body", "collider", "emitter"
    particles: bool
    arguments: tuple[Argument, ...]
    text: str


def _arguments(about: Any) -> Iterator[Argument]:
    for field in about.field:
        if field.name != ffi.NULL:
            yield Argument(text(field.name), text(field.unit), field.components, field.first, field.optional,
                           text(field.text))


def _all_commands() -> dict[str, Command]:
    rows, found = lib.mote_command_kinds(), {}
    for kind in range(lib.MOTE_COMMANDS):
        row = rows[kind]
        target = text(lib.mote_command_target_name(row.target)) or None
        particles = row.target == lib.MOTE_TARGET_PARTICLES
        found[text(row.name)] = Command(kind, text(row.name), target, particles, tuple(_arguments(row)), text(row.text))
    return found


COMMANDS = _all_commands()
