"""A controller keeps a ball in the air with a jet: it tries out three speeds in copies of the world, and takes the best."""
from __future__ import annotations

import sys

import mote

SPACING = sys.argv[1] if len(sys.argv) > 1 else "1 cm"
HEIGHT, FRAME, AHEAD = 0.45, 0.04, 3


def make_world() -> mote.World:
    world = mote.World(dimensions=2, spacing=SPACING, duration=1.2,
                       domain={"low": [0, 0], "high": [0.6, 1.2], "x": "wall", "y": ["open", "open"]})
    world.add_material("cork", model="rigid", density=150)
    world.add_body("ball", material="cork", shape={"sphere": {"centre": [0.3, HEIGHT], "radius": 0.06}})
    world.add_emitter("jet", centre=[0.3, 0.1], direction=[0, 1], radius=0.05, speed=2.5)
    return world


def miss(world: mote.World, speed: float) -> float:
    """How far the ball will be from its height, if the jet has this speed from now on."""
    world.emitter_speed("jet", speed)
    world.advance(world.time + AHEAD * FRAME)
    ball = world.bodies["ball"]
    return abs(float(ball.position[1]) - HEIGHT) + 0.1 * abs(float(ball.velocity[1]))


def main() -> None:
    world = make_world()
    trial, speed, heights = world.copy(), 2.5, []
    while world.time < 1.2:
        tried = {}
        for choice in (max(0.5, speed - 0.4), speed, min(4.0, speed + 0.4)):
            world.copy(into=trial)
            tried[choice] = miss(trial, choice)
        speed = min(tried, key=lambda one: tried[one])
        world.emitter_speed("jet", speed)
        world.advance(world.time + FRAME)
        heights.append(float(world.bodies["ball"].position[1]))
        print(f"t = {world.time:.2f} s: jet {speed:.1f} m/s, ball at {heights[-1]:.3f} m")
    world.commands.write("keep_afloat.jsonl")  # mote run --commands repeats it
    print(f"between {min(heights):.2f} and {max(heights):.2f} m")


main()
