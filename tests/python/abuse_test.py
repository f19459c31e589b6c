"""Random operations on worlds: no value of a held array changes, HeldView comes where it is due, worlds leak nothing.

MOTE_OPERATIONS, MOTE_WORLDS: how many; the slow tier has a million and ten thousand.
"""
import gc
import math
import os
import random
import resource
import threading
import unittest

import numpy as np

import kit
import mote

OPERATIONS = int(os.environ.get("MOTE_OPERATIONS", "3000"))
WORLDS = int(os.environ.get("MOTE_WORLDS", "300"))
FIELDS = ("position", "velocity", "mass", "id", "density")
SMALL = {"dimensions": 2, "spacing": 0.1, "solver": {"quality": "fast"}, "outputs": {"preview": False},
         "domain": {"low": [0, 0], "high": [1, 1], "x": "wall", "y": "wall"},
         "bodies": {"dam": {"shape": {"box": {"low": [0, 0], "high": [0.4, 0.6]}}}}}


class Player:
    """Plays with one world at a time; keeps arrays and what they were."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.copies, self.views, self.begin = [], [], [self.begin_world, self.drop_world]
        self.moves = [self.step, self.hash, self.load, self.set, self.gravity, self.remove, self.wrong]
        self.quiet = [self.copy, self.look, self.slice, self.drop_view, self.read, self.save, self.check_arrays]
        self.held, self.state = 0, None
        self.begin_world()

    def begin_world(self):
        """The views of the world before stay with it."""
        self.old = [pair for pair in getattr(self, "old", []) + self.views][-20:]
        self.world, self.views, self.state = mote.World(SMALL), [], None

    def drop_world(self):
        try:
            self.world.close()
            assert not self.views
        except mote.HeldView:
            assert self.views
        self.begin_world()

    def move(self, call):
        """A call that changes the world: refused where a view is held, and then nothing has changed."""
        if not self.views:
            return call()
        before, hash_before = self.world.save(), self.world.motion_hash()
        try:
            call()
        except mote.HeldView as refused:
            self.held += 1
            assert any(name in str(refused) for name in FIELDS)
        else:
            raise AssertionError("a view was held")
        assert self.world.motion_hash() == hash_before and self.world.save() == before
        return None

    def step(self):
        self.move(lambda: self.world.step(self.world.time + self.random.choice((0.001, 1.0))))

    def hash(self):
        self.move(self.world.hash)

    def load(self):
        if self.state is not None:
            self.move(lambda: self.world.load(self.state))

    def set(self):
        ids = self.world["id"][:self.random.randrange(0, 4)]
        if len(ids):
            self.move(lambda: self.world.set("velocity", ids, np.zeros((len(ids), 3))))

    def gravity(self):
        self.move(lambda: self.world.gravity([0, -self.random.random(), 0]))

    def remove(self):
        if self.random.random() < 0.1 and len(self.world.bodies):
            self.move(lambda: self.world.remove_body("dam"))

    def wrong(self):
        bad = [lambda: self.world.set("velocity", [1], [[math.nan] * 3]), lambda: self.world.gravity([math.nan, 0, 0]),
               lambda: self.world.set("velocity", [10**6], [[0.0] * 3]), lambda: self.world.set("velocity", [1, 2], [[0.0] * 3]),
               lambda: self.world.load(b"nothing"), lambda: self.world.advance(-1.0), lambda: self.world.impulse("x", [0, 0, 0])]
        before = self.world.save()
        try:
            self.random.choice(bad)()
            raise AssertionError("nothing was raised")
        except mote.Error:
            assert self.world.save() == before

    def copy(self):
        array = self.world[self.random.choice(FIELDS)]
        self.copies = (self.copies + [(array, array.copy())])[-20:]

    def look(self):
        with self.world.views(self.random.choice(FIELDS)) as view:
            if self.random.random() < 0.5:
                self.views.append((view, view.copy()))

    def slice(self):
        if self.views:
            view, value = self.random.choice(self.views)
            step = self.random.randrange(1, 4)
            self.views.append((view[::step], value[::step]))

    def drop_view(self):
        self.views = self.views[self.random.randrange(0, len(self.views) + 1):]

    def read(self):
        self.world.totals, self.world.time, len(self.world.bodies), self.world.by_id("position", self.world["id"])

    def save(self):
        self.state = self.world.save()

    def check_arrays(self):
        for array, value in self.copies + self.views + self.old:
            np.testing.assert_array_equal(array, value)

    def play(self, count):
        for _ in range(count):
            kind = self.random.random()
            self.random.choice(self.begin if kind < 0.01 else self.moves if kind < 0.5 else self.quiet)()
        self.check_arrays()


def resident():
    """Bytes of memory that the process has now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Abuse(kit.Case):
    def test_random_operations(self):
        player = Player(1)
        player.play(OPERATIONS)
        self.assertGreater(player.held, OPERATIONS // 100)

    def test_in_two_threads(self):
        """Each with its world; then both with one, where Busy is all that may happen."""
        players, failed = [Player(seed) for seed in (2, 3)], []
        threads = [threading.Thread(target=one.play, args=(OPERATIONS // 4,)) for one in players]
        shared = mote.World(SMALL)

        def share(seed):
            chance = random.Random(seed)
            for _ in range(OPERATIONS // 4):
                try:
                    chance.choice([lambda: shared.step(1e3), lambda: shared["position"], shared.hash, shared.save])()
                except mote.Busy:
                    pass
                except BaseException as wrong:
                    failed.append(wrong)

        threads += [threading.Thread(target=share, args=(seed,)) for seed in (4, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])

    def test_worlds_leak_nothing(self):
        before = 0
        for k in range(WORLDS + 100):
            if k == 100:
                gc.collect()
                before = resident()
            world = mote.World(SMALL, threads=1)
            world.step()
            with world.views("position") as x:
                x.sum()
        del world, x
        gc.collect()
        self.assertLess(resident() - before, 1 << 20)


if __name__ == "__main__":
    unittest.main()
