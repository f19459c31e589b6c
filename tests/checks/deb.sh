#!/bin/sh
# The package of "make deb", installed and used in a fresh root of this machine's release of Debian. $1: a directory to
# work in.
set -eu
cd "$(dirname "$0")/../.."
work=$1
. tests/checks/debian_root.sh
make deb
make_root "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work"
use_package build/mote_*.deb
