#!/usr/bin/env bash
# Tries gpuwl-top on a real Intel GPU, in less than five minutes, and writes a report to
# send in: what the GPU and the kernel have, what this user may, how long batches took,
# rates of descriptors beside gem_wsim's where it is installed, and the GPU's calibration.
# Nothing is installed or changed, and no descriptor hangs the GPU; it is busy meanwhile,
# so close what else uses it. The report has no names of users, hosts or folders.
#
#   tools/try-on-hardware.sh [-n] [-D FILTER] [-o REPORT] [-t SECONDS] [GPUWL_TOP]
#
# FILTER chooses the GPU (the manual, GPUS OF THIS MACHINE): default pci:. REPORT: default
# gpu-report.txt. Each descriptor runs for some SECONDS, 2. -n: no calibration. GEM_WSIM:
# the program to compare with. The status is 0 if the report was written, whatever it
# says.
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")/.." && pwd) || exit
filter=pci: chosen='' report=gpu-report.txt seconds=2 calibrates=1
while getopts nD:o:t: option; do
    case $option in
    n) calibrates='' ;;
    D) filter=$OPTARG chosen=1 ;;
    o) report=$OPTARG ;;
    t) seconds=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
top=$(realpath -s "${1:-$here/build/gpuwl-top}")
[ -x "$top" ] || {
    echo "$top is not there: build it with make" >&2
    exit 2
}
dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
wsim=${GEM_WSIM-} profile=default
for file in gem_wsim /usr/libexec/igt-gpu-tools/benchmarks/gem_wsim; do
    [ -n "$wsim" ] || wsim=$(command -v "$file")
done
wsim_args=(-I 1)
[ -z "$chosen" ] || wsim_args+=(-D "$filter")

# Runs a command for some time at most, and prints what it says.
limited() { # SECONDS COMMAND...
    timeout --kill-after=2 "$@" 2>&1 </dev/null
    local rc=$?
    case $rc in
    0) ;;
    124 | 137) echo "(not done after $1 s)" ;;
    *) echo "(status $rc)" ;;
    esac
    return $rc
}

section() { # TITLE
    printf '\n== %s\n' "$1"
    printf '%s\n' "$1" >&2
}

# Prints the contents of a file in one line, or why there are none.
show() { # FILE
    if [ -r "$1" ]; then
        printf '%s: %s\n' "$1" "$(tr '\n' ' ' <"$1" 2>/dev/null)"
    elif [ -e "$1" ]; then
        echo "$1: not readable"
    else
        echo "$1: not there"
    fi
}

may() { # FILE
    local how=
    [ -e "$1" ] || how=' not there'
    [ ! -r "$1" ] || how+=' read'
    [ ! -w "$1" ] || how+=' write'
    echo "$1:${how:- neither read nor write}"
}

# Prints yes if this user has a capability.
capability() { # NAME BIT
    local mask
    mask=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
    if [ $((16#$mask >> $2 & 1)) -eq 1 ]; then echo "$1: yes"; else echo "$1: no"; fi
}

system() {
    "$top" --version
    uname -srm
    sed -n 's/^PRETTY_NAME=//p' /etc/os-release
    sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | sort | uniq -c
    echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
    for name in enable_guc enable_hangcheck reset; do
        show /sys/module/i915/parameters/$name
    done
    if [ -n "$wsim" ]; then echo "gem_wsim: installed"; else echo "gem_wsim: not installed"; fi
}

permissions() {
    local node group
    for group in render video; do
        id -nG | tr ' ' '\n' | grep -qx $group && echo "group $group: yes" ||
            echo "group $group: no"
    done
    [ "$(id -u)" -eq 0 ] && echo 'user: root' || echo 'user: not root'
    for node in /dev/dri/card[0-9]* /dev/dri/renderD[0-9]*; do
        [ -e "$node" ] && may "$node"
    done
    capability CAP_SYS_NICE 23
    capability CAP_PERFMON 38
    capability CAP_SYS_ADMIN 21
    show /proc/sys/kernel/perf_event_paranoid
    may /dev/sw_sync
    may /sys/kernel/debug/sync/sw_sync
}

# Runs a batch of 1 ms 50 times on each engine, and prints how long they took.
durations() {
    local engine
    "$top" -l -D "$filter" 2>/dev/null | awk '/ class / {print $1}' | while read -r engine; do
        limited 10 "$top" -b -q -D "$filter" -w "1.$engine.1000.0.1" -r 50 \
            --requests="$dir/requests" >"$dir/out"
        awk -F'\t' -v engine="$engine" '
            $12 == "ok" {
                us = ($9 - $8) / 1000
                wait = ($8 - $6) / 1000
                n++
                sum += us
                waits += wait
                if (n == 1 || us < least) least = us
                if (us > most) most = us
            }
            END {
                if (n == 0) {print engine ": no batch ended"; exit}
                printf "%-6s %2d batches of 1000 us: %.1f, %.1f to %.1f us; " \
                    "%.1f us from submission to start\n", engine, n, sum / n, least,
                    most, waits / n
            }' "$dir/requests" 2>/dev/null || echo "$engine: no requests"
        grep -v elapsed "$dir/out"
        rm -f "$dir/requests"
    done
    "$top" -b -D "$filter" -w 1.DEFAULT.1000.0.1 -r 20 --json 2>/dev/null |
        grep -E '"(device|device_name|clock_error_ns|hangs)"|"source"' | tr -d ' ,"' | sort -u
}

rate_of() {
    sed -n 's/.*elapsed (\([0-9.]*\) workloads.*/\1/p' "$1" | tail -n 1
}

# Prints a row for a descriptor, and what refused it.
compare() { # NAME TEXT
    local model ours=- theirs=- repeat
    "$top" -b --profile="$profile" -w "$2" -r 20 >"$dir/model" 2>&1
    model=$(rate_of "$dir/model")
    repeat=$(awk -v rate="${model:-10}" -v s="$seconds" \
        'BEGIN {n = int(rate * s); print (n < 5 ? 5 : (n > 5000 ? 5000 : n))}')
    limited 20 "$top" -b -D "$filter" -w "$2" -r "$repeat" -I 1 >"$dir/ours"
    ours=$(rate_of "$dir/ours")
    if [ -n "$wsim" ]; then
        limited 20 "$wsim" "${wsim_args[@]}" -w "$2" -r "$repeat" >"$dir/theirs"
        theirs=$(rate_of "$dir/theirs")
    fi
    awk -v name="$1" -v n="$repeat" -v ours="${ours:-refused}" -v theirs="${theirs:-refused}" \
        -v model="${model:-refused}" 'BEGIN {
            differs = "-"
            if (ours + 0 > 0 && theirs + 0 > 0)
                differs = sprintf("%+.2f%%", 100 * (ours / theirs - 1))
            printf "%-28s %5d %11s %11s %8s %11s\n", name, n, ours, theirs, differs, model
        }'
    grep -E 'error|refuse|needs|hang|\(' "$dir/ours" | grep -v elapsed | sed 's/^/    /' |
        head -n 3
}

# Prints a descriptor in one line without comments, as gem_wsim 1.27.1 reads it.
in_one_line() { # FILE
    grep -v '^#' "$1" | grep -v '^[[:space:]]*$' | paste -sd,
}

descriptors() {
    local file
    echo "model: profile $(basename "$profile" .ini)"
    printf '%-28s %5s %11s %11s %8s %11s\n' \
        DESCRIPTOR RUNS OURS/s GEM_WSIM/s DIFFERS MODEL/s
    for file in "$here"/tests/cli/calls/*.wsim "$here"/workloads/*.wsim; do
        case $file in */hang.wsim) continue ;; esac
        compare "$(basename "${file%/*}")/$(basename "$file" .wsim)" "$(in_one_line "$file")"
    done
}

# Writes the profile of the GPU, which the model has then.
calibrate() {
    limited 90 "$top" --calibrate="$dir/calibrated.ini" -D "$filter"
    [ -s "$dir/calibrated.ini" ] || return
    "$top" -l --profile="$dir/calibrated.ini" >/dev/null && profile=$dir/calibrated.ini
    cat "$dir/calibrated.ini"
}

errors() {
    local file
    for file in /sys/class/drm/card[0-9]*/error; do
        [ -r "$file" ] && echo "$file: $(head -n 1 "$file" 2>/dev/null)"
    done
}

write_report() {
    echo "Report of tools/try-on-hardware.sh, GPU $filter"
    section 'System'
    system
    section 'GPUs'
    limited 10 "$top" -L
    limited 10 "$top" -l -D "$filter"
    section 'What this user may'
    permissions
    section 'First batch'
    if limited 20 "$top" -b -D "$filter" -w 1.DEFAULT.1000.0.1 -v; then
        section 'Durations'
        durations
        [ -z "$calibrates" ] || section 'Calibration'
        [ -z "$calibrates" ] || calibrate
        section 'Descriptors'
        descriptors
    fi
    section 'Error states'
    errors
    printf '\nThis took %s s.\n' "$SECONDS"
}

# No names of this machine, its users and their folders. Names of a machine and of a
# user are hidden where they are words: "vic" is not in "device". A user who is called as
# a folder of the root, "dev", is not known by it.
anonymous() {
    user=$(id -un)
    [ ! -e "/$user" ] || user=
    awk -v host="$(uname -n)" -v user="$user" -v home="${HOME:-/}" -v here="$here" \
        -v dir="$dir" '
        function is_word(c) {
            return c ~ /[A-Za-z0-9]/
        }
        function hide(name, by, words,    at, begin, end, done) {
            if (length(name) < 3)
                return
            done = ""
            while ((at = index($0, name)) > 0) {
                begin = substr(done substr($0, 1, at - 1), length(done) + at - 1, 1)
                end = substr($0, at + length(name), 1)
                done = done substr($0, 1, at - 1)
                done = done (words && (is_word(begin) || is_word(end)) ? name : by)
                $0 = substr($0, at + length(name))
            }
            $0 = done $0
        }
        {
            hide(dir, "TMP", 0)
            hide(here, ".", 0)
            hide(home, "HOME", 0)
            hide(host, "HOST", 1)
            hide(user, "USER", 1)
            print
        }'
}

write_report | anonymous >"$report" || exit
echo "wrote $report: read it, and send it in" >&2
