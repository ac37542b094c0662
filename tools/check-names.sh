#!/usr/bin/env bash
# Names mean one thing in the whole program (doc/hacking.md, "Names"): a static
# function or variable has its name in one file only, a tag has one definition.
# Static names are those of the objects in HOUSE_BUILD; those that headers define
# are in many objects, and count once.
# shellcheck disable=SC2016 # awk and perl expand these, not the shell
set -u

rooms="base parser engine layerstream device trace run decide report tui cli"
checked=0 failed=0

sources() {
    for room in $rooms; do
        [ -d "$room" ] || continue
        find "$room" -name "$1" -print0
    done | sort -z
}

# Prints "name file" for each static name, but for those of system headers, which
# the file uses without defining them.
static_names() {
    sources '*.c' | perl -0 -ne '
        chomp;
        ($object = "$ENV{HOUSE_BUILD}/$_") =~ s/c$/o/;
        next unless -f $object;
        push @objects, $object;
        $file{$object} = $_;
        open my $in, "<", $_ or die "$_: $!";
        local $/ = "\n";
        while (<$in>) {
            next unless /^(static|[a-z_A-Z0-9]+\(|\})/;
            $named{$object}{$&} = 1 while /[A-Za-z_][A-Za-z_0-9]*/g;
        }
        END {
            local $/ = "\n";
            exit unless @objects;
            open my $nm, "-|", "nm", "--print-file-name", @objects or die "nm: $!";
            while (<$nm>) {
                next unless /^(.*):[0-9a-f]+ [tdbr] ([A-Za-z_]\w*)$/;
                print "$2 $file{$1}\n" if $named{$1}{$2};
            }
        }'
}

# Prints each static name that a header defines.
header_names() {
    sources '*.h' | xargs -0 awk '
        /^static / { held = 1 }
        held && match($0, /[A-Za-z_0-9]+ ?(\(|=|\[)/) {
            name = substr($0, RSTART, RLENGTH)
            sub(/ ?[([=]$/, "", name)
            print name
            held = 0
        }'
}

# Prints "name file" for each definition of a tag.
tags() {
    sources '*.[ch]' | xargs -0 perl -ne '
        print "$2 $ARGV\n"
            if /^\s*(?:typedef |static |const )*(struct|enum|union) (\w+) \{/'
}

# Reads "name file" and says which names are in more than one line.
once() {
    sort -u | awk '{ files[$1] = files[$1] " " $2; n[$1]++ }
        END { for (name in n)
                  print (n[name] > 1 ? "failed: " : "") name ":" files[name] }' |
        sort
}

count() {
    while IFS= read -r line; do
        case $line in
        failed:*)
            failed=$((failed + 1))
            echo "$line"
            ;;
        *) checked=$((checked + 1)) ;;
        esac
    done
}

if [ -n "${HOUSE_BUILD:-}" ]; then
    count < <(awk 'NR == FNR { header[$1] = 1; next } !($1 in header)' \
        <(header_names) <(static_names) | once)
fi
count < <(tags | once)

echo "$checked static names and tags have one definition"
[ "$failed" -gt 0 ] || echo "[  PASSED  ] 1 test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ]
