"""The C library: its functions, texts, errors, environments and callbacks."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from ._mote import ffi as ffi
from ._mote import lib as lib

if TYPE_CHECKING:
    import logging

__version__ = "0.1.0"

if ffi.string(lib.mote_version()).decode() != __version__:
    raise ImportError(f"mote {__version__} found libmote {ffi.string(lib.mote_version()).decode()}")


def text(pointer: Any) -> str:
    """A string of the library; null: ""."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def texts(pointer: Any) -> list[str]:
    """A list of strings that ends with a null pointer."""
    found: list[str] = []
    while pointer[len(found)] != ffi.NULL:
        found.append(text(pointer[len(found)]))
    return found


def string(value: Any) -> Any:
    """A string for the library, which lives as long as the answer does; None: null."""
    return ffi.NULL if value is None else ffi.new("char[]", str(value).encode())


def path_of(value: Any) -> Any:
    """The name of a file for the library."""
    import os

    return ffi.new("char[]", os.fsencode(value))


class Error(Exception):
    """What the library refused or could not do, in the words of the tool.

    text, file, line, column, key, suggestion: of the first of `errors`; code: "argument", "format", "file", ...
    """

    def __init__(self, message: str, code: str = "argument", file: str = "", line: int = 0, column: int = 0,
                 key: str = "", errors: Optional[list["Error"]] = None) -> None:
        self.text, self.code, self.file, self.line, self.column, self.key = message, code, file, line, column, key
        self.errors = errors if errors is not None else [self]
        found = re.search(r'did you mean "([^"]*)"', message)
        self.suggestion = found.group(1) if found else None
        super().__init__(message)

    def __str__(self) -> str:
        return "\n".join(one._line() for one in self.errors)

    def _line(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line > 0 else f"{self.file}: "
        return (place if self.file else "") + self.text

    def __reduce__(self) -> Any:
        errors = None if self.errors == [self] else self.errors
        return Error, (self.text, self.code, self.file, self.line, self.column, self.key, errors)


class HeldView(Error):
    """Views of fields are alive, and the call would change or end what they look at."""


class Busy(Error):
    """Another thread is using this world."""


def make_error(error: Any, result: int) -> Error:
    """The exception of a mote_error."""
    code, key, message = text(lib.mote_result_name(result)), text(error.key), text(error.text)
    if key and error.file[0] == b"\0" and not message.startswith(key):
        message = f"{key}: {message}"
    return Error(message, code, text(error.file), error.line, error.column, key)


def check(result: int, error: Any) -> None:
    """Raises what a call says has failed."""
    if result == lib.MOTE_ERROR_MEMORY:
        raise MemoryError(text(error.text))
    if result != lib.MOTE_OK:
        raise make_error(error, result)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last argument is a mote_error, and raises what fails."""
    error = ffi.new("mote_error *")
    result = function(*arguments, error)
    if result != lib.MOTE_OK:
        check(result, error)


def make(kind: str, function: Callable[..., int], *arguments: Any) -> Any:
    """Calls a function that writes its result before the mote_error: make("mote_totals", lib.mote_world_totals, world)."""
    out = ffi.new(kind + " *")
    call(function, *arguments, out)
    return out[0]


def owned(pointer: Any, destroy: Callable[[Any], None], *kept: Any) -> Any:
    """A pointer that is destroyed with its last reference, while all that is kept for it is still there."""

    def end(one: Any, _: Any = kept) -> None:
        destroy(one)

    return ffi.gc(pointer, end)


def names_of(enum: str, prefix: str) -> dict[str, int]:
    """The values of an enum of the headers by their names in small letters, without prefix."""
    return {name[len(prefix):].lower(): value for value, name in ffi.typeof(enum).elements.items()
            if name.startswith(prefix)}


def choose(enum: str, prefix: str, name: Any) -> int:
    """The value of an enum that a word names."""
    names = names_of(enum, prefix)
    if name in names:
        return names[name]
    raise Error(f"{name!r} is none of {', '.join(names)}{suggest(str(name), list(names))}")


def suggest(word: str, names: list[str]) -> str:
    """'; did you mean "..."?', or nothing."""
    kept = [string(name) for name in names]
    found = text(lib.mote_text_closest(string(word), ffi.new("char *[]", kept), len(kept)))
    return f'; did you mean "{found}"?' if found else ""


def fill(struct: Any, values: dict[str, Any], skip: tuple[str, ...] = ()) -> Any:
    """Sets members of a definition struct by their names; returns it."""
    known = [name for name in members(struct) if name not in skip]
    for name, value in values.items():
        if name not in known:
            raise Error(f"there is no {name!r}{suggest(name, known)}", key=name)
        try:
            setattr(struct, name, value)
        except (TypeError, OverflowError) as wrong:
            raise Error(f"{name}: {wrong}", key=name) from None
    return struct


def members(struct: Any) -> list[str]:
    """The names of the members of a struct, or of one behind a pointer."""
    kind = ffi.typeof(struct)
    return [name for name, _ in (kind.item if kind.kind == "pointer" else kind).fields]


def as_dict(struct: Any) -> dict[str, Any]:
    """The members of a struct: numbers, lists of numbers, texts."""
    return {name: value_of(getattr(struct, name)) for name in members(struct)}


def value_of(value: Any) -> Any:
    """A member as Python has it."""
    if not isinstance(value, ffi.CData):
        return value
    kind = ffi.typeof(value)
    if kind.kind == "struct":
        return as_dict(value)
    if kind.kind == "array" and kind.item.cname == "char":
        return text(value)
    return [value_of(one) for one in value] if kind.kind == "array" else value


class Record:
    """A struct of the library as values with names; `in`, iteration and dict() work on the names."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...

    def keys(self) -> list[str]:
        return list(self.__dict__)

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.__dict__ == other.__dict__

    def __repr__(self) -> str:
        return "Record(" + ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items()) + ")"


def record(struct: Any) -> Record:
    return Record(as_dict(struct))


# --- Environments and callbacks ---------------------------------------------------------------------------

LEVELS = {lib.MOTE_LOG_DEBUG: 10, lib.MOTE_LOG_INFO: 20, lib.MOTE_LOG_WARNING: 30}  # of logging


class Environment:
    """Threads and log of calls; `pointer` is the mote_env."""

    def __init__(self, threads: Optional[int] = None, log: Optional[logging.Logger] = None) -> None:
        self.pointer = ffi.new("mote_env *", lib.mote_env_default())
        self.threads, self.log = threads, log
        if threads is not None:
            if not 1 <= threads <= 1024:
                raise Error(f"threads: {threads} is not between 1 and 1024", key="threads")
            self.pointer.threads = threads
        if log is not None:
            self._handle = ffi.new_handle(log)
            self.pointer.log, self.pointer.log_user = lib.mote_python_log, self._handle


DEFAULT = Environment()


@ffi.def_extern()
def mote_python_log(user: Any, level: int, message: Any) -> None:
    ffi.from_handle(user).log(LEVELS[level], "%s", text(message))


class Sink:
    """Bytes that the library writes."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.handle = ffi.new_handle(self)


class Source:
    """Bytes that the library reads."""

    def __init__(self, data: Any) -> None:
        self.data, self.at = memoryview(data), 0
        self.handle = ffi.new_handle(self)


@ffi.def_extern(error=False)
def mote_python_write(user: Any, data: Any, size: int) -> bool:
    ffi.from_handle(user).bytes.extend(ffi.buffer(data, size))
    return True


@ffi.def_extern(error=False)
def mote_python_read(user: Any, out: Any, size: int) -> bool:
    source = ffi.from_handle(user)
    if source.at + size > len(source.data):
        return False
    ffi.memmove(out, source.data[source.at:source.at + size], size)
    source.at += size
    return True


@ffi.def_extern()
def mote_python_note(user: Any, where: Any) -> None:
    ffi.from_handle(user).append(make_error(where, lib.MOTE_ERROR_ARGUMENT))
