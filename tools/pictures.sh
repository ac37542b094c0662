#!/usr/bin/env bash
# Makes the pictures of the README and the manual pages from the program's own
# screen: doc/pictures/*.svg.
#
#   GPUWL_TOP=PROGRAM tools/pictures.sh
set -eu

cd "$(dirname "$0")/.."
mkdir -p doc/pictures
script=$(mktemp)
trap 'rm -f "$script"' EXIT

picture() { # NAME COLUMNSxROWS FILE KEY...
    local name=$1 size=$2 file=$3
    shift 3
    printf '%s\n' "size $size" 'advance 3s' "$@" \
        ":dump doc/pictures/$name.svg" q >"$script"
    LC_ALL=C.UTF-8 "$GPUWL_TOP" --config=none --script "$script" "$file"
    echo "doc/pictures/$name.svg"
}

picture first-screen 120x40 workloads/desktop.wsim
