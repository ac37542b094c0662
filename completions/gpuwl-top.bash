# shellcheck shell=bash
# Bash completion for gpuwl-top. tools/check-manual.sh sees to it that no option
# is missing here.

_gpuwl_top_list() { # TITLE: the names after "Schedulers:", "Profiles:"
    "${COMP_WORDS[0]}" --help 2>/dev/null |
        sed -n "s/^$1: *//p" | tr -d ,
}

_gpuwl_top() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words=

    # --option=value comes as three words.
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    case $prev in
    --scheduler) words=$(_gpuwl_top_list Schedulers) ;;
    --profile)
        words=$(_gpuwl_top_list Profiles)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.ini' -- "$cur")
        ;;
    --speed) words='0.1 1 10 100 max' ;;
    --layer-connect) words=localhost: ;;
    --trace-events) words='i915 drm drm617 i915,drm617' ;;
    --config)
        words=none
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        ;;
    --goal) words='misses<=0 rate>=29.9 latency.p99<=20ms queue_wait.p99<=500us hangs<=0' ;;
    --tune) words='priority sseu preempt engines balance' ;;
    --sweep) words='clients= seed= scheduler= profile= repeat= scale-durations= scale-delays= mix=' ;;
    -[crpIfFDj] | --engine-map | --frame-on | --time | --mix | --keep | --max-clients | --seeds | --jobs | --warmup | --sweep-row | --clients | --repeat | --priority | --seed | --duration | \
        --scale-durations | --scale-delays | --device)
        return
        ;;
    *)
        case $cur in
        -*)
            words='--batch --check --format --list-devices --list-engines
                --help --version --workload --master --append --priority
                --small-sseu --clients --repeat --seed --same-random
                --sync-data --scale-durations --scale-delays --scheduler
                --profile --speed --device --duration --json --report --requests
                --capture --quiet --verbose --script --ascii --no-mouse --delay --record
                --replay --error-state --config --print-config --layer
                --layer-dump --calibrate --compare-device --trace --trace-json --arm-metadata
                --trace-kernel --trace-events --profile-frames
                --layer-connect --layer-connect-remote --serve --privileged
                --capacity --tune --keep --goal --mix --max-clients --seeds --jobs --warmup
                --sweep --sweep-commands --sweep-row --output
                --import --force --engine-map --frame-on --time'
            ;;
        *) compopt -o filenames -o default 2>/dev/null ;;
        esac
        ;;
    esac
    [ -z "$words" ] ||
        mapfile -O "${#COMPREPLY[@]}" -t COMPREPLY < <(
            compgen -W "$words" -- "$cur"
        )
}

# Options first, then a program and what it completes itself.
_gpuwl_run() {
    local cur=${COMP_WORDS[COMP_CWORD]} words
    local own='--own --scheduler= --profile= --speed= --virtual-time'

    COMPREPLY=()
    words='--json= --report= --requests= --trace= --trace-kernel= --trace-events=
        --capture= --frame-on= --quiet --privileged --help
        --version'
    # A device of its own, or one that is served.
    case " ${COMP_WORDS[*]:1:COMP_CWORD-1} " in
    *' --connect'*) ;;
    *' --own '* | *' --scheduler'* | *' --profile'* | *' --speed'* | *' --virtual-time '*)
        words="$own $words"
        ;;
    *) words="--connect= $own $words" ;;
    esac
    case $cur in
    -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -A command -A file -- "$cur") ;;
    esac
}

complete -F _gpuwl_top gpuwl-top
complete -F _gpuwl_run gpuwl-run
