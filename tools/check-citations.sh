#!/usr/bin/env bash
# Each document and heading that code, tests and their cases cite is there. A
# citation is the path and the heading in quotes, which may be in the next line
# of the comment; more headings of the same document may follow.
set -u

# Prints a line for each citation: file, document, heading (or nothing).
# shellcheck disable=SC2016 # perl, not the shell, expands these
citations() {
    find base parser engine layerstream device trace run cli tui tests tools \
        \( -name '*.[ch]' -o -name '*.cases' \) -print0 | sort -z |
        xargs -0 perl -0777 -ne '
	    s/\n[ \t]*\*(?!\/)[ \t]*/ /g;
	    s/\n#[ \t]*/ /g if $ARGV =~ /cases$/;
	    while (m{\b(doc/(?:model/)?[a-z_]+\.md)((?:,?\s+(?:and\s+)?"[^"\n]+")*)}g) {
		my ($page, $list) = ($1, $2);
		my @headings = $list =~ /"([^"]+)"/g;
		print "$ARGV\t$page\t$_\n" for @headings ? @headings : ("");
	    }'
}

passed=0 failed=0
while IFS=$'\t' read -r file page heading; do
    if [ -f "$page" ] && { [ -z "$heading" ] ||
        sed -nE 's/^#+ //p' "$page" | grep -qxF -e "$heading"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $file: $page${heading:+ has no heading \"$heading\"}"
    fi
done < <(citations)

[ "$passed" -eq 0 ] || echo "[  PASSED  ] $passed test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ]
