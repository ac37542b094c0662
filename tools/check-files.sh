#!/usr/bin/env bash
# Rules of doc/hacking.md that a script can check without false alarms ("Files",
# "Plain English"): lengths of files and functions, and how comments begin.
# shellcheck disable=SC2016 # awk and perl expand these, not the shell
set -u

rooms="base parser engine layerstream device trace run decide report tui cli tests tools"

sources() { # GLOB
    for room in $rooms; do
        [ -d "$room" ] || continue
        find "$room" -name "$1" -print0
    done | sort -z
}

# Files of tests may have tables of cases.
long_files() {
    sources '*.c' | xargs -0 awk '
        function ends() {
            most = file ~ /^tests\// ? 800 : 600
            if (lines > most)
                printf "%s has %d lines: %d at most\n", file, lines, most
        }
        FNR == 1 { ends(); file = FILENAME }
        { lines = FNR }
        END { ends() }'
}

# A body is between braces in the first column, as clang-format writes it.
long_functions() {
    sources '*.[ch]' | xargs -0 awk '
        FNR == 1 { begin = 0 }
        /^{$/ { begin = FNR }
        /^}$/ && begin {
            if (FNR - begin + 1 > 60)
                printf "%s:%d: a function of %d lines: 60 at most\n",
                       FILENAME, begin, FNR - begin + 1
            begin = 0
        }'
}

# Comments whose first sentence has no noun in front.
bare_openings() {
    sources '*.[ch]' | xargs -0 perl -0777 -ne '
        while (m{/\*+\s*(?:\*\s*)?((What|Of|Those|That)\s[^\n*]*)}g) {
            my ($text, $line) = ($1, 1 + (substr($_, 0, $-[0]) =~ tr/\n//));
            print "$ARGV:$line: begin with a verb or a noun: $text\n";
        }'
}

failed=0
while IFS= read -r line; do
    failed=$((failed + 1))
    echo "failed: $line"
done < <(long_files; long_functions; bare_openings)

[ "$failed" -gt 0 ] || echo "[  PASSED  ] 3 test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ]
