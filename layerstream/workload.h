/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads: what is known of one when it is recorded, the message that says
 * so, and the same in words (doc/layer.md "Workloads", "Messages").
 */
#ifndef LAYERSTREAM_WORKLOAD_H
#define LAYERSTREAM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/annotation.h"

struct text;

/* In place of a number. */
#define WORKLOAD_UNKNOWN (-1)
#define WORKLOAD_WHOLE   (-2) /* fills a whole buffer */

enum workload_type {
	WORKLOAD_RENDERPASS,
	WORKLOAD_DISPATCH,
	WORKLOAD_TRACERAYS,
	WORKLOAD_BUFFER_TRANSFER,
	WORKLOAD_IMAGE_TRANSFER,
	WORKLOAD_STRUCTURE_BUILD,    /* of an acceleration structure */
	WORKLOAD_STRUCTURE_TRANSFER, /* of one, or of a micromap */
	WORKLOAD_DATA_GRAPH,
	N_WORKLOAD_TYPES
};

enum transfer {
	TRANSFER_NONE,
	TRANSFER_COPY_BUFFER,
	TRANSFER_FILL_BUFFER,
	TRANSFER_COPY_IMAGE,
	TRANSFER_CLEAR_IMAGE,
	TRANSFER_BUFFER_TO_IMAGE,
	TRANSFER_IMAGE_TO_BUFFER,
	TRANSFER_MEMORY_TO_IMAGE,
	TRANSFER_BLIT_IMAGE,
	TRANSFER_RESOLVE_IMAGE,
	TRANSFER_MIPMAPS,
	TRANSFER_COPY_MEMORY,
	TRANSFER_COPY_TENSOR,
	TRANSFER_COPY_QUERY,
	TRANSFER_STRUCTURE,
	TRANSFER_STRUCTURE_TO_MEMORY,
	TRANSFER_MEMORY_TO_STRUCTURE,
	TRANSFER_MICROMAP,
	TRANSFER_MICROMAP_TO_MEMORY,
	TRANSFER_MEMORY_TO_MICROMAP,
	TRANSFER_FAST_BUILD, /* kinds of builds */
	TRANSFER_FAST_TRACE,
	N_TRANSFERS
};

/* The parameters of a workload, or of a part of a suspended render pass. */
struct workload_info {
	enum workload_type type;
	enum transfer transfer;
	int64_t size[3]; /* pixels: width, height; or groups; or rays */
	int64_t amount;  /* bytes or pixels of a transfer; primitives */
	int64_t draws;   /* of a render pass, or of a part */
	uint32_t subpasses;
	uint32_t local[3]; /* group size of a dispatch; 0: unknown */
	bool indirect;     /* size is known only when it has run */
	bool update;       /* a build changes one that was built before */
	uint32_t weight;   /* share of its batch's time, at least 1 */
	uint8_t n_attachments;
	struct attachment attachments[ANNOTATION_ATTACHMENTS];
};

/* A recorded workload. It does not change. */
struct layer_workload {
	struct layer_workload *next; /* of its recording */
	uint64_t tag;                /* 0: a resumed part of a pass */
	struct workload_info info;
	/* The pass ends in another recording. Its draws are known when it is
	 * played; info.draws are the first part's. */
	bool split;
	/* The whole message, of `bytes` bytes, its JSON at the end
	 * (message_header()), and behind it, of `resolved` bytes, the JSON of
	 * what becomes known of an indirect one. The number of a pass's draws
	 * is at draws_at. */
	uint32_t bytes, resolved;
	uint32_t draws_at, draws_len;
	uint8_t *message;
};

/* A recorded label. */
struct label {
	struct label *next;
	uint32_t len; /* of json */
	char json[];  /* with its quotes */
};

/* Names as in the JSON: "renderpass", ...; "Copy buffer", ..., NULL for
 * TRANSFER_NONE; "C0" to "C7", "D", "S". */
const char *workload_type_name(enum workload_type type);
const char *transfer_name(enum transfer transfer);
const char *binding_name(unsigned binding);
/* The place of an attachment in a list: colours, what they are resolved into,
 * depth, stencil. Below ATTACHMENT_RANKS. */
unsigned attachment_rank(const struct attachment *a);
#define ATTACHMENT_RANKS (2u * N_ATTACHMENT_BINDINGS)

/* Builds w->message from the rest of w. */
void workload_build_message(struct layer_workload *w);
/* Appends a line like "Frame > Shadow > renderpass 1920x1080 42 draws". labels
 * is a JSON array of strings, zero terminated. */
void workload_describe(
    const struct workload_info *info, const char *labels, struct text *out);

#endif
