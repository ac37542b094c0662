# Compares two files of --requests: a program's, and those of its capture on the model.
# Prints by how many points the busyness of an engine differs at most, and by how many
# percent the rate of batches, and the median frame: the time from the start of a batch
# to that of the one of its context an iteration later. The context whose frames differ
# most counts. Both count from the first submission, as long as both files go on.
#
#   awk -v batches="N [N...]" [-v alike=1] -f tools/compare-requests.awk BEFORE AFTER
#
# N: batches of an iteration, of each client of AFTER; the last one is for the clients
# that are left; 0: no frames. Contexts must have the same order in both; with alike, those
# whose iterations have as many batches are compared in the order of their frames, as a
# capture lists threads that are alike together. Empty batches of a client before its
# first one with work are left out, as a capture does: a client must have some work.
BEGIN {
    FS = "\t"
    n_given = split(batches, given, " ")
}

FNR == 1 {file++}
$1 !~ /^[0-9]/ {next}
$13 == "empty" && !works[file, $1] {next}
{
    works[file, $1] = 1
    n = ++rows[file]
    if (n == 1 || $6 < first[file])
        first[file] = $6
    if ($12 == "ok" && $9 > last[file])
        last[file] = $9
    name = $1 "," $4
    if (!((file, name) in number)) {
        number[file, name] = ++n_streams[file]
        key[file, n_streams[file]] = $1 * 65536 + $4
        client_of[file, n_streams[file]] = $1
    }
    stream[file, n] = number[file, name]
    of_stream[file, number[file, name]]++
    of_client[file, $1]++
    engine[file, n] = $5
    start[file, n] = $8
    end[file, n] = $12 == "ok" ? $9 : -1
    run[file, n] = $10
}

function abs(x) {return x < 0 ? -x : x}

# Sets place[f, s]: which of the contexts of a file, in the order of clients and
# contexts, a stream is.
function order(f,    s, k) {
    for (s = 1; s <= n_streams[f]; s++) {
        place[f, s] = 1
        for (k = 1; k <= n_streams[f]; k++)
            place[f, s] += (key[f, k] < key[f, s])
    }
}

# Sets length_of[place]: batches of an iteration that are of that context of AFTER.
function measure_lengths(    s, of, n) {
    for (s = 1; s <= n_streams[2]; s++) {
        of = client_of[2, s]
        n = of < n_given ? given[of + 1] : given[n_given]
        length_of[place[2, s]] = int(n * of_stream[2, s] / of_client[2, of] + 0.5)
    }
}

# Returns the median of the frames: sorts them by Shell's method.
function median(    gap, i, k, v) {
    for (gap = int(n_frames / 2); gap > 0; gap = int(gap / 2.2))
        for (i = gap + 1; i <= n_frames; i++) {
            v = frames[i]
            for (k = i; k > gap && frames[k - gap] > v; k -= gap)
                frames[k] = frames[k - gap]
            frames[k] = v
        }
    return n_frames > 0 ? frames[int((n_frames + 1) / 2)] : 0
}

# Sets frame of a context: its place.
function measure_frames(f, at, window,    i, n, count, starts, s) {
    n = length_of[at]
    n_frames = count = 0
    for (i = 1; i <= rows[f]; i++) {
        s = stream[f, i]
        if (place[f, s] != at || end[f, i] < 0 ||
            end[f, i] - first[f] > window)
            continue
        starts[++count] = start[f, i]
        if (n > 0 && count > n)
            frames[++n_frames] = start[f, i] - starts[count - n]
    }
    frame[f, at] = median()
}

# Sets busy and total of a file.
function measure(f, window,    i) {
    for (i = 1; i <= rows[f]; i++) {
        if (end[f, i] < 0 || end[f, i] - first[f] > window)
            continue
        busy[f, engine[f, i]] += run[f, i]
        engines[engine[f, i]]
        total[f]++
    }
    for (i = 1; i <= n_streams[f]; i++)
        measure_frames(f, i, window)
}

# Sorts the frames of the contexts of a file whose iterations have n batches, which are at
# places 1 and on: sorted[f, 1] and so on. Returns their number.
function sort_frames(f, n,    at, i, count) {
    for (at = 1; at <= n_streams[f]; at++) {
        if (length_of[at] != n || frame[f, at] <= 0)
            continue
        for (i = count++; i > 0 && sorted[f, i] > frame[f, at]; i--)
            sorted[f, i + 1] = sorted[f, i]
        sorted[f, i + 1] = frame[f, at]
    }
    return count
}

# Returns by how many percent the frames of contexts differ whose iterations have n
# batches: the shortest of both files are compared with each other, and so on.
function alike_differ(n,    count, other, i, most) {
    count = sort_frames(1, n)
    other = sort_frames(2, n)
    if (other < count)
        count = other
    for (i = 1; i <= count; i++)
        most = larger(most, percent(sorted[1, i], sorted[2, i]))
    return most
}

function larger(a, b) {return a > b ? a : b}

# Returns by how many percent a figure differs that both files have.
function percent(a, b) {return a > 0 && b > 0 ? 100 * abs(b / a - 1) : 0}

END {
    window = last[1] - first[1]
    if (last[2] - first[2] < window)
        window = last[2] - first[2]
    if (window <= 0) {
        print "nothing ran"
        exit
    }
    order(1)
    order(2)
    measure_lengths()
    measure(1, window)
    measure(2, window)
    for (e in engines)
        if (abs(busy[1, e] - busy[2, e]) * 100 / window > worst)
            worst = abs(busy[1, e] - busy[2, e]) * 100 / window
    for (at = 1; at <= n_streams[1]; at++) {
        if (alike && (at in length_of))
            differ = alike_differ(length_of[at])
        else
            differ = percent(frame[1, at], frame[2, at])
        worst_frame = larger(worst_frame, differ)
    }
    printf "%.2f %.2f %.2f\n", worst, 100 * abs(total[2] / total[1] - 1), worst_frame
}
