/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 that the test serves itself, in real time, to a program in a
 * process of its own: so the test can count what the program asked, let things
 * happen at any instant of it, and see what is left on the device.
 */
#ifndef TESTS_SUPPORT_SERVED_GPU_H
#define TESTS_SUPPORT_SERVED_GPU_H

#include "base/text.h"
#include "device/serve/launch.h"
#include "tests/support/lab.h"

struct i915;
struct service;

#define SERVED_VARIABLES 3

struct served_gpu {
	struct lab lab;
	struct service *service; /* NULL: closed */
	struct text problems, library;
	char variables[SERVED_VARIABLES][512];
};

/* For a group of tests that start programs on such devices: enters the test's
 * folder, and leaves signals of a program to its parent, also with sanitizers.
 * Returns 0. */
int served_enter(void **state);

/* Makes a device of a profile, whose hangs are found within four times the heartbeat. */
void served_open(struct served_gpu *g, const char *profile, nsec heartbeat);
/* Ends all connections, as the death of the device's process does. */
void served_die(struct served_gpu *g);
void served_close(struct served_gpu *g);

/* Starts $GPUWL_TOP on the device, in a session of its own; its output goes to
 * that descriptor. argv[0] is its name. */
void served_start(struct served_gpu *g, struct launched *p,
    const char *const *argv, int output);

/* Sets the environment of a program that something else starts on the device:
 * "NAME=value" each, valid until served_die(). */
void served_environment(struct served_gpu *g, char *env[SERVED_VARIABLES]);

/* Lets the GPU run and serves one call, if a program makes one. Returns early if
 * one of the descriptors is readable; -1: none. False: nothing happened for that
 * time. */
bool served_turn_beside(struct served_gpu *g, const int fds[2], nsec longest);
/* The same, until the program has ended; NULL: none. False: nothing happened for
 * 20 s. */
bool served_turn(struct served_gpu *g, const struct launched *p);
/* Serves until neither the GPU nor a program has anything to do, 200 turns at
 * most. */
void served_rest(struct served_gpu *g);
/* Serves until the program has ended. False: it has not within 20 s; it is
 * killed. */
bool served_until_end(struct served_gpu *g, struct launched *p, int *status);
/* Serves until nothing of any program is left, 20 s at most. Returns what is
 * left; "": nothing. Valid until the next call. */
const char *served_left(struct served_gpu *g);

/* The driver gives the GPU up, or takes it back. */
void served_wedge(struct served_gpu *g, bool wedged);
/* Resets all engines that have a request. */
void served_reset(struct served_gpu *g);

#endif
