/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients of a GPU that are other programs', as /proc shows them to this user
 * (doc/model/libdrm.md "Other programs"). Finding them walks over the descriptors
 * of all processes, which takes long on a machine with many: a piece at a time.
 * To read those that are known is cheap.
 */
#ifndef DEVICE_HARDWARE_FOREIGN_H
#define DEVICE_HARDWARE_FOREIGN_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/nsec.h"
#include "base/text.h"
#include "parser/engine_name.h"

/* Looks that are kept, one bit each. */
#define FOREIGN_LOOKS 64

/* A client of the driver: an open file of the GPU, of one or several
 * processes. */
struct foreign_client {
	uint64_t id;
	pid_t pid;     /* of the process in which it was found first */
	int fd;        /* there */
	char name[32]; /* of the process, visible characters only */
	/* By class: since its file was opened; when it was found; and between the
	 * last two looks. */
	nsec busy_ns[N_CLASSES], found_ns[N_CLASSES], used_ns[N_CLASSES];
	/* Looks in which it had used the class: bit 0 is the last. */
	uint64_t looks[N_CLASSES];
	bool has_class[N_CLASSES];
};

struct foreign {
	struct foreign_client *list; /* in the order of finding */
	size_t n;
	/* Processes of other users, whose descriptors cannot be looked at, in
	 * the walk that was completed last. */
	size_t n_hidden;
	bool complete;        /* a walk was completed */
	nsec at_ns, since_ns; /* of the last look, and of the one before */
	/* Times of the run at the last looks, a ring by number. */
	nsec times[FOREIGN_LOOKS];
	uint64_t n_looks;
	/* Private. */
	size_t cap;
	const char *proc;
	char address[24];
	uint64_t own_id;
	DIR *walk; /* NULL: none has begun */
	size_t n_hidden_yet;
	nsec walked_ns;
};

/* Begins, without clients. proc: PROC, or a folder like it, valid until
 * foreign_free(). address: of the GPU ("0000:00:02.0"). own_id: of the client
 * that is no other program's. */
void foreign_init(
    struct foreign *f, const char *proc, const char *address, uint64_t own_id);
void foreign_free(struct foreign *f);

/* Goes on with a walk, or begins one if the last one is long ago, until some
 * descriptors have been looked at, or its end. now: ns of any clock. */
void foreign_find(struct foreign *f, nsec now, size_t descriptors);
/* Makes a whole walk, however short ago the last one was. */
void foreign_find_all(struct foreign *f, nsec now);
/* Reads all clients again; those whose files were closed are dropped. time: of the
 * run, as foreign_add_users() is asked for. */
void foreign_read(struct foreign *f, nsec now, nsec time);

/* Appends "gem_wsim (pid 4711), Xorg (pid 812)": clients that used a class in [from,
 * to) of the run, by looks that cover part of it; nothing if there was none, or that
 * is too long ago. The last look counts for the time since. */
void foreign_add_users(const struct foreign *f, unsigned class, nsec from,
    nsec to, struct text *out);
/* Appends the same of one client. */
void foreign_add_name(const struct foreign_client *c, struct text *out);
/* Returns the share of an engine's time that a client had of a class between the
 * last two looks: two engines all the time are 2. */
float foreign_share(
    const struct foreign *f, const struct foreign_client *c, unsigned class);

#endif
