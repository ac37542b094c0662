/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A server of a virtual i915 for tests, with the real device on a GPU of the test,
 * and programs in processes of their own, which speak the protocol themselves.
 */
#ifndef TESTS_SUPPORT_SERVER_LAB_H
#define TESTS_SUPPORT_SERVER_LAB_H

#include <poll.h>

#include "base/text.h"
#include "device/serve/server.h"
#include "device/wire/wire.h"
#include "tests/support/i915_lab.h"

#define MAX_MS 20000 /* a test that takes longer hangs */

extern struct i915_lab served_lab;
extern struct server *served;
extern struct text served_problems; /* a line each */

/* For a group of tests: makes the server in a folder of its own, and ends it. */
int serve_lab(void **state);
int end_serve_lab(void **state);

/* Serves until the condition, an expression, is true. */
#define serve_until(condition)                                                 \
	do {                                                                   \
		struct pollfd p_ = {                                           \
		    .fd = server_fd(served), .events = POLLIN};                \
                                                                               \
		while (!(condition)) {                                         \
			assert_int_equal(poll(&p_, 1, MAX_MS), 1);             \
			server_work(served, 64);                               \
		}                                                              \
	} while (0)

/* Starts a program, serves it to its end, and expects it to be content. Others'
 * connections stay. */
void serve_program_beside(void (*program)(void), size_t others);
void serve_program(void (*program)(void));

/* The rest is called in the program. An expectation that fails ends it with the
 * line as its status. */
#define must(condition)                                                        \
	do {                                                                   \
		if (!(condition))                                              \
			program_fails(__LINE__, #condition);                   \
	} while (0)
void program_fails(int line, const char *what);

/* The last reply, its bytes, and the descriptor that came with it; -1: none. */
extern struct wire_reply program_reply;
extern char program_reply_bytes[WIRE_MAX_BYTES];
extern int program_reply_fd;

int program_connect(void);
void program_send(int fd, struct wire_request rq, const void *arg);
/* Both return the result of the reply. */
int program_receive(int fd);
int program_call(int fd, struct wire_request rq, const void *arg);
int program_hello(int fd, uint64_t value);
/* Opens the card; returns the token of its mark. */
uint64_t program_open(int fd, int *card);
int program_ioctl(int fd, uint64_t token, unsigned request, const void *arg);

/* A program that opens the card, and makes calls, good ones and bad ones. */
void program_asks(void);

#endif
