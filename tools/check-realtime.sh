#!/usr/bin/env bash
# Compares gem_wsim, which runs on the virtual i915 in real time, with batch mode:
# the rates of each descriptor. An iteration may take 2 % more or less, and 100 us
# more for each of its waits. No verdict where an engine is busy all the time, as
# iterations queue up there, nor where both refuse the descriptor, or gem_wsim cannot
# read it or sets a parameter that the device refuses (doc/model/libdrm.md "Compared with
# gem_wsim"). Where clients contend, the rate also depends on who comes first: a row
# that is out of these limits may differ by as much as rates of batch mode on the model do
# with eight seeds (SEEDS_us). The machine must be
# idle: a load is said first. Comments of descriptors are left out.
#
#   tools/check-realtime.sh [-D] [-V] [-c "1 2"] [-s "fifo execlists guc"] [-p PROFILE]
#                           [-t SECONDS] [GPUWL_RUN [FOLDER]]
#
# -D: batch mode runs on the virtual i915 as on a real GPU, not on the model, and may
# take as much less as more. -V: both in virtual time, where waits take no time. FOLDER has
# the descriptors: default ../shared/wsim. A run takes SECONDS, 4, or 20 iterations. Where
# other work goes on, root may run this by `chrt -f 10`.
# The last line is `N passed, N failed`.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit
clients="1 2" schedulers="fifo execlists guc" profile=ideal seconds=4
device='' virtual=()
while getopts DVc:s:p:t: option; do
    case $option in
    D) device=1 ;;
    V) virtual=(--virtual-time) ;;
    c) clients=$OPTARG ;;
    s) schedulers=$OPTARG ;;
    p) profile=$OPTARG ;;
    t) seconds=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
# shellcheck source=tools/with-wsim.sh
. "$here/tools/with-wsim.sh"
if [ ${#virtual[@]} -eq 0 ] && awk '{exit $1 < 0.5}' /proc/loadavg; then
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
compare() { # NAME CLIENTS SCHEDULER WAITS BUSIEST MODEL PROGRAM SEEDS
    awk -v name="$1" -v c="$2" -v sched="$3" -v waits="$4" -v busiest="${5:-0}" \
        -v model="$6" -v program="$7" -v device="$device" -v virtual="${#virtual[@]}" \
        -v seeds="$8" \
        -v unread="$(grep -cE "$cannot" "$dir/err")" '
        BEGIN {
            want = model > 0 ? c * 1e6 / model : 0
            got = program > 0 ? c * 1e6 / program : 0
            more = got - want
            most = 0.02 * want + (virtual ? 0 : 100 * waits) + seeds
            least = device ? -most : -0.02 * want - seeds
            verdict = program + model == 0 || unread ? "refused" : \
                program * model == 0 ? "FAIL: no rate" : busiest > 98 ? "saturated" : \
                more > most || more < least ? "FAIL" : "ok"
            printf "%-28s %2d %-9s %5d %6.1f %10.3f %10.3f %9.0f %9.0f %8.0f %s\n",
                name, c, sched, waits, busiest, model, program, more, most, seeds, verdict
            exit verdict ~ /FAIL/
        }'
}

# Prints by how many us the iterations of a descriptor on the model are longer with one
# seed than with another, of eight.
seeds_of() { # SCHEDULER CLIENTS ITERATIONS TEXT
    for seed in 1 2 3 4 5 6 7 8; do
        "$top" -b --profile="$profile" --scheduler="$1" -c "$2" -r "$3" -I "$seed" -w "$4" \
            2>&1 | rate_of
    done | awk -v c="$2" '
        {us = c * 1e6 / $1}
        NR == 1 {least = most = us}
        {least = us < least ? us : least; most = us > most ? us : most}
        END {printf "%.0f", most - least}'
}

# gem_wsim cannot read a descriptor, or the device refuses a parameter of it.
cannot='Failed to parse workload|Failed assertion: __gem_context_set_param'
passed=0 failed=0
printf '%-28s %2s %-9s %5s %6s %10s %10s %9s %9s %8s\n' \
    DESCRIPTOR c SCHEDULER WAITS BUSY% "$([ -n "$device" ] && echo GPU/s || echo MODEL/s)" PROGRAM/s MORE_us MAY_us SEEDS_us
for scheduler in $schedulers; do
    for file in "$folder"/*.wsim; do
        for c in $clients; do
            text=$(grep -v '^#' "$file" | grep -v '^[[:space:]]*$' | paste -sd,)
            common=(-w "$text" -c "$c" -I 1)
            on=("$run" --own -q "${virtual[@]}" --profile="$profile" --scheduler="$scheduler")
            model=("$top" -b --profile="$profile" --scheduler="$scheduler" "${common[@]}")
            rate=$("${model[@]}" -r 20 2>&1 | rate_of)
            # The program's end is its last submission: that must count little.
            r=$(awk -v rate="${rate:-1}" -v c="$c" -v s="$seconds" \
                'BEGIN {n = int(rate / c * s); print (n < 20 ? 20 : (n > 1000 ? 1000 : n))}')
            [ -z "$device" ] || model=("${on[@]}" "$top" -b -D pci: "${common[@]}")
            rm -f "$dir/model.json"
            rate=$("${model[@]}" -r "$r" --json="$dir/model.json" 2>&1 | rate_of)
            got=$("${on[@]}" "$wsim" "${common[@]}" -r "$r" 2>"$dir/err" | rate_of)
            row=("$(basename "$file" .wsim)" "$c" "$scheduler" "$(waits_of "$file")"
                "$(busiest_of "$dir/model.json")" "${rate:-0}" "${got:-0}")
            if line=$(compare "${row[@]}" 0) || { [ "$c" -gt 1 ] && line=$(compare \
                "${row[@]}" "$(seeds_of "$scheduler" "$c" "$r" "$text")"); }; then
                passed=$((passed + 1))
                echo "$line"
            else
                failed=$((failed + 1))
                echo "$line"
                sed 's/^/     /' "$dir/err"
            fi
        done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
