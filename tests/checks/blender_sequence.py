#!/usr/bin/env python3
# apps/blender/import_mote.py without Blender, by stand-ins for its modules: a sequence that a script adds follows the
# frame, by one handler however many there are, and unregistering leaves none.
import importlib.util
import os
import sys
import types
from unittest.mock import MagicMock


class Thing(dict):
    """An object with custom properties."""


def stand_in(name, **members):
    module = sys.modules[name] = types.ModuleType(name)
    vars(module).update(members)
    return module


def make_bpy():
    handlers = stand_in("bpy.app.handlers", persistent=lambda f: f, frame_change_pre=[], load_post=[])
    objects = []
    data = MagicMock()
    data.objects.new = lambda name, mesh: Thing()
    stand_in("bpy.props", BoolProperty=MagicMock(), StringProperty=MagicMock())
    app = stand_in("bpy.app", handlers=handlers)
    scene = MagicMock(objects=objects, frame_start=1, frame_current=1)
    data.scenes = [scene]
    context = MagicMock(scene=scene)
    context.collection.objects.link = objects.append
    stand_in("bpy", app=app, data=data, types=MagicMock(Operator=type("Operator", (), {})), utils=MagicMock(), path=MagicMock())
    stand_in("numpy")
    stand_in("bpy_extras")
    stand_in("bpy_extras.io_utils", ImportHelper=type("ImportHelper", (), {}))
    return handlers, context


def main():
    handlers, context = make_bpy()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    spec = importlib.util.spec_from_file_location("import_mote", os.path.join(root, "apps/blender/import_mote.py"))
    importer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(importer)
    shown = []
    importer.list_files = lambda pattern: [pattern % k for k in (1, 2, 3)]
    importer.read_surface = lambda path: importer.Surface([0], [], None, None)
    importer.show_frame = lambda thing, frame: shown.append((thing["mote_files"].split("\n")[0], frame))
    for name in ("a.%d.ply", "b.%d.ply"):
        importer.add_sequence(context, name)
    for _ in range(2):
        counts = len(handlers.frame_change_pre), len(handlers.load_post)
        assert counts == (1, 1), "one handler each, not %d and %d" % counts
        importer.register()  # behind a script that has added sequences
    shown.clear()
    context.scene.frame_current = 3
    handlers.frame_change_pre[0](context.scene)
    assert shown == [("a.1.ply", 3), ("b.1.ply", 3)], shown
    shown.clear()
    handlers.load_post[0]("file.blend")
    assert len(shown) == 2, shown
    # A sequence that begins empty is blurred and coloured by what comes.
    coloured = []
    importer.read_surface = lambda path: importer.Surface([], []) if path == "c.1.ply" else importer.Surface([0], [], [1], [2])
    importer.make_material = coloured.append
    importer.add_sequence(context, "c.%d.ply")
    assert context.scene.render.use_motion_blur is True and coloured == [True], coloured
    importer.unregister()
    assert handlers.frame_change_pre == handlers.load_post == [], "handlers are left"


main()
