#!/usr/bin/env bash
# Prints figures of the product's code: functions, files, external functions and
# comments, in all and by folder.
#
#   tools/figures.sh [FOLDER...]     (default: the rooms of doc/hacking.md)
#
# A function is what clang-format puts between `{` and `}` in the first column
# after a line that begins with its name; its length counts both braces and all
# between them. An external function is one that is not static; it has one user if its
# name is in one .c file beside the one that defines it, or in that one only.
# shellcheck disable=SC2016 # awk and perl expand these, not the shell
set -u
export LC_ALL=C

if [ $# -gt 0 ]; then
    folders=("$@")
else
    folders=()
    for folder in base parser engine layerstream device trace run cli tui; do
        [ -d "$folder" ] && folders+=("$folder")
    done
fi

list() { # PATTERN
    find "${folders[@]}" -name "$1" | sort
}

# Prints "file length name static" for each function.
functions() {
    list '*.[ch]' | xargs awk '
        FNR == 1 { name = ""; inside = 0 }
        /^(static|[a-z]).*[^;]$/ && !/[(]/ { is_static = /^static/; head = 1; next }
        /^[a-z_A-Z0-9]+\(/ { name = $0; sub(/\(.*/, "", name)
                             shared = head ? !is_static : 1; head = 0 }
        /^static .*\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name)
                                  sub(/.*[ *]/, "", name); shared = 0 }
        /^\{/ && name != "" { start = FNR; inside = 1 }
        /^\}/ && inside { print FILENAME, FNR - start + 1, name,
                                shared ? "external" : "static"
                          inside = 0; name = "" }
        /;$/ && !inside { name = ""; head = 0 }'
}

# Prints the median, the 90th percentile and the greatest of numbers.
spread() {
    sort -n | awk '{ v[NR] = $1 } END {
        if (NR) printf "%d / %d / %d", v[int((NR + 1) / 2)],
                       v[int(NR * 0.9 + 0.5)], v[NR] }'
}

lines_of() { # PATTERN
    list "$1" | xargs wc -l | awk '$2 != "total" { print $1 }'
}

# Prints each name that a .c file has, with the file: names of external functions
# only ($1).
uses() {
    list '*.c' | xargs grep -owHE '[a-z_A-Z0-9]+' |
        awk -F: 'NR == FNR { wanted[$1]; next } $2 in wanted { print $2, $1 }' "$1" - |
        sort -u
}

found=$(mktemp) names=$(mktemp) || exit
trap 'rm -f "$found" "$names"' EXIT
functions >"$found"
awk '$4 == "external" { print $3 }' "$found" | sort -u >"$names"

echo "functions: $(wc -l <"$found"), lines median / 90 % / longest: $(
    awk '{ print $2 }' "$found" | spread)"
echo "functions above 50 lines: $(awk '$2 > 50' "$found" | wc -l), above 80: $(
    awk '$2 > 80' "$found" | wc -l)"
echo "functions of one statement: $(awk '$2 == 3' "$found" | wc -l)"
for kind in '*.c' '*.h'; do
    lines_of "$kind" | awk -v kind="$kind" '
        { n++; sum += $1; short += $1 <= 60; long += $1 > 600 }
        END { printf "%s files: %d, lines %d, up to 60 lines: %d, above 600: %d",
                     kind, n, sum, short, long }'
    echo ", lines median / 90 % / longest: $(lines_of "$kind" | spread)"
done
uses "$names" | awk -v total="$(wc -l <"$names")" '
    { n[$1]++ }
    END { for (name in n) if (n[name] <= 2) one++
          printf "external functions: %d, used by one other file or none: %d (%d %%)\n",
                 total, one, total ? 100 * one / total : 0 }'
list '*.[ch]' | xargs perl -0777 -ne '
    my $lines = tr/\n//;
    my $in = 0;
    while (m{^[ \t]*/\*.*?\*/[ \t]*$}gms) { $in += 1 + ($& =~ tr/\n//) }
    $all += $lines; $comments += $in;
    $no_story++ if $ARGV =~ /\.c$/ && !m{\A/\* SPDX[^\n]*\n/\*};
    $see_only++ if $ARGV =~ /\.c$/ && m{\A/\* SPDX[^\n]*\n/\* See [\w./]+ \*/};
    while (m{/\*[\s*]*(\w+)}g) { $opened++; $bare++ if $1 =~ /^(What|Of|Those|That|Who|Whom|Whose|Nobody|Somebody)$/ }
    END { printf "comment lines: %d of %d (%.1f %%)\n", $comments, $all, 100 * $comments / $all;
          printf "comments: %d, opened by a bare What, Of, Those, That, Who: %d\n", $opened, $bare;
          printf ".c files without an opening comment: %d, with no more than \"See x.h\": %d\n",
                 $no_story, $see_only }'
echo "texts that say \"is no\", \"are no\" of a thing: $(list '*.c' |
    xargs grep -hE '"[^"]*\b(is|are) no [a-z]' | wc -l)"
echo
echo "folder .c .h lines functions"
for folder in $(list '*.[ch]' | xargs -n1 dirname | sort -u); do
    echo "$folder $(find "$folder" -maxdepth 1 -name '*.c' | wc -l) $(
        find "$folder" -maxdepth 1 -name '*.h' | wc -l) $(
        find "$folder" -maxdepth 1 -name '*.[ch]' -exec cat {} + | wc -l) $(
        awk -v f="$folder" '{ d = $1; sub(/\/[^\/]*$/, "", d) } d == f' "$found" | wc -l)"
done | column -t
