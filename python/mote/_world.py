"""A world of particles, made of a scene."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional

import numpy as np

from . import _parts as parts
from . import _steering as steering
from ._arrays import Array, pointer, vector
from ._checks import checked
from ._core import Core
from ._library import Environment, Error, Record, Sink, Source, call, ffi, lib, make, path_of, plain, record, string, text
from ._methods import Methods
from ._particles import Particles, Views
from ._scene import Scene, changes, check_names, to_text
from ._tables import COMMANDS, Field

if TYPE_CHECKING:
    import logging


class Frame(NamedTuple):
    """A frame of a scene: its number, from 1, and its time, s."""

    number: int
    time: float


@checked
class World(Methods):
    """A world of particles.

    World("dam.yaml"), World("dam_break"), World(text), World(dict): a scene; keywords change it, as `mote run --set` does.
    World(spacing=0.02, ...): the keys of a scene as keywords; add_material, add_body, ... add to it.
    threads: of its steps, which never change results; log: a logging.Logger for its messages.
    """

    def __init__(self, scene: Any = None, *, set: Any = (), threads: Optional[int] = None,
                 log: Optional[logging.Logger] = None, **keys: Any) -> None:
        self._environment = Environment(threads, log)
        check_names("scene", keys)
        self._tree: Optional[dict[str, Any]] = None
        if scene is None or isinstance(scene, dict):
            self._tree = {**(scene or {}), **keys}
            self._begin(Scene(self._tree, set, self._environment))
        elif isinstance(scene, Scene):
            given, changed = scene.given or scene.path, [*scene.set, *set, *changes(keys)]
            self._begin(Scene(given, changed, self._environment, scene.folder))
        else:
            self._begin(Scene(scene, [*set, *changes(keys)], self._environment))

    def _begin(self, scene: Scene) -> None:
        self._scene = scene
        self._made: Optional[Core] = None

    @property
    def _core(self) -> Core:
        """The C world, which is made when it is first needed."""
        if self._made is None:
            self._made = Core(self._scene)
        return self._made

    def _add(self, plural: str, section: str, name: str, keys: dict[str, Any]) -> None:
        keys = {plain(key): value for key, value in keys.items()}
        check_names(section, keys)
        string(name)
        if self._made is not None and (self.steps > 0 or len(self.commands) > 0):
            raise Error(f"{name}: things are added before the first step and the first command")
        if self._tree is not None:
            present = self._tree.get(plural, {})
            if name in present:
                raise Error(f"there is a {section} {name!r} already", key=name)
            tree = {**self._tree, plural: {**present, name: keys}}
            scene = Scene(tree, self._scene.set, self._environment, self._scene.folder)
        else:
            tree, source = None, self._scene.given or self._scene.path
            change = f"{plural}.{name}={to_text(keys)}"
            scene = Scene(source, [*self._scene.set, change], self._environment, self._scene.folder)
        self.close()
        self._tree = tree
        self._begin(scene)

    def close(self) -> None:
        """Frees the memory of the world; HeldView where views are alive."""
        if self._made is not None:
            self._made.end()

    # --- Time ---------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Seconds. Exact at frame times."""
        with self._core.read() as world:
            return lib.mote_world_time(world)

    @property
    def steps(self) -> int:
        """Steps so far."""
        with self._core.read() as world:
            return lib.mote_world_steps(world)

    def step(self, until: Optional[float] = None) -> None:
        """One step, as long as stability allows, which ends at `until` (default: the next frame) at the latest."""
        core = self._core
        with core.change() as world:
            end = self._next_frame(lib.mote_world_time(world)).time if until is None else until
            call(lib.mote_world_step, world, end)

    def advance(self, until: float) -> None:
        """Steps until the time `until`, s. Ctrl-C ends it between two steps."""
        core, end = self._core, until
        with core.change() as world:
            call(lib.mote_world_step, world, end)  # also refuses what is in the past
            while lib.mote_world_time(world) < end:
                call(lib.mote_world_step, world, end)

    def _next_frame(self, time: float) -> Frame:
        number = max(1, int(time * self._scene.pointer.fps))
        while self._scene.frame_time(number) <= time:
            number += 1
        return Frame(number, self._scene.frame_time(number))

    def frames(self, count: Optional[int] = None) -> Iterator[Frame]:
        """Steps to the frames of the scene: for frame in world.frames(): print(frame.number, frame.time).

        From the frame that the world is at, or the next one, to the scene's duration, or `count` frames.
        """
        next_one = self._next_frame(self.time)
        if next_one.number > 1 and self._scene.frame_time(next_one.number - 1) == self.time:
            next_one = Frame(next_one.number - 1, self.time)
        last = self._scene.frames if count is None else next_one.number + count - 1
        for number in range(next_one.number, last + 1):
            frame = Frame(number, self._scene.frame_time(number))
            self.advance(frame.time)
            yield frame

    # --- Reading ------------------------------------------------------------------------------------------

    @property
    def fluid(self) -> Particles:
        return Particles(self._core, "fluid")

    @property
    def elastic(self) -> Particles:
        """The particles of elastic bodies: world.elastic["position"]."""
        return Particles(self._core, "elastic")

    @property
    def lattices(self) -> Particles:
        """The particles of lattices: world.lattices["position"]."""
        return Particles(self._core, "lattice")

    def __getitem__(self, name: str) -> Array:
        """A field of the particles of fluids: a copy."""
        return self.fluid[name]

    @property
    def fields(self) -> list[Field]:
        return self.fluid.fields

    def views(self, *names: str) -> Any:
        """Views of fields of the particles of fluids: see Particles.views."""
        return Views(Particles(self._core, "fluid"), names)

    def by_id(self, field: str, ids: Any, missing: str = "raise") -> Array:
        """Rows of the particles of fluids in the order of ids: see Particles.by_id."""
        return self.fluid.by_id(field, ids, missing)

    def materials(self) -> Array:
        """The material of each fluid particle, by its number in the order of the scene."""
        with self._core.read() as world:
            out = np.zeros(lib.mote_world_particles(world), np.uint32)
            if len(out):
                call(lib.mote_world_materials, world, pointer(out, "uint32_t"))
        return out

    @property
    def particles(self) -> int:
        """The number of particles of fluids."""
        with self._core.read() as world:
            return lib.mote_world_particles(world)

    @property
    def spacing(self) -> float:
        """Of the particles, m."""
        with self._core.read() as world:
            return lib.mote_world_spacing(world)

    @property
    def totals(self) -> Record:
        """Sums over all particles and bodies."""
        with self._core.read() as world:
            return record(make("mote_totals", lib.mote_world_totals, world))

    @property
    def report(self) -> Record:
        """Of the last step."""
        with self._core.read() as world:
            return record(lib.mote_world_report(world))

    @property
    def generation(self) -> int:
        """Changes with every call after which views are invalid."""
        with self._core.read() as world:
            return lib.mote_world_generation(world)

    @property
    def memory(self) -> int:
        """Bytes of memory, without that in which surfaces are built."""
        with self._core.read() as world:
            return lib.mote_world_bytes(world)

    @property
    def faults(self) -> list[str]:
        """What went wrong so far, in words: compression, inverted particles, bodies."""
        with self._core.read() as world:
            return parts.faults(world)

    @property
    def stages(self) -> dict[str, float]:
        """Seconds of each stage of a step since the world was made."""
        with self._core.read() as world:
            return parts.stages(world)

    @property
    def events(self) -> Record:
        """Of the last step: particles that melted or froze, bodies that broke, changes of the tracked surface."""
        with self._core.read() as world:
            return parts.events(world)

    @property
    def bodies(self) -> "parts.Bodies":
        """world.bodies["box"].position"""
        return parts.Bodies(self._core)

    @property
    def colliders(self) -> "parts.Colliders":
        """world.colliders["paddle"].move"""
        return parts.Colliders(self._core)

    @property
    def probes(self) -> "parts.Probes":
        """world.probes["gauge"].level"""
        return parts.Probes(self._core)

    @property
    def ledger(self) -> dict[str, float]:
        """The energy ledger, J; empty where it is not kept."""
        with self._core.read() as world:
            return parts.ledger(world)

    def keep_ledger(self, keep: bool = True) -> None:
        """Switches the energy ledger on or off."""
        self._core.call(lib.mote_world_keep_ledger, bool(keep))

    def cracks(self, body: str) -> Record:
        """A summary of the cracks of an elastic body."""
        with self._core.read() as world:
            handle = parts.find_body(world, body)
            return record(make("mote_crack_summary", lib.mote_world_find_cracks, world, handle))

    def surface(self, name: str = "surface", fields: tuple[str, ...] = ()) -> Any:
        """The surface of the scene's outputs.surface, as (vertices, triangles) with fields at the vertices."""
        return parts.surface(self._core, name, fields)

    def skin(self, body: str, mesh: Any, *, kind: str = "shapes", support: float = 0.0) -> Any:
        """A mesh in the rest shape of an elastic body, or in a lattice, that its particles carry: .mesh is where it is."""
        from ._embedded import Skin
        from ._surface import as_mesh

        return Skin(self._core, body, as_mesh(mesh), kind, support)

    def pieces(self, body: str, edge: float = 0.0) -> Any:
        """The closed surface of an elastic body that can break, with its fragments: .mesh, .fragment, .update()."""
        from ._embedded import Pieces

        return Pieces(self._core, body, edge)

    def pick(self, origin: Any, direction: Any) -> Record:
        """The first particle, rigid body or collider that a ray meets."""
        with self._core.read() as world:
            hit = make("mote_pick", lib.mote_world_pick, world, vector(origin, "origin"), vector(direction, "direction"))
            return parts.picked(self._core, world, hit)

    # --- Steering -----------------------------------------------------------------------------------------

    @property
    def hand(self) -> Record:
        """What the last command "pull" holds: "nothing" also where that melted, broke, left or was removed."""
        with self._core.read() as world:
            return parts.hand(world)

    @property
    def commands(self) -> steering.Commands:
        """The commands that were executed: a sequence of dicts, with write(path)."""
        return steering.Commands(self._core)

    def set(self, field: str, ids: Any, values: Any) -> None:
        """Sets "velocity" or "position" of particles, as a command, which is recorded."""
        prepared = steering.Prepared(COMMANDS["field"], {"field": field, "particles": ids, "values": values})
        self._core.call(lib.mote_world_command, prepared.row)

    def replay(self, commands: Any, until: Optional[float] = None) -> None:
        """Steps to the frames of the scene until `until` (default: its duration) and gives commands of a file, or of a world."""
        given, core, at = steering.read_commands(commands), self._core, len(self.commands)
        end = self._scene.frame_time(self._scene.frames) if until is None else float(until)
        while True:
            while at < len(given) and given.is_due(at, self.steps, self.time):
                given.give(at, core)
                at += 1
            if self.time >= end:
                return
            self.step(min(end, self._next_frame(self.time).time))

    # --- State --------------------------------------------------------------------------------------------

    def hash(self) -> int:
        """Of all state, as `mote run` prints it; between two frames it begins the next one."""
        with self._core.change() as world:
            return make("uint64_t", lib.mote_world_frame_hash, world)

    def motion_hash(self) -> int:
        """Of positions and velocities alone."""
        with self._core.read() as world:
            return lib.mote_world_motion_hash(world)

    def save(self, path: Any = None) -> Optional[bytes]:
        """Writes a snapshot; without a path returns its bytes."""
        if path is None:
            return bytes(self._state())
        out = make("mote_file_out *", lib.mote_file_out_begin, path_of(path), False, self._environment.pointer)
        try:
            with self._core.read() as world:
                call(lib.mote_world_save, world, ffi.addressof(lib, "mote_file_out_write"), out)
        except BaseException:
            lib.mote_file_out_abandon(out)
            raise
        call(lib.mote_file_out_commit, out)
        return None

    def _state(self) -> bytearray:
        sink = Sink()
        with self._core.read() as world:
            call(lib.mote_world_save, world, lib.mote_python_write, sink.handle)
        return sink.bytes

    def load(self, source: Any) -> None:
        """Takes over the state of a snapshot, a file or bytes, of a world with the same definitions."""
        if isinstance(source, (bytes, bytearray, memoryview)):
            held = Source(source)
            self._core.call(lib.mote_world_load, lib.mote_python_read, held.handle, len(held.data))
            return
        file = make("mote_file_in *", lib.mote_file_in_open, path_of(source), self._environment.pointer)
        try:
            self._core.call(lib.mote_world_load, ffi.addressof(lib, "mote_file_in_read"), file,
                            lib.mote_file_in_size(file))
        finally:
            lib.mote_file_in_close(file)

    def copy(self, into: Optional["World"] = None) -> "World":
        """Another world in the same state. `into`: one of the same scene, which takes the state over.

        The memory of one copy that is no longer used is kept for the next one, which is faster.
        """
        if into is None:
            into = World.__new__(World)
            into._environment, into._tree = self._environment, self._tree
            into._begin(self._scene)
            into._made = Core(self._scene, is_copy=True)
        if into is not self:
            with self._core.read() as world:
                into._core.call(lib.mote_world_copy, world)
        return into

    def scene(self) -> str:
        """The scene as one text, which `mote run` takes."""
        return self._scene.text

    @property
    def duration(self) -> float:
        """Of the scene, s."""
        return self._scene.pointer.duration

    @property
    def notes(self) -> list[Error]:
        """Keys of the scene that have no effect."""
        return self._scene.notes()

    def run(self, out: Any, *, progress: bool = True, overwrite: bool = False, commands: Any = None) -> None:
        """Makes the directory that `mote run` makes of the scene, and takes over the state at its end."""
        from ._tool import run_world

        if self._made is not None and (self.steps > 0 or len(self.commands) > 0):
            raise Error("a run begins with a world that has neither stepped nor had a command")
        self.load(run_world(self._scene, out, progress, overwrite, commands, self._environment))

    # --- Pictures -----------------------------------------------------------------------------------------

    def preview(self, **options: Any) -> Array:
        """A picture with shaded spheres, as rows of pixels of red, green, blue and alpha: see mote.preview."""
        from ._pictures import preview_world

        return preview_world(self, options)

    def render(self, **options: Any) -> Array:
        """A picture by rays of the surfaces of all materials, rigid bodies and colliders, of a 3D world: see mote.render."""
        from ._pictures import render_world

        return render_world(self, options)

    def _repr_png_(self) -> Optional[bytes]:
        from ._pictures import png_of

        if self._made is not None and self._made.pointer is None:
            return None
        return png_of(self.preview(width=640, height=360))

    def __repr__(self) -> str:
        title = text(self._scene.pointer.title) or self._scene.path
        if self._made is None:
            return f"World({title!r})"
        if self._made.pointer is None:
            return f"World({title!r}, closed)"
        return f"World({title!r}, {self.particles} particles, t = {self.time:g} s, step {self.steps})"

    def __reduce__(self) -> Any:
        state = None if self._made is None else self.save()
        return _rebuild, (type(self), self.scene(), self._scene.folder, self._environment.threads, state)


def _rebuild(kind: type[World], scene: str, folder: str, threads: Optional[int], state: Optional[bytes]) -> World:
    world = kind(Scene(scene, environment=Environment(threads), folder=folder), threads=threads)
    if state is not None:
        world.load(state)
    return world
