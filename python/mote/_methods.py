"""Methods of World that the library's tables make: a command of steering each, and add_material, add_body, ...

_methods.pyi has their signatures; tests/python/stubs_test.py writes it.
"""
from __future__ import annotations

from typing import Any, Callable

from ._steering import method, method_name
from ._tables import COMMANDS, lists


class Methods:
    """What World has of the tables."""

    _core: Any

    def _add(self, plural: str, section: str, name: str, keys: dict[str, Any]) -> None:
        raise NotImplementedError


def _adder(plural: str, section: str) -> Callable[..., None]:
    def add(self: Methods, name: str, **keys: Any) -> None:
        self._add(plural, section, name, keys)

    add.__name__, add.__qualname__ = "add_" + section, "World.add_" + section
    add.__doc__ = f"Adds to `{plural}` of the scene, before the first step. The keys: docs/scene.md, `{section}`."
    return add


for _plural, _section in lists().items():
    setattr(Methods, "add_" + _section, _adder(_plural, _section))
for _command in COMMANDS.values():
    setattr(Methods, method_name(_command), method(_command))
