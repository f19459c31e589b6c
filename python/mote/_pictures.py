"""Pictures as arrays of pixels: rows from the top, four bytes each: red, green, blue, alpha."""
from __future__ import annotations

import math
import os
from typing import Any, Iterator, Optional

import numpy as np

from ._arrays import Array, FieldViews, copy_numbers, doubles, numbers, pointer
from ._checks import checked, instance, items
from ._library import (DEFAULT, Callback, Error, call, ffi, fill, lib, make, names_of, path_of, presets, string,
                       string_or_null, suggest, text)
from ._parts import body_handles
from ._surface import Mesh, Surface, mesh_pointer

GREY, CLEAR = (168, 168, 172, 255), (200, 205, 210, 90)


def pixels_of(image: Any) -> Array:
    """A copy of the pixels of a mote_image, which is freed."""
    out = _pixels(image)
    lib.mote_image_destroy(image)
    return out


def _pixels(image: Any) -> Array:
    shape = (lib.mote_image_height(image), lib.mote_image_width(image), 4)
    return copy_numbers(lib.mote_image_pixels(image), shape, np.uint8)


def image_of(pixels: Any) -> Any:
    """A mote_image of pixels: (height, width, 3 or 4) bytes."""
    array = np.asarray(pixels)
    if array.ndim != 3 or array.shape[2] not in (3, 4):
        raise Error(f"pixels: the shape is {array.shape}, not (height, width, 4)", key="pixels")
    rows = colours(array.reshape(-1, array.shape[2]), array.shape[0] * array.shape[1], "pixels")
    image = make("mote_image *", lib.mote_image_create, array.shape[1], array.shape[0], DEFAULT.pointer)
    ffi.memmove(lib.mote_image_pixels(image), rows, rows.size)
    return ffi.gc(image, lib.mote_image_destroy)


def colours(value: Any, rows: int, name: str = "colour") -> Array:
    """Colours, (rows, 3 or 4) bytes, as mote_colour."""
    array = np.asarray(value)
    if array.ndim == 2 and array.shape[1] == 3:
        array = np.concatenate([array, np.full((len(array), 1), 255, array.dtype)], axis=1)
    return numbers(array, name, np.uint8, columns=4, rows=rows)


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

    def add_particles(self, position: Any, radius: float, value: Any, name: str, colour: Any,
                      unit: str = "") -> None:
        x = numbers(position, "position", np.float64, columns=3, finite=False)
        self.scene.position, self.scene.count, self.scene.radius = doubles(x), len(x), radius
        self.kept.append(x)
        if colour is not None:
            self.kept.append(colours(colour, len(x)))
            self.scene.colour = pointer(self.kept[-1], "mote_colour")
        if value is not None:
            views = FieldViews({name: value}, len(x), 1)
            self.kept += [views, string(unit)]
            views.views[0].unit = self.kept[-1]
            self.scene.value = views.views[0]

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
    plain, shade = dict(options), {}
    if "map" in plain:
        shade["map"] = plain.pop("map")
    if "range" in plain:
        shade["low"], shade["high"] = numbers(plain.pop("range"), "range", np.float64, rows=2, finite=False)
    return fill(ffi.new("mote_preview_def *", lib.mote_preview_def_default()), {"shade": shade, **plain})


@checked
def preview(position: Any, radius: float, *, value: Any = None, name: str = "value", colour: Any = None,
            meshes: tuple[Mesh, ...] = (), title: Optional[str] = None, time: float = math.nan, **options: Any) -> Array:
    """A picture of particles as shaded spheres, coloured by a value or by colours of their own, and of meshes.

    Keywords: members of mote_preview_def (mote/draw.h), e.g. width, height, low, high; map, range, camera.
    """
    stage = Stage()
    stage.add_particles(position, radius, value, name, colour)
    for mesh in items(meshes, "meshes", Mesh):
        stage.add_mesh(mesh_pointer(mesh), None, GREY)
    stage.scene.time = time
    held = string_or_null(title, "title")
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
        units = {one.name: one.unit for one in world.fields}
        stage.add_particles(parts[0], radius, world[field], field, None, units[field])
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
        mesh = make("mote_mesh", lib.mote_shape_triangles, shape, dimensions, low, high, 48, DEFAULT.pointer)
    finally:
        lib.mote_shape_destroy(shape)
    return Owned(mesh)


class Owned:
    """A mesh of the library, freed with this object; [0] is the mote_mesh."""

    def __init__(self, mesh: Any) -> None:
        self.pointer = ffi.new("mote_mesh *", mesh)

    def __getitem__(self, _: int) -> Any:
        return self.pointer[0]

    def __del__(self) -> None:
        lib.mote_mesh_free(self.pointer, DEFAULT.pointer)


# --- Rays -------------------------------------------------------------------------------------------------


@checked
class Look:
    """What something looks like: Look("water"), Look("glass", colour=(1, 0.5, 0), roughness=0.1).

    The name is a kind (matte, glossy, metal, glass, puff) or a material's preset; keywords: members of mote_look.
    """

    def __init__(self, name: str = "matte", **options: Any) -> None:
        self.name, self.pointer = name, ffi.new("mote_look *", lib.mote_look_glossy(0.7, 0.7, 0.7))
        kinds = names_of("mote_look_kind")
        if isinstance(name, str) and name in kinds:
            self.pointer.kind = kinds[name]
        elif not lib.mote_look_named(string(name, "look"), self.pointer):
            known = [*kinds, *presets()]
            raise Error(f"look: nothing looks like {name!r}{suggest(str(name), known)}", key="look")
        fill(self.pointer, options)

    def __repr__(self) -> str:
        return f"Look({self.name!r})"


def look_of(value: Any) -> Look:
    return value if isinstance(value, Look) else Look(value)


class Texture:
    """Images on the triangles of mote.read(path): those within a glb file, or one PNG file by the coordinates of an obj.

    images: arrays of pixels; uv: coordinates of the corners of each triangle; image_of: the image of each, -1: none.
    """

    def __init__(self, path: Any, image: Any = None) -> None:
        made = ffi.new("mote_texture *")
        given = ffi.NULL if image is None else path_of(image, "image")
        call(lib.mote_texture_read, path_of(path), given, DEFAULT.pointer, made)
        self.pointer = ffi.gc(made, lambda one: lib.mote_texture_free(one, DEFAULT.pointer))
        self.uv, self.image_of = _coordinates(made)
        self.images = [_pixels(made.image[k]) for k in range(made.images)]


def texture_coordinates(path: Any) -> tuple[Array, Array]:
    """Texture coordinates of the corners of each triangle of a mesh file, (n, 3, 2), and which triangles have any."""
    made = ffi.new("mote_texture *")
    call(lib.mote_texture_read_uv, path_of(path), DEFAULT.pointer, made)
    uv, image_of = _coordinates(made)
    lib.mote_texture_free(made, DEFAULT.pointer)
    return uv, image_of >= 0


def _coordinates(texture: Any) -> tuple[Array, Array]:
    uv = copy_numbers(texture.uv, (texture.triangles, 3, 2), np.float32)
    return uv, copy_numbers(texture.image_of, (texture.triangles,), np.uint32).astype(np.int32)


class Rays:
    """A mote_render_scene with what it looks at."""

    def __init__(self) -> None:
        self.scene = ffi.new("mote_render_scene *", lib.mote_render_scene_default())
        self.kept: list[Any] = []
        self.meshes: list[Any] = []

    def add(self, mesh: Any, look: Any, *, normals: Any = None, colour: Any = None, texture: Optional[Texture] = None,
            velocity: Any = None, pose: Any = None, **flags: bool) -> None:
        """A mote_mesh with the arrays of its vertices."""
        count, row = mesh[0].vertices, ffi.new("mote_render_mesh *")
        row.mesh, row.look = mesh[0], look
        if normals is not None:
            row.normal = self._keep(numbers(normals, "normals", np.float32, columns=3, rows=count), "float")
        if velocity is not None:
            row.velocity = self._keep(numbers(velocity, "velocity", np.float32, columns=3, rows=count), "float")
        if colour is not None:
            row.colour = self._keep(colours(colour, count), "mote_colour")
        row.texture = ffi.NULL if texture is None else instance("Texture")(texture, "texture").pointer
        row.pose = ffi.NULL if pose is None else pose
        self.kept += [mesh, pose, texture]
        self.meshes.append(fill(row, flags, ("mesh", "look")))

    def add_mesh(self, look: Any, mesh: Any = None, **options: Any) -> None:
        """A Mesh."""
        if not isinstance(mesh, Mesh):
            raise Error(f"meshes: {mesh!r} is no Mesh", key="meshes")
        self.kept.append(mesh)
        if "pose" in options:
            raise Error("pose: transform the vertices of the mesh", key="pose")
        options.setdefault("normals", mesh.normals)
        self.add(mesh_pointer(mesh), look_of(look).pointer[0], **options)

    def add_spheres(self, position: Any, radius: float, look: Any, colour: Any) -> None:
        x = numbers(position, "particles", np.float64, columns=3)
        spheres = ffi.new("mote_render_spheres *", {"radius": radius, "count": len(x)})
        spheres.position, spheres.look = doubles(x), look_of(look).pointer[0]
        if colour is not None:
            spheres.colour = self._keep(colours(colour, len(x)), "mote_colour")
        self.scene.spheres, self.scene.sphere_sets = spheres, 1
        self.kept += [x, spheres]

    def _keep(self, array: Array, kind: str) -> Any:
        self.kept.append(array)
        return pointer(array, kind)

    def draw(self, options: dict[str, Any]) -> Array:
        """Keywords: members of mote_render_def, with camera=dict(...), environment, ground_look and progress."""
        rows = ffi.new("mote_render_mesh[]", [one[0] for one in self.meshes] or 1)
        self.scene.mesh, self.scene.meshes = rows, len(self.meshes)
        if options.get("progress") is not None and not callable(options["progress"]):
            raise Error(f"progress: {options['progress']!r} is no function", key="progress")
        plain, definition = dict(options), ffi.new("mote_render_def *", lib.mote_render_def_default())
        light, report = environment_of(plain.pop("environment", None)), plain.pop("progress", None)
        definition.environment = light
        if "ground_look" in plain:
            definition.ground_look = look_of(plain.pop("ground_look")).pointer[0]
        fill(definition, plain)

        def goes_on(_: Any, part: float) -> bool:
            return report is None or report(part) is not False

        with Callback("bool(void *, double)", goes_on, False) as progress:
            definition.progress = progress
            return pixels_of(make("mote_image *", lib.mote_render_draw, definition, self.scene, DEFAULT.pointer))


def environment_of(value: Any) -> Any:
    """A mote_environment of a Radiance file (.hdr), or of radiances by latitude and longitude (rows, columns, 3)."""
    if value is None:
        return ffi.NULL
    out = ffi.new("mote_environment *")
    if not isinstance(value, np.ndarray):
        call(lib.mote_environment_read, path_of(value, "environment"), DEFAULT.pointer, out)
        return ffi.gc(out, lambda one: lib.mote_environment_free(one, DEFAULT.pointer))
    if value.ndim != 3 or value.shape[2] != 3 or value.shape[1] != 2 * value.shape[0] or not len(value):
        raise Error(f"environment: the shape is {value.shape}, not (rows, 2 rows, 3)", key="environment")
    light = numbers(value.reshape(-1, 3), "environment", np.float32, columns=3)
    out.height, out.width, out.light = *value.shape[:2], pointer(light, "float")
    return ffi.gc(out, lambda _, kept=light: None)


def render_engine() -> str:
    """The ray tracer of this build; "": it has none, and render() fails."""
    return text(lib.mote_render_engine())


@checked
def render(meshes: Any = (), *, particles: Any = None, radius: float = 0.0, look: Any = "water", colour: Any = None,
           title: Optional[str] = None, **options: Any) -> Array:
    """A picture by rays of meshes, and of particles as spheres of a radius.

    meshes: a Mesh, or a list; what looks different is dict(mesh=..., look="glass", colour=..., texture=Texture(...),
    velocity=..., wireframe=True, liquid=True, vessel=True). look: of all others, a name or a Look.
    Keywords: members of mote_render_def (mote/render.h), e.g. width, height, samples, ground; camera=dict(...);
    environment="sky.hdr"; progress: is called with the part that is done, and stops the picture with False.
    """
    rays, held = Rays(), string_or_null(title, "title")
    for one in items([meshes] if isinstance(meshes, (Mesh, dict)) else meshes, "meshes", (Mesh, dict)):
        rays.add_mesh(**{"look": look, **(one if isinstance(one, dict) else {"mesh": one})})
    rays.scene.title = held
    if particles is not None:
        rays.add_spheres(particles, radius, look, colour)
    return rays.draw(options)


def render_world(world: Any, options: dict[str, Any]) -> Array:
    """The surfaces of all materials, rigid bodies and colliders of a 3D world, by rays."""
    core, scene = world._core, world._core.scene.pointer
    if scene.world.dimensions != 3:
        raise Error("worlds in 2D have previews only")
    rays = Rays()
    _add_surfaces(rays, world, core, scene)
    with core.read() as handle:
        for shape, pose, of in solids(handle, scene):
            is_body = hasattr(of, "model")
            look = lib.mote_look_of(of) if is_body else lib.mote_look_of_collider(of)
            rays.add(_shape_mesh(shape, 3, _box(scene, [])), look, pose=pose)
    rays.scene.low, rays.scene.high, rays.scene.time = list(scene.world.low), list(scene.world.high), world.time
    rays.scene.lamp, rays.scene.lamps = scene.lamp, scene.lamps
    return rays.draw(options)


def _add_surfaces(rays: Rays, world: Any, core: Any, scene: Any) -> None:
    """A surface for each material that has particles."""
    position = np.concatenate([world.fluid["position"], world.elastic["position"], world.lattices["position"]])
    number = materials_of(world, core)
    for k in np.unique(number):
        mesh = Surface(spacing=world.spacing).build(position[number == k])
        rays.kept.append(mesh)
        look = lib.mote_look_of(ffi.addressof(scene.material, int(k)))
        rays.add(mesh_pointer(mesh), look, normals=mesh.normals, liquid=True)
