/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who hangs too often is banned (doc/model/hangs.md "Bans"). Pure
 * accounting: what becomes of a banned context's requests is reset.c's.
 *
 * A banned context's execbufs fail with -EIO; its client goes on with its next
 * step. A banned client can make no contexts: those that it has go on, but it
 * cannot be given another program, whose contexts would be new.
 */
#ifndef ENGINE_HANG_BAN_H
#define ENGINE_HANG_BAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct context;
struct sim;

/* Of a context; zeroed at first. */
struct ban_context {
	uint32_t guilty;      /* resets that it was to blame for */
	uint32_t active : 31; /* resets while it ran, but was innocent */
	uint32_t banned : 1;
	nsec *hang_ns; /* the last hangs but one, and the last; NULL: none */
};

/* Of a client; likewise. */
struct ban_client {
	uint32_t hangs;
	uint32_t score; /* 3 for each ban of a context, 1 for each hang soon
			   after another */
	nsec hang_ns;   /* the last one */
	bool banned;
};

/* Frees what it holds, not itself. */
void ban_free(struct ban_context *b);
/* A context is guilty of a hang now. Says who is banned by that. */
void ban_blame(struct sim *sim, struct context *context, bool *context_banned,
    bool *client_banned);

#endif
