#!/bin/sh
# The sources of libyaml and zlib for the core in a browser: those of the Debian or Ubuntu release at hand, into DIR/libyaml
# and DIR/zlib. apt-get checks their signatures; the lists of sources that it needs are kept in DIR, apart from the machine's.
set -eu
work=$1
[ ! -d "$work/zlib" ] || exit 0
mkdir -p "$work/lists/partial" "$work/cache" "$work/new"
cd "$work"
. /etc/os-release
signed="signed-by=/usr/share/keyrings/$ID-archive-keyring.gpg"
apt-get indextargets --format "deb-src [$signed] \$(SITE) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' 'Component: main' |
  grep "/$ID.* $VERSION_CODENAME" | sort -u >sources.list
own="-o Dir::Etc::SourceList=$PWD/sources.list -o Dir::Etc::SourceParts=- -o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD/cache"
apt-get $own update -qq
for package in libyaml zlib; do
  (cd new && apt-get $own source -qq "$package" >/dev/null)
  mv "new/$package"-*/ "$package"
done
rm -rf lists cache new
