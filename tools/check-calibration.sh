#!/usr/bin/env bash
# Calibrates virtual GPUs, and compares what is found with the profiles that they were
# started with: each knob within 5 % in virtual time; in real time within 20 %, or between
# the values that the profile has as its spread. Run it on an idle machine.
#
#   tools/check-calibration.sh [-v] [GPUWL_TOP [PROFILE...]]
#
# -v: virtual time. PROFILE: files, default five of those that are built in. The last line
# is `N profiles found, N not`.
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")/.." && pwd) || exit
time=() percent=20
while getopts v option; do
    case $option in
    v) time=(--virtual-time) percent=5 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
top=$(realpath -s "${1:-$here/build/gpuwl-top}")
shift
if [ $# -eq 0 ]; then
    for name in default tgl icl adl-p dg2-g10; do
        set -- "$@" "$here/workloads/profiles/$name.ini"
    done
fi
dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT

# Prints "KEY VALUE LOW HIGH MEASURED" for each key of a profile; the spread is that of all
# classes. Times of [scheduling] and others in us become ns, as
# spreads are.
knobs() { # FILE
    awk '/^#/ {
             if (match($0, /\([0-9]+ to [0-9]+,/)) {
                 split(substr($0, RSTART + 1), a, "[ ,]")
                 low = n++ == 0 || a[1] < low ? a[1] : low
                 high = n == 1 || a[3] > high ? a[3] : high
                 measured = 1
             } else if (/^# [A-Z]/) {
                 n = low = high = measured = 0
             }
             next
         }
         /=/ {
             unit = $1 ~ /_us/ ? 1000 : 1
             print $1, $3 * unit, low + 0, high + 0, measured + 0
         }' "$1"
}

# Prints a line for each knob that is measured, and how many are off.
compare() { # GIVEN FOUND
    awk -v percent="$percent" '
        NR == FNR { given[$1] = $2; next }
        $1 in given && given[$1] > 0 {
            apart = 100 * ($2 - given[$1]) / given[$1]
            ok = apart <= percent && apart >= -percent ||
                given[$1] >= $3 && given[$1] <= $4
            printf "%-6s %-24s %12d %12d %+7.1f %% (%d to %d)\n",
                ok ? "ok" : "failed", $1, given[$1], $2, apart, $3, $4
            off += !ok
        }
        END { print off + 0, "knobs are off"; exit off > 0 }' "$1" "$2"
}

found=0 missed=0
for profile in "$@"; do
    echo "== $profile"
    if ! "$(dirname "$top")/gpuwl-run" -q "${time[@]}" --profile="$profile" "$top" -q \
        --calibrate="$dir/found.ini" -D pci:; then
        missed=$((missed + 1))
        continue
    fi
    knobs "$profile" >"$dir/given"
    # The CPU is this machine, whatever the profile says of it, but in virtual time;
    # GuC has no second port, and has quanta for slices.
    pattern='^(submit_ns|wakeup_ns|timer_slack_ns|command_ns) '
    [ ${#time[@]} -eq 0 ] || pattern='^$'
    grep -q '^scheduler = guc' "$profile" && pattern+='|^(next_port_ns|timeslice_us) ' ||
        pattern+='|^quantum_us '
    knobs "$dir/found.ini" | awk '$5' | grep -vE "$pattern" >"$dir/found"
    if compare "$dir/given" "$dir/found"; then
        found=$((found + 1))
    else
        missed=$((missed + 1))
    fi
done
echo "$found profiles found, $missed not"
[ "$missed" -eq 0 ]
