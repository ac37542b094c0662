#!/usr/bin/env bash
# Compares gem_wsim, which runs on the virtual i915 in virtual time, with what is captured of
# it, run on the model with the same profile and scheduler: busyness of each engine may
# differ by 1 point, the rate of requests by 1 %, the median frame by 2 %. VCS1 and VCS2 may
# change places: which of two equal engines gets more may depend on the first draws.
#
#   tools/check-capture.sh [-c "1 2"] [-s "fifo execlists"] [-p "ideal default"]
#                          [-r ITERATIONS] [GPUWL_RUN [FOLDER]]
#
# Durations that are drawn from ranges differ from run to run. Where a figure is out of its
# bound, columns SPREAD have how much runs of the program with 16 seeds differ from each
# other at most: a difference that is no larger is "chance". Where nothing is drawn, the runs
# are of batches that are up to 7 us longer: which tick a slice ends at decides who of equals
# goes first. FOLDER has the descriptors:
# default ../shared/wsim. ITERATIONS: 200. The last line is `N passed, N failed`.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit
clients="1 2" schedulers="fifo execlists" profiles="ideal default" iterations=200 seeds=16
while getopts c:s:p:r: option; do
    case $option in
    c) clients=$OPTARG ;;
    s) schedulers=$OPTARG ;;
    p) profiles=$OPTARG ;;
    r) iterations=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
# shellcheck source=tools/with-wsim.sh
. "$here/tools/with-wsim.sh"
export XDG_RUNTIME_DIR=$dir

# Prints when the last request of a file ended, in ns.
last_end() { # REQUESTS
    awk -F'\t' '$12 == "ok" && $9 + 0 > last {last = $9 + 0} END {printf "%.0f\n", last}' "$1"
}

# Prints the figures of a file of requests, of those that have ended until then: percent of
# RCS, BCS, VECS1, CCS1, the less and the more busy VCS, requests per s, the median frame in
# us: from the start of a request to that of the one an iteration later. gem_wsim 2.0 begins
# with empty batches, which a capture leaves out.
figures_of() { # REQUESTS UNTIL
    LC_ALL=C sort -t "$(printf '\t')" -k1,1n -k4,4n -k8,8n "$1" |
        awk -F'\t' -v iterations="$iterations" -v until="$2" -v frames="$dir/frames" '
        function flush(    frame, i) {
            frame = int((submitted + iterations / 2) / iterations)
            for (i = 1 + frame; frame > 0 && i <= n; i++)
                print start[i] - start[i - frame] | sorted
            n = submitted = 0
        }
        BEGIN {sorted = "sort -n > " frames; first = -1; printf "" | sorted}
        $1 !~ /^[0-9]/ || $13 == "empty" {next}
        $1 "," $4 != key {flush(); key = $1 "," $4}
        {submitted++}
        first < 0 || $6 < first {first = $6}
        $12 == "ok" && $9 <= until {start[++n] = $8; busy[$5] += $10; total++}
        END {
            flush()
            close(sorted)
            while ((getline line < frames) > 0)
                all[++n_frames] = line
            t = (until - first) / 100
            a = busy["VCS1"] / t; b = busy["VCS2"] / t
            printf "%.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f\n", busy["RCS"] / t,
                busy["BCS"] / t, busy["VECS1"] / t, busy["CCS1"] / t, a < b ? a : b,
                a < b ? b : a, total * 1e7 / t, all[int(n_frames / 2) + 1] / 1e3
        }'
}

# Runs the capture; prints the figures of the program and the capture while both ran: the
# program ends with its last submission, and what is queued then does not run.
capture() { # OPTIONS
    local until end
    eval "$top -b -q --requests=$dir/after.tsv $1" >/dev/null 2>&1
    until=$(last_end "$dir/before.tsv")
    end=$(last_end "$dir/after.tsv")
    [ "$end" -lt "$until" ] && until=$end
    figures_of "$dir/before.tsv" "$until"
    figures_of "$dir/after.tsv" "$until"
}

# Prints a row; fails if the figures are not alike. Lines of the input: program, capture,
# then the program with other seeds. Without those, it prints rows only that are alike.
compare() { # NAME CLIENTS SCHEDULER PROFILE
    awk -v name="$1" -v c="$2" -v sched="$3" -v profile="$4" '
        function abs(x) {return x < 0 ? -x : x}
        function differ(a, b, d,    i, w) {
            d["busy"] = 0
            for (i = 1; i <= 6; i++) {
                w = abs(of[a, i] - of[b, i])
                if (w > d["busy"])
                    d["busy"] = w
            }
            d["rate"] = 100 * abs(of[b, 7] / of[a, 7] - 1)
            d["frame"] = 100 * abs(of[b, 8] / of[a, 8] - 1)
        }
        {for (i = 1; i <= 8; i++) of[NR, i] = $i}
        END {
            differ(1, 2, got)
            for (i = 1; i < NR; i++)
                for (k = i + 1; k <= NR; k++) {
                    if (i == 2 || k == 2)
                        continue
                    differ(i, k, one)
                    for (what in one)
                        if (one[what] > spread[what])
                            spread[what] = one[what]
                }
            may["busy"] = 1; may["rate"] = 1; may["frame"] = 2
            verdict = "ok"
            for (what in may)
                if (got[what] > may[what] && verdict != "FAIL")
                    verdict = got[what] > spread[what] ? "FAIL" : "chance"
            if (verdict == "FAIL" && NR == 2)
                exit 1
            printf "%-28s %2d %-9s %-8s %6.2f %6.2f %6.2f   %6.2f %6.2f %6.2f %s\n", name, c,
                sched, profile, got["busy"], got["rate"], got["frame"], spread["busy"],
                spread["rate"], spread["frame"], verdict
            exit verdict == "FAIL"
        }'
}

# Runs the program, which may have further options of gpuwl-run.
program() { # FILE CLIENTS SCHEDULER PROFILE SEED [OPTION...]
    local file=$1 c=$2 how=(--profile="$4" --scheduler="$3") seed=$5
    shift 5
    rm -f "$dir/before.tsv"
    timeout 60 "$run" --own --virtual-time "${how[@]}" "$@" --requests="$dir/before.tsv" \
        "$wsim" -w "$file" -c "$c" -r "$iterations" -I "$seed" >/dev/null 2>"$dir/err" ||
        return
    # gem_wsim ends with 0 when one of its threads died.
    ! grep -q CRITICAL "$dir/err"
}

# Prints the name of a file whose batches are longer by the number of us, if nothing in it
# is drawn; else its own name.
longer() { # FILE US
    if grep -q '[0-9]-[0-9]' "$1"; then
        echo "$1"
    else
        awk -F. -v us="$2" -v OFS=. '$3 ~ /^[0-9]+$/ && NF > 4 {$3 += us} {print}' "$1" \
            >"$dir/longer.wsim"
        echo "$dir/longer.wsim"
    fi
}

# Prints a row for a descriptor.
check() { # FILE CLIENTS SCHEDULER PROFILE
    local name seed
    name=$(basename "$1" .wsim)
    compare "$name" "$2" "$3" "$4" <"$dir/figures" && return
    for seed in $(seq 2 "$seeds"); do
        program "$(longer "$1" $((seed % 8)))" "$2" "$3" "$4" "$seed"
        figures_of "$dir/before.tsv" "$(last_end "$dir/before.tsv")" >>"$dir/figures"
    done
    compare "$name" "$2" "$3" "$4" <"$dir/figures"
}

passed=0 failed=0
printf '%-28s %2s %-9s %-8s %6s %6s %6s   %6s %6s %6s\n' DESCRIPTOR c SCHEDULER PROFILE \
    BUSY RATE% FRAME% SPREAD RATE% FRAME%
for profile in $profiles; do
    for scheduler in $schedulers; do
        for file in "$folder"/*.wsim; do
            # gem_wsim reads no comments.
            steps=$dir/$(basename "$file")
            grep -v -e '^#' -e '^$' "$file" >"$steps"
            for c in $clients; do
                rm -f "$dir"/capture*.wsim
                program "$steps" "$c" "$scheduler" "$profile" 1 --capture="$dir/capture.wsim"
                case $? in
                0) ;;
                124)
                    echo "$(basename "$file" .wsim) $c $scheduler $profile: more than 60 s FAIL"
                    failed=$((failed + 1))
                    continue
                    ;;
                *) continue ;; # gem_wsim refuses some steps
                esac
                capture "$(sed -n 's/^captured: gpuwl-top -b //p' "$dir/err")" >"$dir/figures"
                if check "$steps" "$c" "$scheduler" "$profile"; then
                    passed=$((passed + 1))
                else
                    failed=$((failed + 1))
                fi
            done
        done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
