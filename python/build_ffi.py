"""Writes the C source of the module mote._mote: build_ffi.py COMPILER INCLUDE OUT.c

The declarations are the public headers after the preprocessor; nothing is listed here but the callbacks.
"""
import re
import subprocess
import sys

from cffi import FFI

HEADERS = ("mote/mote.h", "mote/io.h", "mote/model.h", "mote/draw.h", "mote/render.h")
INCLUDES = "".join(f"#include <{name}>\n" for name in HEADERS)
CALLBACKS = """
extern "Python" bool mote_python_write(void *user, const void *bytes, size_t size);
extern "Python" bool mote_python_read(void *user, void *bytes, size_t size);
extern "Python" void mote_python_log(void *user, mote_log_level level, const char *text);
extern "Python" void mote_python_note(void *user, const mote_error *where);
"""
NUMBER = re.compile(r"#define (MOTE_[A-Z0-9_]+) \(?-?(?:0x[0-9a-f]+|[0-9]+)(?: << [0-9]+)?\)?$")


def preprocess(compiler, include):
    """The headers with their own definitions, and marks of the files that the lines come from."""
    command = [compiler, "-std=c17", "-E", "-dD", f"-I{include}", "-"]
    return subprocess.run(command, input=INCLUDES, capture_output=True, text=True, check=True).stdout


def declarations(text, include):
    """The lines of our headers: declarations, and numbers that are defined."""
    ours, numbers, lines = False, {}, []
    for line in text.splitlines():
        mark = re.match(r'# \d+ "(.*?)"', line)
        if mark:
            ours = mark.group(1).startswith(include)
        elif ours and line.startswith("#"):
            match = NUMBER.match(line.strip())
            if match:
                numbers[match.group(1)] = True
        elif ours:
            lines.append(line)
    body = "\n".join(lines).replace('__attribute__((visibility("default")))', "")
    return "".join(f"#define {name} ...\n" for name in numbers) + body


def main(compiler, include, out):
    ffi = FFI()
    ffi.cdef(declarations(preprocess(compiler, include), include) + CALLBACKS)
    ffi.set_source("mote._mote", INCLUDES, py_limited_api=True)
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
