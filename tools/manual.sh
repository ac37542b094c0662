#!/bin/sh
# Prints doc/gpuwl-top.1 with the lists that the program makes of its own tables
# (options, keys) put between the lines that mark them.
#
#   GPUWL_TOP=PROGRAM tools/manual.sh
set -eu
top=${GPUWL_TOP:-build/gpuwl-top}
page=doc/gpuwl-top.1

list() { # NAME
    "$top" "--man-$1"
}

while IFS= read -r line; do
    case $line in
    '.\" begin '*)
        name=${line#'.\" begin '}
        printf '%s\n' "$line"
        list "$name"
        skip=$name
        ;;
    '.\" end '*)
        printf '%s\n' "$line"
        skip=
        ;;
    *) [ -n "${skip-}" ] || printf '%s\n' "$line" ;;
    esac
done <$page
