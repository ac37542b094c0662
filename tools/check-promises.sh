#!/usr/bin/env bash
# Each promise of doc/promises.md (a line that begins with "* **") names a test, and each
# test that it names is there: a file of tests/ or tools/, and in it TEST(NAME),
# TEST_SOURCE(NAME) or the data case NAME. Promises below "Not yet held by a test" name none.
set -u

page=${1:-doc/promises.md}

# Prints a line for each promise: its number, file and test, or the number alone.
# shellcheck disable=SC2016 # perl, not the shell, expands these
named() {
    perl -ne '
        last if /^## Not yet held/;
        if (/^\* \*\*/) { print "$n\n" if $n && !$tests; $n = $.; $tests = 0 }
        while ($n && /`((?:tests|tools)\/[^`:]+)(?:: ([^`]+))?`/g) {
            $tests++;
            print "$n\t$1\t$_\n" for defined $2 ? split(/, /, $2) : "";
        }
        END { print "$n\n" if $n && !$tests }' "$page"
}

passed=0 failed=0
while IFS=$'\t' read -r line file name; do
    if [ -n "$file" ] && [ -f "$file" ] && { [ -z "$name" ] ||
        grep -qE "^(TEST(_SOURCE)?\($name\)|case $name\$)" "$file"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $page:$line: ${file:-no test}${name:+ has no test \"$name\"}"
    fi
done < <(named)

[ "$passed" -eq 0 ] || echo "[  PASSED  ] $passed test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
