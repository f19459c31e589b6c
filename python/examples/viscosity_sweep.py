"""A sweep over viscosity, each world in a thread of its own: how far a column of fluid has spread."""
from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import mote

SPACING = sys.argv[1] if len(sys.argv) > 1 else "1 cm"


def spread(viscosity: float) -> float:
    """The front of the column after half a second, m."""
    world = mote.World(dimensions=2, spacing=SPACING, threads=1,
                       domain={"low": [0, 0], "high": [3, 1], "x": "wall", "y": "wall", "friction": 1})
    world.add_material("fluid", viscosity=viscosity)
    world.add_body("column", material="fluid", shape={"box": {"low": [0, 0], "high": [0.3, 0.6]}})
    world.advance(0.5)
    return float(world["position"][:, 0].max())


def main() -> None:
    viscosities = [0.001, 1.0, 10.0, 100.0]
    with ThreadPoolExecutor(4) as pool:  # a step lets other threads of Python run
        fronts = list(pool.map(spread, viscosities))
    for viscosity, front in zip(viscosities, fronts):
        print(f"{viscosity:8.3f} Pa s: front at {front:.3f} m")
    assert fronts[-1] < fronts[0]


main()
