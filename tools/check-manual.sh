#!/usr/bin/env bash
# The man page has every option and every key as the program's tables have them,
# and every key of a profile; it names no option that there is not. So does the
# completion. The page, CHANGELOG.md and debian/changelog have the program's
# version.
#
#   GPUWL_TOP=PROGRAM MAN_LISTS=PROGRAM tools/check-manual.sh
set -u

top=${GPUWL_TOP:-build/gpuwl-top}
page=doc/gpuwl-top.1
passed=0 failed=0

check() { # WHAT STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $1"
    fi
}

diff -u "$page" <(sh tools/manual.sh) >&2
check "$page has the lists of this program (make man puts them in)" $?

# The Makefile's VERSION is in the program; the rest must name the same.
version=$("$top" --version)
version=${version#gpuwl-top }
grep -qF "\"gpuwl-top $version\"" "$page"
check "$page is of version $version" $?
grep -qxF "## $version" CHANGELOG.md
check "CHANGELOG.md has version $version" $?
head -n 1 debian/changelog | grep -qE "^gpuwl-top \\(${version//./\\.}(-[0-9]+)?\\) "
check "debian/changelog begins with version $version" $?

plain=$(sed 's/\\-/-/g; s/\\f[BIRP]//g' "$page")
options=$("$top" --help | grep -oE '(^|[ ,])--[a-z][a-z-]+' | tr -d ' ,' | sort -u)
for option in $options; do
    grep -qE -e "$option([^a-z-]|\$)" <<<"$plain"
    check "$option is in $page" $?
    grep -qE -e "$option([^a-z-]|\$)" completions/gpuwl-top.bash
    check "$option is in completions/gpuwl-top.bash" $?
done
while read -r option; do
    grep -qxF -e "$option" <<<"$options"
    check "$option, which $page names, is an option" $?
done < <(grep -oE '(^|[^a-z-])--[a-z][a-z-]+' <<<"$plain" |
    grep -oE -e '--.*' | sort -u)
while read -r option; do
    grep -qxF -e "$option" <<<"$options"
    check "$option, which the completion names, is an option" $?
done < <(grep -v '^ *#' completions/gpuwl-top.bash | grep -oE -e '--[a-z][a-z-]+' | sort -u)

while read -r key; do
    grep -qwF -e "$key" <<<"$plain"
    check "the profile key $key is in $page" $?
done < <(sed -n 's/^\([A-Za-z_.]*\) = .*/\1/p' workloads/profiles/ideal.ini)

[ "$passed" -eq 0 ] || echo "[  PASSED  ] $passed test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ]
