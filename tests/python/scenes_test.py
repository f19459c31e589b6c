"""Hashes of 20 scenes of all kinds are those of `mote run`; so are those of runs that are steered, saved, copied, pickled."""
import multiprocessing
import os
import pickle
import re
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import kit
import mote

SCENES = """beam cantilevers chocolate clay_dent cutting_tool dam_break_2d drop_wobble floating_woods goo_freezes ice_cube
lattice_bounce lattice_break lava_crust newtons_cradle notched_plate oil_on_water paddle periodic_flow spheres_merge tap
box_stack""".split()
COARSER, FRAMES = 1.6, 2


def coarse(name):
    """The changes that make a built-in scene take a part of a second."""
    text = (kit.ROOT / "scenes" / f"{name}.yaml").read_text()
    number, unit = re.search(r"^spacing: *([0-9.e-]+) *([a-z]*)", text, re.M).groups()
    return [f"spacing={float(number) * COARSER:.4g} {unit}".strip(), "fps=400", "outputs.preview=false",
            "outputs.surface=false"]


def hash_of_tool(name):
    changes = [word for change in coarse(name) for word in ("--set", change)]
    return kit.tool_hash(kit.ROOT / "scenes" / f"{name}.yaml", "--frames", FRAMES, "--threads", 1, *changes)


def hash_of_world(name):
    """Of the world, and of copies of it and of its copy that were made on the way."""
    world = mote.World(kit.ROOT / "scenes" / f"{name}.yaml", set=coarse(name), threads=2)
    for frame in world.frames(FRAMES - 1):
        twin = world.copy()
    end = frame.time + 1 / 400
    twin.step(end)
    twins = [world, twin, twin.copy(), twin.copy(into=world.copy())]
    for one in twins:
        one.advance(end)
    number, = {one.hash() for one in twins}
    return number


class Hashes(kit.Case):
    def test_twenty_scenes(self):
        with ThreadPoolExecutor(2) as pool:
            made = list(pool.map(hash_of_tool, SCENES))
            ours = list(pool.map(hash_of_world, SCENES))
        for name, a, b in zip(SCENES, made, ours):
            self.assertEqual(a, b, name)

    def test_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            here, there = os.path.join(folder, "python"), os.path.join(folder, "tool")
            scene = os.path.join(folder, "scene.yaml")
            with open(scene, "w") as file:
                file.write(kit.EVERYTHING)
            world = mote.World(scene, duration=0.1, threads=2)
            world.run(here, progress=False)
            kit.run_tool("run", scene, "-o", there, "--quiet", "--set", "duration=0.1")
            self.assertEqual(sorted(os.listdir(here)), sorted(os.listdir(there)))
            for name in sorted(os.listdir(there)):
                with open(os.path.join(here, name), "rb") as a, open(os.path.join(there, name), "rb") as b:
                    self.assertEqual(a.read() if name != "run.json" else 0, b.read() if name != "run.json" else 0, name)
            self.read_run(mote.Run(here), world)
            self.fails("neither stepped", world.run, here)

    def read_run(self, run, world):
        self.assertEqual(run.frames, 3)
        self.assertEqual(len(run.frame(3)["position"]), world.particles)
        self.assertEqual(run.totals["time"][-1], 0.08)
        self.assertEqual(sorted(run.probes), ["gauge", "inside"])
        self.assertEqual(run.world().hash(), world.hash())
        self.assertEqual(len(list(run)), 3)


def steer(world):
    """Commands between frames; the hash at the end."""
    for frame in world.frames(5):
        if frame.number == 2:
            world.gravity([1, -8, 0])
            world.impulse("box", impulse=[0.1, 0.2, 0])
            world.collider_pose("paddle", move=[-0.1, 0, 0], turn=[0, 0, 0.3], seconds=0.1)
        if frame.number == 3:
            world.set("velocity", [1, 2], [[0.1, 0, 0], [0, 0.2, 0]])
            world.emitter_speed("jet", 0.5)
        if frame.number == 4:
            world.remove_body("brick")
    return world.hash()


def step_in_child(world, pipe):
    world.advance(world.time + 0.04)
    pipe.send(world.hash())


class Detours(kit.Case):
    def test_steered(self):
        world, other = mote.World(kit.EVERYTHING, threads=1), mote.World(kit.EVERYTHING, threads=2)
        self.assertEqual(steer(world), steer(other))
        self.assertEqual([one["command"] for one in world.commands][:2], ["gravity", "impulse"])
        with tempfile.TemporaryDirectory() as folder:
            scene, commands = os.path.join(folder, "scene.yaml"), os.path.join(folder, "commands.jsonl")
            with open(scene, "w") as file:
                file.write(world.scene())
            world.commands.write(commands)
            end = kit.tool_hash(scene, "--frames", 5, "--commands", commands)
            self.assertEqual(end, world.hash())
            again = mote.World(scene)
            again.replay(commands, until=world.time)
            self.assertEqual(again.hash(), end)
            third = mote.World(scene)
            third.replay(world.commands, until=world.time)
            self.assertEqual(third.hash(), end)
            self.fails("nothing that a command can hold", third.replay, [{"step": 1, "command": object()}])
            self.fails('did you mean "gravity"', third.replay, [{"step": 1, "command": "gravty"}])
            self.assertEqual(len(mote.read_commands(commands)), len(world.commands))

    def test_saved_copied_pickled(self):
        world = mote.World(kit.EVERYTHING)
        world.advance(0.05)  # within a frame
        twins = [world.copy(), pickle.loads(pickle.dumps(world)), mote.World(kit.EVERYTHING)]
        twins[2].load(world.save())
        with tempfile.TemporaryDirectory() as folder:
            world.save(os.path.join(folder, "state.mote"))
            twins.append(mote.World(kit.EVERYTHING))
            twins[3].load(os.path.join(folder, "state.mote"))
        twins.append(world.copy(into=twins[3]))
        for one in [world, *twins]:
            one.advance(0.12)
            self.assertEqual(one.hash(), world.hash())
        self.fails("another scene", mote.World(kit.DAM).load, world.save())
        self.fails("snapshot", world.load, b"not a snapshot")

    def test_copies_take_over_memory(self):
        """A copy that is no longer used is there for the next one; views of it keep it."""
        world = mote.World(kit.EVERYTHING)
        world.keep_ledger(False)
        world.step()
        before, twin = world.hash(), world.copy()
        twin.gravity([0, 5, 0])
        twin.remove_body("brick")
        twin.advance(0.1)
        with twin.views("position") as x:
            kept = x.copy()
        del twin
        second = world.copy()
        second.advance(0.05)
        self.assertTrue((x == kept).all())
        del x, second
        third = world.copy()
        self.assertEqual((third.hash(), list(third.bodies), len(third.commands)), (before, list(world.bodies), 0))
        self.assertEqual(third.ledger, {})
        self.fails("different scenes", world.copy, into=mote.World(kit.DAM))
        self.assertIs(world.copy(into=world), world)

    def test_pickled_elsewhere(self):
        """Files that a scene names are found from where it was read."""
        with tempfile.TemporaryDirectory() as folder:
            ball = mote.Surface(spacing=0.05).build(mote.Shape(sphere={"centre": [0.5] * 3, "radius": 0.2}).fill(0.05)[0])
            mote.write(os.path.join(folder, "ball.obj"), ball)
            scene = os.path.join(folder, "scene.yaml")
            with open(scene, "w") as file:
                file.write("spacing: 0.1\nbodies: {ball: {shape: {mesh: {file: ball.obj}}}}\noutputs: {preview: false}\n")
            world = mote.World(scene)
            again = pickle.loads(pickle.dumps(world))
            self.assertEqual(again.hash(), world.hash())
            again.add_body("box", shape={"box": {"low": [2, 0, 0], "high": [3, 1, 1]}})
            self.assertGreater(again.particles, world.particles)
            wrong = pickle.loads(pickle.dumps(mote.HeldView("x")))
            self.assertIsInstance(wrong, mote.HeldView)

    def test_forked_child(self):
        world = mote.World(kit.EVERYTHING, threads=2)
        world.advance(0.04)
        context = multiprocessing.get_context("fork")
        mine, theirs = context.Pipe()
        child = context.Process(target=step_in_child, args=(world, theirs))
        child.start()
        world.advance(0.08)
        self.assertEqual(mine.recv(), world.hash())
        child.join()


if __name__ == "__main__":
    unittest.main()
