/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays a recording (record.h) again: its last launch, and what was done to
 * that, each thing between the same two instants and at the same time. The run
 * is the same, to the nanosecond and byte for byte.
 */
#ifndef RUN_REPLAY_H
#define RUN_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/client/control.h"
#include "run/plan.h"
#include "run/record.h"

/* One line, after the launch. */
struct replay_action {
	size_t line;
	uint64_t instant;
	nsec at;
	bool is_end;
	enum recording_end end;
	struct control control; /* unless is_end; its source is: */
	struct source *source;  /* that of its program; NULL */
};

struct replay {
	char *path;
	char *version;      /* of the program that recorded */
	nsec duration;      /* --duration then; NSEC_NEVER */
	uint64_t repeat;    /* -r then; 0: until stopped */
	bool is_over;       /* all has been played */
	bool is_unfinished; /* the last line tells of no end */
	struct replay_action *actions;
	size_t n, cap, next;
	size_t n_lines;
};

/*
 * Reads a recording, and makes the plan that it launched last. False: err has
 * lines such as "file:line: error: what is wrong, what would be right". Either
 * way free with replay_close and plan_close, after the run.
 */
bool replay_open(
    struct replay *r, struct plan *plan, const char *path, struct text *err);
/* The same of text in memory, called path in errors. */
bool replay_parse(struct replay *r, struct plan *plan, const char *path,
    const char *text, size_t len, struct text *err);
void replay_close(struct replay *r);
/* When its last line was written, in virtual time. */
nsec replay_duration(const struct replay *r);
/* Drops all actions. */
void replay_forget(struct replay *r);

/* As sim_run, for the launched plan, with all that was done. False: the
 * recording is of another run, err says where. After the last line is_over is
 * set, and nothing runs any more. */
bool replay_run(struct replay *r, struct run *run, nsec until,
    uint64_t max_events, struct text *err);

#endif
