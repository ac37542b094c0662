/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of one workload when it is recorded, and the message that
 * says so, built then (doc/layer.md "Workloads", "Messages").
 */
#ifndef LAYERSTREAM_WORKLOAD_H
#define LAYERSTREAM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/annotation.h"

/* Instead of a number. */
#define WORKLOAD_UNKNOWN (-1)
#define WORKLOAD_WHOLE   (-2) /* a fill of a whole buffer */

enum workload_type {
	WORKLOAD_RENDERPASS,
	WORKLOAD_DISPATCH,
	WORKLOAD_TRACERAYS,
	WORKLOAD_BUFFER_TRANSFER,
	WORKLOAD_IMAGE_TRANSFER,
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
	N_TRANSFERS
};

/* What a workload is asked to be. */
struct workload_info {
	enum workload_type type;
	enum transfer transfer;
	int64_t size[3]; /* pixels: width, height; or groups; or rays */
	int64_t amount;  /* of a transfer: bytes or pixels */
	int64_t draws;   /* of a render pass, or a part of one */
	uint32_t subpasses;
	uint32_t local[3]; /* size of a dispatch's group, 0: unknown */
	bool indirect;     /* size is known only when it has run */
	uint32_t weight;   /* share of its batch's time, at least 1 */
	uint8_t n_attachments;
	struct attachment attachments[ANNOTATION_ATTACHMENTS];
};

/* One that was recorded: never changes from then on. */
struct layer_workload {
	struct layer_workload *next; /* of its recording */
	uint64_t tag;                /* 0: a part of a pass that goes on */
	struct workload_info info;
	/* A pass that did not end in the recording in which it began: its
	 * draws are known when it is played; info.draws are the first part's. */
	bool split;
	/* The whole message, its JSON at the end (message_header). Where in it
	 * the number of a pass's draws stands; behind it the JSON of what
	 * becomes known of an indirect one. */
	uint32_t bytes, resolved;
	uint32_t draws_at, draws_len;
	uint8_t *message;
};

struct label {
	struct label *next;
	uint32_t len; /* of json */
	char json[];  /* with its quotes */
};

/* As in the JSON: "renderpass", ... and "Copy buffer", ...; NULL for none. */
const char *workload_type_name(enum workload_type type);
const char *transfer_name(enum transfer transfer);
/* "C0" ... "C7", "D", "S". */
const char *binding_name(unsigned binding);
/* Their order: colours, what they are resolved into, then depth and stencil. */
unsigned attachment_rank(const struct attachment *a);
#define ATTACHMENT_RANKS (2u * N_ATTACHMENT_BINDINGS)
/* The size in items, where groups and group size are known: groups times
 * group size; of rays the rays. False if not. */
bool workload_items(const struct workload_info *info, int64_t items[3]);

#endif
