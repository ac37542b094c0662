#!/usr/bin/env bash
# Runs test programs, a few at a time, and prints what each made of its tests;
# the whole output only of those that failed (V=1: of all).
#
#   tools/run-tests.sh [-j JOBS] PROGRAM...
#
# The counts are those of cmocka's lines `[  PASSED  ] 12 test(s).`; a program
# without any is one test. TEST_TIMEOUT: seconds that a program may take. SKIPS: a
# file with the reasons for which a test may be skipped (tests/support/skip.h); a
# skip for another reason is a failure. The last line is `N passed, N failed`; the
# status is 1 if any has failed.
set -u

jobs=2
if [ "${1-}" = -j ]; then
    jobs=$2
    shift 2
fi
limit=${TEST_TIMEOUT:-300}

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
# What the children have to be told, too, when this is stopped.
trap 'trap - INT TERM; kill 0; exit 130' INT TERM

run() { # INDEX PROGRAM
    local t0=$EPOCHREALTIME rc=0
    timeout --kill-after=5 "$limit" "$2" >"$dir/$1.out" 2>&1 </dev/null || rc=$?
    echo "$rc $(((${EPOCHREALTIME/./} - ${t0/./}) / 1000))" >"$dir/$1.rc"
}

count() { # FILE WORD: the sum over all lines "[  WORD  ] N test(s)"
    sed -n "s/^\[ *$2 *\] \([0-9][0-9]*\) test.*/\1/p" "$1" |
        awk '{n += $1} END {print n + 0}'
}

# Prints a line for each skip of a test that SKIPS does not permit.
forbidden_skips() { # FILE SKIPPED
    local reasons
    [ -n "${SKIPS-}" ] && [ "$2" -gt 0 ] || return 0
    reasons=$(sed -n 's/^skipped: //p' "$1")
    grep -vxFf "$SKIPS" <<<"$reasons"
    [ "$(grep -c . <<<"$reasons")" -ge "$2" ] || echo 'no reason given'
}

passed=0 failed=0 skipped=0
broken=()

report() { # INDEX PROGRAM
    local rc ms out=$dir/$1.out p f s what forbidden
    read -r rc ms <"$dir/$1.rc"
    p=$(count "$out" PASSED) f=$(count "$out" FAILED)
    s=$(count "$out" SKIPPED)
    if [ "$rc" -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1 # it crashed, or a sanitizer ended it
    elif [ "$rc" -eq 0 ] && [ $((p + f + s)) -eq 0 ]; then
        p=1
    fi
    forbidden=$(forbidden_skips "$out" "$s")
    if [ -n "$forbidden" ]; then
        f=$((f + $(wc -l <<<"$forbidden")))
        echo "skipped, but not for a reason in $SKIPS: $forbidden" >>"$out"
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    what=ok
    [ "$f" -gt 0 ] && what=FAIL
    if [ "$f" -gt 0 ] || [ -n "${V-}" ]; then
        sed "s/^/    /" "$out"
    fi
    [ "$rc" -eq 124 ] && echo "    stopped after $limit s"
    printf '%-4s %-34s %5d passed' "$what" "$(basename "$2")" "$p"
    [ "$f" -gt 0 ] && printf ', %d failed (status %d)' "$f" "$rc"
    [ "$s" -gt 0 ] && printf ', %d skipped' "$s"
    printf '  %d.%03d s\n' $((ms / 1000)) $((ms % 1000))
    [ "$f" -gt 0 ] && broken+=("$2")
    return 0
}

declare -A index_of
programs=("$@")
running=0 next=0
while [ "$next" -lt $# ] || [ "$running" -gt 0 ]; do
    if [ "$next" -lt $# ] && [ "$running" -lt "$jobs" ]; then
        run "$next" "${programs[next]}" &
        index_of[$!]=$next
        next=$((next + 1)) running=$((running + 1))
        continue
    fi
    wait -n -p pid
    running=$((running - 1))
    report "${index_of[$pid]}" "${programs[${index_of[$pid]}]}"
done

echo
for program in ${broken[@]+"${broken[@]}"}; do
    echo "failed: $program"
done
[ "$skipped" -gt 0 ] && echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
