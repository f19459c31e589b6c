"""Every key, field and command of the library's tables is there by its name; all scenes of tests/scenes_bad raise what the
tool says."""
import os
import inspect
import re
import unittest

import numpy as np

import kit
import mote
from mote._library import ffi, lib
from mote._steering import method_name



class Tables(kit.Case):
    def test_commands_are_methods(self):
        self.assertEqual(len(mote.COMMANDS), lib.MOTE_COMMANDS)
        for command in mote.COMMANDS.values():
            method = getattr(mote.World, method_name(command))
            self.assertIn(command.text, method.__doc__)
            known = list(inspect.signature(method).parameters)
            self.assertEqual(set(known[1:]) >= {one.name for one in command.arguments}, True, command.name)

    def test_fields(self):
        kinds = {"fluid": 0, "elastic": 0, "lattice": 0}
        world = mote.World(kit.EVERYTHING)
        parts = {"fluid": world.fluid, "elastic": world.elastic, "lattice": world.lattices}
        for kind, particles in parts.items():
            for field in particles.fields:
                self.assertIsInstance(particles[field.name], np.ndarray)
                self.assertTrue(field.text and field.unit)
                kinds[kind] += 1
        self.assertGreater(min(kinds.values()), 9)
        names = {field.name for field in mote.fields()}
        self.assertEqual(len(mote.fields()), sum(lib.mote_world_field_at(ffi.NULL, 0, k, ffi.new("mote_field_about *"))
                                                 for k in range(100)))
        self.assertTrue({"position", "rest", "object", "temperature"} <= names)

    def test_every_key_of_a_scene(self):
        sections = reached("scene")
        for section in sections:
            for key in mote.SECTIONS[section].values():
                self.assertTrue(key.text and key.type, key)
        self.assertEqual(set(mote.SECTIONS) - set(sections), files_of_deform() - set(sections))
        for plural, section in mote._tables.lists().items():
            add = getattr(mote.World, "add_" + section)
            self.assertIn(plural, add.__doc__)
        count = 0
        for section, around in sections.items():
            for key in mote.SECTIONS[section]:
                self.accepts(around({key: "nothing sensible"}), f"{section}.{key}")
                count += 1
        self.assertEqual(count, sum(len(mote.SECTIONS[section]) for section in sections))
        self.fails("unknown key", mote.Scene, sections["sphere"]({"nothing": 1}))

    def accepts(self, tree, name):
        """The name is known: what is wrong is its value."""
        try:
            mote.Scene(tree)
        except mote.Error as wrong:
            self.assertNotIn("unknown key", str(wrong), name)


def reached(section, around=lambda keys: {"spacing": 1, **keys}, found=None):
    """A section and all that its keys lead to, with functions that make a scene of keys of theirs."""
    found = {} if found is None else found
    if section not in found:
        found[section] = around
        for key in mote.SECTIONS[section].values():
            if key.detail in mote.SECTIONS:
                reached(key.detail, nested(around, key), found)
    return found


def nested(around, key):
    wrap = {lib.MOTE_KEY_NAMED: lambda keys: {"one": keys}, lib.MOTE_KEY_LIST: lambda keys: [keys],
            lib.MOTE_KEY_PARTS: lambda keys: [keys]}.get(key.kind, lambda keys: keys)
    return lambda keys: around({key.name: wrap(keys)})


def files_of_deform():
    """The sections of EDITS and KEYS files that no scene has."""
    return set(reached("edits")) | set(reached("animation")) - set(reached("scene"))


class Messages(kit.Case):
    def test_bad_scenes(self):
        folder, count = kit.ROOT / "tests" / "scenes_bad", 0
        os.chdir(folder)
        for scene in sorted(folder.glob("*.yaml")):
            expected = scene.with_suffix(".expect").read_text().rstrip("\n").split("\n")
            with self.assertRaises(mote.Error, msg=scene.name) as caught:
                mote.World(scene.name).time
            said = str(caught.exception).split("\n")
            self.assertEqual(said, [line for line in expected if not re.match(r"(warning|\d+ more)", line)], scene.name)
            first = caught.exception
            if re.match(r"\S+:\d+:\d+: ", expected[0]):
                place = re.match(r"(\S+):(\d+):(\d+): ", expected[0]).groups()
                self.assertEqual((first.file, str(first.line), str(first.column)), place)
            match = re.search(r'did you mean "([^"]*)"', first.text)
            self.assertEqual(first.suggestion, match and match.group(1))
            count += 1
        self.assertGreater(count, 100)


if __name__ == "__main__":
    unittest.main()
