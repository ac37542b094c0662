# Prints the outcome of a mutation run (tools/run-mutants.sh). Input is the list
# of mutants; the file results/NAME has a line "SECTION #ROW NAME: HOW" for each
# check that mutant NAME has failed, or the name of each test; the file checks a
# line for each check that some mutant has to fail.

# 1 2 3 7 -> 1-3 7
function add_range(text, from, to) {
    return text (text == "" ? "" : " ") (from == to ? from : from "-" to)
}

# The rows of a section that are in rows[section, row].
function ranges(section,    i, from, text) {
    text = ""
    from = 0
    for (i = 1; i <= MAX_ROW; i++) {
        if ((section, i) in rows) {
            if (from == 0)
                from = i
        } else if (from > 0) {
            text = add_range(text, from, i - 1)
            from = 0
        }
    }
    return text
}

# The rows that a mutant was seen by: "6.1: 1-3 7; 9: 4". Counts checks in n.
function read_result(name,    path, line, part, section, row, text, i) {
    path = results "/" name
    delete rows
    n = 0
    while ((getline line < path) > 0) {
        n++
        split(line, part, " ")
        rows[part[1], substr(part[2], 2) + 0] = 1
        sub(/: [^:]*$/, "", line)
        seen[line]++
    }
    close(path)
    text = ""
    for (i = 1; i <= N_SECTIONS; i++) {
        row = ranges(SECTIONS[i])
        if (row != "")
            text = text (text == "" ? "" : "; ") SECTIONS[i] ": " row
    }
    return text
}

# The tests that a mutant was seen by. Counts them in n.
function read_tests(name,    path, line, text) {
    path = results "/" name
    n = 0
    text = ""
    while ((getline line < path) > 0) {
        n++
        text = text (text == "" ? "" : " ") line
    }
    close(path)
    return text
}

function is_broken(name,    line) {
    return (getline line < (results "/" name ".broken")) >= 0
}

BEGIN {
    MAX_ROW = 100
    N_SECTIONS = split("2.9 5.8 6.1 6.2 9", SECTIONS, " ")
    printf "%-40s %6s  %s\n", "MUTANT", "CHECKS", "ROWS OR TESTS THAT NOTICE IT"
}

{
    total++
    text = $3 == "behaviours" ? read_result($1) : read_tests($1)
    printf "%-40s %6d  %s\n", $1, n, text
    if (is_broken($1)) {
        broken = broken "  " $1 ": see " results "/" $1 ".broken\n"
    } else if ($5 != "") {
        equivalent++
        if (n > 0)
            wrong = wrong "  " $1 ": " $4 "\n"
        equivalents = equivalents "  " $1 ": " $5 "\n"
    } else if (n == 0) {
        unseen = unseen "  " $1 ": " $4 "\n"
    } else {
        noticed++
    }
}

END {
    if (all) {
        while ((getline line < checks) > 0) {
            n_checks++
            if (!(line in seen))
                unfailed = unfailed "  " line "\n"
            else
                n_failed++
        }
    }
    if (equivalents != "")
        printf "\nequivalent, as nothing that can be seen changes:\n%s", equivalents
    if (broken != "")
        printf "\nmutants that could not be made or built:\n%s", broken
    if (wrong != "")
        printf "\nmutants listed as equivalent that were noticed:\n%s", wrong
    if (unseen != "")
        printf "\nmutants that no check noticed:\n%s", unseen
    if (unfailed != "")
        printf "\nchecks that no mutant failed:\n%s", unfailed
    printf "\n%d mutants, %d noticed, %d equivalent", total, noticed, equivalent
    if (all)
        printf "; %d checks, %d failed by some mutant", n_checks, n_failed
    printf "\n"
    exit (broken wrong unseen unfailed) != ""
}
