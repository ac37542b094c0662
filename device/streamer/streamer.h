/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command streamer: executes the batches that programs submit, on the
 * memory that they see. It knows no engine, socket or clock: its caller gives
 * it memory and time. Rules: doc/model/streamer.md.
 *
 * A batch is executed in instalments ("Instalments" there). streamer_run()
 * executes what is due, and answers for how long the batch runs on before it is
 * to be called again. The caller may call sooner: when the engine preempts, or
 * when something may have changed memory.
 *
 * Batches, and whatever they name, are hostile: programs change them while they
 * are executed. Each dword is read once, and a call does a bounded amount of
 * work.
 */
#ifndef DEVICE_STREAMER_STREAMER_H
#define DEVICE_STREAMER_STREAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct streamer_batch;
struct streamer_context;
struct text;

/*
 * Memory by GPU address: 48 bits, the upper 16 are masked. Addresses are those
 * of the address space of the batch's context; data is the caller's.
 */
struct streamer_memory {
	/*
	 * Returns the byte at that address, and in *len how many follow it
	 * contiguously; NULL if none is there, if it may not be written (write),
	 * or if it can't be pointed at (read and write are used then). The
	 * pointer is aligned as the address is, to 8 bytes. It is used until
	 * streamer_run() returns.
	 */
	void *(*span)(void *data, uint64_t address, size_t *len, bool write);
	/* Copy len bytes. False: some are not there, which is a fault. */
	bool (*read)(void *data, uint64_t address, void *buf, size_t len);
	bool (*write)(
	    void *data, uint64_t address, const void *buf, size_t len);
	void *data;
};

/* Costs of commands ("Costs"), as a profile has them. All zero: nothing, as in
 * `ideal`. ps: 1000 are one ns. */
struct streamer_costs {
	uint32_t command_ns; /* each command */
	uint32_t flush_ns;  /* each PIPE_CONTROL and FLUSH_DW, more than that */
	uint32_t draw_ns;   /* each draw */
	uint32_t vertex_ps; /* each vertex of each instance */
	uint32_t dispatch_ns; /* each dispatch */
	uint32_t group_ps;    /* each of its thread groups */
	uint32_t blit_ns;     /* each blit */
	uint32_t byte_ps;     /* each byte that it writes */
	uint32_t frame_ns;    /* each video frame of which the size, or the cost
				 of a macroblock (16 x 16), is not known */
	/* Each macroblock of a frame; of the first, the codecs that have none of
	 * their own. 0: frame_ns for the frame. */
	uint32_t decode_ns, hevc_decode_ns, vp9_decode_ns, av1_decode_ns;
	uint32_t encode_ns, hevc_encode_ns, vp9_encode_ns, av1_encode_ns;
	uint32_t filter_ns;       /* VEBOX */
	uint32_t ten_bit_percent; /* of that, where samples have more than 8
				     bits */
};

/* A GPU; constant while it has batches. */
struct streamer_gpu {
	unsigned version;    /* of the graphics, in tenths: 70 Ivy Bridge, 75,
				80, 90, 110, 120, 125 (DG2) */
	uint64_t ring_hz;    /* RING_TIMESTAMP; at least 1000 */
	uint64_t context_hz; /* CTX_TIMESTAMP; at least 1000 */
	struct streamer_costs costs;
};

enum streamer_class {
	STREAMER_RENDER,
	STREAMER_COPY,
	STREAMER_VIDEO,
	STREAMER_ENHANCE,
	STREAMER_COMPUTE,
};

/* One engine of a GPU; instance as hardware numbers them: the second video
 * engine of Tiger Lake is 2. */
struct streamer_engine {
	enum streamer_class class;
	unsigned instance;
};

/* Returns the engine's first register ("Registers"); 0: there is no such engine
 * in that version. */
uint32_t streamer_engine_base(unsigned version, struct streamer_engine engine);

/* When a call is made. Neither goes back between the calls of a batch. */
struct streamer_time {
	nsec engine_ns;  /* the engine's time; RING_TIMESTAMP counts it */
	nsec running_ns; /* for how long the context has had an engine until
			    now, all its batches together; CTX_TIMESTAMP */
};

/* The image of a context, kept from batch to batch: registers, the state of its 3D
 * pipeline, a scratch page. The caller frees it, after its batches. */
struct streamer_context *streamer_context_new(void);
void streamer_context_free(struct streamer_context *context);
/* Returns a register as it was last written, by its offset from the base of the
 * context's engine, below 0x1000. For error states; timestamps are 0. */
uint32_t streamer_context_register(
    const struct streamer_context *context, uint32_t offset);

enum streamer_verdict {
	STREAMER_RUNS,  /* on for run_ns of running time, then ask again */
	STREAMER_WAITS, /* for memory: see wait */
	STREAMER_ENDED,
	STREAMER_FAULT, /* an access to memory failed: address */
	STREAMER_ERROR, /* the command at address is invalid: header value */
};

enum streamer_wait {
	STREAMER_SEMAPHORE, /* MI_SEMAPHORE_WAIT: it gives its slice away, is
			       counted as polling and can be preempted */
	STREAMER_SPINNER,   /* a loop that never ends by itself: runs */
};

struct streamer_answer {
	enum streamer_verdict verdict;
	/* STREAMER_RUNS. 0: ask again at once; the call's budget was used up. */
	nsec run_ns;
	enum streamer_wait wait; /* STREAMER_WAITS */
	/*
	 * STREAMER_WAITS, and STREAMER_RUNS in a timing loop (else address is
	 * 0): the batch is to be asked again when the dword at address is no
	 * longer value. Other words can end it too, e.g. any of a loop's
	 * commands, so the caller asks again from time to time.
	 */
	uint64_t address;
	uint32_t value;
	/* STREAMER_SEMAPHORE: it goes on when value compares so with wanted
	 * (doc/model/streamer.md "Comparisons"). */
	uint32_t wanted;
	uint8_t compare;
	bool is_register; /* address is a register's, by offset */
	bool never_ends;  /* nothing but the batch writes that register */
	bool stored;      /* the call changed memory */
	const char
	    *why; /* STREAMER_FAULT and STREAMER_ERROR: a reason in words;
			    static */
};

/* The commands of a batch by kind, as far as it was executed. */
struct streamer_counts {
	uint64_t commands;
	uint64_t draws, vertices; /* vertices of all instances */
	uint64_t clears, copies;  /* draws that only clear or copy ("Counts") */
	uint64_t dispatches, groups;
	uint64_t blits, blit_bytes;
	uint64_t frames;       /* of video */
	uint64_t coded;        /* of these, else decoded */
	const char *codec;     /* of the last frame, e.g. "AVC"; NULL: none */
	uint64_t filters;      /* of VEBOX */
	uint64_t interrupts;   /* MI_USER_INTERRUPT */
	uint64_t unknown;      /* commands without a meaning here */
	uint32_t unknown_last; /* header of the last one */
};

/*
 * Begins the batch at that address. gpu, context and what memory points to live
 * longer than the batch; memory itself is copied. Batches of one context are
 * executed one after another. The caller frees the batch with streamer_end(),
 * whether it has ended or not.
 */
struct streamer_batch *streamer_begin(const struct streamer_gpu *gpu,
    struct streamer_context *context, const struct streamer_memory *memory,
    uint64_t address);
void streamer_end(struct streamer_batch *batch);

/* A budget of commands for a call, some 0.5 ms of CPU. */
#define STREAMER_BUDGET 65536

/*
 * Executes what is due at that time on that engine, whose class is that of the
 * context. budget: commands to execute, after which the call ends soon; a
 * timing loop costs some hundreds, whatever its duration. After STREAMER_ENDED, _FAULT and _ERROR
 * the answer stays the same.
 */
struct streamer_answer streamer_run(struct streamer_batch *batch,
    struct streamer_engine engine, struct streamer_time now, unsigned budget);

/*
 * Returns true if the batch waits for memory (STREAMER_WAITS), and streamer_run()
 * would change nothing at that time: what it waits for is as it was. Costs a turn
 * of a loop at most, and changes nothing.
 */
bool streamer_rests(struct streamer_batch *batch, struct streamer_engine engine,
    struct streamer_time now);
/* Returns true if it would go on behind what it waits for. */
bool streamer_is_released(struct streamer_batch *batch,
    struct streamer_engine engine, struct streamer_time now);

/*
 * Returns how long after that running time the batch comes to a point where it
 * can be preempted ("Preemption"), if memory stays as it is: 0: it is at one.
 * NSEC_NEVER: not before its end, or before the program changes memory, or none
 * is known yet. Behind commands that are not executed yet it is an estimate: ask
 * again then. For the time of the last call to streamer_run() or later, up to
 * when that is to be called again.
 */
nsec streamer_preemptible_after(struct streamer_batch *batch, nsec running_ns);

const struct streamer_counts *streamer_counts(
    const struct streamer_batch *batch);
/* Adds the counts of a batch to a sum; the sum has the codec and the unknown
 * header of the last batch with one. */
void streamer_counts_add(
    struct streamer_counts *sum, const struct streamer_counts *counts);
/* Adds words for people: "20 draws, 1 clear", "1 frame (AVC)"; nothing if the
 * batch had no work. */
void streamer_label(const struct streamer_counts *counts, struct text *label);
/* Adds one line about a fault or an error: which address, what was expected. */
void streamer_explain(const struct streamer_answer *answer, struct text *text);

#endif
