"""A surface of scanned points: a closed mesh of points that a scanner has found, with their colours, as a file and a picture."""
from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

import mote

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 20000


def scan(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Noisy points on a torus, and their distance from the middle."""
    random = np.random.default_rng(7)
    u, v = 2 * np.pi * random.random((2, count))
    radius = 0.3 + 0.1 * np.cos(v)
    points = np.stack([radius * np.cos(u), 0.1 * np.sin(v), radius * np.sin(u)], axis=1)
    return points + random.normal(0, 0.001, points.shape), radius


def main() -> None:
    points, radius = scan(COUNT)
    tree = mote.Tree(points)
    spacing = float(np.median(tree.nearest(points, 2)[1][:, 1]))
    surface = mote.Surface("zhu-bridson", spacing=4 * spacing)
    mesh = surface.build(points, fields={"distance": radius})
    report = mesh.examine()
    print(f"{mesh}: {report.parts} parts, {report.open_edges} open edges, area {report.area:.3f} m2")
    mote.write("scanned.vtp", mesh)
    vertices, faces = mesh  # what trimesh and others take
    mote.write_image("scanned.png", mote.preview(np.zeros((0, 3)), spacing, meshes=(mesh,), width=640, height=480))
    assert report.open_edges == 0 and len(faces) > len(vertices)


main()
