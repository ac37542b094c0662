/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the command streamer: the state of a batch, its
 * memory and registers, and the functions that execute commands.
 */
#ifndef DEVICE_STREAMER_CS_H
#define DEVICE_STREAMER_CS_H

#include "device/streamer/decode.h"
#include "device/streamer/streamer.h"

/* Operands of a command that may be looked at: the longest command that has
 * that many is an LRI of 128 registers. */
#define CS_OPERANDS 260
/* Calls of second-level batches below each other. */
#define CS_LEVELS 2
/* Preemption points that are remembered ahead of the time of the call. */
#define CS_POINTS 64

#define CS_ADDRESS(low, high)                                                  \
	(((uint64_t)(high) << 32 | (low)) & 0xffffffffffff)

/* Offsets from an engine's base, and their places in the register file. */
#define CS_REGISTERS         0x1000 /* bytes that are the engine's own */
#define CS_STATUS_PAGE       0x080
#define CS_RING_TIMESTAMP    0x358
#define CS_CTX_TIMESTAMP     0x3a8
#define CS_PREDICATE_RESULT2 0x3bc
#define CS_PREDICATE_SRC0    0x400
#define CS_PREDICATE_SRC1    0x408
#define CS_PREDICATE_DATA    0x410
#define CS_PREDICATE_RESULT  0x418
#define CS_PREDICATE_RESULT1 0x41c
#define CS_GPR               0x600
#define CS_GPRS              16

/* Video: whether the picture is coded, and by which unit. */
enum cs_codes { CS_DECODES, CS_CODES_MFX, CS_CODES_HCP, CS_CODES_AVP };

struct streamer_context {
	uint32_t own[CS_REGISTERS / 4]; /* relative to the engine's base */
	uint32_t **pages;       /* the others, by 4 KiB; NULL: never written */
	uint32_t scratch[1024]; /* the context's status page */
	bool ps_copies; /* 3DSTATE_PS: drawing a rectangle copies, or clears */
	/* Video: the codec of the picture that has begun; NULL: none. */
	const char *codec;
	uint32_t blocks; /* of that picture */
	enum cs_codes codes;
	uint32_t surface;     /* macroblocks of the surface; 0: not known */
	uint32_t macroblocks; /* of the picture; 0: not known */
	bool deep;            /* its samples have more than 8 bits */
};

/* Memory that is contiguous here too; len 0: none. */
struct cs_span {
	uint64_t address;
	size_t len;
	uint8_t *host;
};

/* A command that has been fetched. dw is shared memory: read each once, with
 * cs_operand(). */
struct cs_command {
	const uint32_t *dw;
	unsigned n; /* dwords, header included */
	uint32_t header;
	uint64_t address;
};

/* How it goes on after a command. */
enum cs_step {
	CS_NEXT,   /* with the one behind it */
	CS_JUMPED, /* at pc */
	CS_LATER,  /* with this one, when its time has come */
	CS_POLLS, /* with this one, when memory has changed: the answer is set */
	CS_LOOPS, /* at pc, which is not behind the jump (loop.c) */
	CS_ENDED,
	CS_FAILED, /* the answer is set */
};

/* A turn of a loop that is tried on copies: nothing that it does remains. */
#define CS_PROBE_STORES 32
struct cs_probe {
	struct cs_probe_store {
		uint64_t address;
		uint32_t value;
	} stores[CS_PROBE_STORES];
	unsigned n_stores;
	bool timed;   /* it read the time */
	bool refused; /* it did something that a probe can't do */
	/* The last condition, 0: none: its command, the word that it reads,
	 * and what it found there. */
	uint64_t command, condition;
	uint32_t found;
	nsec point_ns; /* of its first preemption point; NSEC_NEVER: none */
};

/* A loop without any lasting effect, which is skipped to its end. */
struct cs_loop {
	uint64_t head, from; /* its first command, and the jump back */
	unsigned level;
	unsigned tries; /* for a loop that can't be skipped: jumps until the
			   next try */
	bool skips;     /* the batch is at head, and the fields below hold */
	bool changed;   /* memory was, while its end was searched */
	bool ends;      /* by itself: in the turn at exit_ns, over at end_ns */
	bool known;     /* never ends, and nothing has changed since */
	unsigned asks;  /* since that was found */
	nsec first_ns;  /* when the batch came here */
	nsec turn_ns, exit_ns, end_ns;
	nsec point_ns; /* from a turn's begin to its first preemption point */
	uint64_t word; /* to watch, and what was there */
	uint32_t value;
	uint32_t data;  /* what the condition compared with, */
	uint32_t found; /* and what it found, in a turn at once */
	bool compares;  /* there was one */
};

/* The commands from pc on, as far as they were walked over to find a point
 * (preempt.c). They are walked over again when the batch has executed valid of them. */
struct cs_walk {
	uint64_t begin; /* commands that the batch had executed */
	uint64_t valid; /* 0: nothing is known */
	nsec at_ns;     /* of the point; NSEC_NEVER: none was found */
};

/* From when until when the batch can be preempted. */
struct cs_point {
	nsec from_ns, to_ns;
};

struct streamer_batch {
	const struct streamer_gpu *gpu;
	struct streamer_context *context;
	struct streamer_memory memory;

	uint64_t pc;
	uint64_t returns[CS_LEVELS];
	unsigned level;
	nsec at_ns; /* running time at which the command at pc is due */
	bool begun;
	bool arbitrates; /* MI_ARB_ON_OFF */
	bool polls;      /* has waited at the semaphore at pc */
	bool circles;    /* has used up a budget in a loop that costs no time */
	bool walks;      /* the work of the walker at pc is under way */
	uint32_t walk_begin[2]; /* CTX_TIMESTAMP, RING_TIMESTAMP */
	uint8_t predicate;      /* of MI_SET_PREDICATE */
	uint32_t compared;      /* data of the last conditional end */
	struct cs_loop loop;
	struct cs_point points[CS_POINTS]; /* of commands before pc */
	unsigned n_points;
	struct cs_walk walk;
	struct streamer_counts counts;
	struct streamer_answer answer; /* final once it isn't STREAMER_RUNS */

	/* These hold during one call. */
	uint32_t base; /* of the engine */
	enum streamer_class class;
	struct streamer_time now;
	struct cs_span code, in, out;
	struct cs_probe *probe; /* NULL: this is real */
	bool went_back;         /* a jump back was taken */
	bool stored;            /* memory has changed */
	/* Commands, those of probes too; long ones count more. */
	unsigned spent;
	uint32_t far[CS_OPERANDS]; /* a command that isn't in one span */
};

static inline uint32_t
cs_operand(const struct cs_command *c, unsigned i)
{
	return __atomic_load_n(&c->dw[i], __ATOMIC_RELAXED);
}

/* Returns the address in operands i and i + 1; below generation 8 it is in i
 * alone. */
static inline uint64_t
cs_address(
    const struct streamer_batch *b, const struct cs_command *c, unsigned i)
{
	uint32_t low = cs_operand(c, i);

	return CS_ADDRESS(low, b->gpu->version < 80 ? 0 : cs_operand(c, i + 1));
}

/* Returns the operand that follows an address in operand i. */
static inline unsigned
cs_behind(const struct streamer_batch *b, unsigned i)
{
	return i + (b->gpu->version < 80 ? 1 : 2);
}

/* Returns true if the next command is ahead of the call's time. */
static inline bool
cs_is_later(const struct streamer_batch *b)
{
	return b->at_ns > b->now.running_ns && b->probe == NULL;
}

/* Adds to the time at which the next command is due; ns: at most NSEC_MAX, as
 * that time is. */
static inline void
cs_spend(struct streamer_batch *b, nsec ns)
{
	b->at_ns = nsec_earlier(b->at_ns + ns, NSEC_MAX);
}

/* execute.c */

/* Set the answer and return CS_FAILED. why is static. */
enum cs_step cs_fault(
    struct streamer_batch *b, uint64_t address, const char *why);
enum cs_step cs_fault_ggtt(struct streamer_batch *b, uint64_t address);
enum cs_step cs_error(
    struct streamer_batch *b, const struct cs_command *c, const char *why);
/* Fetches the command at pc. False: it failed, the answer is set. */
bool cs_fetch_command(struct streamer_batch *b, struct cs_command *c);
/* Executes it, and goes on behind it. CS_LOOPS: it has jumped back. */
enum cs_step cs_execute(struct streamer_batch *b, const struct cs_command *c);

/* Fetches and executes a command; a loop that it closes is skipped if it can
 * be. */
enum cs_step cs_step(struct streamer_batch *b);

/* memory.c: all set the answer where they fail, and return false. */

/* Returns n dwords (at most CS_OPERANDS) of code, NULL where it fails. */
const uint32_t *cs_fetch_far(
    struct streamer_batch *b, uint64_t address, unsigned n);
bool cs_load(struct streamer_batch *b, uint64_t address, uint32_t *value);
bool cs_load_qword(struct streamer_batch *b, uint64_t address, uint64_t *value);
bool cs_store(struct streamer_batch *b, uint64_t address, uint32_t value);
bool cs_store_qword(struct streamer_batch *b, uint64_t address, uint64_t value);
/* Replaces what is at address, 4 or 8 bytes, by modify() of it; *old is what was
 * there. */
struct cs_change {
	unsigned op; /* of MI_ATOMIC */
	uint64_t operand, other;
};
bool cs_modify(struct streamer_batch *b, uint64_t address, unsigned size,
    uint64_t (*modify)(uint64_t old, unsigned size, const struct cs_change *),
    const struct cs_change *change, uint64_t *old);

static inline const uint32_t *
cs_fetch(struct streamer_batch *b, uint64_t address, unsigned n)
{
	uint64_t offset = address - b->code.address;

	if (offset < b->code.len && b->code.len - offset >= (size_t)n * 4)
		return (const uint32_t *)(void *)(b->code.host + offset);
	return cs_fetch_far(b, address, n);
}

/* registers.c */

/* How a command names a register ("Registers"). */
enum cs_naming {
	CS_ABSOLUTE,
	CS_RELATIVE, /* to the engine's base */
	CS_REMAPPED, /* RCS's own mean the engine's own */
};

uint32_t cs_get(struct streamer_batch *b, uint32_t reg, enum cs_naming naming);
void cs_set(struct streamer_batch *b, uint32_t reg, enum cs_naming naming,
    uint32_t value);
/* Returns true if reg counts the engine's time. */
bool cs_is_ring_time(
    const struct streamer_batch *b, uint32_t reg, enum cs_naming naming);
/* Returns true if reg changes while the batch does nothing. */
bool cs_is_clock(
    const struct streamer_batch *b, uint32_t reg, enum cs_naming naming);
/* Returns RING_TIMESTAMP at the time of the next command. */
uint64_t cs_ring_time(struct streamer_batch *b);
/* Returns CTX_TIMESTAMP at that time. */
uint32_t cs_context_time(struct streamer_batch *b);
/* Returns the registers at two offsets below CS_REGISTERS. */
static inline uint64_t
cs_own_qword(const struct streamer_context *context, uint32_t offset)
{
	return context->own[offset / 4] |
	    (uint64_t)context->own[offset / 4 + 1] << 32;
}

static inline void
cs_set_own_qword(
    struct streamer_context *context, uint32_t offset, uint64_t value)
{
	context->own[offset / 4] = (uint32_t)value;
	context->own[offset / 4 + 1] = (uint32_t)(value >> 32);
}

/* Executing commands. The caller goes on behind the command after CS_NEXT. */
typedef enum cs_step cs_execute_fn(
    struct streamer_batch *b, const struct cs_command *c);

/* mi.c: what is known of each opcode. */
struct cs_mi {
	cs_execute_fn *execute; /* NULL: unknown */
	uint8_t least7, least;  /* dwords at least: generation 7, later */
	uint8_t flags;          /* enum cs_mi_flag */
};
enum cs_mi_flag {
	CS_TIMELY = 1,   /* has an effect that is seen: not ahead of time */
	CS_HARMLESS = 2, /* may be in a loop that is skipped */
	CS_ALWAYS = 4,   /* executed whatever MI_SET_PREDICATE says */
};
extern const struct cs_mi cs_mi_table[N_MI_OPCODES];

cs_execute_fn cs_math;                      /* math.c */
cs_execute_fn cs_atomic;                    /* atomic.c */
cs_execute_fn cs_pipe_control, cs_flush_dw; /* post_sync.c */
/* Before the work of a COMPUTE_WALKER. False: its time has not come. */
bool cs_walker_begins(struct streamer_batch *b, const struct cs_command *c);
/* Behind it: writes what the walker is to write. CS_LATER: the batch walks on,
 * and comes back to the command when the work is done. */
enum cs_step cs_walker_ends(
    struct streamer_batch *b, const struct cs_command *c);
cs_execute_fn cs_batch_start, cs_batch_end, cs_conditional_end, cs_semaphore,
    cs_arb_check, cs_arb_on_off, cs_set_predicate, cs_predicate; /* flow.c */
/* Returns true if the batch would go on waiting at the semaphore at pc. */
bool cs_semaphore_rests(struct streamer_batch *b);
/* Returns true if MI_SET_PREDICATE makes a command nothing. */
bool cs_is_predicated_off(const struct streamer_batch *b);
cs_execute_fn cs_render, cs_blit;   /* work.c */
cs_execute_fn cs_video, cs_enhance; /* media.c */
/* Returns the bytes that a blit writes, and what writing them takes. */
uint64_t cs_blit_bytes(const struct cs_command *c);
nsec cs_blit_ns(const struct streamer_costs *costs, uint64_t bytes);

/* Counts a command that means nothing here. */
cs_execute_fn cs_unknown; /* counts.c */

/* loop.c */

/* The batch has jumped back to pc from there. Returns CS_LOOPS if it has nothing
 * to do now, else CS_JUMPED. */
enum cs_step cs_loop_jump(struct streamer_batch *b, uint64_t from);
/* Skips the turns before the time of the call, of the loop that the batch is
 * at. */
void cs_loop_skip(struct streamer_batch *b);
/* Returns true if a turn at the time of the call would stay in the loop, which
 * never ends by itself, and change no memory. */
bool cs_loop_rests(struct streamer_batch *b);
/* Returns true if its next turn would leave the loop. */
bool cs_loop_is_left(struct streamer_batch *b);

/* preempt.c */

/* Returns false if no point can be noted: the command must wait for its time. */
bool cs_may_note(const struct streamer_batch *b);
/* Notes that the batch can be preempted from that time until at_ns. */
void cs_note_point(struct streamer_batch *b, nsec from_ns);
/* Forgets the points before the time of the call. */
void cs_forget_points(struct streamer_batch *b);
/* The batch goes where no walk over its commands would: the last one is void. */
void cs_forget_walk(struct streamer_batch *b);

#endif
