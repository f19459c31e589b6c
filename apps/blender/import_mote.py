# Surfaces of Mote in Blender: a sequence of PLY or GLB files whose topology changes, with velocities by which
# Cycles blurs. Blender 3.4 and later; docs/into_other_tools.md.
#
#   blender --python import_mote.py -- 'run/surface.%04d.ply'
#
# or as an add-on (Edit > Preferences > Add-ons > Install): File > Import > Mote surfaces. One object shows the
# file of the frame at hand: a handler replaces its mesh when the frame changes. Cycles blurs a mesh that has an
# attribute "velocity" (vector, on points), as distance per second of the scene.
import json
import os
import re
import struct
import sys

import bpy
import numpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

bl_info = {
    "name": "Mote surfaces",
    "description": "Sequences of PLY or GLB files with velocities for motion blur",
    "author": "Mote",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Mote surfaces",
    "category": "Import-Export",
}

# --- Files ----------------------------------------------------------------------------------------------------


class Surface:
    """Vertices, triangles, velocities (m/s) and colours (sRGB, 0 to 255) of one file; None where it has none."""

    def __init__(self, points, triangles, velocity=None, colour=None, time=None):
        self.points, self.triangles = points, triangles
        self.velocity, self.colour, self.time = velocity, colour, time


PLY_TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
    "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip


def read_ply(path):
    """A binary little-endian PLY file as Mote writes it: triangles only."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header") + len("end_header\n")
    vertices = faces = 0
    columns, corner, time, element = [], None, None, ""
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[0] == "format" and words[1] != "binary_little_endian":
            raise ValueError(path + ": not binary_little_endian; mote convert writes it so")
        elif words[0] == "comment" and words[1:2] == ["time"]:
            time = float(words[2])
        elif words[0] == "element":
            element = words[1]
            if element == "vertex":
                vertices = int(words[2])
            elif element == "face":
                faces = int(words[2])
        elif words[0] == "property" and element == "vertex":
            columns.append((words[2], "<" + PLY_TYPES[words[1]]))
        elif words[0] == "property" and element == "face":
            corner = [("count", "<" + PLY_TYPES[words[2]]), ("corner", "<" + PLY_TYPES[words[3]], 3)]
    table = numpy.frombuffer(data, numpy.dtype(columns), vertices, end)
    rows = numpy.frombuffer(data, numpy.dtype(corner), faces, end + table.nbytes) if faces else None
    if rows is not None and (rows["count"] != 3).any():
        raise ValueError(path + ": faces that are no triangles; mote convert splits them")

    def take(*names):
        return numpy.stack([table[n] for n in names], 1) if all(n in table.dtype.names for n in names) else None

    velocity = take("velocity_x", "velocity_y", "velocity_z")
    triangles = rows["corner"] if faces else numpy.empty((0, 3), "i4")
    return Surface(take("x", "y", "z"), triangles, velocity, take("red", "green", "blue"), time)


GLB_TYPES = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
GLB_SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def read_glb(path):
    """The one mesh of a GLB file of Mote."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    root = json.loads(data[20 : 20 + length])
    start = 28 + length
    time = root["asset"].get("extras", {}).get("time")
    if not root.get("meshes"):
        return Surface(numpy.empty((0, 3)), numpy.empty((0, 3), "i4"), time=time)

    def take(number):
        accessor = root["accessors"][number]
        view = root["bufferViews"][accessor["bufferView"]]
        size, kind = GLB_SIZES[accessor["type"]], numpy.dtype("<" + GLB_TYPES[accessor["componentType"]])
        at = start + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", size * kind.itemsize)
        return numpy.ndarray((accessor["count"], size), kind, data, at, (stride, kind.itemsize))

    primitive = root["meshes"][0]["primitives"][0]
    attributes = primitive["attributes"]
    node = next(node for node in root["nodes"] if "mesh" in node)
    points = take(attributes["POSITION"]) + numpy.array(node.get("translation", (0, 0, 0)))
    velocity = take(attributes["_VELOCITY"]) if "_VELOCITY" in attributes else None
    colour = None
    if "COLOR_0" in attributes:
        linear = take(attributes["COLOR_0"])[:, :3] / 65535.0
        colour = 255 * numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return Surface(points, take(primitive["indices"]).reshape(-1, 3), velocity, colour, time)


def read_surface(path):
    return read_glb(path) if path.lower().endswith(".glb") else read_ply(path)


def list_files(pattern):
    """The files of name.%04d.ply, or of all that differ from the given one in their last number only."""
    folder, base = os.path.split(os.path.abspath(bpy.path.abspath(pattern)))
    if "%" in base:
        before, after = re.split(r"%0?\d*d", base, maxsplit=1)
    else:
        number = re.search(r"\d+(?=\D*$)", os.path.splitext(base)[0])
        if number is None:
            return [os.path.join(folder, base)]
        before, after = base[: number.start()], base[number.end() :]
    wanted = re.compile(re.escape(before) + r"(\d+)" + re.escape(after) + "$")
    found = [(int(match.group(1)), name) for name in os.listdir(folder) for match in [wanted.match(name)] if match]
    return [os.path.join(folder, name) for _, name in sorted(found)]


# --- Meshes ---------------------------------------------------------------------------------------------------


def fill_mesh(mesh, surface, seconds):
    """Replaces what the mesh holds. seconds: of the simulation in one second of the scene."""
    count, triangles = len(surface.points), len(surface.triangles)
    mesh.clear_geometry()
    mesh.vertices.add(count)
    mesh.loops.add(3 * triangles)
    mesh.polygons.add(triangles)
    mesh.vertices.foreach_set("co", numpy.ascontiguousarray(surface.points, "f4").ravel())
    mesh.loops.foreach_set("vertex_index", numpy.ascontiguousarray(surface.triangles, "i4").ravel())
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * triangles, 3, dtype="i4"))
    mesh.polygons.foreach_set("loop_total", numpy.full(triangles, 3, "i4"))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(triangles, bool))
    if surface.velocity is not None and count > 0:
        velocity = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
        scaled = numpy.ascontiguousarray(surface.velocity * seconds, "f4")
        velocity.data.foreach_set("vector", scaled.ravel())
    if surface.colour is not None and count > 0:
        colour = mesh.attributes.new("colour", "BYTE_COLOR", "POINT")
        whole = numpy.ones((count, 4), "f4")
        whole[:, :3] = surface.colour / 255.0
        colour.data.foreach_set("color_srgb", whole.ravel())
    mesh.update()


def show_frame(thing, frame):
    files = thing["mote_files"].split("\n")
    at = min(max(frame - thing["mote_start"], 0), len(files) - 1)
    if thing.get("mote_shown") == files[at]:
        return
    fill_mesh(thing.data, read_surface(bpy.path.abspath(files[at])), thing["mote_seconds"])
    thing["mote_shown"] = files[at]


@persistent
def follow_frame(scene, *_):
    for thing in scene.objects:
        if "mote_files" in thing:
            show_frame(thing, scene.frame_current)


@persistent
def follow_file(*_):
    """A file was opened, whose name some versions of Blender pass."""
    for scene in bpy.data.scenes:
        follow_frame(scene)


def handlers():
    return (bpy.app.handlers.frame_change_pre, follow_frame), (bpy.app.handlers.load_post, follow_file)


def add_handlers():
    """Once, also where a script adds sequences without registering the add-on."""
    for called, handler in handlers():
        if handler not in called:
            called.append(handler)


def make_material(coloured):
    """Water, or the colours of the file."""
    material = bpy.data.materials.new("Mote colours" if coloured else "Mote water")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    shader = nodes["Principled BSDF"]
    if coloured:
        attribute = nodes.new("ShaderNodeAttribute")
        attribute.attribute_name = "colour"
        material.node_tree.links.new(attribute.outputs["Color"], shader.inputs["Base Color"])
        shader.inputs["Roughness"].default_value = 0.3
    else:
        transmission = "Transmission" if "Transmission" in shader.inputs else "Transmission Weight"  # 4.0
        shader.inputs[transmission].default_value = 1
        shader.inputs["Roughness"].default_value = 0
        shader.inputs["IOR"].default_value = 1.333
    return material


def set_rate(scene, times):
    """Frames of the scene that last as long as those of the simulation; seconds of one in one of the other."""
    known = [t for t in times if t is not None]
    if len(known) < 2 or known[-1] <= known[0]:
        return 1
    between = (known[-1] - known[0]) / (len(times) - 1)
    rate = 1 / between
    if 1 <= rate <= 240:
        scene.render.fps = max(1, round(rate))
        scene.render.fps_base = scene.render.fps / rate
    return between * scene.render.fps / scene.render.fps_base


def first_filled(files):
    """The first surface that is not empty: the files before it tell neither velocities nor colours."""
    for path in files:
        surface = read_surface(path)
        if len(surface.points) > 0:
            return surface
    return surface


def add_sequence(context, pattern, y_up=True):
    """Adds an object with the surfaces of the files; the first is shown at the scene's first frame."""
    files = list_files(pattern)
    if not files:
        raise ValueError(pattern + ": there are no such files")
    scene = context.scene
    first = read_surface(files[0])
    last = read_surface(files[-1]) if len(files) > 1 else first
    filled = first_filled(files)
    mesh = bpy.data.meshes.new("Mote surface")
    thing = bpy.data.objects.new("Mote surface", mesh)
    context.collection.objects.link(thing)
    if y_up:
        thing.rotation_euler = (1.5707963267948966, 0, 0)
    times = [first.time] + [None] * (len(files) - 2) + [last.time]
    thing["mote_files"] = "\n".join(files)
    thing["mote_start"] = scene.frame_start
    thing["mote_seconds"] = set_rate(scene, times) if len(files) > 1 else 1.0
    mesh.materials.append(make_material(filled.colour is not None))
    scene.frame_end = scene.frame_start + len(files) - 1
    scene.render.use_motion_blur = filled.velocity is not None
    scene.render.use_lock_interface = True  # the mesh is replaced while a video is rendered
    show_frame(thing, scene.frame_current)
    add_handlers()
    return thing


# --- The add-on -----------------------------------------------------------------------------------------------


class MOTE_OT_import(bpy.types.Operator, ImportHelper):
    """Import a sequence of surfaces: choose one of its files"""

    bl_idname = "import_mesh.mote"
    bl_label = "Import Mote surfaces"
    bl_options = {"UNDO"}
    filename_ext = ".ply"
    filter_glob: StringProperty(default="*.ply;*.glb", options={"HIDDEN"})
    y_up: BoolProperty(name="Y is up", default=True, description="Turn the y axis of Mote to Blender's z")

    def execute(self, context):
        try:
            add_sequence(context, self.filepath, self.y_up)
        except (OSError, ValueError) as wrong:
            self.report({"ERROR"}, str(wrong))
            return {"CANCELLED"}
        return {"FINISHED"}


def add_menu_entry(self, _context):
    self.layout.operator(MOTE_OT_import.bl_idname, text="Mote surfaces (.ply, .glb)")


def register():
    bpy.utils.register_class(MOTE_OT_import)
    bpy.types.TOPBAR_MT_file_import.append(add_menu_entry)
    add_handlers()


def unregister():
    for called, handler in handlers():
        if handler in called:
            called.remove(handler)
    bpy.types.TOPBAR_MT_file_import.remove(add_menu_entry)
    bpy.utils.unregister_class(MOTE_OT_import)


if __name__ == "__main__":
    register()
    for pattern in sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []:
        add_sequence(bpy.context, pattern)
