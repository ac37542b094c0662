#!/usr/bin/env bash
# Runs a command in a bare Debian: a copy of a tree that debootstrap made, with
# nothing in it but `git`, `make` and `ca-certificates`, and a clone of this
# checkout's HEAD, in which the command starts. Needs root and debootstrap.
#
#   tools/in-debian.sh [-u] [--keep] 12|13 COMMAND...
#
#   -u        as a user with sudo that asks for no password; default: as root
#   --keep    keep the copy, and go on in it the next time
#
#   GPUWL_TREES=DIR   where trees are kept: DIR/12, DIR/13 are bare, DIR/13.kept is
#                     what --keep leaves (~/.cache/gpuwl/trees)
#   SHARED=1          ../shared, read only, beside the clone
#
# The exit status is the command's. A copy is 250 MB and takes seconds, where an
# overlay needs a file system that takes one. Mounts and processes of the command
# are in namespaces of its own, and end with it; the network is this machine's.
set -eu

usage() {
    echo "usage: $0 [-u] [--keep] 12|13 COMMAND..." >&2
    exit 2
}

fail() { # WHY
    echo "$0: $1" >&2
    exit 125
}

user=root keep=
while :; do
    case ${1-} in
    -u) user=someone ;;
    --keep) keep=1 ;;
    12) codename=bookworm && break ;;
    13) codename=trixie && break ;;
    *) usage ;;
    esac
    shift
done
release=$1
shift
[ $# -gt 0 ] || usage

[ "$(id -u)" -eq 0 ] || fail 'only root can mount and change the root folder'
source=$(cd "$(dirname "$0")/.." && git rev-parse --show-toplevel)
trees=${GPUWL_TREES:-${XDG_CACHE_HOME:-$HOME/.cache}/gpuwl/trees}
bare=$trees/$release
mkdir -p "$trees"

# Where this machine's apt has Debian from.
mirror() {
    local uri
    uri=$(apt-get indextargets --format "\$(REPO_URI)" 'Created-By: Packages' \
        'Label: Debian' 2>/dev/null | head -n 1)
    echo "${uri:-http://deb.debian.org/debian}"
}

make_bare() {
    command -v debootstrap >/dev/null 2>&1 ||
        fail "no debootstrap (package debootstrap), and no tree in $bare"
    rm -rf "$bare.new"
    debootstrap --variant=minbase --include=git,make,ca-certificates \
        "$codename" "$bare.new" "$(mirror)" >&2 ||
        fail "debootstrap could not make $bare.new, see debootstrap/debootstrap.log in it"
    mv "$bare.new" "$bare"
}

# Runs in namespaces of its own. Nothing below the copy is mounted outside.
inside() { # COPY HOME USER SHARED COMMAND...
    local copy=$1 home=$2 user=$3 shared=$4
    shift 4
    mount -t proc proc "$copy/proc"
    mount -t sysfs sysfs "$copy/sys"
    mount --rbind /dev "$copy/dev"
    mount -t tmpfs tmpfs "$copy/dev/shm"
    mount -t tmpfs tmpfs "$copy/tmp"
    if [ -n "$shared" ]; then
        mkdir -p "$copy$home/shared"
        mount --bind -o ro "$shared" "$copy$home/shared"
    fi
    # Not exec: the first process of a namespace reaps those of others.
    chroot "$copy" runuser -u "$user" -- env -i HOME="$home" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 ${TERM:+TERM="$TERM"} \
        sh -c 'cd ~/gpuwl-top && exec "$@"' sh "$@"
}
export -f inside

in_copy() { # USER SHARED COMMAND...
    local user=$1 shared=$2
    shift 2
    unshare --mount --pid --fork --kill-child \
        bash -euc 'inside "$@"' bash "$copy" "$home" "$user" "$shared" "$@"
}

# A tree that was made elsewhere may be barer.
install() { # PACKAGE...
    local missing=() log=$copy/root/install.log
    for package in "$@"; do
        [ -e "$copy/var/lib/dpkg/info/$package.list" ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    # shellcheck disable=SC2016 # "$@" is the inner shell's
    in_copy root '' sh -c 'export DEBIAN_FRONTEND=noninteractive
        apt-get -q update && apt-get -qy install --no-install-recommends "$@"' \
        sh "${missing[@]}" </dev/null >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        fail "$bare: apt-get could not install ${missing[*]}"
    }
}

# The clone, or what --keep left, at this HEAD. Other files than those that differ
# stay as they are, so that they are not built again.
check_out() {
    local clone=$copy$home/gpuwl-top
    local there=(git -c safe.directory="$clone" -C "$clone")
    if [ -d "$clone" ]; then
        "${there[@]}" fetch -q "$source" HEAD
        "${there[@]}" update-index -q --refresh || :
        "${there[@]}" reset -q --hard FETCH_HEAD
    else
        git clone -q "$source" "$clone"
    fi
    chroot "$copy" chown -R "$user:" "$home/gpuwl-top"
}

[ -d "$bare" ] || make_bare
copy=$trees/$release.kept home=/root
if [ -z "$keep" ]; then
    copy=$(mktemp -d "$trees/$release.run.XXXXXX")
    trap 'rm -rf --one-file-system "$copy"' EXIT
fi
[ -d "$copy/usr" ] || cp -a --reflink=auto "$bare/." "$copy"
cp -L /etc/resolv.conf /etc/hosts "$copy/etc"
packages=(git make ca-certificates)
if [ "$user" != root ]; then
    home=/home/$user
    packages+=(sudo)
    [ -d "$copy$home" ] || chroot "$copy" useradd -m -s /bin/bash "$user"
    mkdir -p "$copy/etc/sudoers.d"
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$copy/etc/sudoers.d/$user"
fi
check_out
install "${packages[@]}"
shared=
if [ -n "${SHARED-}" ]; then
    shared=$(realpath -e "$source/../shared") || fail 'SHARED: no ../shared'
fi
in_copy "$user" "$shared" "$@"
