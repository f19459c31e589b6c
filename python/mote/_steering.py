"""Commands of steering: methods of World made from the library's table, the record, replay."""
from __future__ import annotations

import inspect
import json
import math
import os
from typing import Any, Callable, Iterator

import numpy as np

from ._arrays import copy_numbers, numbers, pointer, vector
from ._checks import integer, items
from ._core import Core
from ._library import DEFAULT, Error, call, check, ffi, lib, path_of, string, suggest, text
from ._tables import COMMANDS, Argument, Command


def _value(argument: Argument, value: Any) -> list[float]:
    """The numbers of an argument; None: not given."""
    if value is None:
        return [math.nan] * argument.components
    if argument.components == 3:
        return list(vector(value, argument.name))
    if isinstance(value, (bool, str)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise Error(f"{argument.name}: {value!r} is not a number", key=argument.name)
    return [float(value)]


class Prepared:
    """A mote_command with what its pointers look at."""

    def __init__(self, command: Command, given: dict[str, Any]) -> None:
        self.row = ffi.new("mote_command *", lib.mote_command_make(command.kind))
        self.kept: list[Any] = []
        known = parameters(command)
        for name in given:
            if name not in known:
                raise Error(f"{command.name} has no {name!r}{suggest(name, known)}", key=name)
        missing = [name for name in required(command) if given.get(name) is None]
        if missing:
            raise Error(f"{missing[0]} is missing", key=missing[0])
        self._fill(command, given)

    def _fill(self, command: Command, given: dict[str, Any]) -> None:
        if command.target:
            name = ffi.string(string(given[command.target], command.target))
            if len(name) >= ffi.sizeof(self.row.target):
                raise Error(f"{command.target}: {name.decode()!r} is too long", key=command.target)
            self.row.target = name
        for argument in command.arguments:
            for k, number in enumerate(_value(argument, given.get(argument.name))):
                self.row.value[argument.first + k] = number
        if command.particles:
            self._particles(given)

    def _particles(self, given: dict[str, Any]) -> None:
        ids = numbers(given["particles"], "particles", np.uint64)
        values = numbers(given["values"], "values", np.float64, columns=3, rows=len(ids))
        self.kept = [string(given["field"], "field"), ids, values]
        self.row.field, self.row.count = self.kept[0], len(ids)
        self.row.id, self.row.values = pointer(ids, "uint64_t"), pointer(values, "double")


def parameters(command: Command) -> list[str]:
    """The names of the arguments of a command, as files of commands have them; those that may be left out come last."""
    if command.particles:
        return ["field", "particles", "values"]
    names = [command.target] if command.target else []
    return names + [one.name for one in sorted(command.arguments, key=lambda one: one.optional)]


def required(command: Command) -> list[str]:
    optional = [one.name for one in command.arguments if one.optional]
    return [name for name in parameters(command) if name not in optional]


def method_name(command: Command) -> str:
    """Of the method of World: add_body adds a definition there."""
    return "add_waiting" if command.name == "add_body" else command.name


def method(command: Command) -> Callable[..., None]:
    """The method of World that gives this command."""
    names, needed = parameters(command), required(command)

    def give(self: Any, *values: Any, **given: Any) -> None:
        if len(values) > len(names):
            raise Error(f"{command.name}: {len(values)} values, at most {len(names)}")
        for name, value in zip(names, values):
            if name in given:
                raise Error(f"{name} is given twice", key=name)
            given[name] = value
        prepared = Prepared(command, given)
        self._core.call(lib.mote_world_command, prepared.row)

    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD
    ordered = [inspect.Parameter("self", kinds)]
    ordered += [inspect.Parameter(name, kinds, default=inspect.Parameter.empty if name in needed else None)
                for name in names]
    give.__name__, give.__qualname__ = method_name(command), "World." + method_name(command)
    give.__doc__ = describe(command)
    give.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    return give


def describe(command: Command) -> str:
    lines = [f"The command {command.text}."]
    lines += [f"{one.name}: {one.text}" + (f", {one.unit}" if one.unit else "") for one in command.arguments]
    return "\n\n".join([lines[0], "\n".join(lines[1:])]).strip()


def as_dict(row: Any) -> dict[str, Any]:
    """A command as a line of a file of commands has it."""
    command = list(COMMANDS.values())[row.kind]
    found: dict[str, Any] = {}
    if row.step != 2**64 - 1:
        found["step"] = row.step
    if not math.isnan(row.time):
        found["time"] = row.time
    found["command"] = command.name
    if command.target:
        found[command.target] = text(row.target)
    for one in command.arguments:
        values = list(row.value[one.first:one.first + one.components])
        if not math.isnan(values[0]):
            found[one.name] = values if one.components == 3 else values[0]
    if command.particles:
        found["field"] = text(row.field)
        found["particles"] = copy_numbers(row.id, (row.count,), np.uint64)
        found["values"] = copy_numbers(row.values, (row.count, 3), np.float64)
    return found


class Commands:
    """The commands that a world has executed, in their order."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def __len__(self) -> int:
        with self._core.read() as world:
            return lib.mote_world_commands(world)

    def __getitem__(self, k: int) -> dict[str, Any]:
        k = integer(k, "k")
        row = ffi.new("mote_command *")
        with self._core.read() as world:
            if not 0 <= k < lib.mote_world_commands(world) or not lib.mote_world_command_at(world, k, row):
                raise IndexError(f"there is no command {k}")
            return as_dict(row)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([self[k] for k in range(len(self))])

    def write(self, path: Any) -> None:
        """Writes them as a file that `mote run --commands` takes."""
        with self._core.read() as world:
            call(lib.mote_commands_write_world, world, path_of(path))


class CommandFile:
    """Commands of a file, each with its step or time; or of world.commands, or dicts as those."""

    def __init__(self, source: Any) -> None:
        out, count = ffi.new("mote_command_file **"), ffi.new("size_t *")
        if isinstance(source, (str, bytes, os.PathLike)):
            call(lib.mote_commands_read, path_of(source), DEFAULT.pointer, out)
        else:
            data = "".join(json.dumps(row, default=_listed) + "\n" for row in items(source, "commands")).encode()
            call(lib.mote_commands_parse, ffi.new("char[]", data), len(data), b"commands", DEFAULT.pointer, out)
        self.file = ffi.gc(out[0], lib.mote_command_file_destroy)
        self.rows = lib.mote_command_file_commands(self.file, count)
        self.count = count[0]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([as_dict(self.rows[k]) for k in range(self.count)])

    def is_due(self, k: int, step: int, time: float) -> bool:
        row = self.rows[k]
        return ((row.step == 2**64 - 1 or row.step <= step) and (math.isnan(row.time) or row.time <= time))

    def give(self, k: int, core: Core) -> None:
        """Executes the k-th command; errors have its place in the file."""
        error = ffi.new("mote_error *")
        with core.change() as world:
            result = lib.mote_world_command(world, ffi.addressof(self.rows, k), error)
        if result != lib.MOTE_OK:
            lib.mote_command_file_locate(self.file, k, error)
            check(result, error)


def _listed(value: Any) -> Any:
    """Arrays for json."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise Error(f"commands: {value!r} is nothing that a command can hold", key="commands")


def read_commands(source: Any) -> CommandFile:
    """Reads a file of commands, or dicts as world.commands has them."""
    return CommandFile(source)

