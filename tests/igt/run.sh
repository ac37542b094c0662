#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs IGT's own tests on the virtual i915, one subtest at a time, and compares
# with subtests.tsv: doc/hacking.md "IGT's tests".
#
#   tests/igt/run.sh IGT_BUILD [TEST...]
#
# IGT_BUILD: the build folder of IGT (tests/ is in it). TEST: those of
# subtests.tsv by default; of others each verdict is printed, with nothing to
# compare. GPUWL_RUN: the program (default: gpuwl-run of this tree, else that of
# the path). GPUWL_LIMIT: seconds of a subtest without a limit in the table (60).
# GPUWL_VERDICTS: a file to which the verdicts are written, as a new table.
# Exit status: 0 all as in the table; 1 differences; 2 it could not run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
table=$here/subtests.tsv
profile=tgl
limit=${GPUWL_LIMIT:-60}

if [ $# -lt 1 ] || [ ! -d "$1/tests" ]; then
	echo "usage: tests/igt/run.sh IGT_BUILD [TEST...], e.g. ~/igt/build" >&2
	exit 2
fi
build=$1/tests
shift
run=${GPUWL_RUN:-$here/../../build/gpuwl-run}
[ -x "$run" ] || run=$(command -v gpuwl-run) || {
	echo "no gpuwl-run: build it, or name it in GPUWL_RUN" >&2
	exit 2
}
if [ "$(cat /proc/sys/kernel/msgmnb)" -lt 1048576 ]; then
	echo "kernel.msgmnb is below 1048576: tests of several processes may" \
	    "fail (sysctl kernel.msgmnb=1048576)" >&2
fi
tests=("$@")
[ $# -gt 0 ] ||
    mapfile -t tests < <(awk -F'\t' '!/^#/ { print $1 }' "$table" | uniq)

log=$(mktemp)
trap 'rm -f "$log"' EXIT
differences=0 passed=0 ran=0

# What the table has of a subtest: a field, "-": nothing.
listed() {
	awk -F'\t' -v t="$1" -v s="$2" -v f="$3" '
	    $1 == t && $2 == s { print $f; found = 1 }
	    END { if (!found) print "-" }' "$table"
}

# Runs a subtest ("-": the only one) and sets verdict.
run_subtest() {
	local test=$1 subtest=$2 seconds=$3 select=()

	[ "$subtest" = - ] || select=(--run-subtest "$subtest")
	timeout -k 5 "$seconds" "$run" -q --privileged --profile="$profile" \
	    "$build/$test" "${select[@]}" >"$log" 2>&1 </dev/null
	case $? in
	0) verdict=pass ;;
	77) verdict=skip ;;
	124 | 137) verdict=timeout ;;
	*) verdict=fail ;;
	esac
}

for test in "${tests[@]}"; do
	[ -x "$build/$test" ] || {
		echo "$test: not in $build"
		differences=$((differences + 1))
		continue
	}
	subtests=$("$build/$test" --list-subtests 2>/dev/null)
	for subtest in ${subtests:--}; do
		expected=$(listed "$test" "$subtest" 3)
		seconds=$(listed "$test" "$subtest" 4)
		[ "$seconds" != - ] || seconds=$limit
		run_subtest "$test" "$subtest" "$seconds"
		ran=$((ran + 1))
		[ $verdict != pass ] || passed=$((passed + 1))
		[ -z "${GPUWL_VERDICTS:-}" ] ||
		    printf '%s\t%s\t%s\n' "$test" "$subtest" $verdict \
			>>"$GPUWL_VERDICTS"
		[ "$verdict" != "$expected" ] || continue
		echo "$test $subtest: $verdict, the table has '$expected'"
		[ $verdict = pass ] ||
		    grep -aE 'Failed assertion|requirement|Received signal' "$log" |
			sed 's/^/    /' | head -3
		[ "$expected" = - ] || differences=$((differences + 1))
	done
done
echo "$ran subtests, $passed passed, $differences unlike the table"
[ $differences -eq 0 ]
