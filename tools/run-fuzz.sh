#!/usr/bin/env bash
# Runs fuzz targets (libFuzzer), a few at a time.
#
#   tools/run-fuzz.sh [-j JOBS] [-t SECONDS] TARGET...
#   tools/run-fuzz.sh -m TARGET...     adds what was found to the corpus
#
# A target fuzz_NAME starts from tests/fuzz/corpus/NAME and the shipped
# descriptors; what it finds new is kept in build/fuzz-corpus/NAME, and an input
# that breaks it in tests/fuzz/findings.
set -eu

jobs=1 seconds=60 merge=
while getopts j:t:m option; do
    case $option in
    j) jobs=$OPTARG ;;
    t) seconds=$OPTARG ;;
    m) merge=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

findings=tests/fuzz/findings
mkdir -p "$findings"

fuzz() { # TARGET
    local name seed found log
    name=$(basename "$1")
    name=${name#fuzz_}
    seed=tests/fuzz/corpus/$name
    found=build/fuzz-corpus/$name
    log=build/fuzz-corpus/$name.log
    mkdir -p "$seed" "$found"
    if [ -n "$merge" ]; then
        "$1" -merge=1 "$seed" "$found" 2>"$log"
        echo "$name: $(find "$seed" -type f | wc -l) inputs in $seed"
        return
    fi
    local options=(-max_total_time="$seconds" -timeout=10
        -rss_limit_mb=2048 -artifact_prefix="$findings/$name-")
    [ -f "tests/fuzz/$name.dict" ] && options+=(-dict="tests/fuzz/$name.dict")
    if "$1" "${options[@]}" "$found" "$seed" workloads >"$log" 2>&1; then
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
