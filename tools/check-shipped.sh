#!/usr/bin/env bash
# Every descriptor and profile that is shipped: the descriptors are valid on
# `ideal` and `default`, are as portable as they should be, and run there under each scheduler that takes them, many
# clients too, without a hang or a deadlock, but for the one that shows hangs;
# the profiles are read, and run.
#
#   GPUWL_TOP=PROGRAM tools/check-shipped.sh
set -u

top=${GPUWL_TOP:-build/gpuwl-top}
passed=0 failed=0

try() { # WHAT COMMAND...
    local what=$1 out
    shift
    if out=$("$@" 2>&1 </dev/null); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n%s\n' "$what" "$out"
    fi
}

hangs() { # COMMAND...: ends as a run that hangs does
    "$@"
    [ $? -eq 3 ]
}

# Schedulers that a descriptor is for, where it is not for all.
schedulers() { # FILE
    case $1 in
    */parallel-*) echo guc ;;
    */bonds.*) echo fifo execlists ;;
    *) echo fifo execlists drm drm:rr drm:fair guc ;;
    esac
}

says() { # WORDS COMMAND...: exits with 0, and says so
    local words=$1 out
    shift
    out=$("$@") && case $out in *"$words"*) ;; *) echo "$out"; false ;; esac
}

# What --check says of gem_wsim: some need a platform, some use what no i915 has
# without a map, one is a parallel slot.
portability() { # FILE
    case $1 in
    */desktop.* | */layer.*) echo ', not portable to gem_wsim: line' ;;
    */parallel-*) echo ', not portable to gem_wsim: line' ;;
    */bonds.* | */load-balance.* | */sseu.*) echo ', portable to gem_wsim, with notes: ' ;;
    */composited.* | */hang.* | */priority-*) echo ', portable to gem_wsim, with notes: ' ;;
    *) echo ', portable to gem_wsim' ;;
    esac
}

for file in workloads/*.wsim; do
    try "what --check says of $file" says "$(portability "$file")" \
        "$top" --check "$file"
    for profile in ideal default; do
        try "$file on $profile" "$top" --check --profile="$profile" "$file"
        for scheduler in $(schedulers "$file"); do
            for clients in 1 3; do
                case $file in */hang.*) ends=hangs ;; *) ends= ;; esac
                try "run $file, $profile, $scheduler, -c $clients" \
                    $ends "$top" -b -r 20 -c "$clients" -w "$file" \
                    --profile="$profile" --scheduler="$scheduler"
            done
        done
    done
done
for file in workloads/profiles/*.ini; do
    try "$file" "$top" -l --profile="$file"
    try "$file, run" "$top" -b -r 5 --profile="$file" \
        -w '1.DEFAULT.100.0.0,2.BCS.100.-1.0'
done

[ "$passed" -eq 0 ] || echo "[  PASSED  ] $passed test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ]
