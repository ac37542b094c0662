#!/usr/bin/env bash
# Runs fuzz targets (libFuzzer), a few at a time.
#
#   tools/run-fuzz.sh [-j JOBS] [-t SECONDS] [-s SEED] TARGET...
#   tools/run-fuzz.sh -m TARGET...     adds what was found to the corpus
#
# A target fuzz_NAME starts from the inputs in tests/fuzz/corpus/NAME.tar.gz, those
# in tests/fuzz/regress/NAME and the shipped descriptors. New inputs are kept in
# build/fuzz-corpus/NAME, and one that breaks the target in tests/fuzz/findings.
# SEED: what is tried is the same each time, as far as SECONDS suffice (0: other inputs
# each time).
set -eu

jobs=1 seconds=60 start=0 merge=
while getopts j:t:s:m option; do
    case $option in
    j) jobs=$OPTARG ;;
    t) seconds=$OPTARG ;;
    s) start=$OPTARG ;;
    m) merge=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

findings=tests/fuzz/findings
mkdir -p "$findings"

fuzz() { # TARGET
    local name archive regress seed found log
    name=$(basename "$1")
    name=${name#fuzz_}
    archive=tests/fuzz/corpus/$name.tar.gz
    regress=tests/fuzz/regress/$name
    seed=build/fuzz-corpus/$name.seed
    found=build/fuzz-corpus/$name
    log=build/fuzz-corpus/$name.log
    rm -rf "$seed"
    mkdir -p "$seed" "$found" "$regress"
    [ ! -f "$archive" ] || tar -xzf "$archive" -C "$seed"
    if [ -n "$merge" ]; then
        "$1" -merge=1 "$seed" "$regress" "$found" 2>"$log"
        tar -C "$seed" --sort=name --mtime=@0 --owner=0 --group=0 \
            --numeric-owner -cf - . | gzip -9n >"$archive"
        echo "$name: $(find "$seed" -type f | wc -l) inputs in $archive"
        return
    fi
    local options=(-max_total_time="$seconds" -seed="$start" -timeout=10
        -rss_limit_mb=2048 -artifact_prefix="$findings/$name-")
    [ -f "tests/fuzz/$name.dict" ] && options+=(-dict="tests/fuzz/$name.dict")
    if "$1" "${options[@]}" "$found" "$seed" "$regress" \
        workloads >"$log" 2>&1; then
        echo "ok   fuzz_$name $(sed -n 's/^Done \([0-9]*\) runs in \(.*\)$/\1 runs in \2/p' "$log")"
    else
        tail -n 40 "$log"
        echo "FAIL fuzz_$name: see $findings"
        return 1
    fi
}

failed=0 running=0
for target in "$@"; do
    if [ "$running" -ge "$jobs" ]; then
        wait -n || failed=$((failed + 1))
        running=$((running - 1))
    fi
    fuzz "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=$((failed + 1))
    running=$((running - 1))
done
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
