/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs in a session: a virtual i915 on its run (device/service/service.h),
 * programs that are started on it, and what they write. The device's time is the
 * wall clock; while the session does not move its GPU is stopped
 * (doc/model/virtual.md "Stops").
 */
#ifndef RUN_LIVE_PROGRAMS_H
#define RUN_LIVE_PROGRAMS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "device/serve/launch.h"
#include "engine/sim.h"

struct capture;
struct client;
struct service;
struct session;
struct tweak;

/* Name of the device, if none is given. */
#define PROGRAMS_DEVICE "0"
/* Programs that were started here and run. */
#define PROGRAMS_MAX 8
/* Descriptors that a loop polls for them. */
#define PROGRAMS_FDS (1 + PROGRAMS_MAX)
/* Lines that are kept of calls and programs that were refused. */
#define PROGRAMS_REFUSALS 200

/* A program that was started here. */
struct program_child {
	struct launched process;
	char *name; /* its first argument, without folders */
};

struct programs {
	struct service *service; /* NULL: no device */
	char *name;              /* of the device */
	bool privileged;
	double speed; /* of batches; the clock's is 1 */
	struct program_child children[PROGRAMS_MAX];
	unsigned n_children;
	char **first;       /* arguments of the first that was started */
	uint64_t n_started; /* since the session began */
	int log;            /* of their output; valid if log_path is not "" */
	struct text log_path;
	struct text news; /* to be shown once; "": none */
	bool bad_news;
	char *refusals[PROGRAMS_REFUSALS]; /* a ring */
	uint64_t n_refusals;
	struct capture *capture; /* of the device's requests; NULL: none */
	/* Its descriptor of one client, as the client's view shows it. */
	struct program_text {
		bool valid;  /* false: of no client */
		uint32_t of; /* the client's id */
		struct text text;
		uint64_t ended; /* requests that it is made of */
		nsec next;      /* wall time: not made anew before */
	} shown;
};

/* Opens a device of that name; NULL: the default one, or if that is served
 * already one of another name. The run goes on in real time. False: err says why
 * there can be none. */
bool session_serve(
    struct session *s, const char *name, bool privileged, struct text *err);
/* True if the session has a device. */
bool session_is_served(const struct session *s);
/* True if it has one, and no descriptor. */
bool session_has_only_programs(const struct session *s);
/* Returns the speed of virtual time, or with a device that of batches. */
double session_speed(const struct session *s);
/* Returns how many programs have the device open. */
unsigned session_n_programs(const struct session *s);

/* Starts a program on the device, which is opened if there is none. argv ends
 * with NULL. False: err says why. */
bool session_run_program(
    struct session *s, char *const argv[], struct text *err);
/* The same for a command line, which is split into words as a shell does:
 * blanks, quotes and backslashes. */
bool session_run_line(struct session *s, const char *line, struct text *err);
/* Returns the path of the file that has their output; "": nothing was started
 * yet. */
const char *session_output_log(const struct session *s);
/* Returns the number of programs started here that run. */
unsigned session_n_children(const struct session *s);
/* Returns the arguments of the program that was started here first, ending with
 * NULL; NULL: none was. *n: the number of programs started here so far. */
char *const *session_first_program(const struct session *s, uint64_t *n);

/* Fills fds, of PROGRAMS_FDS, with what a loop is to poll, for programs or a GPU.
 * Returns their number. *next: the wall time at which session_device_work() is
 * needed at the latest; NSEC_NEVER: not before. */
unsigned session_device_poll(struct session *s, struct pollfd *fds, nsec *next);
/* Lets the device work, takes the news of a GPU, and looks for programs that have ended. True: there are
 * news to be shown. */
bool session_device_work(struct session *s);
/* The clock has moved on without the session: the virtual GPU did nothing
 * meanwhile, a real one what it had got (session_settle_gpu()). */
void session_device_skip(struct session *s);
/* Appends the news since the last call; false: none. */
bool session_take_program_news(struct session *s, struct text *out, bool *bad);

/* Makes the descriptor of a program anew, as --capture would write it, if the
 * last one is a second old and something of the program has ended since. */
void session_describe_program(struct session *s, const struct client *c);
/* Returns that text; "": none. Valid until the next description. */
const char *session_program_text(
    const struct session *s, const struct client *c);
/* Writes the descriptors of a program, NULL: of all, as --capture does. Without
 * over it replaces no file. Appends to said the command that runs them. False: err
 * says why there are none. */
bool session_capture(struct session *s, const struct client *c,
    const char *path, bool over, struct text *said, struct text *err);

/* Asks a program to end (SIGTERM). False: err says why. */
bool session_end_program(
    struct session *s, const struct client *c, struct text *err);
/* Changes what is in force for a context of a program, until it sets it itself,
 * and says what. False: said says why not. */
bool session_tweak_program(struct session *s, const struct tweak *tweak,
    uint32_t client, uint32_t context, struct text *said);

/* For the files of run/live/. */

/* Lets the GPU stop, or go on, as the session does. */
void programs_follow(struct session *s);
/* Runs the next instant of a GPU that is stopped. SIM_ENDED: nothing is due. */
SIM_MUST_LOOK enum sim_ran programs_step(struct session *s);
/* The run is about to be replaced, and has been. If the new one can have no
 * device, the news say so. */
void programs_leave(struct session *s);
void programs_enter(struct session *s);
/* Ends what was started here, and the device. */
void programs_end(struct session *s);

#endif
