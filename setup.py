"""pip install .: CMake builds the module, with libmote and libmote-io inside, and the program; setuptools packs them."""
import os
import re
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


# Libraries in the wheel are found from the module, from the program, and from each other.
KINDS, DTAGS = ("MODULE", "EXE"), "-Wl,--disable-new-dtags"
# What every Linux has, in a version that is not older.
OF_SYSTEM = re.compile(r"(linux-vdso|ld-linux|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)[.-]")


def copy_libraries(module, folder):
    """The shared libraries of a module (Embree, libpng, libyaml), which other releases of Linux do not have."""
    folder.mkdir(exist_ok=True)
    said = subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"(\S+) => (/\S+)", said):
        if not OF_SYSTEM.match(name):
            shutil.copy2(path, folder / name)


class CMakeBuild(build_ext):
    """The files of build/python/mote, for the package that is being built."""

    def build_extension(self, extension):
        build = Path(self.build_temp).resolve() / "cmake"
        package = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DMOTE_TESTS=OFF",
                        "-DMOTE_PYTHON=ON", f"-DMOTE_PYTHON_PROGRAM={sys.executable}",
                        "-DCMAKE_BUILD_RPATH=$ORIGIN/lib;$ORIGIN/../lib", *(f"-DCMAKE_{kind}_LINKER_FLAGS={DTAGS}" for kind in KINDS),
                        *os.environ.get("MOTE_CMAKE", "").split()], check=True)
        subprocess.run(["cmake", "--build", build, f"-j{os.cpu_count()}", "--target", "mote-tool", "mote-python"], check=True)
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python" / "mote" / "_mote.abi3.so", package)
        shutil.copy2(build / "mote", package / "bin")
        copy_libraries(package / "_mote.abi3.so", package / "lib")


class Abi3Wheel(bdist_wheel):
    """One wheel for all CPythons of a platform."""

    def finalize_options(self):
        super().finalize_options()
        self.py_limited_api = "cp39"


setup(packages=["mote"], package_dir={"mote": "python/mote"}, package_data={"mote": ["*.pyi", "py.typed"]},
      ext_modules=[Extension("mote._mote", [], py_limited_api=True)],
      cmdclass={"build_ext": CMakeBuild, "bdist_wheel": Abi3Wheel})
