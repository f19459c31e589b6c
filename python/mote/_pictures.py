"""Pictures as arrays of pixels: rows from the top, four bytes each: red, green, blue, alpha."""
from __future__ import annotations

import math
import os
from typing import Any, Iterator, Optional

import numpy as np

from ._arrays import Array, FieldViews, copy_numbers, numbers, pointer
from ._library import DEFAULT, Error, call, choose, ffi, fill, lib, make, path_of, string, text
from ._parts import body_handles
from ._surface import Mesh, Surface, mesh_pointer

GREY, CLEAR = (168, 168, 172, 255), (200, 205, 210, 90)


def pixels_of(image: Any) -> Array:
    """A copy of the pixels of a mote_image, which is freed."""
    shape = (lib.mote_image_height(image), lib.mote_image_width(image), 4)
    out = copy_numbers(lib.mote_image_pixels(image), shape, np.uint8)
    lib.mote_image_destroy(image)
    return out


def image_of(pixels: Any) -> Any:
    """A mote_image of pixels: (height, width, 3 or 4) bytes."""
    array = np.ascontiguousarray(pixels, np.uint8)
    if array.ndim != 3 or array.shape[2] not in (3, 4):
        raise Error(f"pixels: the shape is {array.shape}, not (height, width, 4)", key="pixels")
    if array.shape[2] == 3:
        array = np.concatenate([array, np.full((*array.shape[:2], 1), 255, np.uint8)], axis=2)
    image = make("mote_image *", lib.mote_image_create, array.shape[1], array.shape[0], DEFAULT.pointer)
    ffi.memmove(lib.mote_image_pixels(image), np.ascontiguousarray(array), array.size)
    return ffi.gc(image, lib.mote_image_destroy)


def write_image(path: Any, pixels: Any) -> None:
    """Writes pixels as a PNG file."""
    call(lib.mote_image_write, image_of(pixels), path_of(path))


def read_image(path: Any) -> Array:
    """The pixels of a PNG file."""
    return pixels_of(make("mote_image *", lib.mote_image_read, path_of(path), DEFAULT.pointer))


def png_of(pixels: Any) -> bytes:
    """Pixels as the bytes of a PNG file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "picture.png")
        write_image(name, pixels)
        with open(name, "rb") as file:
            return file.read()


# --- Previews ---------------------------------------------------------------------------------------------


class Stage:
    """A mote_preview_scene with what it looks at."""

    def __init__(self) -> None:
        self.scene = ffi.new("mote_preview_scene *", lib.mote_preview_scene_default())
        self.kept: list[Any] = []
        self.meshes: list[tuple[Any, Any, tuple[int, ...]]] = []

    def add_particles(self, position: Any, radius: float, value: Any, name: str, colour: Any) -> None:
        x = numbers(position, "position", np.float64, columns=3, finite=False)
        self.scene.position, self.scene.count, self.scene.radius = pointer(x, "double"), len(x), radius
        self.kept.append(x)
        if colour is not None:
            bytes_ = np.ascontiguousarray(colour, np.uint8).reshape(len(x), 4)
            self.scene.colour = pointer(bytes_, "mote_colour")
            self.kept.append(bytes_)
        if value is not None:
            views = FieldViews({name: value}, len(x), 1)
            self.scene.value = views.views[0]
            self.kept.append(views)

    def add_mesh(self, mesh: Any, pose: Any, colour: tuple[int, ...]) -> None:
        self.meshes.append((mesh, pose, colour))

    def draw(self, options: dict[str, Any]) -> Array:
        rows = ffi.new("mote_preview_mesh[]", max(1, len(self.meshes)))
        for row, (mesh, pose, colour) in zip(rows, self.meshes):
            row.mesh, row.colour = mesh[0], list(colour)
            row.pose = ffi.NULL if pose is None else pose
        self.scene.mesh, self.scene.meshes = rows, len(self.meshes)
        definition = preview_def(options)
        return pixels_of(make("mote_image *", lib.mote_preview_draw, definition, self.scene, DEFAULT.pointer))


def preview_def(options: dict[str, Any]) -> Any:
    """mote_preview_def of keywords: its members, and camera=dict(...), map="water", range=(low, high)."""
    definition = ffi.new("mote_preview_def *", lib.mote_preview_def_default())
    plain = dict(options)
    fill(definition.camera, plain.pop("camera", {}))
    if "map" in plain:
        definition.shade.map = choose("mote_colour_map", "MOTE_MAP_", plain.pop("map"))
    if "range" in plain:
        definition.shade.low, definition.shade.high = plain.pop("range")
    return fill(definition, plain, ("camera", "shade"))


def preview(position: Any, radius: float, *, value: Any = None, name: str = "value", colour: Any = None,
            meshes: tuple[Mesh, ...] = (), title: Optional[str] = None, time: float = math.nan, **options: Any) -> Array:
    """A picture of particles as shaded spheres, coloured by a value or by colours of their own, and of meshes.

    Keywords: members of mote_preview_def (mote/draw.h), e.g. width, height, low, high; map, range, camera.
    """
    stage = Stage()
    stage.add_particles(position, radius, value, name, colour)
    for mesh in meshes:
        stage.add_mesh(mesh_pointer(mesh), None, GREY)
    stage.scene.time = time
    held = string(title)
    stage.scene.title = held
    return stage.draw(options)


def preview_world(world: Any, options: dict[str, Any]) -> Array:
    """All particles, rigid bodies and colliders of a world; field="velocity": coloured by a field of fluids."""
    field = options.pop("field", None)
    core, stage = world._core, Stage()
    scene = core.scene.pointer
    parts = [world.fluid["position"], world.elastic["position"], world.lattices["position"]]
    radius = 0.5 * world.spacing
    if field is not None:
        stage.add_particles(parts[0], radius, world[field], field, None)
    else:
        stage.add_particles(np.concatenate(parts), radius, None, "", _colours(world, core, scene))
    with core.read() as handle:
        _add_solids(stage, handle, scene, _box(scene, parts))
    stage.scene.low, stage.scene.high, stage.scene.time = list(scene.world.low), list(scene.world.high), world.time
    flat = {"flat": True} if scene.world.dimensions == 2 else {}
    return stage.draw({**flat, **options})


def _colours(world: Any, core: Any, scene: Any) -> Array:
    """Those of the materials."""
    table = [[*(round(255 * one) for one in scene.material[k].colour), 255] for k in range(scene.materials)]
    return np.array(table or [[*GREY]], np.uint8)[materials_of(world, core)]


def materials_of(world: Any, core: Any) -> Array:
    """The numbers of the materials of all particles: of fluids by particle, of others by body."""
    materials, of_label = [world.materials()], np.zeros(1, np.uint32)
    with core.read() as handle:
        for body in body_handles(handle).values():
            about = make("mote_body_info", lib.mote_world_body_about, handle, body)
            of_label = np.resize(of_label, max(len(of_label), body.index + 2))
            of_label[body.index + 1] = about.material
    return np.concatenate(materials + [of_label[kind["body"]] for kind in (world.elastic, world.lattices)])


def _box(scene: Any, parts: list[Array]) -> tuple[Any, Any]:
    """A finite box around the scene."""
    low, high = np.array(list(scene.world.low)), np.array(list(scene.world.high))
    points = np.concatenate(parts) if any(map(len, parts)) else np.zeros((1, 3))
    low = np.where(np.isfinite(low), low, points.min(axis=0) - 0.5)
    high = np.where(np.isfinite(high), high, points.max(axis=0) + 0.5)
    return low.tolist(), high.tolist()


def _add_solids(stage: Stage, world: Any, scene: Any, box: tuple[Any, Any]) -> None:
    """Rigid bodies and colliders where they are now."""
    for shape, pose, of in solids(world, scene):
        is_body = hasattr(of, "model")
        colour = (*(round(255 * one) for one in of.colour), 255) if is_body else CLEAR
        stage.add_mesh(_shape_mesh(shape, scene.world.dimensions, box), pose, colour)


def solids(world: Any, scene: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Shapes and poses of rigid bodies, with their materials, and of colliders, with their definitions."""
    error = ffi.new("mote_error *")
    materials = {text(scene.material[k].name): ffi.addressof(scene.material, k) for k in range(scene.materials)}
    for k in range(scene.bodies):
        state, body = ffi.new("mote_body_state *"), scene.body[k]
        handle = lib.mote_world_find_body(world, body.name)
        if handle.generation and lib.mote_world_body(world, handle, state, error) == lib.MOTE_OK:
            yield body.shape, ffi.new("mote_pose *", state.pose), materials[text(body.material)]
    for k in range(scene.colliders):
        collider, pose = ffi.addressof(scene.collider, k), ffi.new("mote_pose *")
        handle = lib.mote_world_find_collider(world, collider.name)
        if collider.visible and handle.generation and lib.mote_world_pose(world, handle, pose, error) == lib.MOTE_OK:
            yield collider.shape, pose, collider


def _shape_mesh(definition: Any, dimensions: int, box: tuple[Any, Any]) -> Any:
    """Within the bounds of the shape, or within the box where it has none."""
    shape = make("mote_shape *", lib.mote_shape_create, ffi.addressof(definition), dimensions, DEFAULT.pointer)
    low, high = ffi.new("double[3]", list(box[0])), ffi.new("double[3]", list(box[1]))
    own_low, own_high = ffi.new("double[3]"), ffi.new("double[3]")
    lib.mote_shape_bounds(shape, own_low, own_high)
    for axis in range(dimensions):
        margin = 0.01 * (own_high[axis] - own_low[axis])
        if np.isfinite(margin):
            low[axis], high[axis] = own_low[axis] - margin, own_high[axis] + margin
    try:
        mesh = make("mote_mesh", lib.mote_preview_shape, shape, dimensions, low, high, 48, DEFAULT.pointer)
    finally:
        lib.mote_shape_destroy(shape)
    return Owned(mesh)


class Kept:
    """A mote_mesh with the arrays that it looks at."""

    def __init__(self, pointer: Any, mesh: Mesh) -> None:
        self.pointer, self.mesh = pointer, mesh

    def __getitem__(self, _: int) -> Any:
        return self.pointer[0]


class Owned:
    """A mesh of the library, freed with this object; [0] is the mote_mesh."""

    def __init__(self, mesh: Any) -> None:
        self.pointer = ffi.new("mote_mesh *", mesh)

    def __getitem__(self, _: int) -> Any:
        return self.pointer[0]

    def __del__(self) -> None:
        lib.mote_mesh_free(self.pointer, DEFAULT.pointer)


# --- Rays -------------------------------------------------------------------------------------------------


def look_of(name: str, colour: Any) -> Any:
    """A mote_look: of a material's preset ("water", "honey", ...), or "matte", "glossy" in a colour."""
    look = ffi.new("mote_look *")
    if name in ("matte", "glossy"):
        rgb = [float(one) for one in (colour if colour is not None else (0.7, 0.7, 0.7))]
        look[0] = (lib.mote_look_matte if name == "matte" else lib.mote_look_glossy)(*rgb)
    elif not lib.mote_look_named(name.encode(), look):
        raise Error(f"look: nothing looks like {name!r}", key="look")
    return look


def render(meshes: Any = (), *, particles: Any = None, radius: float = 0.0, look: Any = "water", colour: Any = None,
           title: Optional[str] = None, **options: Any) -> Array:
    """A picture by rays of meshes, and of particles as spheres of a radius; the look is one for all meshes, or a list.

    Keywords: members of mote_render_def (mote/render.h), e.g. width, height, samples, ground; camera=dict(...).
    """
    given = [meshes] if isinstance(meshes, Mesh) else list(meshes)
    looks = [look] * max(1, len(given)) if isinstance(look, str) else list(look)
    scene, kept = ffi.new("mote_render_scene *", lib.mote_render_scene_default()), [string(title)]
    rows = ffi.new("mote_render_mesh[]", max(1, len(given)))
    for row, mesh, name in zip(rows, given, looks):
        row.mesh, row.look = mesh_pointer(mesh)[0], look_of(name, colour)[0]
        if mesh.normals is not None:
            kept.append(numbers(mesh.normals, "normals", np.float32, columns=3))
            row.normal = pointer(kept[-1], "float")
    scene.mesh, scene.meshes, scene.title = rows, len(given), kept[0]
    if particles is not None:
        kept += _spheres(scene, particles, radius, looks[-1], colour)
    return pixels_of(make("mote_image *", lib.mote_render_draw, render_def(options), scene, DEFAULT.pointer))


def render_def(options: dict[str, Any]) -> Any:
    """mote_render_def of keywords: its members, and camera=dict(...)."""
    definition = ffi.new("mote_render_def *", lib.mote_render_def_default())
    plain = dict(options)
    fill(definition.camera, plain.pop("camera", {}))
    return fill(definition, plain, ("camera", "environment", "progress", "progress_user", "ground_look"))


def render_world(world: Any, options: dict[str, Any]) -> Array:
    """The surfaces of all materials, rigid bodies and colliders of a 3D world, by rays."""
    core, scene_def = world._core, world._core.scene.pointer
    if scene_def.world.dimensions != 3:
        raise Error("worlds in 2D have previews only")
    rows = _surfaces(world, core, scene_def)
    with core.read() as handle:
        for shape, pose, of in solids(handle, scene_def):
            is_body = hasattr(of, "model")
            look = lib.mote_look_of(of) if is_body else lib.mote_look_of_collider(of)
            rows.append((_shape_mesh(shape, 3, _box(scene_def, [])), None, look, pose))
    scene = ffi.new("mote_render_scene *", lib.mote_render_scene_default())
    meshes = ffi.new("mote_render_mesh[]", max(1, len(rows)))
    for mesh, (triangles, normals, look, pose) in zip(meshes, rows):
        mesh.mesh, mesh.look, mesh.liquid = triangles[0], look, pose is None
        mesh.pose = ffi.NULL if pose is None else pose
        mesh.normal = ffi.NULL if normals is None else pointer(normals, "float")
    scene.mesh, scene.meshes, scene.time = meshes, len(rows), world.time
    scene.low, scene.high = list(scene_def.world.low), list(scene_def.world.high)
    return pixels_of(make("mote_image *", lib.mote_render_draw, render_def(options), scene, DEFAULT.pointer))


def _surfaces(world: Any, core: Any, scene: Any) -> list[tuple[Any, Any, Any, Any]]:
    """A surface for each material that has particles: mesh, normals, look, no pose."""
    position = np.concatenate([world.fluid["position"], world.elastic["position"], world.lattices["position"]])
    number, rows = materials_of(world, core), []
    for k in np.unique(number):
        mesh = Surface(spacing=world.spacing).build(position[number == k])
        triangles = mesh_pointer(mesh)
        normals = None if mesh.normals is None else numbers(mesh.normals, "normals", np.float32, columns=3)
        rows.append((Kept(triangles, mesh), normals, lib.mote_look_of(ffi.addressof(scene.material, int(k))), None))
    return rows


def _spheres(scene: Any, particles: Any, radius: float, look: str, colour: Any) -> list[Any]:
    x = numbers(particles, "particles", np.float64, columns=3)
    spheres = ffi.new("mote_render_spheres *")
    spheres.position, spheres.count, spheres.radius = pointer(x, "double"), len(x), radius
    spheres.look = look_of(look, colour)[0]
    scene.spheres, scene.sphere_sets = spheres, 1
    return [x, spheres]

