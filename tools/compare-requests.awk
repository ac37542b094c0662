# Compares two files of --requests: a program's, and those of its capture on the model.
# Prints by how many points the busyness of an engine differs at most, and by how many
# percent the rate of batches, and the median frame: the time from the start of a batch
# to that of its context BATCHES later. Both count from the first submission, as long as
# both files go on.
#
#   awk -v batches=BATCHES -f tools/compare-requests.awk BEFORE AFTER
#
# BATCHES 0: no frames. Contexts must have the same order in both.
BEGIN {FS = "\t"}

FNR == 1 {file++}
$1 !~ /^[0-9]/ {next}
{
    n = ++rows[file]
    if (n == 1 || $6 < first[file])
        first[file] = $6
    if ($12 == "ok" && $9 > last[file])
        last[file] = $9
    stream[file, n] = $1 "," $4
    of_stream[file, $1 "," $4]++
    engine[file, n] = $5
    start[file, n] = $8
    end[file, n] = $12 == "ok" ? $9 : -1
    run[file, n] = $10
}

function abs(x) {return x < 0 ? -x : x}

# Returns the median of the frames.
function median(    i, k, v) {
    for (i = 2; i <= n_frames; i++) {
        v = frames[i]
        for (k = i - 1; k > 0 && frames[k] > v; k--)
            frames[k + 1] = frames[k]
        frames[k + 1] = v
    }
    return n_frames > 0 ? frames[int((n_frames + 1) / 2)] : 0
}

# Sets busy, total and frame of a file.
function measure(f, window,    i, s, at, length_) {
    n_frames = 0
    split("", at)
    for (i = 1; i <= rows[f]; i++) {
        if (end[f, i] < 0 || end[f, i] - first[f] > window)
            continue
        busy[f, engine[f, i]] += run[f, i]
        engines[engine[f, i]]
        total[f]++
        s = stream[f, i]
        length_ = int(batches * of_stream[f, s] / rows[f] + 0.5)
        at[s]++
        starts[f, s, at[s]] = start[f, i]
        if (length_ > 0 && at[s] > length_ && n_frames < 1000)
            frames[++n_frames] = start[f, i] - starts[f, s, at[s] - length_]
    }
    frame[f] = median()
}

END {
    window = last[1] - first[1]
    if (last[2] - first[2] < window)
        window = last[2] - first[2]
    if (window <= 0) {
        print "nothing ran"
        exit
    }
    measure(1, window)
    measure(2, window)
    for (e in engines)
        if (abs(busy[1, e] - busy[2, e]) * 100 / window > worst)
            worst = abs(busy[1, e] - busy[2, e]) * 100 / window
    printf "%.2f %.2f %.2f\n", worst, 100 * abs(total[2] / total[1] - 1),
        (frame[1] > 0 && frame[2] > 0 ? 100 * abs(frame[2] / frame[1] - 1) : 0)
}
