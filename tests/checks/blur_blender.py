# Run by blender -b: apps/blender/import_mote.py loads a sequence whose topology changes, as PLY and GLB; Cycles
# blurs what moves, along its velocity and by its length, and nothing else (open_elsewhere.sh).
#   blur_blender.py -- IMPORTER FOLDER: m.0000 to m.0002 of one ball at (-1 + 0.2 k, 0.7), at 5 m/s along x, and one at
#   rest at (0, -0.7), both of radius 0.5; 25 frames a second; a third ball in the last.
import importlib.util
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy
import numpy

from frame_table import check

SIZE, WIDTH = (192, 144), 4.0  # pixels; m


def load_importer(path):
    spec = importlib.util.spec_from_file_location("import_mote", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prepare(importer, pattern):
    """An empty scene with the sequence, white on black, seen along z by a parallel camera. As a script does it: the
    add-on is not registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    thing = importer.add_sequence(bpy.context, pattern, y_up=False)
    material = thing.data.materials[0]
    emission = material.node_tree.nodes.new("ShaderNodeEmission")
    output = material.node_tree.nodes["Material Output"]
    material.node_tree.links.new(emission.outputs["Emission"], output.inputs["Surface"])
    camera = bpy.data.cameras.new("camera")
    camera.type, camera.ortho_scale = "ORTHO", WIDTH
    seen = bpy.data.objects.new("camera", camera)
    seen.location = (0, 0, 10)
    scene.collection.objects.link(seen)
    scene.camera = seen
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 64, False
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *SIZE, 100
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Raw"
    return scene, thing


def render(scene, path, blurred):
    scene.render.use_motion_blur = blurred
    scene.render.motion_blur_shutter = 1.0
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(path)
    pixels = numpy.empty(4 * SIZE[0] * SIZE[1], "f4")
    picture.pixels.foreach_get(pixels)
    return pixels.reshape(SIZE[1], SIZE[0], 4)[:, :, 0]


def extent(rows):
    """First and last column that is lit at all, and lit fully, in m."""
    lit = rows.max(axis=0)
    places = (numpy.arange(SIZE[0]) + 0.5) * WIDTH / SIZE[0] - WIDTH / 2
    some, full = places[lit > 0.03], places[lit > 0.97]
    return some[0], some[-1], full[0], full[-1]


def check_pictures(scene, folder, name):
    scene.frame_set(scene.frame_start + 1)
    sharp = render(scene, os.path.join(folder, name + "_sharp.png"), False)
    blurred = render(scene, os.path.join(folder, name + "_blurred.png"), True)
    half = SIZE[1] // 2
    # The upper half holds the ball that moves: in one frame of 1/25 s it goes 0.2 m, half of it before the frame.
    still, moved = extent(sharp[half:]), extent(blurred[half:])
    check(abs((still[0] - moved[0]) - 0.1) < 0.04, "%s: blurred to the left by %g m" % (name, still[0] - moved[0]))
    check(abs((moved[1] - still[1]) - 0.1) < 0.04, "%s: blurred to the right by %g m" % (name, moved[1] - still[1]))
    check(abs(moved[2] - still[2]) > 0.05, name + ": the edge is not soft")
    rest = abs(blurred[:half] - sharp[:half])
    check(rest.mean() < 0.01, "%s: the ball at rest changed by %g" % (name, rest.mean()))
    vertical = (sharp[half:].max(axis=1) > 0.5).sum() - (blurred[half:].max(axis=1) > 0.5).sum()
    check(abs(int(vertical)) <= 1, "%s: blurred across its velocity by %d pixels" % (name, vertical))
    return moved[1] - moved[0] - (still[1] - still[0])


def check_frames(scene, thing, name):
    """Each frame shows its own file: counts, bounds and velocities."""
    counts = []
    for k in range(3):
        scene.frame_set(scene.frame_start + k)
        mesh = thing.data
        points = numpy.empty(3 * len(mesh.vertices), "f4")
        velocity = numpy.empty(3 * len(mesh.vertices), "f4")
        mesh.vertices.foreach_get("co", points)
        mesh.attributes["velocity"].data.foreach_get("vector", velocity)
        points, velocity = points.reshape(-1, 3), velocity.reshape(-1, 3)
        upper = (points[:, 1] > 0.2) & (points[:, 0] < 1)
        middle = (points[upper].max(axis=0) + points[upper].min(axis=0)) / 2
        check(abs(middle[0] - (-1 + 0.2 * k)) < 0.02, "%s: frame %d has the ball at %g" % (name, k, middle[0]))
        check(abs(velocity[upper] - [5, 0, 0]).max() < 1e-3, name + ": velocities of the ball that moves")
        check(abs(velocity[points[:, 1] < -0.2]).max() < 1e-3, name + ": velocities of the ball at rest")
        counts.append((len(mesh.vertices), len(mesh.polygons)))
    check(counts[2] > counts[0], name + ": the topology does not change: %s" % counts)
    check(scene.render.fps == 25, name + ": %d frames a second" % scene.render.fps)
    return counts


def check_saved(scene, thing, folder, name):
    """A saved file that is opened at another frame shows the surface of that frame."""
    path = os.path.join(folder, name + ".blend")
    scene.frame_set(scene.frame_start + 2)
    there = len(thing.data.vertices)
    thing["mote_shown"] = ""  # as if the files had changed since
    thing.data.clear_geometry()
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    opened = bpy.data.objects["Mote surface"].data
    check(len(opened.vertices) == there, "%s: opened with %d vertices, not %d" % (name, len(opened.vertices), there))


def main(path, folder):
    importer = load_importer(path)
    results = []
    for ending in ("ply", "glb"):
        scene, thing = prepare(importer, os.path.join(folder, "m.%04d." + ending))
        counts = check_frames(scene, thing, ending)
        results.append((counts, check_pictures(scene, folder, ending)))
        check_saved(scene, thing, folder, ending)
    called = bpy.app.handlers.frame_change_pre
    check(len([one for one in called if one.__name__ == "follow_frame"]) == 1, "handlers: %s" % list(called))
    importer.register()  # as an add-on, after scripts
    importer.unregister()
    check(len(called) == 0, "handlers are left: %s" % list(called))
    check(results[0][0] == results[1][0], "PLY and GLB differ: %s" % results)
    print("blender: blurred by %.3f m (PLY), %.3f m (GLB) of 0.2 m" % (results[0][1], results[1][1]))


main(*sys.argv[sys.argv.index("--") + 1 :][:2])
