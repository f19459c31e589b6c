"""Worlds: definitions by keywords, arrays that cannot lie, errors, threads."""
import gc
import math
import os
import pickle
import signal
import threading
import unittest
import warnings

import numpy as np

import kit
import mote


class Definitions(kit.Case):
    def test_four_ways(self):
        text = mote.World(kit.DAM).scene()
        tree = {key: value for key, value in kit.DAM.items() if key != "bodies"}
        third = mote.World(**tree)
        third.add_body("dam", **kit.DAM["bodies"]["dam"])
        worlds = [mote.World(kit.DAM), mote.World(text), third, mote.World(**kit.DAM)]
        for world in worlds:
            world.advance(0.1)
            self.assertEqual(world.hash(), worlds[0].hash())
            self.assertEqual(world.scene(), text)

    def test_built_in_scenes(self):
        self.assertEqual(mote.examples()["dam_break"], "Dam break")
        world = mote.World("dam_break_2d", spacing="8 cm")
        world.step()
        with open(os.path.join(kit.ROOT, "scenes", "dam_break_2d.yaml")) as file:
            same = mote.World(file.read(), spacing="8 cm")
        same.step()
        self.assertEqual(world.hash(), same.hash())
        self.assertEqual(pickle.loads(pickle.dumps(world)).hash(), world.hash())
        with self.assertRaisesRegex(mote.Error, 'dam_breka: no such file, and no built-in scene.*did you mean "dam_break"'):
            mote.World("dam_breka")

    def test_units_and_numbers(self):
        world = mote.World(kit.DAM, spacing="4 cm", gravity=np.array([0, -1.5, 0]), speed_limit=None)
        self.assertEqual(world.spacing, 0.04)
        self.assertIn("gravity: [0, -1.5, 0]", world.scene())

    def test_things_are_added(self):
        world = mote.World(kit.DAM)
        world.add_collider("wall", shape={"box": {"low": [0.7, 0], "high": [0.8, 0.3]}})
        world.add_probe("gauge", kind="level", from_=[0.3, 0], to=[0.3, 1])
        self.assertEqual(list(world.colliders), ["wall"])
        self.assertAlmostEqual(world.probes["gauge"].level[0], 0.6, delta=0.06)
        text = mote.World(world.scene())
        text.add_material("oil", viscosity="0.1 Pa s")
        text.add_body("drop", material="oil", shape={"box": {"low": [0.85, 0], "high": [1, 0.2]}})
        self.assertEqual(list(text.bodies), ["dam", "drop"])
        text.step()
        self.fails("before the first step", text.add_material, "honey")
        self.fails("already", world.add_probe, "gauge", kind="level", from_=[0, 0], to=[0, 1])

    def test_errors_suggest(self):
        wrong = self.fails("spacing", mote.World, spcing=0.1)
        self.assertEqual(wrong.suggestion, "spacing")
        world = mote.World(kit.DAM)
        wrong = self.fails("unknown key", world.add_body, "box", matrial="water", shape={})
        self.assertEqual(wrong.suggestion, "material")
        wrong = self.fails("radus", world.add_drain, "hole", shape={"sphere": {"centre": [0, 0], "radus": 1}})
        self.assertEqual((wrong.suggestion, wrong.code), ("radius", "format"))
        self.assertGreater(wrong.line, 0)
        self.fails("nothing that a scene can hold", world.add_body, "box", material=object())
        self.fails("No such file", mote.World, "no_such_scene.yaml")
        self.assertEqual(list(world.bodies), ["dam"])
        wrong = self.fails('did you mean "velocity"', world.__getitem__, "velocty", error=KeyError)
        self.fails("dm", world.bodies.__getitem__, "dm", error=KeyError)
        self.assertEqual(mote.check(kit.DAM), [])
        self.assertIn("no effect", str(mote.check({**kit.DAM, "materials": {"water": {"young": 5}}})[0]))


class Arrays(kit.Case):
    def test_types_and_shapes(self):
        world = mote.World(kit.EVERYTHING)
        for particles in (world.fluid, world.elastic, world.lattices):
            self.assertGreater(len(particles), 0)
            for field in particles.fields:
                array = particles[field.name]
                self.assertEqual(array.dtype.str[1:], field.type[0] + str(int(field.type[1:]) // 8))
                if field.group in ("all", "fluid", "elastic", "lattice", "heat"):
                    self.assertEqual(len(array), len(particles))
                self.assertEqual(array[:1].size, field.components * len(array[:1]))
        self.assertEqual(world["position"].dtype, np.float64)
        self.assertEqual(world["velocity"].dtype, np.float32)
        self.assertIn("stress", world.elastic.measure())
        self.assertEqual(len(world.lattices.measure()["strain"]), len(world.lattices))

    def test_copies_never_change(self):
        world = mote.World(kit.DAM)
        before = world["position"]
        kept = before.copy()
        world.advance(0.2)
        np.testing.assert_array_equal(before, kept)
        self.assertTrue(before.flags.writeable)

    def test_views_are_held(self):
        world = mote.World(kit.DAM)
        copy, hash_before = world["position"], world.hash()
        with world.views("position", "velocity") as (x, v):
            np.testing.assert_array_equal(x, copy)
            self.refused(world, ("position", "velocity"))
            part = x[3:9, 1]
            with self.assertRaises(ValueError):
                x[0] = 0
            with self.assertRaises(ValueError):
                x.flags.writeable = True
        del x
        self.refused(world, ("position", "velocity"))
        del v
        self.refused(world, ("position",))
        world.totals, world.time, world["mass"], world.save(), world.motion_hash()
        np.testing.assert_array_equal(part, copy[3:9, 1])
        del part
        self.assertEqual(world.hash(), hash_before)
        world.step()

    def refused(self, world, names):
        snapshot = world.save()
        calls = [world.step, lambda: world.advance(1.0), world.hash, lambda: world.load(snapshot), world.close,
                 lambda: world.gravity([0, -1, 0]), lambda: world.set("velocity", [1], [[0, 0, 0]]),
                 lambda: world.remove_body("dam"), lambda: world.add_material("oil"), lambda: world.bodies.split("dam", [1])]
        for call in calls:
            wrong = self.fails("views of", call, error=mote.HeldView)
            for name in names:
                self.assertIn(name, str(wrong))

    def test_view_outlives_world(self):
        world = mote.World(kit.DAM)
        copy = world["position"]
        with world.views("position") as x:
            view = x[::2]
        del x, world
        gc.collect()
        np.testing.assert_array_equal(view, copy[::2])

    def test_ends_in_any_order(self):
        """The collector ends what refers to itself in an order of its own: worlds after their skins, copies once."""
        ball = {"sphere": {"centre": [0.5, 0.5, 0.5], "radius": 0.2}}
        mesh = mote.Surface(spacing=0.08).build(mote.Shape(ball).fill(0.08)[0])
        for model in ("elastic", "lattice"):
            world = mote.World(spacing=0.08, domain={"low": [0, 0, 0], "high": [1, 1, 1]}, outputs={"preview": False},
                               materials={"jelly": {"model": model, "young": 1e5, "density": 1000, "law": "corotated"}},
                               bodies={"ball": {"material": "jelly", "shape": ball}})
            mls, bent = mote.Mls(mesh.vertices, 0.3), mote.deform(mesh, nodes=20)
            loop = [world.skin("ball", mesh), world.copy(), world, mls.at(), mls, bent, mote.shatter(mote.Shape(ball), 3, edge=0.05),
                    mote.Motion(bent, {0.0: bent.rest}, obstacles=[mote.Shape(ball)])]
            loop += [loop[1].skin("ball", mesh), loop]
            with world.elastic.views("position") as x:
                loop.append(x)
            del x, world, mls, bent
            twin = loop[1].copy()
            del loop
            gc.collect()
            twin.step()

    def test_exports(self):
        """Without copies to all that knows the array interface or DLPack; views are held as long as that lives."""
        world = mote.World(kit.DAM)
        other = np.from_dlpack(world["position"])
        np.testing.assert_array_equal(other, world["position"])
        with world.views("position") as x:
            look = memoryview(x)
        del x
        self.fails("views of position", world.step, error=mote.HeldView)
        del look
        world.step()

    def test_failed_frame_of_views(self):
        world = mote.World(kit.DAM)
        with self.assertRaises(IndexError):
            with world.views("mass") as m:
                m[10**9]
        del m
        world.step()

    def test_generation(self):
        world = mote.World(kit.DAM)
        before = world.generation
        world["position"], world.totals
        self.assertEqual(world.generation, before)
        world.step()
        self.assertGreater(world.generation, before)


class Rows(kit.Case):
    def test_by_id(self):
        world = mote.World(kit.DAM)
        world.advance(0.2)
        ids = world["id"]
        np.testing.assert_array_equal(world.by_id("position", ids), world["position"])
        np.testing.assert_array_equal(world.by_id("mass", ids[::-1]), world["mass"][::-1])
        self.fails("there is no particle 999", world.by_id, "position", [1, 999], error=KeyError)
        rows = world.by_id("position", [1, 999], missing="nan")
        self.assertTrue(np.isfinite(rows[0]).all() and np.isnan(rows[1]).all())
        self.assertEqual(world.by_id("id", [1, 999], missing="nan").dtype, np.float64)
        self.assertEqual(world.by_id("position", []).shape, (0, 3))

    def test_set(self):
        world = mote.World(kit.DAM)
        world.set("velocity", np.array([4, 2]), np.array([[1, 0, 0], [0, 2, 0]]))
        np.testing.assert_array_equal(world.by_id("velocity", [2, 4]), [[0, 2, 0], [1, 0, 0]])
        self.assertEqual(world.commands[0]["field"], "velocity")

    def test_what_is_wrong_changes_nothing(self):
        world = mote.World(kit.DAM)
        world.advance(0.04)
        before, one = world.hash(), [[0.0, 0.0, 0.0]]
        self.fails("values: nan", world.set, "velocity", [1], [[math.nan, 0, 0]])
        self.fails("values: the shape", world.set, "velocity", [1], [0, 0, 0])
        self.fails("values: there are 2 rows", world.set, "velocity", [1], one * 2)
        self.fails("values: the type", world.set, "velocity", [1], [["a", "b", "c"]])
        self.fails("particles: -1", world.set, "velocity", [-1], one)
        self.fails("particles: the type", world.set, "velocity", [1.5], one)
        self.fails("particle", world.set, "velocity", [999], one)
        self.fails("field", world.set, "density", [1], one)
        self.fails("ids: the type", world.by_id, "position", ["a"])
        self.fails("missing", world.by_id, "position", [1], missing="zero")
        self.fails("gravity: nan", world.gravity, [0, math.nan, 0])
        self.fails("gravity: 4 numbers", world.gravity, [0, 1, 2, 3])
        self.fails("gravity is missing", world.gravity)
        self.fails('did you mean "gravity"', world.gravity, gravty=[0, 0, 0])
        self.fails("twice", world.gravity, [0, 0, 0], gravity=[0, 0, 0])
        self.fails("speed: 'fast' is not a number", world.emitter_speed, "jet", "fast")
        self.fails("in the past", world.advance, 0.01)
        self.fails("finite", world.advance, math.inf)
        self.fails("threads", mote.World, kit.DAM, threads=0)
        self.assertEqual(world.hash(), before)


class Parts(kit.Case):
    def test_everything(self):
        world = mote.World(kit.EVERYTHING)
        world.advance(0.1)
        box = world.bodies["box"]
        self.assertEqual((box.kind, box.particles), ("rigid", 0))
        self.assertAlmostEqual(np.linalg.norm(box.orientation), 1.0)
        self.assertEqual(list(world.bodies), ["pool", "jet", "box", "ball", "brick"])
        self.assertEqual(len(world.bodies.values()), len(world.bodies))
        self.assertEqual(world.probes["inside"].position.shape, (5, 3))
        self.assertGreater(world.probes["gauge"].level[0], 0.2)
        self.assertIn("gravity", world.ledger)
        np.testing.assert_array_equal(world.colliders["paddle"].rotation, np.eye(3))
        self.assertEqual(world.events.melted, [])
        self.assertEqual(world.totals["elastic_particles"], len(world.elastic))
        self.assertEqual(world.totals.step, world.steps)
        self.assertGreater(world.report.step, 0)
        self.assertIn("sort", world.stages)
        self.assertEqual(world.faults, [])
        self.assertEqual(len(world.materials()), world.particles)
        self.assertGreater(world.memory, 1000)
        hit = world.pick([0.46, 0.9, 0], [0, -1, 0])
        self.assertEqual((hit.kind, hit.body), ("body", "box"))
        self.assertEqual(world.pick([0.92, 0.9, 0], [0, -1, 0]).collider, "paddle")
        self.assertEqual(world.pick([0.5, 0.9, 0], [0, 1, 0]).kind, "nothing")
        self.assertEqual(world.hand.holds, "nothing")
        world.pull(100, at=hit.position, to=[0.4, 0.6, 0], radius=0.1)
        self.assertEqual((world.hand.holds, world.hand.body, world.hand.to[1]), ("body", "box", 0.6))
        world.pull(0)
        self.assertEqual(world.hand.holds, "nothing")

    def test_split(self):
        world = mote.World(kit.DAM)
        name = world.bodies.split("dam", [1, 2, 3])
        self.assertEqual(world.bodies[name].parent, "dam")
        self.assertEqual(world.bodies[name].particles, 3)
        world.bodies.merge(name)
        self.assertEqual(list(world.bodies), ["dam"])

    def test_embedded_meshes(self):
        ball = {"sphere": {"centre": [0.5, 0.5, 0.5], "radius": 0.2}}
        tree = {"spacing": 0.08, "domain": {"low": [0, 0, 0], "high": [1, 1, 1]}, "outputs": {"preview": False}}
        mesh = mote.Surface(spacing=0.04).build(mote.Shape(ball).fill(0.04)[0])
        for model in ("elastic", "lattice"):
            world = mote.World(tree, materials={"jelly": {"model": model, "young": 1e5, "density": 1000, "law": "corotated"}},
                               bodies={"ball": {"material": "jelly", "shape": ball}})
            skin = world.skin("ball", mesh)
            world.advance(0.04)
            moved = skin.mesh.vertices - mesh.vertices
            world.close()
            self.fails("closed", lambda: skin.mesh)
            np.testing.assert_allclose(moved, np.tile([0, -0.5 * 9.81 * 0.04**2, 0], (len(moved), 1)), atol=1e-3)
        world = mote.World(tree, materials={"glass": {"model": "elastic", "young": 1e6, "density": 1000, "poisson": 0.3,
                                                      "strength": 1e4}}, bodies={"ball": {"material": "glass", "shape": ball}})
        pieces = world.pieces("ball")
        self.assertEqual((pieces.mesh.examine().open_edges, pieces.wall.any()), (0, False))
        world.advance(0.04)
        pieces.update()
        self.assertAlmostEqual((pieces.mesh.vertices - pieces.rest)[:, 1].mean(), -0.0078, delta=1e-3)
        self.assertEqual(pieces.stretched(2.0), 0)
        self.assertEqual(world.cracks("ball").cracks, 0)

    def test_pictures(self):
        world = mote.World(kit.EVERYTHING)
        pixels = world.preview(width=160, height=120)
        self.assertEqual((pixels.shape, pixels.dtype), ((120, 160, 4), np.uint8))
        self.assertGreater(len(np.unique(pixels.reshape(-1, 4), axis=0)), 10)
        coloured = world.preview(width=160, height=120, field="velocity", map="heat", range=(0, 1))
        self.assertFalse(np.array_equal(pixels, coloured))
        self.assertEqual(world._repr_png_()[:4], b"\x89PNG")
        self.assertIn("step 0", repr(world))
        self.fails('did you mean "width"', world.preview, widht=3)
        self.fails("previews only", world.render)

    def test_rays(self):
        world = mote.World(spacing=0.08, domain={"low": [0, 0, 0], "high": [1, 1, 1], "x": "wall"}, materials={
            "wood": {"model": "rigid"}}, bodies={"pool": {"shape": {"box": {"low": [0, 0, 0], "high": [1, 0.24, 1]}}},
            "box": {"material": "wood", "shape": {"box": {"low": [0.4, 0.5, 0.4], "high": [0.6, 0.7, 0.6]}}}},
            colliders={"post": {"shape": {"cylinder": {"from": [0.2, 0, 0.2], "to": [0.2, 0.8, 0.2], "radius": 0.05}}}})
        pixels = world.render(width=48, height=36, samples=2)
        self.assertEqual(pixels.shape, (36, 48, 4))
        self.assertGreater(len(np.unique(pixels[..., :3].reshape(-1, 3), axis=0)), 50)

    def test_closed(self):
        world = mote.World(kit.DAM)
        world.step()
        world.close()
        self.fails("closed", world.step)
        self.assertIn("closed", repr(world))


class Threads(kit.Case):
    def test_one_world_in_two_threads(self):
        world, failed = mote.World(kit.DAM), []

        def step():
            for _ in range(30):
                try:
                    world.step(10.0)
                except mote.Busy:
                    failed.append(True)

        before = world.steps
        threads = [threading.Thread(target=step) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(world.steps, before + 90 - len(failed))
        self.assertGreater(len(failed), 0)

    def test_two_worlds_in_two_threads(self):
        worlds = [mote.World(kit.DAM, threads=1) for _ in range(3)]
        threads = [threading.Thread(target=world.advance, args=(0.2,)) for world in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({world.hash() for world in worlds}), 1)

    def test_interrupt(self):
        world = mote.World(kit.DAM)
        world.step()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        old = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            world.advance(1e3)
        signal.signal(signal.SIGALRM, old)
        time = world.time
        self.assertTrue(0 < time < 1e3)
        twin = world.copy()
        for one in (world, twin):
            one.advance(time + 0.02)
        self.assertEqual(world.hash(), twin.hash())

    def test_log(self):
        import logging

        with self.assertLogs("water", logging.INFO) as said:
            log = logging.getLogger("water")
            world = mote.World({**kit.DAM, "bodies": {"dam": {"shape": {"box": {"low": [0, 0], "high": [0.97, 0.97]}}},
                                                      }}, log=log)
            world.advance(0.4)
            log.info("end")
        self.assertIn("end", said.output[-1])


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
