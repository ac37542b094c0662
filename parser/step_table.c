/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the language: the kinds of steps, and their fields with units,
 * forms and likely values. Parser, diagnostics, completion, the console's help
 * and the manual read them.
 */
#include "parser/step.h"

#include <stddef.h>

const struct step_info step_infos[N_STEP_KINDS] = {
    [STEP_BATCH] = {0, 5, "ctx.engine.duration.dependencies.wait",
	"submit a batch", "1.RCS.1000.0.0", NULL,
	{FIELD_CONTEXT, FIELD_ENGINE, FIELD_DURATION, FIELD_DEPENDENCIES,
	    FIELD_WAIT}},
    [STEP_DELAY] = {'d', 2, "d.us", "sleep", "d.1000", NULL, {0, FIELD_DELAY}},
    [STEP_PERIOD] = {'p', 2, "p.us", "sleep until the period ends", "p.16667",
	"Sleeps until that long after the start of the iteration. Counts a "
	"missed period if that time has passed.",
	{0, FIELD_PERIOD}},
    [STEP_SYNC] = {'s', 2, "s.-n", "wait for an earlier batch", "s.-1", NULL,
	{0, FIELD_SYNC}},
    [STEP_THROTTLE] = {'t', 2, "t.n", "limit batches in flight", "t.2",
	"Before each later batch, waits for the batch n steps before it.",
	{0, FIELD_THROTTLE}},
    [STEP_QUEUE_DEPTH] = {'q', 2, "q.n", "limit the queue depth", "q.4",
	"From here on at most n steps of this client are queued on an engine.",
	{0, FIELD_QUEUE_DEPTH}},
    [STEP_FENCE] = {'f', 1, "f", "software fence", "f",
	"A batch waits for it with f-n; a.-n signals it.", {0}},
    [STEP_ADVANCE] = {'a', 2, "a.-n", "signal a software fence", "a.-2",
	"Signals the fence of that step, and those created earlier in the "
	"iteration.",
	{0, FIELD_ADVANCE}},
    [STEP_TERMINATE] = {'T', 2, "T.-n", "end an infinite batch", "T.-1", NULL,
	{0, FIELD_TERMINATE}},
    [STEP_PRIORITY] = {'P', 3, "P.ctx.prio", "context priority", "P.1.100",
	"Sets the priority of later submissions.",
	{0, FIELD_CONTEXT, FIELD_PRIORITY}},
    [STEP_SSEU] = {'S', 3, "S.ctx.mask", "context slice mask", "S.1.1", NULL,
	{0, FIELD_CONTEXT, FIELD_SLICE_MASK}},
    [STEP_PREEMPTION] = {'X', 3, "X.ctx.us", "preemption points", "X.1.0",
	"Later batches of the context can be preempted at these points. "
	"Without an X the period is 100.",
	{0, FIELD_CONTEXT, FIELD_PREEMPTION}},
    [STEP_MAP] = {'M', 3, "M.ctx.E|E", "context engine map", "M.1.VCS1|VCS2",
	"The context may use these engines only.",
	{0, FIELD_CONTEXT, FIELD_MAP}},
    [STEP_BALANCE] = {'B', 2, "B.ctx", "balance over the engine map", "B.1",
	"The context's batches run on any idle engine of its map. A batch that "
	"names an engine outside the map runs there too, as with DEFAULT, with "
	"a warning, as in gem_wsim.",
	{0, FIELD_CONTEXT}},
    [STEP_BOND] = {'b', 4, "b.ctx.E|E.master", "bond to a master",
	"b.2.VCS2.VCS1",
	"A batch with a submit fence on a batch that runs on the master may "
	"use only these engines.",
	{0, FIELD_CONTEXT, FIELD_BONDED, FIELD_MASTER}},
    [STEP_PARALLEL] = {'G', 3, "G.ctx.E|E/E|E", "parallel slot",
	"G.1.VCS1/VCS2",
	"Each batch of the context consists of one batch for each row, which "
	"run together. The batch step names DEFAULT and may give a duration "
	"for each row: 3000/2500. gem_wsim lacks this step; of the schedulers "
	"only guc runs it.",
	{0, FIELD_CONTEXT, FIELD_ROWS}},
    [STEP_SET] = {'w', 3, "w.id.size/size", "buffers per client", "w.1.10n4k",
	"Batches that use a buffer keep this order: a reader waits for the "
	"last writer, a writer for the last writer and for every reader "
	"since.",
	{0, FIELD_SET, FIELD_SIZES}},
    [STEP_SHARED_SET] = {'W', 3, "W.id.size/size", "shared buffers",
	"W.2.4k/1m", "One working set for all clients of -c.",
	{0, FIELD_SET, FIELD_SIZES}},
};

static const struct field_value engines[] = {
    {"DEFAULT", "RCS, with B any idle one of the map"},
    {0},
};

static const struct field_value durations[] = {
    {"*", "without end: until a T step names it"},
    {0},
};

static const struct field_value no_dependency[] = {
    {"0", "none"},
    {0},
};

static const struct field_value waits[] = {
    {"0", "the client goes on at once"},
    {"1", "the client waits for the end of the batch"},
    {0},
};

static const struct field_value periods[] = {
    {"16667", "60 Hz"},
    {"33333", "30 Hz"},
    {"8333", "120 Hz"},
    {0},
};

static const struct field_value depths[] = {
    {"0", "off"},
    {"1", NULL},
    {"2", NULL},
    {"3", NULL},
    {"4", NULL},
    {0},
};

static const struct field_value priorities[] = {
    {"0", "the default"},
    {"512", NULL},
    {"1023", "the highest"},
    {"-512", NULL},
    {"-1023", "the lowest"},
    {0},
};

static const struct field_value masks[] = {
    {"-1", "all slices"},
    {0},
};

static const struct field_value preemptions[] = {
    {"0", "none: batches run to their end"},
    {"100", "a point every 100 us"},
    {"1000", "a point every 1 ms"},
    {0},
};

static const struct field_value sizes[] = {
    {"4k", NULL},
    {"64k", NULL},
    {"1m", NULL},
    {"10n4k", "ten objects of 4 KiB"},
    {0},
};

const struct field_info field_infos[N_STEP_FIELDS] = {
    [FIELD_NONE] = {"step", NULL, "a context's number for a batch, or a letter",
	"Tab lists the steps; # begins a comment, #@ an annotation", NULL,
	NULL},
    [FIELD_CONTEXT] = {"context", NULL,
	"batches of one context on one engine run in order",
	"any number from 1; a batch may have 0 too", NULL, NULL},
    [FIELD_ENGINE] = {"engine", NULL, "where the batch runs",
	"RCS, BCS, VCS, VECS or CCS, with an instance VCS2, a gt VCS1-0; a "
	"class alone is its first engine",
	engines, "Letter case does not matter."},
    [FIELD_DURATION] = {"duration", "us", "how long the batch runs",
	"n, n-m (random for each submission) or *, up to 1000000000", durations,
	NULL},
    [FIELD_DEPENDENCIES] = {"dependencies", "steps back",
	"what the batch waits for",
	"0, or joined by /: -n data, f-n end, s-n start of the batch n steps "
	"before; rS-o, wS-o object of a set",
	no_dependency,
	"-n reads what the batch n steps before writes; f-n waits for the end "
	"of that batch, or for the software fence of that step; s-n waits for "
	"the start of that batch; rS-o and rS-a-b read an object, or objects a "
	"to b, of working set S, wS-o and wS-a-b write them."},
    [FIELD_WAIT] = {"wait", NULL, "what the client does next", NULL, waits,
	NULL},
    [FIELD_DELAY] = {"delay", "us", "how long the client sleeps",
	"1 to 2147483647", NULL, NULL},
    [FIELD_PERIOD] = {"period", "us", "how long an iteration takes",
	"1 to 2147483647", periods, NULL},
    [FIELD_SYNC] = {"target", "steps back", "the batch to wait for",
	"-n, a batch n steps before", NULL, NULL},
    [FIELD_ADVANCE] = {"target", "steps back", "the fence to signal",
	"-n, an f n steps before", NULL, NULL},
    [FIELD_TERMINATE] = {"target", "steps back", "the batch to end",
	"-n, a batch of duration * n steps before", NULL, NULL},
    [FIELD_THROTTLE] = {"throttle", "steps", "how many steps batches run ahead",
	"0 to 2147483647", depths, NULL},
    [FIELD_QUEUE_DEPTH] = {"queue depth", "steps",
	"how many are queued on an engine", "0 to 2147483647", depths, NULL},
    [FIELD_PRIORITY] = {"priority", NULL, "the higher one runs first",
	PRIORITY_RANGE, priorities, NULL},
    [FIELD_SLICE_MASK] = {"slice mask", NULL,
	"slices of the context, a bit each",
	"decimal, or 0x3 (which gem_wsim reads as 0)", masks, NULL},
    [FIELD_PREEMPTION] = {"preemption period", "us",
	"time between preemption points", "0 to 1000000000", preemptions, NULL},
    [FIELD_MAP] = {"engines", NULL, "engines that the context may use",
	"engines joined by |; a class means all its engines", NULL, NULL},
    [FIELD_BONDED] = {"engines", NULL, "engines that the bond allows",
	"engines joined by |; a class means all of it in the map", NULL, NULL},
    [FIELD_MASTER] = {"master", NULL, "the engine that the other batch runs on",
	"an engine; a class means each of its engines", NULL, NULL},
    [FIELD_ROWS] = {"rows", NULL, "one batch per row, all run together",
	"rows joined by /, each of engines joined by |", NULL, NULL},
    [FIELD_SET] = {"working set", NULL, "its number, for rS-o and wS-o",
	"0 to 2147483647", NULL, NULL},
    [FIELD_SIZES] = {"sizes", "bytes", "the buffers of the working set",
	"4096, 4k, 2m, 1g, 4k-1m (random), 10n4k (ten), joined by /", sizes,
	NULL},
};
