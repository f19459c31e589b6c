"""Surfaces, shapes, approximation, deformation, files and pictures; the programs of docs/python.md."""
import os
import re
import tempfile
import unittest

import numpy as np

import kit
import mote

BALL = {"sphere": {"centre": [0, 0, 0], "radius": "2 cm"}}
POINTS = np.random.default_rng(1).random((1500, 3))


class Approximation(kit.Case):
    def test_derivatives_of_linear_fields(self):
        field = np.c_[POINTS[:, 0] + 2 * POINTS[:, 1], 3 * POINTS[:, 2]]
        exact = [[1, 2, 0], [0, 0, 3]]
        mls = mote.Mls(POINTS, 0.25)
        np.testing.assert_allclose(mls.at().gradient(field), np.broadcast_to(exact, (1500, 2, 3)), atol=1e-9)
        np.testing.assert_allclose(mls.direct_gradient(field), np.broadcast_to(exact, (1500, 2, 3)), atol=1e-9)
        np.testing.assert_allclose(mls.at([[0.5, 0.5, 0.5]]).value(field), [[1.5, 1.5]], atol=1e-9)
        square = (POINTS**2).sum(axis=1)
        second = mote.Mls(POINTS, 0.4, order=2).at([[0.5, 0.5, 0.5]], derivatives=2)
        np.testing.assert_allclose(second.laplacian(square), [6.0], atol=1e-6)
        self.assertEqual(second.fit["order"][0], 2)
        sph = mote.Sph(POINTS, 0.25)
        np.testing.assert_allclose(sph.gradient(field), np.broadcast_to(exact, (1500, 2, 3)), atol=1e-9)
        np.testing.assert_allclose(sph.divergence(POINTS), np.full(1500, 3.0), atol=1e-9)
        np.testing.assert_allclose(sph.laplacian(np.ones(1500)), np.zeros(1500), atol=1e-9)
        self.assertEqual(sph.at(POINTS[:3], field, shepard=True).shape, (3, 2))
        np.testing.assert_allclose(sph.volume * sph.density, np.ones(1500))

    def test_neighbours(self):
        first, index = mote.neighbours(POINTS, 0.1)
        distance = np.sqrt(((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=2))
        np.fill_diagonal(distance, 9)
        for i in range(0, 1500, 50):
            self.assertEqual(sorted(index[first[i]:first[i + 1]]), list(np.nonzero(distance[i] <= 0.1)[0]))
        near, far = mote.Tree(POINTS).nearest(POINTS, 2)
        np.testing.assert_allclose(far[:, 1], distance.min(axis=1))
        self.assertEqual(mote.components(POINTS, 0.5).max(), 0)
        ring = mote.neighbours([[0.05], [0.95]], 0.2, dimensions=1, period=([0], [1]))
        self.assertEqual(list(ring[1]), [1, 0])

    def test_kernels(self):
        for kind in ("poly6", "spiky", "cubic-spline", "desbrun", "wendland_c2", "gaussian", "singular"):
            kernel, u = mote.Kernel(kind, 1, 1.0), (np.arange(4000) + 0.5) / 4000
            self.assertAlmostEqual((kernel.value(u**2) * 4 * u).mean(), 1.0, delta=1e-5)
        self.assertEqual(kernel.value(2.0), 0.0)
        self.fails("no kernel", mote.Kernel, "spiky", 4, 1.0)
        self.fails('did you mean "spiky"', mote.Kernel, "spikey", 3, 1.0)

    def test_what_is_wrong(self):
        mls = mote.Mls(POINTS, 0.25)
        self.fails("field: there are 3 rows", mls.at().value, [1, 2, 3])
        self.fails("position", mote.Mls, [[np.nan, 0, 0]], 0.1)
        self.fails("position: the shape", mote.neighbours, np.zeros((2, 4)), 0.1)
        self.fails("radius", mote.Sph, POINTS, -1.0)


class Surfaces(kit.Case):
    @classmethod
    def setUpClass(cls):
        cls.position, cls.volume = mote.Shape(BALL).fill(0.002)
        cls.mesh = mote.Surface(spacing=0.002).build(cls.position, fields={"x": cls.position[:, 0]})

    def test_methods(self):
        for method in ("blobs", "density", "mass", "zhu_bridson", "adams", "anisotropic"):
            mesh = mote.Surface(method, spacing=0.002, threads=2).build(self.position)
            report = mesh.examine()
            self.assertEqual((report.open_edges, report.flipped_edges), (0, 0))
            self.assertAlmostEqual(mesh.volume / self.volume.sum(), 1.0, delta=0.4)
        self.assertAlmostEqual(self.mesh.volume / self.volume.sum(), 1.0, delta=0.05)
        np.testing.assert_allclose(self.mesh.fields["x"], self.mesh.vertices[:, 0], atol=0.002)
        self.assertEqual(len(mote.Surface().build(np.zeros((0, 3))).faces), 0)
        self.fails('did you mean "spacing"', mote.Surface, spacng=1)
        self.fails("cell", mote.Surface, cell=-1.0)

    def test_meshes(self):
        vertices, faces = self.mesh
        self.assertEqual(faces.max() + 1, len(vertices))
        triangle, share = self.mesh.nearest([[0.03, 0, 0]])
        corner = vertices[faces[triangle[0]]]
        np.testing.assert_allclose(share[0] @ corner, [0.0199, 0, 0], atol=5e-4)
        self.assertAlmostEqual(self.mesh.smooth(2).volume / self.mesh.volume, 1.0, delta=0.01)
        self.assertEqual(len(self.mesh.drop_parts(1.0).faces), 0)
        self.assertGreater(self.mesh.clean().examine().smallest_angle, 0.17)
        self.fails("faces: there is no vertex 7", mote.Mesh, np.zeros((3, 3)), [[0, 1, 7]])

    def test_tracked(self):
        tracked = mote.track(self.mesh, edge=0.002)
        tracked.set_field("first", tracked.mesh.vertices)
        before = tracked.volume
        tracked.move(lambda time, x: np.tile([1.0, 0, 0], (len(x), 1)), 0.0, 0.01)
        np.testing.assert_allclose(tracked.mesh.vertices - tracked.mesh.fields["first"],
                                   np.tile([0.01, 0, 0], (len(tracked.mesh.vertices), 1)), atol=1e-12)
        tracked.improve()
        self.assertEqual(tracked.crossings(), 0)
        self.assertAlmostEqual(tracked.volume / before, 1.0, delta=0.03)
        self.assertAlmostEqual(np.median(tracked.curvature()), 50.0, delta=5.0)
        with self.assertRaises(ZeroDivisionError):
            tracked.move(lambda time, x: 1 / 0, 0.0, 0.01)
        self.fails("flow", tracked.move, lambda time, x: x[:3], 0.0, 0.01)

    def test_shapes(self):
        ball = mote.Shape(BALL)
        self.assertAlmostEqual(ball.volume, 4 / 3 * np.pi * 8e-6)
        np.testing.assert_allclose(ball.distance([[0.03, 0, 0], [0, 0, 0]]), [0.01, -0.02])
        np.testing.assert_allclose(ball.normal([0.03, 0, 0]), [1, 0, 0])
        self.assertAlmostEqual(ball.sweep([0.04, 0, 0], [0, 0, 0]), 0.5)
        self.assertAlmostEqual(mote.Shape(self.mesh).volume, self.mesh.volume)
        self.assertIsNone(ball.mesh)
        self.assertEqual(mote.Shape(box={"low": [0, 0], "high": [2, 1]}, dimensions=2).volume, 2.0)
        np.testing.assert_allclose(ball.moments.centre, np.zeros(3), atol=1e-12)
        self.assertGreater(len(ball.shell(0.002, 0.004, [-1] * 3, [1] * 3)[0]), 100)
        self.fails("radius", mote.Shape, sphere={"centre": [0, 0, 0], "radius": -1})
        pieces = mote.shatter(ball, 4, seed=3, edge=0.002)
        self.assertGreater(len(pieces), 2)
        self.assertAlmostEqual(sum(piece.volume for piece in pieces) / ball.volume, 1.0, delta=0.03)

    def test_deform(self):
        bent = mote.deform(self.mesh, nodes=60)
        right, left = bent.add_point([0.015, 0, 0]), bent.add_point([-0.015, 0, 0])
        bent.set_point(right, [0.02, 0, 0])
        self.assertTrue(bent.solve().arrived)
        self.assertGreater(bent.mesh.vertices[:, 0].max(), 0.022)
        self.assertAlmostEqual(bent.volume / self.mesh.volume, 1.0, delta=0.02)
        state = bent.state
        bent.reset()
        np.testing.assert_array_equal(bent.state, bent.rest)
        bent.state = state
        self.assertLess(bent.fit(bent.mesh), 1e-6)
        self.measure(bent, state)
        self.fails("there is no handle 7", bent.set_point, 7, [0, 0, 0])
        self.fails("state: there are 2 rows", setattr, bent, "state", np.zeros((2, 3)))
        del left

    def measure(self, bent, state):
        np.testing.assert_allclose(bent.mesh_at(bent.rest).vertices, self.mesh.vertices, atol=1e-9)
        np.testing.assert_allclose(bent.interpolate(bent.rest, [[0, 0, 0.001]]), [[0, 0, 0.001]], atol=1e-9)
        self.assertAlmostEqual(bent.path_lengths([0.01, 0, 0], [[-0.01, 0, 0]])[0], 0.02, delta=0.002)
        self.assertGreater(bent.measure().stretch_most, 1.0)
        report, gradient = bent.energy(state)
        self.assertGreater(report.energy, 0)
        self.assertEqual(gradient.shape, bent.rest.shape)
        self.assertAlmostEqual(bent.size, 0.07, delta=0.01)
        self.assertFalse(bent.is_pushed_through(0))
        motion = mote.Motion(bent, {0.0: bent.rest, 1.0: state}, frames_max=4)
        motion.solve()
        self.assertEqual(motion.times[-1], 1.0)
        np.testing.assert_allclose(motion.state(1.0)[0], state, atol=2e-3)
        self.assertIn("velocity", motion.mesh(0.5).fields)
        bent.remove_handles()
        self.fails("there is no handle 0", bent.set_free, 0)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending in mote.endings("meshes", True):
                name = os.path.join(folder, "mesh." + ending)
                mote.write(name, self.mesh)
                self.assertAlmostEqual(mote.read(name).volume / self.mesh.volume, 1.0, delta=1e-3)
            for ending in mote.endings("clouds", True):
                name = os.path.join(folder, "cloud." + ending)
                mote.write(name, {"position": self.position, "volume": self.volume}, time=0.5)
                np.testing.assert_allclose(mote.read(name)["position"], self.position, atol=1e-8)
            self.assertEqual(mote.read(os.path.join(folder, "cloud.vtp")).stamp["time"], 0.5)
            self.fails("position", mote.write, os.path.join(folder, "x.vtp"), {"mass": self.volume})
            self.fails("", mote.read, os.path.join(folder, "none.vtp"))
            self.fails("not the directory of a run", mote.Run, folder)
            pixels = mote.render(self.mesh, width=48, height=32, samples=1)
            mote.write_image(os.path.join(folder, "p.png"), pixels)
            np.testing.assert_array_equal(mote.read_image(os.path.join(folder, "p.png")), pixels)
        self.assertEqual(mote.preview(self.position, 0.001, value=self.volume, width=64, height=48).shape, (48, 64, 4))
        self.fails("nothing looks like", mote.render, self.mesh, look="smoke signals")


class More(kit.Case):
    def test_formulas_and_numbers(self):
        formula = mote.Formula("2*x + t", "x t")
        self.assertEqual(formula(1, 0.5), 2.5)
        np.testing.assert_array_equal(formula(np.arange(3), 1), [1, 3, 5])
        self.assertTrue(formula.uses("t"))
        self.assertEqual(self.fails("did you mean", mote.Formula, "sinn(x)", "x").suggestion, "sin")
        self.assertAlmostEqual(mote.numeric.sin(1.0), np.sin(1.0), delta=1e-15)
        self.assertTrue(0 <= mote.numeric.random_uniform(1, 2, 3) < 1)
        self.fails("sin", getattr, mote.numeric, "sinn", error=AttributeError)
        self.assertEqual((mote.length("2 cm"), mote.length("3")), (0.02, 3.0))
        self.assertGreater(mote.presets()["honey"]["viscosity"], 1)
        a, b = mote.Scene(kit.DAM), mote.Scene(kit.DAM, ["spacing=0.04"])
        self.assertEqual(mote.differences(a, b), {"spacing": ("0.05", "0.04")})

    def test_march(self):
        value = np.full((20, 30), np.inf)
        value[10, 10] = 0.0
        far = mote.march(value, 0.1)
        self.assertAlmostEqual(far[10, 20], 1.0)
        wall = np.ones(value.shape)
        wall[:19, 15] = 0
        self.assertGreater(mote.march(value, 0.1, mask=wall)[10, 20], 1.5)
        y, x = np.mgrid[:20, :30]
        level = mote.march((x - 12.0) ** 2 + (y - 10.0) ** 2 - 25.0, 1.0, signed=True)
        self.assertAlmostEqual(level[10, 20], 3.0, delta=0.2)
        self.fails("mask: the shape", mote.march, value, 0.1, mask=wall[1:])

    def test_contour(self):
        ball = mote.Shape(sphere={"centre": [0, 0], "radius": 0.2}, dimensions=2)
        position, volume = ball.fill(0.01)
        outline = mote.contour(position, 0.01, fields={"x": position[:, 0]})
        self.assertEqual(len(outline.loops), 1)
        self.assertAlmostEqual(outline.area / volume.sum(), 1.0, delta=0.06)
        self.assertAlmostEqual(outline.length, 2 * np.pi * 0.2, delta=0.1)
        np.testing.assert_allclose(outline.fields["x"], outline.loops[0][:, 0], atol=0.02)

    def test_snapshots(self):
        world = mote.World(kit.EVERYTHING)
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, f"{k}.mote") for k in range(2)]
            for name in names:
                world.step()
                world.save(name)
            a, b = map(mote.Snapshot, names)
            self.assertEqual((a.about.step, b.about.step), (1, 2))
            self.assertIn("particles", list(a))
            fields = b["particles"]
            np.testing.assert_array_equal(fields["position"][:world.particles], world["position"])
            self.assertIn("velocity (elastic)", fields)
            self.assertTrue(a.difference(a).same)
            self.assertGreater(a.difference(b).fields["position"]["differing"], 0)
            self.fails('did you mean "particles"', b.__getitem__, "particle", error=KeyError)

    def test_films(self):
        frames = [np.full((32, 48, 4), 60 * k + 20, np.uint8) for k in range(4)]
        self.assertGreater(mote.contact_sheet(frames, 2).shape[0], 64)
        with tempfile.TemporaryDirectory() as folder:
            mote.write_video(os.path.join(folder, "film.gif"), frames, 10)
            self.assertGreater(os.path.getsize(os.path.join(folder, "film.gif")), 100)
            self.fails("no pictures", mote.write_video, os.path.join(folder, "x.gif"), [])

    def test_waves(self):
        position, _ = mote.Shape(BALL).fill(0.004)
        tracked = mote.track(mote.Surface(spacing=0.004).build(position), edge=0.004)
        tracked.set_field("wave_height", 1e-4 * np.sin(300 * tracked.mesh.vertices[:, 0]))
        self.assertGreater(tracked.waves(1e-3), 0)
        self.assertEqual(len(tracked.wave_mesh.vertices), len(tracked.mesh.vertices))
        self.assertEqual(tracked.events, [])


class Docs(kit.Case):
    def test_programs(self):
        """The first program as it stands; the calls of the other ones in a world that has all that they name."""
        page = (kit.ROOT / "docs" / "python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.S)
        self.assertEqual(len(blocks), 3)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            shown = {"print": lambda *_: None}
            exec(blocks[0].replace('"2 cm"', '"8 cm"'), shown)
            self.assertTrue(os.path.getsize("dam.png") > 1000)
            exec(blocks[1], shown)
            world = mote.World(kit.EVERYTHING)
            exec(blocks[2], {"world": world, "ids": [1], "velocities": [[0, 1, 0]]})
            self.assertEqual(len(world.commands), 4)
            os.chdir("/")


if __name__ == "__main__":
    unittest.main()
