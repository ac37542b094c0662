#!/usr/bin/env bash
# Builds the commit that tools/same.base names, without LTO, and compares what it writes
# with what the build in a folder writes (tools/same.sh). Needs a clone that has the commit.
#
#   tools/check-same.sh BUILD
set -u

cd "$(dirname "$0")/.." || exit
new=${1:-build/gcc}
word=$(awk '!/^#/ && NF { print $1; exit }' tools/same.base)
if [ -z "$word" ]; then
    echo "skip: tools/same.base names no commit"
    exit 0
fi
if ! commit=$(git rev-parse --quiet --verify "$word^{commit}"); then
    echo "skip: this clone lacks the commit $word of tools/same.base"
    exit 0
fi
base=build/same-base
if [ "$(cat "$base/commit" 2>/dev/null)" != "$commit" ]; then
    rm -rf "$base"
    mkdir -p "$base" && git archive "$commit" | tar -x -C "$base" || exit
    echo "$commit" >"$base/commit"
fi
env -u MAKEFLAGS -u MFLAGS -u WERROR make --no-print-directory -C "$base" -j"$(nproc)" CC=gcc quick |
    grep -v '^  '
[ "${PIPESTATUS[0]}" -eq 0 ] || exit
bash tools/same.sh "$base/build/gcc" "$new"
