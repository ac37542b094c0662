#!/usr/bin/env bash
# Puts the faults of tests/mutants into a copy of the sources, one at a time, and
# runs the behaviours on each, or the tests that the fault names (doc/behaviours.md).
#
#   tools/run-mutants.sh [-j JOBS] RUNNER [NAME...]
#
# RUNNER has all tests (tests/runner); without names, all mutants are tried. The
# copies stay in build/mutants, so only what has changed since is built again;
# what each mutant failed is in build/mutants/results. MUTANTS_CC: the compiler
# (cc). The status is 1 if a check of a behaviour was failed by no mutant, if a mutant
# that is not listed as equivalent failed no check, or one that is did, or could not
# be built.
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
    tui tools workloads tests)
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

make_in() { # TREE JOBS ARGUMENT...
    make -s -C "$1" -j "$2" CC="$cc" DEBUG= SAN= FUZZ= V= WERROR= \
        CFLAGS='-O1 -w' LDFLAGS= "${@:3}"
}

# Removes the program first: an old one would count as the result.
build() { # TREE JOBS TESTS
    local target=build-tests
    if [ "$3" = behaviours ]; then
        target=$behaviours
        rm -f "$1/$target"
    fi
    make_in "$1" "$2" "$target"
}

# Prints the checks of the behaviours that fail, or the tests.
failed() { # TREE TESTS
    if [ "$2" = behaviours ]; then
        "$1/$behaviours" :behaviours --failed
    else
        make_in "$1" 1 JOBS=1 TEST_TIMEOUT=60 source_checks= TESTS="$2" run-tests 2>/dev/null |
            sed -n 's/^failed: //p'
    fi
}

# The next name of the list on descriptor 3, which all workers share.
next_name() {
    local rc
    flock 9
    IFS=$'\t' read -r name file tests _ <&3
    rc=$?
    flock -u 9
    return "$rc"
}

count() { # FILE: its lines; 0 without it
    [ -f "$1" ] && wc -l <"$1" || echo 0
}

# The sources may change meanwhile: the copies do not.
try() { # TREE: the mutant $name of $file, on $tests
    local out=$results/$name t0=$SECONDS
    rm -f "$out" "$out.broken"
    cp "$1/$file" "$1.saved"
    if (cd "$1" && "$mutants" :mutants --apply "$name" .) 2>"$out.log" &&
        build "$1" 1 "$tests" >"$out.log" 2>&1; then
        failed "$1" "$tests" >"$out.new" && mv "$out.new" "$out"
    else
        mv "$out.log" "$out.broken"
    fi
    rm -f "$out.log"
    cp "$1.saved" "$1/$file"
    printf '%-44s %4d checks failed, %3d s\n' "$name" \
        "$(count "$out")" $((SECONDS - t0)) >&2
}

worker() { # TREE
    local name file tests
    exec 9>"$dir/lock"
    while next_name; do
        try "$1"
    done
}

# A copy of the sources as they are, built for all mutants of the list.
prepare() { # TREE
    local tests
    sync_tree "$1" || exit
    for tests in behaviours ${named:+"$named"}; do
        build "$1" "$jobs" "$tests" >"$dir/build.log" 2>&1 && continue
        tail -n 30 "$dir/build.log" >&2
        exit 1
    done
}

"$mutants" :mutants --list >"$dir/all" || exit
if [ $# -gt 0 ]; then
    printf '%s\n' "$@" | sort |
        join -t $'\t' - <(sort "$dir/all") >"$dir/list"
else
    cp "$dir/all" "$dir/list"
fi
named=$(cut -f 3 "$dir/list" | grep -vx behaviours | tr '\n' ' ')

echo "building $jobs copies of the sources in $dir" >&2
prepare "$dir/1"
for ((i = 2; i <= jobs; i++)); do
    [ -d "$dir/$i" ] || cp -a "$dir/1" "$dir/$i" || exit
    prepare "$dir/$i"
done
for tests in behaviours ${named:+"$named"}; do
    if [ -n "$(failed "$dir/1" "$tests" | tee /dev/stderr)" ]; then
        echo "these checks fail without any mutant" >&2
        exit 1
    fi
done
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
