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

    def test_shape_functions(self):
        """Sums over the shape functions are values, gradients and second derivatives of the fit."""
        field, points = POINTS[:, 0] ** 2 + POINTS[:, 1] * POINTS[:, 2], POINTS[:7]
        shapes = mote.Mls(POINTS, np.full(1500, 0.4), order=2, kernel="wendland-c2").at(points, derivatives=2)
        for k, exact in enumerate(([shapes.value(field)], shapes.gradient(field).T, None)):
            first, index, values = shapes.functions(k)
            sums = [np.add.reduceat(one * field[index], first[:-1]) for one in np.atleast_2d(values.T)]
            if exact is None:
                exact = [np.full(7, one) for one in (2, 0, 0, 0, 1, 0)]
            np.testing.assert_allclose(sums, exact, atol=1e-6)
        self.fails("derivative", mote.Mls(POINTS, 0.4).at(points).functions, 2)
        self.fails("rescue: 'x' is none of pseudo_inverse, lower_order", mote.Mls, POINTS, 0.4, rescue="x")

    def test_neighbours_of_other_points(self):
        radii, other = np.linspace(0.05, 0.2, 1500), POINTS[::50] + 0.01
        distance = np.sqrt(((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=2))
        np.fill_diagonal(distance, 9)
        away = np.sqrt(((other[:, None] - POINTS[None]) ** 2).sum(axis=2))
        limits = {"gather": radii[:, None], "scatter": radii[None], "symmetric": np.maximum(radii[:, None], radii[None])}
        for reach, limit in limits.items():
            self.rows(mote.neighbours(POINTS, radii, reach=reach), distance <= limit)
        self.rows(mote.neighbours(POINTS, 0.1, at=other), away <= 0.1)
        self.rows(mote.neighbours(POINTS, radii, at=other, reach="scatter"), away <= radii)
        self.rows(mote.neighbours(POINTS, radii[:len(other)], at=other), away <= radii[:len(other), None])
        self.rows(mote.Tree(POINTS).within(other, 0.1), away <= 0.1)
        self.fails("symmetric", mote.neighbours, POINTS, 0.1, at=other, reach="symmetric")
        self.fails("radius: there are 3 rows", mote.neighbours, POINTS, [1, 2, 3])
        self.fails("radius", mote.neighbours, POINTS, "far")

    def rows(self, csr, near):
        first, index = csr
        self.assertEqual([sorted(index[a:b]) for a, b in zip(first, first[1:])], [list(np.flatnonzero(row)) for row in near])

    def test_sph_at_points(self):
        sph = mote.Sph(POINTS, 0.25, boundary=[[0.5, 0.5, 1.1]], boundary_volume=[1e-3], rest_density=1000.0)
        self.assertGreater(sph.density.sum(), mote.Sph(POINTS, 0.25).density.sum())
        middle = [[0.5, 0.5, 0.5]]
        np.testing.assert_allclose(sph.at(POINTS[:3], POINTS, what="gradient"), sph.gradient(POINTS, "plain")[:3], atol=1e-9)
        self.assertEqual(sph.at(middle, POINTS, what="laplacian").shape, (1, 3))
        self.assertAlmostEqual(sph.at(middle, POINTS, what="density")[0] / 1500, 1.0, delta=0.3)
        self.fails("what", sph.at, middle, POINTS, what="colour")

    def test_kernels(self):
        for kind in ("poly6", "spiky", "cubic-spline", "desbrun", "wendland_c2", "gaussian", "singular"):
            kernel, u = mote.Kernel(kind, 1, 1.0), (np.arange(4000) + 0.5) / 4000
            self.assertAlmostEqual((kernel.value(u**2) * 4 * u).mean(), 1.0, delta=1e-5)
        self.assertEqual(kernel.value(2.0), 0.0)
        self.fails("no kernel", mote.Kernel, "spiky", 4, 1.0)
        self.assertGreater(mote.Kernel("poly6", 3, 1.0).anisotropic([1, 0, 0, 1, 0, 1], [0.5, 0, 0]), 0)
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
        flat = mote.Surface(spacing=0.002, walls=([-np.inf, 0, -np.inf], [np.inf] * 3)).build(self.position)
        self.assertAlmostEqual(flat.vertices[:, 1].min(), 0.0, delta=1e-5)
        self.fails("walls", mote.Surface, walls=([0, 0], [1, 1]))
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

    def test_tracked_particles(self):
        """A ball of particles that flies: the flow of particles, forces of tension, what the record says."""
        tracked, velocity = mote.track(self.mesh, edge=0.002, record=True), np.tile([1.0, 0, 0], (len(self.position), 1))
        flow = mote.Flow(0.002).set(0.0, self.position, velocity, (0.01, self.position + [0.01, 0, 0], velocity))
        np.testing.assert_allclose(flow(0.005, self.position[:2]), velocity[:2] * [1, 0, 0], atol=1e-9)
        before = tracked.mesh
        tracked.move(flow, 0.0, 0.01)
        moved = self.position + [0.01, 0, 0]
        self.assertAlmostEqual(tracked.mesh.vertices[:, 0].mean() - before.vertices[:, 0].mean(), 0.01, delta=1e-5)
        old, values = tracked.ids, np.zeros((tracked.ids, 3))
        values[tracked.mesh.fields["id"]] = tracked.mesh.vertices
        tracked.forget()
        tracked.improve()
        self.assertGreater(len(tracked.record), 0)
        values = mote.replay(tracked.record, np.concatenate([values, np.zeros((tracked.ids - old, 3))]))
        error = np.linalg.norm(values[tracked.mesh.fields["id"]] - tracked.mesh.vertices, axis=1)
        self.assertLess(np.median(error), 1e-3)
        self.fails("values: there are 3 rows", mote.replay, tracked.record, np.zeros(3))
        since, surface = tracked.ids, mote.Surface(spacing=0.002)
        tracked.match(surface.build(moved), 0.004)
        tracked.blend(surface, moved, since)
        force = tracked.tension(moved, 0.002, 0.07)
        inward = -(moved - [0.01, 0, 0])
        self.assertGreater((force * inward).sum(), 0)
        np.testing.assert_allclose(force.sum(axis=0), np.zeros(3), atol=1e-12)
        self.fails("kind: there is no sigma", tracked.tension, moved, 0.002, 0.07, kind=np.ones(len(moved), int))
        self.fails("spacing", mote.Flow, -1.0)
        self.fails("velocity: there are", flow.set, 0.0, moved, moved[:3])

    def test_shapes(self):
        ball = mote.Shape(BALL)
        self.assertAlmostEqual(ball.volume, 4 / 3 * np.pi * 8e-6)
        np.testing.assert_allclose(ball.distance([[0.03, 0, 0], [0, 0, 0]]), [0.01, -0.02])
        np.testing.assert_allclose(ball.normal([0.03, 0, 0]), [1, 0, 0])
        self.assertAlmostEqual(ball.sweep([0.04, 0, 0], [0, 0, 0]), 0.5)
        self.assertAlmostEqual(mote.Shape(self.mesh).volume, self.mesh.volume)
        self.assertIsNone(ball.mesh)
        self.assertAlmostEqual(ball.count(0.002) / len(self.volume), 1.0, delta=0.2)
        self.assertEqual(self.mesh.mending(), "")
        open_mesh = mote.Mesh(self.mesh.vertices, self.mesh.faces[1:])
        self.assertIn("clos", open_mesh.mending())
        self.assertEqual(open_mesh.repair().examine().open_edges, 0)
        self.assertEqual(mote.Shape(box={"low": [0, 0], "high": [2, 1]}, dimensions=2).volume, 2.0)
        np.testing.assert_allclose(ball.moments.centre, np.zeros(3), atol=1e-12)
        self.assertGreater(len(ball.shell(0.002, 0.004, [-1] * 3, [1] * 3)[0]), 100)
        self.fails("radius", mote.Shape, sphere={"centre": [0, 0, 0], "radius": -1})
        pieces = mote.shatter(ball, 4, seed=3, edge=0.002)
        self.assertGreater(len(pieces), 2)
        self.assertAlmostEqual(sum(piece.volume for piece in pieces) / ball.volume, 1.0, delta=0.03)
        self.pieces(pieces)

    def pieces(self, pieces):
        self.assertEqual(len(pieces[:2]) + len(pieces[-1].faces[:0]), 2)
        self.assertAlmostEqual(pieces.mesh.volume, sum(piece.volume for piece in pieces))
        self.assertEqual((pieces.fragment.max() + 1, pieces.wall.any()), (len(pieces), True))
        box = mote.Shape(box={"low": [0, 0, 0], "high": [1, 1, 1]})
        dull = mote.cut(box, [[[0.5, -1, -1], [0.5, 3, -1], [0.5, -1, 3]]], edge=0.1, simplify=False)
        volume = dull.mesh.volume
        dull.sharpen()
        self.assertLess(abs(dull.mesh.volume - 1), abs(volume - 1))
        with tempfile.TemporaryDirectory() as folder:
            dull.write(os.path.join(folder, "pieces.vtp"))
            self.assertEqual(set(mote.read(os.path.join(folder, "pieces.vtp")).fields["fragment"]), {0, 1})
        self.fails("no piece 9", dull.__getitem__, 9, error=IndexError)
        self.fails("corners: the shape", dull.cut, [[0, 0, 0]])
        self.fails("corners: nan", dull.cut, np.full((1, 3, 3), np.nan))

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
        self.assertEqual(bent.ties, [])
        self.fails("method: 'magic' is none of newton, lbfgs", bent.solve, method="magic")
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
            cloud = mote.read(os.path.join(folder, "cloud.vtp"))
            other = mote.Cloud({**cloud, "volume": cloud["volume"] + (np.arange(len(self.volume)) == 3)})
            self.assertTrue(mote.compare(cloud, cloud).same)
            self.assertEqual(mote.compare(cloud, other).fields["volume"]["differing"], 1)
            mote.write_grid(os.path.join(folder, "grid.csv"), {"x": np.arange(24.0).reshape(4, 3, 2)}, [0, 0, 0], 0.5)
            with open(os.path.join(folder, "grid.csv")) as file:
                rows = [line.split(",") for line in file if not line.startswith("#")]
            self.assertEqual([float(one) for one in rows[-1]], [0.5, 1.0, 1.5, 23.0])
            mote.write_series(os.path.join(folder, "all.pvd"), ["cloud.vtp"], [0.5])
            self.assertTrue(os.path.getsize(os.path.join(folder, "all.pvd")))
            self.fails("times: there are 2", mote.write_series, "all.pvd", ["cloud.vtp"], [0, 1])
            self.fails("fields: the shapes", mote.write_grid, "grid.vti", {"x": [1, 2]}, [0, 0, 0], 1)
            self.fails("position", mote.write, os.path.join(folder, "x.vtp"), {"mass": self.volume})
            self.fails("", mote.read, os.path.join(folder, "none.vtp"))
            self.fails("not the directory of a run", mote.Run, folder)
            pixels = mote.render(self.mesh, width=48, height=32, samples=1)
            mote.write_image(os.path.join(folder, "p.png"), pixels)
            np.testing.assert_array_equal(mote.read_image(os.path.join(folder, "p.png")), pixels)
        self.assertEqual(mote.preview(self.position, 0.001, value=self.volume, width=64, height=48).shape, (48, 64, 4))
        self.fails("nothing looks like", mote.render, self.mesh, look="smoke signals")


OBJ = """# two triangles and a name
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
g lower
f 1/1 2/2 3/3
g upper
f 1/1 3/3 4/4
"""


class Pictures(kit.Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.obj, cls.png = os.path.join(folder.name, "square.obj"), os.path.join(folder.name, "red.png")
        with open(cls.obj, "w") as file:
            file.write(OBJ)
        red = np.zeros((4, 4, 4), np.uint8)
        red[..., 0] = red[..., 3] = 255
        mote.write_image(cls.png, red)
        cls.folder, cls.mesh = folder.name, mote.read(cls.obj)

    def picture(self, meshes, **options):
        return mote.render(meshes, width=32, height=32, samples=4, camera=dict(from_=[0.5, 0.5, 2], to=[0.5, 0.5, 0]), **options)

    def middle(self, picture):
        return picture[12:20, 12:20, :3].mean(axis=(0, 1))

    def test_textures_and_looks(self):
        self.assertIn("Embree", mote.render_engine())
        texture = mote.Texture(self.obj, self.png)
        self.assertEqual((texture.uv.shape, list(texture.image_of), len(texture.images)), ((2, 3, 2), [0, 0], 1))
        uv, has = mote.texture_coordinates(self.obj)
        self.assertEqual((uv.tolist(), has.all()), (texture.uv.tolist(), True))
        red = self.middle(self.picture(dict(mesh=self.mesh, texture=texture)))
        self.assertGreater(red[0], 3 * red[1])
        green = self.middle(self.picture(self.mesh, look=mote.Look("matte", colour=(0, 1, 0))))
        self.assertGreater(green[1], 3 * green[0])
        blue = self.middle(self.picture(dict(mesh=self.mesh, look="matte", colour=np.tile([0, 0, 255], (4, 1)))))
        self.assertGreater(blue[2], 3 * blue[0])
        dark = self.picture(self.mesh, environment=np.zeros((4, 8, 3)), look="matte")
        self.assertLess(self.middle(dark).max(), 20)
        self.assertGreater(np.ptp(self.picture([dict(mesh=self.mesh, wireframe=True, look=mote.Look("metal"))])), 100)
        self.fails('did you mean "honey"', mote.Look, "hony")
        self.fails('did you mean "colour"', mote.Look, "matte", color=(1, 0, 0))
        self.fails("is no Mesh", self.picture, [3])
        self.fails("environment: the shape", self.picture, self.mesh, environment=np.zeros((4, 4, 3)))
        self.fails("No such file", self.picture, self.mesh, environment="none.hdr")
        self.fails("another number of triangles", self.picture, dict(mesh=mote.Mesh(self.mesh.vertices, self.mesh.faces[:1]),
                                                                     texture=texture))

    def test_environment_of_a_file(self):
        name = os.path.join(self.folder, "sky.hdr")
        with open(name, "wb") as file:
            file.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n" + bytes([128, 0, 0, 129]) * 32)
        picture = self.picture(self.mesh, environment=name, look="matte")
        self.assertGreater(self.middle(picture)[0], 3 * self.middle(picture)[1])

    def test_progress(self):
        parts = []
        self.picture(self.mesh, progress=parts.append)
        self.assertEqual((parts == sorted(parts), parts[-1] <= 1.0), (True, True))
        self.fails("stopped", self.picture, self.mesh, progress=lambda part: False)
        with self.assertRaises(ZeroDivisionError):
            self.picture(self.mesh, progress=lambda part: 1 / 0)

    def test_models(self):
        model, out = mote.Model(self.obj), os.path.join(self.folder, "moved.obj")
        self.assertEqual((model.vertices, len(model), model.groups), (4, 4, ["lower", "upper"]))
        self.assertEqual(list(model.group("upper")), [0, 2, 3])
        self.assertEqual((model.keeps("a.obj"), model.keeps("a.stl")), (True, False))
        model.write(out, model.mesh.vertices + 1)
        with open(out) as file:
            said = file.read()
        self.assertIn("# two triangles and a name", said)
        self.assertIn("vt 0 1", said)
        np.testing.assert_array_equal(mote.read(out).vertices, self.mesh.vertices + 1)
        model.write_motion(os.path.join(self.folder, "motion.glb"), [0, 0.5, 1], lambda time: self.mesh.vertices * (1 + time))
        np.testing.assert_allclose(mote.read(os.path.join(self.folder, "motion.glb")).vertices.max(axis=0), [1, 1, 0])
        self.assertEqual(mote.Model(self.mesh).mesh.faces.tolist(), self.mesh.faces.tolist())
        self.fails('did you mean "upper"', model.group, "uper", error=KeyError)
        self.fails("vertices: there are 3 rows", model.write, out, self.mesh.vertices[:3])
        with self.assertRaises(ZeroDivisionError):
            model.write_motion(os.path.join(self.folder, "none.glb"), [0.0, 1.0], lambda time: 1 / 0)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "none.glb")))


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
        self.matrices()

    def matrices(self):
        a = np.random.default_rng(2).random((5, 3, 3))
        r, p = mote.numeric.polar3(a)
        np.testing.assert_allclose(r @ p, a, atol=1e-12)
        u, s, v = mote.numeric.svd3(a[0])
        np.testing.assert_allclose(u @ np.diag(s) @ v.T, a[0], atol=1e-12)
        values, vectors = mote.numeric.eigen3(p)
        np.testing.assert_allclose(p @ vectors, vectors * values[:, None], atol=1e-12)
        self.fails("a: the shape", mote.numeric.svd3, [1, 2])
        self.fails("sin: ", mote.numeric.sin, "x")

    def test_foam(self):
        world = mote.World(dimensions=2, spacing=0.02, fps=50, solver={"quality": "fast"}, domain={"low": [0, 0], "high": [1, 2], "x": "wall", "y": ["wall", "open"]},
                           bodies={"pool": {"shape": {"box": {"low": [0, 0], "high": [1, 0.2]}}},
                                   "drop": {"shape": {"sphere": {"centre": [0.5, 0.4], "radius": 0.1}}, "velocity": [0, -4]}})
        foam, moments = mote.Foam(spacing=0.02, length=0.4, dimensions=2), []
        for _ in world.frames(8):
            moments.append((world.time, world["id"], world["position"], world["velocity"]))
        born = sum(foam.advance(a, b, obstacle=lambda x, t: (x[1], [0, 1, 0], [0, 0, 0])).born for a, b in zip(moments, moments[1:]))
        self.assertEqual(born, len(foam))
        self.assertGreater(born, 50)
        self.assertGreaterEqual(foam["position"][:, 1].min(), 0.0)
        self.assertEqual(len(set(foam["id"])), born)
        self.assertTrue(0.2 < foam.rise < 0.3)
        self.assertEqual(mote.foam_kinds(), ["spray", "foam", "bubbles"])
        with self.assertRaises(KeyError):
            foam["colour"]
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            foam.advance(moments[0], moments[1], obstacle=lambda x, t: 1 / 0)

    def test_scenes_compared(self):
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
        with tempfile.TemporaryDirectory() as folder:
            outline.write(os.path.join(folder, "outline.csv"))
            with open(os.path.join(folder, "outline.csv")) as file:
                self.assertGreater(len(file.readlines()), len(outline.loops[0]))
            self.fails("csv, vtp or svg", outline.write, os.path.join(folder, "outline.xyz"))

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
