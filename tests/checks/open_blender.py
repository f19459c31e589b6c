# Run by blender -b: frames as PLY, a mesh in three formats, and a motion in three (open_elsewhere.sh). Blender keeps
# single precision.
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


def moved_vertices(thing, time):
    """The vertices of an object at a time of its animation, in our axes (glTF has y up)."""
    scene = bpy.context.scene
    frame = time * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame - int(frame))
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    values = numpy.empty(3 * len(evaluated.data.vertices), "f4")
    evaluated.data.vertices.foreach_get("co", values)
    x, y, z = values.reshape(-1, 3).T
    return numpy.stack([x, z, -y], 1)


def check_motion(work):
    """Positions at 0, 0.5 and 1 s: files of frames, and the morph targets of one GLB."""
    thing = open_mesh(os.path.join(work, "bar.glb"))
    moved = [moved_vertices(thing, time) for time in (0, 0.5, 1)]
    first = moved[0]
    for vertices, frame in zip(moved, (1, 5, 9)):
        obj, _ = load(os.path.join(work, "bar_obj", "shape.%04d.obj" % frame))
        ply, _ = load(os.path.join(work, "bar_ply", "shape.%04d.ply" % frame))
        check(len(obj) == len(ply) == len(vertices), "a motion of %d, %d, %d vertices" % (len(obj), len(ply), len(vertices)))
        check(abs(obj - ply).max() < 1e-6, "frame %d: OBJ and PLY differ by %g" % (frame, abs(obj - ply).max()))
        check(abs(obj - vertices).max() < 1e-5, "frame %d: GLB differs by %g" % (frame, abs(obj - vertices).max()))
    check(abs(moved[1] - first).max() > 0.3 and abs(moved[2] - moved[1]).max() > 0.3, "nothing moves")
    return len(first)


def main(run, work):
    frames = frame_table.frames(run)
    counts = [check_frame(path) for path in (frames[0], frames[-1])]
    for ending in ("obj", "ply", "stl"):
        check_mesh(os.path.join(work, "converted." + ending))
    for ending in ("obj", "ply", "stl", "glb"):
        check_surface(os.path.join(work, "surface." + ending))
    vertices = check_motion(work)
    print("blender: a motion of %d vertices in 3 formats" % vertices)
    print("blender: %s: frames of %d and %d particles, meshes of 3 formats, surfaces of 4" % (bpy.app.version_string, *counts))


main(*sys.argv[sys.argv.index("--") + 1 :][:2])
