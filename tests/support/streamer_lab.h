/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command streamer with a little memory, for tests: a batch, a second one and
 * data, each a page at its address. Commands are emitted dword by dword.
 */
#ifndef TESTS_SUPPORT_STREAMER_LAB_H
#define TESTS_SUPPORT_STREAMER_LAB_H

#include "device/streamer/streamer.h"

#define LAB_BATCH  0x00010000ull
#define LAB_SECOND 0x00020000ull
#define LAB_DATA   0xfffe00000000ull /* needs 48 bits */
#define LAB_OLD    0x00030000ull     /* the same for 32-bit addresses */
#define LAB_PAGE   4096

struct streamer_lab {
	struct streamer_gpu gpu;
	struct streamer_engine engine;
	struct streamer_context *context;
	struct streamer_memory memory;
	struct streamer_batch *batch;
	uint32_t *code, *second, *data; /* LAB_PAGE each */
	unsigned n;                     /* dwords of code that were emitted */
	struct streamer_time now;
	bool far; /* spans are refused: read and write are used */
	unsigned calls;
	unsigned reads; /* that did not use a span */
};

/* A GPU of that version as in `ideal`: 1 GHz, commands cost nothing. */
void streamer_lab_open(struct streamer_lab *lab, unsigned version);
void streamer_lab_close(struct streamer_lab *lab);
/* For each test: makes and frees one of generation 12, which *state is. */
int streamer_lab_setup(void **state);
int streamer_lab_teardown(void **state);

/* Appends dwords to the batch. */
#define EMIT(lab, ...)                                                         \
	streamer_lab_emit(lab, (const uint32_t[]){__VA_ARGS__},                \
	    sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
void streamer_lab_emit(
    struct streamer_lab *lab, const uint32_t *dwords, size_t n);

/* The low and high dword of an address. */
#define LOW(address)     ((uint32_t)(address))
#define HIGH(address)    ((uint32_t)((uint64_t)(address) >> 32))
#define ADDRESS(address) LOW(address), HIGH(address)

#define BATCH_END 0x05000000u

/* Forgets the batch that was executed, and the commands. The context stays. */
void streamer_lab_again(struct streamer_lab *lab);

/* Calls the streamer when the batch has run that long, with no preemption. */
struct streamer_answer streamer_lab_at(struct streamer_lab *lab, nsec ns);
/* Calls it as often as it asks, until it ends, fails or waits. */
struct streamer_answer streamer_lab_run(struct streamer_lab *lab);
/* Returns true if the batch rests when it is called after that time. */
bool streamer_lab_rests(struct streamer_lab *lab, nsec ns);
/* Fails unless the label is that. */
void streamer_lab_labelled(const struct streamer_lab *lab, const char *label);

#endif
