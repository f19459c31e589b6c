#!/bin/sh
# The archive of "make dist" builds by itself. $1: a directory to work in.
set -eu
cd "$(dirname "$0")/../.."
work=$1
archive=$(make dist)
rm -rf "$work"
mkdir -p "$work"
tar -x -z -f "$archive" -C "$work"
commit=$(git rev-parse --short HEAD)
cd "$work"/mote-*/
make >make.log 2>&1 || { tail -n 50 make.log; exit 1; }
build/mote --version | grep "commit $commit"
