#!/bin/sh
# Tuned constants halved and doubled: builds the tool with variable constants in DIR and runs the scan (docs/tuning.md).
# usage: tuning_scan.sh DIR
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cmake -S "$root" -B "$1" -DCMAKE_BUILD_TYPE=Release -DMOTE_TUNING_SCAN=ON >/dev/null
cmake --build "$1" -j --target mote-tool unit-surface unit-track unit-lattice unit-contact unit-cracks unit-fluid unit-fragments golden >/dev/null
"$root/tests/checks/tuning_scan.py" "$1"
