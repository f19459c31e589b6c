# Run by blender -b: frames as PLY, and a mesh in three formats (open_elsewhere.sh). Blender keeps single precision.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy
import numpy

import frame_table
from frame_table import check


def load(path):
    """The vertices and the number of faces of the one object in the file."""
    ending = path[-3:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    axes = {"forward_axis": "Y", "up_axis": "Z"}
    if ending == "obj":
        bpy.ops.wm.obj_import(filepath=path, **axes)
    elif hasattr(bpy.types, "WM_OT_%s_import" % ending):
        getattr(bpy.ops.wm, ending + "_import")(filepath=path, **axes)
    else:  # Blender 3
        bpy.ops.preferences.addon_enable(module="io_mesh_" + ending)
        getattr(bpy.ops.import_mesh, ending)(filepath=path)
    meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    check(len(meshes) == 1, path + ": %d objects" % len(meshes))
    mesh = meshes[0].data
    values = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", values)
    return values.reshape(-1, 3), len(mesh.polygons)


def check_frame(path):
    _, fields = frame_table.read(path)
    vertices, _ = load(path[:-4] + ".ply")
    check(numpy.array_equal(vertices, fields["position"].astype("f4")), path + ": positions")
    return len(vertices)


def check_mesh(path):
    vertices, faces = load(path)
    known = numpy.array([[0.125, 0.25, 0.375], [1, 0.5, 0.625], [0.75, 2, 0.875], [0.0625, 0.1875, 3]], "f4")
    check(faces == 4, path + ": %d faces" % faces)
    for point in known:
        check((vertices == point).all(axis=1).sum() >= 1, path + ": no vertex at %s" % point)


def main(run, work):
    frames = frame_table.frames(run)
    counts = [check_frame(path) for path in (frames[0], frames[-1])]
    for ending in ("obj", "ply", "stl"):
        check_mesh(os.path.join(work, "converted." + ending))
    print("blender: %s: frames of %d and %d particles, meshes of 3 formats" % (bpy.app.version_string, *counts))


main(*sys.argv[sys.argv.index("--") + 1 :][:2])
