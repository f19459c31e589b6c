"""python_hash.py SCENE: where the installed package is, and the hash of a scene after two frames and of its run."""
import sys

import mote

assert "packages" in mote.__file__, mote.__file__
world = mote.World(sys.argv[1], outputs={"preview": False})
for _ in world.frames(2):
    number = world.hash()
mote.World(sys.argv[1], duration=0.04, outputs={"preview": False}).run("own", progress=False, overwrite=True)
print(mote.Run("own"), "by", mote.__file__, number)
