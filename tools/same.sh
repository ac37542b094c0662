#!/usr/bin/env bash
# Runs two builds of gpuwl-top on the same inputs and compares all that they write:
# figures, requests, traces, layer messages, pages, diagnostics, formatted descriptors,
# recordings and replays, imports, decisions, screens, help, gem_wsim in virtual time.
#
#   tools/same.sh OLD NEW
#
# OLD and NEW are programs, or folders with gpuwl-top, gpuwl-run and the preload library.
# The inputs are COUNT random ones (200) of SEED (1), the shipped descriptors and those of
# ../shared/wsim, and what needs no input (`lists`); JOBS (2) at a time. INPUTS="17 lists"
# runs these only. Random inputs are made by NEW's tools/same_inputs (`make build-same`).
#
# Differences that tools/same.permitted (PERMITTED) names are permitted. Any other is
# printed, and the outputs are kept. The last line is `N inputs, N differ`.
#
# A command that takes more than CPU_SECONDS (10) is not compared, if it does in both.
set -u

here=$(cd "$(dirname "$0")/.." && pwd) || exit
usage() {
    echo "usage: tools/same.sh OLD NEW" >&2
    exit 2
}
folder_of() { # PROGRAM or FOLDER
    local dir=$1
    [ -d "$dir" ] || dir=$(dirname "$dir")
    dir=$(realpath "$dir") && [ -x "$dir/gpuwl-top" ] && echo "$dir"
}
[ $# -eq 2 ] || usage
old=$(folder_of "$1") || usage
new=$(folder_of "$2") || usage
seed=${SEED:-1} count=${COUNT:-200} jobs=${JOBS:-2}
wsim=/usr/libexec/igt-gpu-tools/benchmarks/gem_wsim

all=$(mktemp -d) && : >"$all/differ" || exit
trap '[ -s "$all/differ" ] || rm -rf "$all"' EXIT
trap 'trap "" INT TERM; kill 0; wait; rm -rf "$all"; exit 130' INT TERM
export LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color VISUAL='sed -i 2,3d'
unset XDG_CONFIG_HOME XDG_STATE_HOME INPUTRC NO_COLOR GPUWL_DEVICE

# The commands of an input. Each writes to NAME.out and NAME.err, its status to
# NAME.status, and what else it writes to NAME.*.

top() { # NAME ARG...
    local name=$1
    shift
    gpuwl-top "$@" >"$name.out" 2>"$name.err" </dev/null
    ended "$name" $?
}

ended() { # NAME STATUS
    case $2 in
    124 | 137 | 152) # killed
        rm -rf "$1".*
        echo 'out of time' >"$1.status"
        ;;
    *) echo "$2" >"$1.status" ;;
    esac
}

# Numbers of processes and threads, and addresses of code, differ from run to run.
run() { # NAME ARG...: gpuwl-run
    local name=$1
    shift
    timeout -k 1 60 gpuwl-run "$@" >"$name.out" 2>"$name.err" </dev/null
    ended "$name" $?
    rm -rf gpuwl # of a device that was killed
    sed -i -E 's/\((pid |gem_wsim:)[0-9]+\)/(\1N)/; s/\[thread:[0-9]+\]/[thread:N]/
        s/<unknown>\+0x[0-9a-f]+/<unknown>/; s/"pid":[0-9]+/"pid":0/' "$name".*
}

# A run on one of three profiles: ideal, a shipped one, and one with other numbers.
batch() { # PROFILE SCHEDULER
    local name=$1-$2
    set -- "$1" -b "${work[@]}" --scheduler="$2" --json="$name.json"
    case $1 in
    ideal)
        shift
        top "$name" "$@" --profile=ideal -v --requests="$name.requests" \
            --layer="$name.layer" --profile-frames="$name.csv"
        ;;
    shipped)
        shift
        top "$name" "$@" --profile="$profile" -v -v --requests="$name.requests" \
            --trace-json="$name.events" --trace-kernel="$name.$trace"
        ;;
    mine)
        shift
        top "$name" "$@" --profile=./mine.ini --requests=- --trace="$name.perfetto" \
            --arm-metadata="$name.metadata" --error-state=errors
        ;;
    esac
}

# Each scheduler, on one profile in turn; shipped descriptors on two.
batch_mode() {
    local profiles=(ideal shipped mine) s i=0
    for s in fifo execlists "$drm" guc; do
        if [ "$n" -eq 0 ]; then
            batch ideal "$s" && batch shipped "$s"
        else
            batch "${profiles[(n + i++) % 3]}" "$s"
        fi
    done
    top default -b "${work[@]}" --json --requests=default.requests \
        --layer=default.layer --trace-kernel="default.$trace" \
        --record=default.recording --report=default.html
    top replay -b --replay=default.recording --json=replay.json \
        --requests=replay.requests --layer=replay.layer
    top layer-dump --layer-dump default.layer
}

texts() {
    top format --format "${files[0]}"
    [ -e broken.wsim ] || return
    top check --check "${files[@]}" broken.wsim --profile="$profile"
    top broken-format --format broken.wsim
    top broken-run -b -w broken.wsim --duration=0.01
    top broken-profile -b -w 1.RCS.10.0.0 --profile=./broken.ini
}

import() { # FILE
    top import --import="$1" --profile=ideal --json -o import.d
}

decisions() {
    local few=(--duration=0.002 --seeds=1 -j 1) one=(-b -w "${files[0]}")
    top sweep -b "${work[@]}" --sweep=seed=1..2 --sweep=scheduler=fifo,guc -j 1 \
        --duration=0.01
    top sweep-commands "${one[@]}" --sweep=clients=1..3 --sweep-commands
    top capacity "${one[@]}" --capacity --max-clients=3 --goal='latency.p99<=1ms' \
        "${few[@]}" --json
}

tune() {
    top tune -b -w "${files[0]}" --tune=priority,preempt --goal='latency.p99<=20us' \
        --duration=0.002 --seeds=1 -j 1 -o tune.wsim --json=tune.json \
        --report=tune.html
}

# gem_wsim itself, which knows no comments, and runs an infinite batch for ever.
programs() {
    [ -x "$wsim" ] || return
    sed 's/ *#.*//; /^$/d' "${files[0]}" >plain.wsim
    grep -q '^T' plain.wsim || ! grep -qF '.*.' plain.wsim || return
    run wsim --own --virtual-time --profile=ideal --scheduler=fifo --json=wsim.json \
        --requests=wsim.requests --capture=wsim.capture "$wsim" -w plain.wsim -r 2
}

# Random keys may write over the descriptors.
console() {
    top console --script=keys.script "${work[@]}" --scheduler="$scheduler" \
        --profile="$profile"
}

# Random options, most of which are refused.
options() {
    local line words i=0
    while read -r line; do
        read -ra words <<<"$line"
        top "options-$((i++))" "${words[@]}"
    done <options
}

lists() {
    local f
    for f in --help --version --print-config -L -l --check --format -x; do
        top "list$f" "$f"
    done
    for f in "$here"/workloads/profiles/*.ini; do
        f=$(basename "$f" .ini)
        top "engines-$f" -l --profile="$f"
        top "batch-$f" -b -r 3 --profile="$f" --json \
            -w '1.DEFAULT.100-200.0.0,2.BCS.100.-1.0,3.RCS.*.0.0,d.2000,T.-2'
        top "hang-$f" -b -r 3 --profile="$f" --requests=- \
            -w '1.RCS.*.0.0,2.BCS.100.-1.0,X.3.0,3.VCS.*.0.0,4.VCS.100.0.1'
    done
    run list-run --help
    run list-run-none
}

# True for each Nth random input, and for all others.
every() { # N
    [ $((n % $1)) -eq 0 ]
}

# Plays the input in the folder `input` with the programs of a folder, in `run`.
play() { # FOLDER INPUT
    local work=() files=() scheduler=fifo profile=default trace=dat drm n=$2 traces
    case $n in *[!0-9]*) n=0 ;; esac
    export PATH=$1:$PATH HOME=$PWD/run XDG_RUNTIME_DIR=$PWD/run
    cp -r input run && cd run && mkdir errors || exit
    ulimit -c 0 -t "${CPU_SECONDS:-10}"
    [ -e input ] || { lists && return; }
    read_input
    batch_mode
    texts
    traces=(default.recording "default.$trace" default.requests)
    ! every 3 || import "${traces[n / 3 % 3]}"
    ! every 10 || decisions
    ! every 40 || tune
    ! every 20 || programs
    [ ! -e options ] || options
    ! every 4 || LC_ALL=C
    [ ! -e keys.script ] || ! every 2 || console
}

# Sets what the file `input` names (tools/same_inputs.c).
read_input() {
    local key value
    while read -r key value; do
        case $key in
        work) read -ra work <<<"$value" ;;
        files) read -ra files <<<"$value" ;;
        scheduler) scheduler=$value ;;
        profile) profile=$value ;;
        trace) trace=$value ;;
        esac
    done <input
    drm=$scheduler
    case $drm in drm*) ;; *) drm=drm:fair ;; esac
}

# Blocks of tools/same.permitted, see its head.
reasons=() globs=() edits=()
read_permitted() {
    local line reason=''
    while read -r line; do
        case $line in
        '' | '#'*) ;;
        reason:*) reason=$line ;;
        files:*)
            [ -n "$reason" ] || break
            reasons+=("$reason") globs+=("${line#files: }") edits+=('')
            reason=''
            ;;
        *)
            if [ ${#edits[@]} -eq 0 ] || [ -n "$reason" ]; then
                break
            fi
            edits[-1]+=$line$'\n'
            ;;
        esac
        line=
    done <"${PERMITTED:-$here/tools/same.permitted}"
    [ -z "$line$reason" ] || {
        echo "same.permitted: expected reason:, files:, then commands of sed: ${line:-$reason}"
        exit 2
    }
}

# Makes the changes to what OLD has written.
permit() {
    local i file
    for i in "${!globs[@]}"; do
        for file in $(cd old && compgen -G "${globs[i]}"); do
            sed -E -e "${edits[i]}" "old/$file" >after
            cmp -s "old/$file" after || : >"$all/seen.$i"
            mv after "old/$file"
        done
    done
}

# Prints the first differences of the files.
show() { # INPUT
    local f
    echo "input $1 differs:"
    (cd old && find . -type f; cd ../new && find . -type f) | sort -u | while read -r f; do
        cmp -s "old/$f" "new/$f" && continue
        echo "  $f"
        diff -a <(tr ',' '\n' <"old/$f" | cat -v) <(tr ',' '\n' <"new/$f" | cat -v) \
            2>&1 | head -n 5 | cut -c -160 | sed 's/^/    /'
    done | head -n 40
    echo "  kept: $PWD; again: SEED=$seed INPUTS=$1 tools/same.sh $old $new"
}

compare() { # INPUT: the folder input has it
    (play "$old" "$1") && mv run old && (play "$new" "$1") && mv run new || exit
    permit
    if diff -rq old new >/dev/null; then
        rm -rf "${all:?}/$1"
    else
        show "$1" >difference
        cat difference
        echo "$1" >>"$all/differ"
    fi
}

# Makes an input and compares.
input() { # NAME
    local file=
    mkdir -p "$all/$1/input" && cd "$all/$1" || exit
    case $1 in
    lists) ;;
    *[!0-9]*)
        for file in "$here/workloads/$1.wsim" "$here/../shared/wsim/$1.wsim"; do
            [ ! -e "$file" ] || cp "$file" input
        done
        printf 'work %s\nfiles %s\n' "-w $1.wsim -c 2 -r 4" "$1.wsim" >input/input
        ;;
    *) (cd "$here" && "$make_input" "$seed" "$1" "$all/$1/input") || exit ;;
    esac
    compare "$1"
}

inputs=()
names() {
    local f
    inputs=(lists)
    for f in "$here"/workloads/*.wsim "$here"/../shared/wsim/*.wsim; do
        [ ! -e "$f" ] || inputs+=("$(basename "$f" .wsim)")
    done
    for ((f = 1; f <= count; f++)); do
        inputs+=("$f")
    done
}

make_input=$(realpath "${SAME_INPUTS:-$new/tools/same_inputs}") || usage
read_permitted
names
[ -z "${INPUTS-}" ] || read -ra inputs <<<"$INPUTS"
running=0 failed=0
for name in "${inputs[@]}"; do
    (input "$name") &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
        wait -n || failed=$((failed + 1))
        running=$((running - 1))
    fi
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=$((failed + 1))
    running=$((running - 1))
done
for i in "${!reasons[@]}"; do
    [ -e "$all/seen.$i" ] || echo "permitted, and in no input: ${reasons[i]#reason: }"
done
[ "$failed" -eq 0 ] || echo "$failed inputs could not be played"
differ=$(wc -l <"$all/differ")
echo "${#inputs[@]} inputs, $differ differ"
[ "$differ" -eq 0 ] && [ "$failed" -eq 0 ]
