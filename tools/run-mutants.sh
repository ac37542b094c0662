#!/usr/bin/env bash
# Puts the faults of tests/mutants into a copy of the sources, one at a time, and
# runs the behaviours on each (doc/behaviours.md).
#
#   tools/run-mutants.sh [-j JOBS] RUNNER [NAME...]
#
# RUNNER has all tests (tests/runner); without names, all mutants are tried. The
# copies stay in build/mutants, so only what has changed since is built again;
# what each mutant failed is in build/mutants/results. MUTANTS_CC: the compiler
# (cc). The status is 1 if a check was failed by no mutant, if a mutant that is
# not listed as equivalent failed no check, or one that is did, or could not be
# built.
set -u

jobs=2
if [ "${1-}" = -j ]; then
    jobs=$2
    shift 2
fi
program=$1
shift

cc=${MUTANTS_CC:-cc}
dir=build/mutants
sources=(Makefile base parser engine layerstream device trace run decide report cli
    tui tools workloads tests/behaviours tests/mutants tests/naive tests/runner
    tests/support)
behaviours=build/$(tr ' /' '__' <<<"$cc")/tests/behaviours-alone
results=$dir/results
unset MAKEFLAGS MFLAGS MAKELEVEL
export LC_ALL=C
mkdir -p "$results" && cp "$program" "$dir/run" || exit
mutants=$(realpath "$dir/run")

files() { # TREE: all files of the sources in it
    (cd "$1" && find "${sources[@]}" -type f 2>/dev/null | sort)
}

# A file that is as it was keeps its time, and so what was built of it.
sync_tree() { # TREE
    local file
    mkdir -p "$1" || return
    comm -13 <(files .) <(files "$1") | (cd "$1" && xargs -r -d '\n' rm -f)
    files . | while read -r file; do
        cmp -s "$file" "$1/$file" && continue
        mkdir -p "$1/$(dirname "$file")" && cp "$file" "$1/$file" || return
    done
}

# Removes the program first: an old one would count as the result.
build() { # TREE JOBS
    rm -f "$1/$behaviours"
    make -s -C "$1" -j "$2" CC="$cc" DEBUG= SAN= FUZZ= V= WERROR= \
        CFLAGS='-O1 -w' LDFLAGS= "$behaviours"
}

# The next name of the list on descriptor 3, which all workers share.
next_name() {
    local rc
    flock 9
    IFS=$'\t' read -r name file _ <&3
    rc=$?
    flock -u 9
    return "$rc"
}

count() { # FILE: its lines; 0 without it
    [ -f "$1" ] && wc -l <"$1" || echo 0
}

# The sources may change meanwhile: the copies do not.
try() { # TREE: the mutant $name of $file
    local out=$results/$name t0=$SECONDS
    rm -f "$out" "$out.broken"
    cp "$1/$file" "$1.saved"
    if (cd "$1" && "$mutants" :mutants --apply "$name" .) 2>"$out.log" &&
        build "$1" 1 >"$out.log" 2>&1; then
        "$1/$behaviours" :behaviours --failed >"$out.new" && mv "$out.new" "$out"
    else
        mv "$out.log" "$out.broken"
    fi
    rm -f "$out.log"
    cp "$1.saved" "$1/$file"
    printf '%-44s %4d checks failed, %3d s\n' "$name" \
        "$(count "$out")" $((SECONDS - t0)) >&2
}

worker() { # TREE
    local name file
    exec 9>"$dir/lock"
    while next_name; do
        try "$1"
    done
}

# A copy of the sources as they are, built.
prepare() { # TREE
    sync_tree "$1" && build "$1" "$jobs" >"$dir/build.log" 2>&1 && return
    tail -n 30 "$dir/build.log" >&2
    exit 1
}

echo "building $jobs copies of the sources in $dir" >&2
prepare "$dir/1"
for ((i = 2; i <= jobs; i++)); do
    [ -d "$dir/$i" ] || cp -a "$dir/1" "$dir/$i" || exit
    prepare "$dir/$i"
done
if [ -n "$("$dir/1/$behaviours" :behaviours --failed | tee /dev/stderr)" ]; then
    echo "these checks fail without any mutant" >&2
    exit 1
fi

(cd "$dir/1" && "$mutants" :mutants --list) >"$dir/all" || exit
if [ $# -gt 0 ]; then
    printf '%s\n' "$@" | sort |
        join -t $'\t' - <(sort "$dir/all") >"$dir/list"
else
    cp "$dir/all" "$dir/list"
fi
"$dir/1/$behaviours" :behaviours --checks >"$dir/checks" || exit

# All workers end with this script.
trap 'trap - INT TERM; kill 0; exit 130' INT TERM
exec 3<"$dir/list"
for ((i = 1; i <= jobs; i++)); do
    worker "$dir/$i" &
done
wait
exec 3<&-

awk -F '\t' -v results="$results" -v checks="$dir/checks" \
    -v all=$(($# == 0)) -f "$dir/1/tools/mutants.awk" "$dir/list"
