# Compares what two programs submitted to the virtual i915, from logs of
# tests/programs/log_calls.c: those of one descriptor, in gem_wsim and in batch mode.
# Prints a line for each kind of difference, with the first batch that has it:
# KIND, its name, both values, and no line where the logs mean the same.
#
#   awk -f tools/compare-calls.awk GEM_WSIM_LOG OUR_LOG
#
# A batch is CLIENT.CONTEXT.N: the Nth of a context; clients and contexts count from 1,
# in the order of their numbers, where they have batches. Batches without an object that
# they write are those of the trial before a run, and left out.
BEGIN {
    OFS = "\t"
    n_flags = split("11 NO_RELOC 12 HANDLE_LUT 15 RESOURCE_STREAMER 16 FENCE_IN " \
        "17 FENCE_OUT 18 BATCH_FIRST 19 FENCE_ARRAY 20 FENCE_SUBMIT 21 USE_EXTENSIONS",
        flag_list, " ")
    n_same = split("engines bonds slices priority persistent recoverable bannable " \
        "single_timeline points", same, " ")
}

FNR == 1 {file++}
!/[0-9]b?w/ {next}
{
    n = ++lines[file]
    for (i = 1; i <= NF; i++) {
        at = index($i, "=")
        field[file, n, substr($i, 1, at - 1)] = substr($i, at + 1)
    }
}

function get(f, i, name) {return field[f, i, name]}

function hex(text,    i, value) {
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}

function has_bit(value, bit) {return int(value / 2 ^ bit) % 2}

# Names the batches of a file.
function name_all(f,    i, j, space, context, clients, contexts, k) {
    for (i = 1; i <= lines[f]; i++) {
        space = get(f, i, "space")
        context = get(f, i, "context")
        used[f, space] = 1
        used[f, space, context] = 1
        if (space + 0 > top[f])
            top[f] = space + 0
        if (context + 0 > top_context[f])
            top_context[f] = context + 0
    }
    for (i = 0; i <= top[f]; i++) {
        if (!((f, i) in used))
            continue
        clients++
        contexts = 0
        for (j = 0; j <= top_context[f]; j++)
            if ((f, i, j) in used)
                title[f, i, j] = clients "." ++contexts
    }
    for (i = 1; i <= lines[f]; i++) {
        k = title[f, get(f, i, "space"), get(f, i, "context")]
        name[f, i] = k "." ++count[f, k]
        line_of[f, name[f, i]] = i
        by_fence[f, get(f, i, "fence")] = name[f, i]
        sub(/\..*/, "", k)
        order[f, k] = order[f, k] " " name[f, i]
    }
}

# Adds to a list of names, sorted, each once; not the batch's own context and slot, which
# keep their order.
function add(list, f, i, other,    j, n, parts, k, result) {
    j = line_of[f, other]
    if (get(f, j, "context") == get(f, i, "context") && get(f, j, "slot") == get(f, i, "slot"))
        return list
    n = split(list, parts, " ")
    for (k = 1; k <= n && parts[k] < other; k++)
        result = result parts[k] " "
    if (k <= n && parts[k] == other)
        return list
    result = result other " "
    for (; k <= n; k++)
        result = result parts[k] " "
    return result
}

# Sets the batches that each one follows by its objects: a reader the last writer, a
# writer all users since, and that one.
function follow_objects(f,    i, j, n, parts, object, writes, users, k, m) {
    for (i = 1; i <= lines[f]; i++) {
        n = split(get(f, i, "objects"), parts, ";")
        for (j = 1; j < n; j++) {
            object = parts[j] + 0
            if (parts[j] ~ /a/)
                continue
            writes = parts[j] ~ /w/
            if ((f, object) in writer)
                data[f, i] = add(data[f, i], f, i, writer[f, object])
            m = writes ? split(readers[f, object], users, " ") : 0
            for (k = 1; k <= m; k++)
                data[f, i] = add(data[f, i], f, i, users[k])
        }
        for (j = 1; j < n; j++) {
            object = parts[j] + 0
            if (parts[j] ~ /w/) {
                writer[f, object] = name[f, i]
                readers[f, object] = ""
            } else {
                readers[f, object] = readers[f, object] " " name[f, i]
            }
        }
    }
}

# Sets the batches that each one follows by fences, at their start and at their end.
function follow_fences(f,    i, j, n, parts, how, fence) {
    for (i = 1; i <= lines[f]; i++) {
        n = split(get(f, i, "after"), parts, ";")
        for (j = 1; j < n; j++) {
            how = fence = parts[j]
            sub(/:.*/, "", how)
            sub(/.*:/, "", fence)
            if (how == "software")
                software[f, i] = "yes"
            else
                fences[f, i, how] = add(fences[f, i, how], f, i, by_fence[f, fence])
        }
    }
}

# Notes a difference of a batch, or of a client.
function differ(kind, where, a, b) {
    if (!(kind in first)) {
        kinds[++n_kinds] = kind
        first[kind] = where OFS (a == "" ? "none" : a) OFS (b == "" ? "none" : b)
    }
}

function compare_flags(where, a, b,    i, bit) {
    a = hex(a)
    b = hex(b)
    for (i = 1; i <= n_flags; i += 2) {
        bit = flag_list[i]
        if (has_bit(a, bit) != has_bit(b, bit))
            differ((has_bit(b, bit) ? "more " : "no ") flag_list[i + 1], where,
                has_bit(a, bit), has_bit(b, bit))
    }
}

function compare(where, i, j,    k) {
    for (k = 1; k <= n_same; k++)
        if (get(1, i, same[k]) != get(2, j, same[k]))
            differ(same[k], where, get(1, i, same[k]), get(2, j, same[k]))
    compare_flags(where, get(1, i, "flags"), get(2, j, "flags"))
    if (data[1, i] != data[2, j])
        differ("data", where, data[1, i], data[2, j])
    if (fences[1, i, "end"] != fences[2, j, "end"])
        differ("fences", where, fences[1, i, "end"], fences[2, j, "end"])
    if (fences[1, i, "start"] != fences[2, j, "start"])
        differ("submit fences", where, fences[1, i, "start"], fences[2, j, "start"])
    if (software[1, i] != software[2, j])
        differ("software fences", where, software[1, i], software[2, j])
}

END {
    for (f = 1; f <= 2; f++) {
        name_all(f)
        follow_objects(f)
        follow_fences(f)
    }
    for (i = 1; i <= lines[1]; i++) {
        if ((2, name[1, i]) in line_of)
            compare(name[1, i], i, line_of[2, name[1, i]])
        else
            differ("missing", name[1, i], 1, 0)
    }
    for (i = 1; i <= lines[2]; i++)
        if (!((1, name[2, i]) in line_of))
            differ("added", name[2, i], 0, 1)
    for (c = 1; (1, c) in order; c++)
        if (order[1, c] != order[2, c])
            differ("order", c, order[1, c], order[2, c])
    if (lines[1] == 0 || lines[2] == 0)
        differ("nothing", "all", lines[1] + 0, lines[2] + 0)
    for (i = 1; i <= n_kinds; i++)
        print kinds[i], first[kinds[i]]
}
