/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins a served device. Waits for its answers, as the preload library does. */
#include "device/serve/join.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "device/serve/address.h"
#include "device/wire/wire.h"

/* Appends the names of the served devices, as "0, 1". */
static void
add_served(struct text *out)
{
	struct text names = {0};

	if (address_list(&names) == 0)
		text_adds(&names, "none\n");
	for (char *p = names.data; *p != 0; p += strcspn(p, "\n") + 1)
		text_addf(out, "%s%.*s", p == names.data ? "" : ", ",
		    (int)strcspn(p, "\n"), p);
	text_free(&names);
}

bool
join_choose(const char *asked, struct text *name, struct text *err)
{
	const char *usual = getenv("GPUWL_DEVICE");
	unsigned n;

	text_clear(name);
	if (asked == NULL && usual != NULL && *usual != 0)
		asked = usual;
	if (asked != NULL) {
		text_adds(name, asked);
		return true;
	}
	n = address_list(name);
	if (n <= 1) {
		name->len -= n; /* its newline */
		if (n == 1)
			name->data[name->len] = 0;
		return true;
	}
	text_adds(err, "several devices are served: ");
	add_served(err);
	text_adds(err,
	    ": choose one with --connect=NAME or GPUWL_DEVICE, or a new one "
	    "with --own");
	return false;
}

/* True if the process is stopped by a signal, as Ctrl-Z does. */
static bool
is_stopped(pid_t pid)
{
	char path[40], text[300] = "";
	const char *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	if (fgets(text, sizeof(text), f) == NULL)
		text[0] = 0;
	fclose(f);
	/* The name before it, in brackets, may have any characters. */
	state = strrchr(text, ')');
	return state != NULL && state[1] == ' ' && state[2] == 'T';
}

/* Says which process is waited for, and why it may not answer. */
static void
say_wait(const struct joined *j)
{
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);
	struct text line = {0};

	getsockopt(j->socket, SOL_SOCKET, SO_PEERCRED, &peer, &len);
	text_adds(&line, "waiting for the device '");
	text_add_visible(&line, j->name, strlen(j->name));
	if (is_stopped(peer.pid))
		text_addf(&line,
		    "': its process %ld is stopped: continue it with fg in its "
		    "shell, or with kill -CONT %ld",
		    (long)peer.pid, (long)peer.pid);
	else
		text_addf(&line, "': its process %ld has not answered yet",
		    (long)peer.pid);
	j->waits(text_str(&line));
	text_free(&line);
}

#define PATIENCE_MS 900

/* Waits for an answer, and says so if it takes long. */
static void
await_answer(const struct joined *j)
{
	struct pollfd fd = {.fd = j->socket, .events = POLLIN};

	if (j->waits != NULL && poll(&fd, 1, PATIENCE_MS) == 0)
		say_wait(j);
}

/* Sends a request without an argument, and receives the answer's text. False,
 * with errno: there is none. */
static bool
ask_device(const struct joined *j, enum wire_kind kind, uint64_t number,
    struct wire_reply *rp, struct text *answer)
{
	static char bytes[WIRE_MAX_BYTES];
	struct wire_request rq = {
	    .version = WIRE_VERSION, .kind = (uint16_t)kind, .number = number};
	struct iovec parts[] = {{rp, sizeof(*rp)}, {bytes, sizeof(bytes)}};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};
	ssize_t n;

	/* A refusal may have been sent before the request. */
	if (send(j->socket, &rq, sizeof(rq), MSG_NOSIGNAL) < 0 &&
	    errno != EPIPE)
		return false;
	await_answer(j);
	while ((n = recvmsg(j->socket, &msg, 0)) < 0 && errno == EINTR)
		continue;
	if (n < (ssize_t)sizeof(*rp)) {
		errno = n < 0 ? errno : ECONNRESET;
		return false;
	}
	text_add(answer, bytes, (size_t)n - sizeof(*rp));
	return true;
}

/* Says why there is no connection. */
static void
explain_failure(
    const char *name, const struct text *path, int error, struct text *err)
{
	text_adds(err, "the device '");
	text_add_visible(err, name, strlen(name));
	if (error == ENOENT) {
		text_adds(err, "' is gone, or was never served: served now: ");
		add_served(err);
	} else if (error == ECONNREFUSED)
		text_addf(err,
		    "' is gone: nothing listens at %s any more (its process "
		    "was killed)",
		    text_str(path));
	else if (error == ECONNRESET)
		text_adds(err, "' is gone: it ended without an answer");
	else
		text_addf(err, "' can't be used: %s: %s", text_str(path),
		    strerror(error));
}

/* Connects to j->path. False, with errno. */
static bool
connect_socket(struct joined *j)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (j->path.len >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(address.sun_path, text_str(&j->path), j->path.len + 1);
	j->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return j->socket >= 0 &&
	    connect(j->socket, (struct sockaddr *)&address, sizeof(address)) ==
	    0;
}

bool
join_device(struct joined *j, const char *name, void (*waits)(const char *line),
    struct text *err)
{
	struct wire_reply rp = {0};

	*j = (struct joined){.socket = -1, .name = name, .waits = waits};
	if (!address_of(name, &j->path, err))
		return false;
	if (connect_socket(j) && ask_device(j, WIRE_JOIN, 0, &rp, &j->root)) {
		if (rp.result == 0)
			return true;
		text_addf(err, "the device '%s' refuses: ", name);
		text_add_visible(err, text_str(&j->root), j->root.len);
	} else
		explain_failure(name, &j->path, errno, err);
	join_close(j);
	return false;
}

bool
join_summary(struct joined *j, struct text *lines)
{
	struct wire_reply rp;
	size_t from = lines->len, had;

	do {
		had = lines->len;
		if (!ask_device(j, WIRE_SUMMARY, had - from, &rp, lines))
			return false;
	} while (rp.size == WIRE_MAX_BYTES);
	return true;
}

void
join_close(struct joined *j)
{
	if (j->socket >= 0)
		close(j->socket);
	j->socket = -1;
	text_free(&j->path);
	text_free(&j->root);
}
