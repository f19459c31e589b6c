"""python/mote/_methods.pyi and the tables of docs/python.md are those of the library's tables; MOTE_WRITE_DOCS=1 writes them."""
import keyword
import os
import unittest

import kit
import mote
from mote._steering import method_name, parameters, required
from mote._tables import lists

STUBS, PAGE = kit.ROOT / "python" / "mote" / "_methods.pyi", kit.ROOT / "docs" / "python.md"
MARK = "<!-- tables: written by tests/python/stubs_test.py -->\n"
HEAD = '''# Written by tests/python/stubs_test.py from the tables of the library.
from typing import Any, Optional, Sequence, Union

from numpy.typing import ArrayLike

Number = Union[float, str]  # 0.02, "2 cm", and formulas where a key takes them
Vector = Union[Sequence[Number], ArrayLike]

class Methods:
'''
NUMBERS, VECTORS = {"number", "integer"}, {"vector", "2 numbers", "2 integers", "list of texts"}


def type_of(key):
    if key.type in NUMBERS or key.type.startswith("number or formula"):
        return "Number"
    if key.type in VECTORS or key.type.startswith("vector of numbers"):
        return "Vector"
    if key.type == "true or false":
        return "bool"
    return "str" if key.type.startswith(("one of", "text", "name of")) and "two" not in key.type else "Any"


def safe(name):
    return name + "_" if keyword.iskeyword(name) else name


def argument_of(command, name):
    if name in ("particles", "values"):
        return "ArrayLike"
    vectors = {one.name for one in command.arguments if one.components == 3}
    return "Vector" if name in vectors else "str" if name in (command.target, "field") else "float"


def stub_of_command(command):
    needed = required(command)
    words = [f"{name}: {argument_of(command, name)}" for name in parameters(command) if name in needed]
    words += [f"{name}: Optional[{argument_of(command, name)}] = ..." for name in parameters(command) if name not in needed]
    return f"    def {method_name(command)}(self, {', '.join(words)}) -> None: ...\n"


def stub_of_section(section):
    words = [f"        {safe(key.name)}: Optional[{type_of(key)}] = ...,\n" for key in mote.SECTIONS[section].values()]
    return f"    def add_{section}(\n        self,\n        name: str,\n        *,\n{''.join(words)}    ) -> None: ...\n"


def stubs():
    commands = "".join(map(stub_of_command, mote.COMMANDS.values()))
    return HEAD + commands + "".join(map(stub_of_section, lists().values()))


def row(*cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def tables():
    text = "\n## Methods of the tables\n\n" + row("method", "") + row("---", "---")
    for plural, section in lists().items():
        text += row(f"`add_{section}(name, ...)`", f"adds to `{plural}`; the keys of `{section}` in [scene.md](scene.md)")
    for command in mote.COMMANDS.values():
        shown = [name if name in required(command) else f"{name}=None" for name in parameters(command)]
        text += row(f"`{method_name(command)}({', '.join(shown)})`", f"{command.text}")
    text += "\n## Fields of particles\n\n"
    text += row("field", "particles", "type", "unit", "") + row(*["---"] * 5)
    for field in mote.fields():
        kind = field.type + (f" × {field.components}" if field.components > 1 else "")
        text += row(f"`{field.name}`", field.group, kind, field.unit, field.text)
    return text


class Written(kit.Case):
    maxDiff = None

    def test_stubs(self):
        self.compare(STUBS, stubs())

    def test_page(self):
        text = PAGE.read_text() if MARK in PAGE.read_text() else PAGE.read_text() + "\n" + MARK
        self.compare(PAGE, text[:text.index(MARK)] + MARK + tables())

    def compare(self, path, text):
        if os.environ.get("MOTE_WRITE_DOCS"):
            path.write_text(text)
        self.assertEqual(path.read_text(), text, "MOTE_WRITE_DOCS=1 writes it anew")


if __name__ == "__main__":
    unittest.main()
