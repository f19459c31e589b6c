"""Crack length over load: a notched plate is pulled apart, and the length of its crack is written down with its mean stress."""
from __future__ import annotations

import sys

import mote

SPACING = sys.argv[1] if len(sys.argv) > 1 else "1 cm"
END = float(sys.argv[2]) if len(sys.argv) > 2 else 1.2


def main() -> None:
    world = mote.World(dimensions=2, spacing=SPACING, duration=END, gravity=[0, 0],
                       domain={"low": [-0.5, -0.6], "high": [0.5, 0.6]})
    world.add_material("aspic", model="elastic", density=1000, young="20 kPa", poisson=0.3, law="corotated", order=1,
                       strain_damping="0.3 ms", integrator="explicit", strength="10 kPa", toughness=600)
    pull = {"shape": {"box": {"centre": [0, 0.29], "size": [0.5, 0.03]}}, "motion": {"move": [0, "0.06*t"]}}
    other = {"shape": {"box": {"centre": [0, -0.29], "size": [0.5, 0.03]}}, "motion": {"move": [0, "-0.06*t"]}}
    world.add_body("plate", material="aspic", shape={"box": {"centre": [0, 0], "size": [0.4, 0.6]}},
                   cracks=[{"point": [-0.1, 0], "ahead": [1, 0], "normal": [0, 1]}], hold=[pull, other])

    print("  time        stress     intensity    crack  bodies")
    for frame in world.frames():
        crack = world.cracks("plate")
        stress = float(world.elastic.measure()["stress"].mean())
        print(f"{frame.time:.2f} s {stress:10.0f} Pa {crack.one:8.0f} Pa√m {crack.size:6.3f} m {len(world.bodies):4d}")
        for parent, fragment in world.events.broken:
            print(f"{parent} lost {fragment}")


main()
