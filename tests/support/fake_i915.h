/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A little device that speaks device/wire with canned answers, for tests of the
 * preload library: it serves one program that it starts, and its children.
 */
#ifndef TESTS_SUPPORT_FAKE_I915_H
#define TESTS_SUPPORT_FAKE_I915_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "device/tree/tree.h"
#include "device/wire/wire.h"

struct fake_args {
	const char *const *argv;
	bool preload;       /* load libgpuwl-i915.so into the program */
	bool refuse;        /* answer each HELLO with a refusal */
	const char *output; /* file for its standard output, NULL: ours */
	const char *errors; /* file for its standard error, NULL: ours */
};

/* Writes the tree of device, starts the program, serves it until it ends.
 * Returns its status as waitpid(2) has it. */
int fake_i915_run(
    const struct tree_device *device, const struct fake_args *args);

/* Requests that only this device has. */
struct fake_bytes {
	unsigned char at[64];
};

struct fake_value {
	uint32_t value, pad;
	uint64_t result;
};

struct fake_counts {
	uint32_t hellos, connections, files, cancels;
	uint32_t blocked; /* a call of FAKE_BLOCK waits */
	char wrote[32];   /* the last text of a control file, with its end */
};

/* Adds 1 to each byte. */
#define FAKE_ECHO _IOWR('d', 0xa0, struct fake_bytes)
/* Fails with errno value. */
#define FAKE_FAIL _IOWR('d', 0xa1, struct fake_value)
/* Returns a fence's descriptor in `result`, as 32 bits. */
#define FAKE_FENCE _IOWR('d', 0xa2, struct fake_value)
/* Signals the last fence. */
#define FAKE_SIGNAL _IO('d', 0xa3)
/* Maps object `value`; address in `result`. */
#define FAKE_MAP _IOWR('d', 0xa4, struct fake_value)
/* Blocks until a signal (EINTR) or FAKE_POKE (returns 7). */
#define FAKE_BLOCK _IO('d', 0xa5)
#define FAKE_POKE  _IO('d', 0xa6)
/* The last request before this one. */
#define FAKE_LAST  _IOR('d', 0xa7, struct wire_request)
#define FAKE_COUNT _IOR('d', 0xa8, struct fake_counts)
/* The device goes without an answer, for good; or it answers, cuts all that it
 * has and is there again. */
#define FAKE_QUIT    _IO('d', 0xa9)
#define FAKE_RESTART _IO('d', 0xaa)
/* A reply that wants a descriptor stored where the argument is not. */
#define FAKE_BAD_REPLY _IOWR('d', 0xab, struct fake_value)

/* Bytes of each object; the first word is its number. */
#define FAKE_OBJECT_BYTES 65536u

/* Fixtures of tests with the card open. */
extern int fake_card;
int fake_open_card(void **state);
int fake_close_card(void **state);

/* Opens a node, which must succeed. */
int fake_open(const char *path);
/* Returns the counts of the device that fd is open on. */
struct fake_counts fake_counts(int fd);

#endif
