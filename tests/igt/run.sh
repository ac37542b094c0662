#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs IGT's own tests on the virtual i915, one subtest at a time, and compares
# with subtests.tsv: doc/hacking.md "IGT's tests".
set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$here/../..

usage() {
	cat <<-'EOF'
	Usage: tests/igt/run.sh [OPTION...] IGT_BUILD [TEST...]

	Runs the subtests of IGT's tests on a virtual i915, each on a device of its
	own, and prints those whose verdict is unlike the table's.

	IGT_BUILD  build folder of IGT, with tests/ in it, e.g. ~/igt/build
	TEST       tests, e.g. gem_exec_nop (default: all of the table); subtests
	           that are not in the table are listed with their verdicts

	  --run=PROGRAM      gpuwl-run (default: that of this tree's build, else of PATH)
	  --profile=NAME     (default: tgl, as the table has it)
	  --scheduler=NAME   (default: the profile's)
	  --only=REGEX       subtests whose names match
	  --limit=SECONDS    for subtests without a limit in the table (default: 60)
	  --slow=N           all limits times N, on a loaded machine (default: 1)
	  --table=FILE       compares with another table
	  --verdicts=FILE    writes the verdicts as a new table
	  --logs=FOLDER      keeps the outputs of subtests unlike the table
	  --help

	Exit status: 0 all as in the table; 1 differences; 2 it could not run.
	EOF
}

fatal() {
	echo "run.sh: $*" >&2
	exit 2
}

run='' profile=tgl scheduler='' only='' limit=60 slow=1 verdicts='' logs=''
table=$here/subtests.tsv
while [ $# -gt 0 ]; do
	value=${1#*=}
	case $1 in
	--run=*) run=$value ;;
	--profile=*) profile=$value ;;
	--scheduler=*) scheduler=$value ;;
	--only=*) only=$value ;;
	--limit=*) limit=$value ;;
	--slow=*) slow=$value ;;
	--table=*) table=$value ;;
	--verdicts=*) verdicts=$value ;;
	--logs=*) logs=$value ;;
	--help)
		usage
		exit 0
		;;
	-*) fatal "invalid option '$1': see --help" ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || {
	usage >&2
	exit 2
}
build=$1/tests
shift
[ -d "$build" ] ||
    fatal "no folder '$build': expected the build folder of IGT, e.g. ~/igt/build"
for number in "$limit" "$slow"; do
	[[ $number =~ ^[1-9][0-9]*$ ]] ||
	    fatal "invalid number '$number': expected a whole number, e.g. 60"
done
[ -r "$table" ] || fatal "cannot read '$table'"
if [ -z "$run" ]; then
	run=$tree/build/gpuwl-run
	[ -x "$run" ] || run=$(command -v gpuwl-run) ||
	    fatal "no gpuwl-run: build it (make), or name it with --run"
fi
[ -x "$run" ] || fatal "cannot run '$run'"
device=(--privileged --profile="$profile")
[ -z "$scheduler" ] || device+=(--scheduler="$scheduler")
"$run" -q --own "${device[@]}" true ||
    fatal "'$run ${device[*]} true' failed"
tests=("$@")
[ $# -gt 0 ] ||
    mapfile -t tests < <(awk -F'\t' '!/^#/ { print $1 }' "$table" | uniq)

# Processes of a test have a message queue in common, which is one for the whole
# machine, and which they enlarge: each subtest gets an IPC namespace of its own.
enlarge='echo 1048576 >/proc/sys/kernel/msgmnb'
alone=(unshare --ipc bash -c "$enlarge; exec \"\$@\"" -)
if ! unshare --ipc bash -c "$enlarge" 2>/dev/null; then
	alone=()
	[ "$(cat /proc/sys/kernel/msgmnb)" -ge 1048576 ] ||
	    echo "run.sh: kernel.msgmnb is below 1048576: tests of several" \
	    "processes may fail (sysctl kernel.msgmnb=1048576)" >&2
fi

log=$(mktemp)
group=
end() {
	[ -z "$group" ] || kill -KILL -- "-$group" 2>/dev/null
	rm -f "$log"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Sets expected, seconds and reason to those that the table has of a subtest;
# expected '-': it is not there.
look_up() {
	expected=- seconds=$limit reason=-
	IFS=$'\t' read -r expected seconds reason < <(awk -F'\t' -v t="$1" \
	    -v s="$2" '$1 == t && $2 == s { print $3 "\t" $4 "\t" $5 }' \
	    "$table") || { expected=- seconds=$limit reason=-; }
}

# Prints the verdict of a test that ended with that status. IGT's runner believes
# the line in which a subtest reports its result, also if the test failed on its
# way out (runner/resultgen.c), unless the test says that the machine is not well.
verdict_of() {
	case $2 in
	0) echo pass ;;
	77) echo skip ;;
	112) echo fail ;;
	124 | 137) echo timeout ;;
	*)
		if grep -qaF "Subtest $1: SUCCESS" "$log"; then
			echo pass
		elif grep -qaF "Subtest $1: SKIP" "$log"; then
			echo skip
		else
			echo fail
		fi
		;;
	esac
}

# Runs a subtest ('-': the only one) for at most so many seconds, and sets
# verdict. timeout(1) leads a process group, of which none is left.
run_subtest() {
	local select=() status

	[ "$2" = - ] || select=(--run-subtest "$2")
	timeout -k 5 "$3" ${alone[@]+"${alone[@]}"} "$run" -q --own \
	    "${device[@]}" "$build/$1" ${select[@]+"${select[@]}"} \
	    >"$log" 2>&1 </dev/null &
	group=$!
	{ wait $group; } 2>/dev/null
	status=$?
	kill -KILL -- "-$group" 2>/dev/null
	group=
	verdict=$(verdict_of "$2" "$status")
}

# Why a subtest did not pass, in a line.
why() {
	grep -aE 'Failed assertion|Test requirement:|Received signal' "$log" |
	    sed 's/^([^)]*) *//' | sort -u | head -2 | tr '\n\t' '  '
}

write_verdict() {
	[ -n "$verdicts" ] || return 0
	[ "$verdict" = "$expected" ] || reason=$(why)
	[ "$verdict" != pass ] || reason=-
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$verdict" "$seconds" \
	    "${reason:--}" >>"$verdicts"
}

ran=0 passed=0 skipped=0 differences=0
[ -z "$verdicts" ] || grep '^#' "$table" >"$verdicts"
[ -z "$logs" ] || mkdir -p "$logs" || exit 2
for test in "${tests[@]}"; do
	[ -x "$build/$test" ] || {
		echo "$test: not in $build"
		differences=$((differences + 1))
		continue
	}
	subtests=$("$build/$test" --list-subtests 2>/dev/null)
	for subtest in ${subtests:--}; do
		[[ $subtest =~ $only ]] || continue
		look_up "$test" "$subtest"
		run_subtest "$test" "$subtest" $((seconds * slow))
		ran=$((ran + 1))
		[ "$verdict" != pass ] || passed=$((passed + 1))
		[ "$verdict" != skip ] || skipped=$((skipped + 1))
		write_verdict "$test" "$subtest"
		[ "$verdict" != "$expected" ] || continue
		if [ "$expected" = - ]; then
			echo "$test $subtest: $verdict"
		else
			echo "$test $subtest: $verdict, the table has '$expected'"
			differences=$((differences + 1))
		fi
		[ "$verdict" = pass ] || why | sed '/./{s/^/    /;s/$/\n/}'
		[ -z "$logs" ] || cp "$log" "$logs/$test.${subtest//\//_}.log"
	done
done
echo "$ran subtests, $passed passed, $skipped skipped," \
    "$differences unlike the table"
[ $differences -eq 0 ]
