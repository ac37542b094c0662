#!/usr/bin/env bash
# Every descriptor and profile that is shipped: the descriptors are valid on
# `ideal` and `default` and run there, many clients too, without a hang or a
# deadlock; the profiles are read, and the default example runs on those that
# have the engines for it.
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

for file in workloads/*.wsim; do
    for profile in ideal default; do
        try "$file on $profile" "$top" --check --profile="$profile" "$file"
        for clients in 1 3; do
            try "run $file on $profile, -c $clients" \
                "$top" -b -r 20 -c "$clients" -w "$file" --profile="$profile"
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
