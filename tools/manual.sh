#!/bin/sh
# Prints doc/gpuwl-top.1 with the lists that the program makes of its own tables
# (options, keys) put between the lines that mark them.
#
#   MAN_LISTS=PROGRAM tools/manual.sh        (PROGRAM: built of tools/man_lists.c)
set -eu
page=doc/gpuwl-top.1

while IFS= read -r line; do
    case $line in
    '.\" begin '*)
        name=${line#'.\" begin '}
        printf '%s\n' "$line"
        "$MAN_LISTS" "$name"
        skip=$name
        ;;
    '.\" end '*)
        printf '%s\n' "$line"
        skip=
        ;;
    *) [ -n "${skip-}" ] || printf '%s\n' "$line" ;;
    esac
done <$page
