/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of Arm's host server: a child process that listens on this machine,
 * for one client, and behaves as a test wants. */
#ifndef TESTS_SUPPORT_FAKE_HOST_H
#define TESTS_SUPPORT_FAKE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Behaviour once the first questions were answered (plan.good). */
enum fake_then {
	FAKE_GOES_ON,
	FAKE_BABBLES,   /* sends bytes that are no answer, as fast as it can */
	FAKE_FLOODS,    /* the same with answers to no question */
	FAKE_HALF,      /* begins an answer and says no more */
	FAKE_HUGE,      /* an answer that says to have 4 GiB */
	FAKE_OTHER_ID,  /* answers another question */
	FAKE_HALF_OPEN, /* ends its own direction, and goes on reading */
	FAKE_RESETS,    /* breaks the connection off */
	FAKE_CLOSES,    /* goes without having read what was sent */
	FAKE_TRICKLES,  /* answers byte by byte, and reads so */
	N_FAKE_THEN
};

/* All zero: a good server, with GPUTimeline as endpoint 2. */
struct fake_plan {
	bool silent;        /* never answers */
	bool deaf;          /* reads nothing but the first question */
	size_t chunk;       /* bytes that it reads at once; 0: many */
	size_t close_after; /* bytes that it reads in all; 0: all */
	int answers;        /* questions that it answers; 0: all */
	const void *answer; /* NULL: the usual one, with its header */
	size_t answer_len;
	enum fake_then then;
	int good; /* questions that it answers before; 0: 1 */
};

struct fake_host {
	pid_t pid;
	int port;
	int kept; /* file of what it has read */
	char address[32];
};

void fake_host_start(struct fake_host *h, const struct fake_plan *plan);
struct host_client;
struct text;

/* With a queue of that size, and a question after each 10000 bytes. */
struct host_client *fake_host_connect(
    const struct fake_host *h, size_t queue, struct text *err);
/* Ends it at once. */
void fake_host_kill(struct fake_host *h);
/* Waits for it to have read all; what that was, to be freed. */
uint8_t *fake_host_read(struct fake_host *h, size_t *len);

/* The next message in that: false at its end. A test fails where it is cut. */
struct fake_message {
	uint8_t type, endpoint;
	uint64_t id;
	const uint8_t *payload;
	uint32_t len;
};
bool fake_host_next(
    const uint8_t **at, size_t *len, struct fake_message *message);

#endif
