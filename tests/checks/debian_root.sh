# A root of a release of Debian, for scripts of this folder that read this file in: make_root RELEASE DIR makes one in
# DIR/root ($root), in_root COMMAND... runs a command in it, use_package FILE.deb installs Mote there and uses it.
# Without root's rights or debootstrap the script is skipped.
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
  echo "skipped: this check needs debootstrap and the rights of root"
  exit 77
fi

# The mirror and the settings (proxies, dates) are those with which apt works on this machine.
make_root() {
  mark=$2/made-by-mote-checks
  if [ -e "$2" ] && [ ! -f "$mark" ]; then
    echo "$2 was not made by this check: remove it first" >&2
    exit 2
  fi
  rm -rf "$2"
  mkdir -p "$2"
  : > "$mark"
  root=$(cd "$2" && pwd)/root
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | head -n 1)
  debootstrap --variant=minbase --include=make "$1" "$root" "$mirror" > "$2/debootstrap.log" 2>&1 ||
    { tail -n 20 "$2/debootstrap.log"; exit 1; }
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  apt-config dump | grep -E '^Acquire::(Check-Valid-Until|https?|Retries)' > "$root/etc/apt/apt.conf.d/90machine" || true
}

# What is mounted is seen and lives no longer than the command.
in_root() {
  unshare --mount --pid --fork --kill-child sh -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$root" "$@"
  ' in_root "$root" "$@"
}

# As users do: the package and what it depends on by apt, then a coarse dam break and a picture of it.
use_package() {
  cp "$1" "$root/mote.deb"
  in_root sh -euc '
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /mote.deb > /dev/null
    cd /root
    mote --version
    mote run dam_break --set spacing=6cm --set duration=0.2 --quiet
    mote render dam_break --as surface --size 160x90 --samples 4 --quiet -o dam_break.png
    ls /usr/share/man/man1/mote-run.1* /usr/share/bash-completion/completions/mote /usr/include/mote/mote.h > /dev/null
  '
}
