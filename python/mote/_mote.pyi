# The module of the C library, made by python/build_ffi.py.
from typing import Any

ffi: Any
lib: Any
