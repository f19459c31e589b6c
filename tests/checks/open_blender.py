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
    mesh = open_mesh(path).data
    values = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", values)
    return values.reshape(-1, 3), len(mesh.polygons)


def open_mesh(path):
    """The one object in the file, with our axes."""
    ending = path[-3:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    axes = {"forward_axis": "Y", "up_axis": "Z"}
    if ending == "glb":
        numpy.bool = bool  # which the importer of Debian 12 still expects there
        bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
        bpy.ops.import_scene.gltf(filepath=path)
    elif ending == "obj":
        bpy.ops.wm.obj_import(filepath=path, **axes)
    elif hasattr(bpy.types, "WM_OT_%s_import" % ending):
        getattr(bpy.ops.wm, ending + "_import")(filepath=path, **axes)
    else:  # Blender 3
        bpy.ops.preferences.addon_enable(module="io_mesh_" + ending)
        getattr(bpy.ops.import_mesh, ending)(filepath=path)
    meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    check(len(meshes) == 1, path + ": %d objects" % len(meshes))
    return meshes[0]


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


CORNERS = [[0.125, 0.25, 0.375], [1, 0.5, 0.625], [0.75, 2, 0.875], [0.0625, 0.1875, 3]]
NORMALS = [[-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
COLOURS = [[255, 0, 0], [0, 128, 0], [0, 0, 55], [10, 20, 30]]


def check_colours(mesh, order, path):
    check(len(mesh.color_attributes) > 0, path + ": no colours")
    layer = mesh.color_attributes[0]
    for k, item in enumerate(layer.data):
        vertex = k if layer.domain == "POINT" else mesh.loops[k].vertex_index
        there = [round(255 * c) for c in item.color_srgb[:3]]
        wanted = COLOURS[order[vertex]]
        check(max(abs(a - b) for a, b in zip(there, wanted)) <= 1, path + ": colour %s for %s" % (there, wanted))


def check_surface(path):
    """Scale, axes, normals and colours. glTF has y up, which Blender turns to z: (x, y, z) is (x, -z, y) there."""
    thing = open_mesh(path)
    mesh = thing.data
    up = path[-3:] == "glb"
    turn = lambda v: [v[0], v[2], -v[1]] if up else list(v)
    places = numpy.array([turn(thing.matrix_world @ v.co) for v in mesh.vertices])
    order = [int(numpy.argmin(numpy.linalg.norm(numpy.array(CORNERS) - place, axis=1))) for place in places]
    for place, corner in zip(places, order):
        check(numpy.linalg.norm(place - CORNERS[corner]) < 1e-6, path + ": a vertex at %s" % place)
    check(sorted(set(order)) == [0, 1, 2, 3] and len(mesh.polygons) == 4, path + ": corners and faces")
    if path[-3:] in ("obj", "glb"):
        mesh.calc_normals_split()
        for loop in mesh.loops:
            there = turn(loop.normal)
            wanted = NORMALS[order[loop.vertex_index]]
            check(numpy.linalg.norm(numpy.array(there) - wanted) < 1e-2, path + ": normal %s for %s" % (there, wanted))
    if path[-3:] in ("ply", "obj", "glb"):
        check_colours(mesh, order, path)


def main(run, work):
    frames = frame_table.frames(run)
    counts = [check_frame(path) for path in (frames[0], frames[-1])]
    for ending in ("obj", "ply", "stl"):
        check_mesh(os.path.join(work, "converted." + ending))
    for ending in ("obj", "ply", "stl", "glb"):
        check_surface(os.path.join(work, "surface." + ending))
    print("blender: %s: frames of %d and %d particles, meshes of 3 formats, surfaces of 4" % (bpy.app.version_string, *counts))


main(*sys.argv[sys.argv.index("--") + 1 :][:2])
