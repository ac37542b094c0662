#!/usr/bin/env bash
# Compares gem_wsim, which runs on the virtual i915 in real time, with batch mode:
# the rates of each descriptor. An iteration may take 2 % more or less, and 100 us
# more for each of its waits. No verdict where an engine is busy all the time, as
# iterations queue up there, nor where both refuse the descriptor. The machine must be
# idle: a load is said first.
#
#   tools/check-realtime.sh [-c "1 2"] [-s "fifo execlists guc"] [-p PROFILE]
#                           [-t SECONDS] [GPUWL_RUN [FOLDER]]
#
# FOLDER has the descriptors: default ../shared/wsim. A run takes SECONDS, 4, or 20
# iterations. Where other work goes on, root may run this by `chrt -f 10`.
# The last line is `N passed, N failed`.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit
clients="1 2" schedulers="fifo execlists guc" profile=ideal seconds=4
while getopts c:s:p:t: option; do
    case $option in
    c) clients=$OPTARG ;;
    s) schedulers=$OPTARG ;;
    p) profile=$OPTARG ;;
    t) seconds=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
run=$(realpath -s "${1:-$here/build/gpuwl-run}") || exit
top=$(dirname "$run")/gpuwl-top
folder=${2:-$here/../shared/wsim}
wsim=/usr/libexec/igt-gpu-tools/benchmarks/gem_wsim
dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT

if [ ! -x "$wsim" ] || [ ! -d "$folder" ]; then
    echo "skip: $wsim (intel-gpu-tools) or $folder is not there"
    echo "0 passed, 0 failed"
    exit 0
fi
if awk '{exit $1 < 0.5}' /proc/loadavg; then
    echo "the load is $(cut -d' ' -f1 /proc/loadavg): programs will be late for want of a CPU"
fi

# Prints the rate of a closing line on standard input.
rate_of() {
    sed -n 's/.*elapsed (\([0-9.]*\) workloads.*/\1/p' | tail -n 1
}

# Prints the number of steps at which an iteration waits.
waits_of() { # FILE
    tr ',' '\n' <"$1" | awk -F. '
        /^#/ {next}
        /^[stqdp]\./ {n++}
        /^[0-9]/ && $NF == 1 {n++}
        END {print n + 0}'
}

# Prints the percent of the busiest engine in a report of batch mode.
busiest_of() { # FILE
    [ -s "$1" ] && awk -F'[:,]' '
        $1 ~ /"elapsed_ns"/ && t == 0 {t = $2 + 0}
        $1 ~ /"clients"/ {exit}
        $1 ~ /"busy_ns"/ && $2 + 0 > most {most = $2 + 0}
        END {printf "%.1f", (t > 0 ? 100 * most / t : 0)}' "$1"
}

# Prints a row; fails if the rates are not alike.
compare() { # NAME CLIENTS SCHEDULER WAITS BUSIEST MODEL PROGRAM
    awk -v name="$1" -v c="$2" -v sched="$3" -v waits="$4" -v busiest="${5:-0}" \
        -v model="$6" -v program="$7" '
        BEGIN {
            want = model > 0 ? c * 1e6 / model : 0
            got = program > 0 ? c * 1e6 / program : 0
            more = got - want
            most = 0.02 * want + 100 * waits
            verdict = program + model == 0 ? "refused" : \
                program * model == 0 ? "FAIL: no rate" : busiest > 98 ? "saturated" : \
                more > most || -more > 0.02 * want ? "FAIL" : "ok"
            printf "%-28s %2d %-9s %5d %6.1f %10.3f %10.3f %9.0f %9.0f %s\n",
                name, c, sched, waits, busiest, model, program, more, most, verdict
            exit verdict ~ /FAIL/
        }'
}

passed=0 failed=0
printf '%-28s %2s %-9s %5s %6s %10s %10s %9s %9s\n' \
    DESCRIPTOR c SCHEDULER WAITS BUSY% MODEL/s PROGRAM/s MORE_us MAY_us
for scheduler in $schedulers; do
    for file in "$folder"/*.wsim; do
        for c in $clients; do
            common=(-w "$file" -c "$c" -I 1)
            model=("$top" -b --profile="$profile" --scheduler="$scheduler" "${common[@]}")
            rate=$("${model[@]}" -r 20 2>&1 | rate_of)
            # The program's end is its last submission: that must count little.
            r=$(awk -v rate="${rate:-1}" -v c="$c" -v s="$seconds" \
                'BEGIN {n = int(rate / c * s); print (n < 20 ? 20 : (n > 1000 ? 1000 : n))}')
            rm -f "$dir/model.json"
            rate=$("${model[@]}" -r "$r" --json="$dir/model.json" 2>&1 | rate_of)
            got=$("$run" --own -q --profile="$profile" --scheduler="$scheduler" \
                "$wsim" "${common[@]}" -r "$r" 2>"$dir/err" | rate_of)
            if compare "$(basename "$file" .wsim)" "$c" "$scheduler" "$(waits_of "$file")" \
                "$(busiest_of "$dir/model.json")" "${rate:-0}" "${got:-0}"; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                sed 's/^/     /' "$dir/err"
            fi
        done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
