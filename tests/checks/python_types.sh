#!/bin/sh
# The examples of the Python package, and itself, in the strict mode of mypy (pyproject.toml). Skipped without mypy.
set -eu
cd "$(dirname "$0")/../.."
command -v mypy > /dev/null || exit 77
exec mypy --config-file pyproject.toml --cache-dir /dev/null python/examples/*.py python/mote
