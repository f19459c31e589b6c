"""pip install .: CMake builds the module, with libmote and libmote-io inside, and the program; setuptools packs them."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """The files of build/python/mote, for the package that is being built."""

    def build_extension(self, extension):
        build = Path(self.build_temp).resolve() / "cmake"
        package = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DMOTE_TESTS=OFF",
                        "-DMOTE_PYTHON=ON", f"-DMOTE_PYTHON_PROGRAM={sys.executable}",
                        *os.environ.get("MOTE_CMAKE", "").split()], check=True)
        subprocess.run(["cmake", "--build", build, f"-j{os.cpu_count()}", "--target", "mote-tool", "mote-python"], check=True)
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python" / "mote" / "_mote.abi3.so", package)
        shutil.copy2(build / "mote", package / "bin")


class Abi3Wheel(bdist_wheel):
    """One wheel for all CPythons of a platform."""

    def finalize_options(self):
        super().finalize_options()
        self.py_limited_api = "cp39"


setup(packages=["mote"], package_dir={"mote": "python/mote"}, package_data={"mote": ["*.pyi", "py.typed"]},
      ext_modules=[Extension("mote._mote", [], py_limited_api=True)],
      cmdclass={"build_ext": CMakeBuild, "bdist_wheel": Abi3Wheel})
