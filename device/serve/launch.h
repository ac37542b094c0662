/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting a program on a virtual device, and hearing of its end. */
#ifndef DEVICE_SERVE_LAUNCH_H
#define DEVICE_SERVE_LAUNCH_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct text;

/* How a program is to be started. */
struct launch {
	const char *path;                    /* of program_find() */
	char *const *argv;                   /* NULL at its end */
	const char *library, *socket, *root; /* of the device */
	/* Process that joined the device and starts the program; 0: none. */
	long run;
	bool privileged; /* with run: the program has all capabilities */
	int output;      /* for standard output and error; -1: those of this
		       process */
	/* In a session of its own, without a terminal and with /dev/null as
	 * standard input, and with SIGTERM when this process dies; else in the foreground, as a child of a shell. */
	bool apart;
	bool in_turns;             /* time is virtual */
	int timer_slack;           /* of the program's timers, ns; 0: as here */
	struct rlimit descriptors; /* of the program; 0: as here */
};

/* A program that was started. */
struct launched {
	pid_t pid; /* 0: it has been waited for */
	int pidfd; /* readable when it has ended */
};

/* Appends the path of the preload library: beside this program, where it is
 * built, or in ../lib/gpuwl, where it is installed. False: err says where it was
 * looked for. */
bool launch_library(struct text *path, struct text *err);

/* Starts a program. False: err says why; nothing runs. */
bool launch_start(
    struct launched *p, const struct launch *how, struct text *err);
/* True if it has ended; *status is then its exit status, 128 + n after signal n.
 * Closes pidfd. */
bool launch_ended(struct launched *p, int *status);
/* Sends a signal: to its process group if it was started apart. Does nothing
 * after its end. */
void launch_signal(const struct launched *p, int signal);

#endif
