/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marked pairs of sockets, watched for the hangup of the program's end. */
#include "device/serve/host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "base/watch.h"
#include "device/serve/guard.h"
#include "device/wire/mark.h"

#define RANDOM_AT_A_TIME 32

/* The device's end of a descriptor. */
struct host_end {
	struct fd_watch watch;
	struct host *host;
	struct chain_node by_token, by_inode; /* inode of the program's end */
};

struct host {
	struct i915_host i915;
	struct fd_watches *watches;
	const struct host_calls *ops;
	void *data;
	struct guard *guard; /* NULL: none */
	uint64_t cookie;
	struct chains tokens, inodes;
	uint64_t random[RANDOM_AT_A_TIME];
	unsigned n_random; /* not used yet */
};

static struct host *
host_of(struct i915_host *i915)
{
	return container_of(i915, struct host, i915);
}

static bool
fill_random(void *bytes, size_t size)
{
	return getrandom(bytes, size, 0) == (ssize_t)size;
}

/* Returns a random token, not 0 and not in use; 0, with errno: none. */
static uint64_t
new_token(struct host *h)
{
	for (;;) {
		uint64_t token;

		if (h->n_random == 0) {
			if (!fill_random(h->random, sizeof(h->random)))
				return 0;
			h->n_random = RANDOM_AT_A_TIME;
		}
		token = h->random[--h->n_random];
		if (token != 0 && chains_find(&h->tokens, NULL, token) == NULL)
			return token;
	}
}

static struct host_end *
end_of_token(struct host *h, uint64_t token)
{
	struct chain_node *node = chains_find(&h->tokens, NULL, token);

	return node != NULL ? container_of(node, struct host_end, by_token)
			    : NULL;
}

static struct host_end *
end_of_inode(struct host *h, uint64_t inode)
{
	struct chain_node *node = chains_find(&h->inodes, NULL, inode);

	return node != NULL ? container_of(node, struct host_end, by_inode)
			    : NULL;
}

static void
free_end(struct host_end *end)
{
	struct host *h = end->host;

	watches_remove(h->watches, &end->watch);
	close(end->watch.fd);
	chains_remove(&h->tokens, &end->by_token);
	chains_remove(&h->inodes, &end->by_inode);
	free(end);
}

/* A program's bytes are writes to a control file that the library did not
 * see. */
static void
end_ready(struct fd_watch *w, uint32_t events)
{
	struct host_end *end = container_of(w, struct host_end, watch);
	struct host *h = end->host;
	char bytes[4096];
	ssize_t n = read(w->fd, bytes, sizeof(bytes));

	if (n > 0)
		h->ops->written(h->data, end->by_token.n, bytes, (size_t)n);
	if ((events & (EPOLLHUP | EPOLLERR)) != 0) {
		/* The device closes the end, which is freed then. */
		watches_remove(h->watches, w);
		h->ops->hangup(h->data, end->by_token.n);
	} else if (n < 0 && errno != EAGAIN)
		watches_remove(h->watches, w);
}

void
host_look(struct host *h, uint64_t token)
{
	struct host_end *end = end_of_token(h, token);
	struct pollfd fd = {.events = POLLIN};

	if (end == NULL)
		return;
	fd.fd = end->watch.fd;
	/* The events of poll() are those of epoll. */
	if (poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR)) != 0)
		end_ready(&end->watch, (uint32_t)fd.revents);
}

/* Keeps the device's end of a pair. False, with errno. */
static bool
keep_end(struct host *h, uint64_t token, const int ends[2])
{
	struct host_end *end;
	struct stat st;

	if (fstat(ends[1], &st) < 0)
		return false;
	end = mem_calloc(1, sizeof(*end));
	end->host = h;
	end->watch = (struct fd_watch){.fd = ends[0], .ready = end_ready};
	end->by_token.n = token;
	end->by_inode.n = st.st_ino;
	if (!watches_add(h->watches, &end->watch, EPOLLIN)) {
		free(end);
		return false;
	}
	chains_add(&h->tokens, &end->by_token);
	chains_add(&h->inodes, &end->by_inode);
	return true;
}

static int
make_mark(struct i915_host *i915, char kind, uint32_t minor, uint64_t *token)
{
	struct host *h = host_of(i915);
	struct wire_mark mark = {.cookie = h->cookie,
	    .token = new_token(h),
	    .minor = minor,
	    .kind = kind};
	int ends[2], error;

	if (mark.token == 0 || !wire_marked_pair(&mark, ends))
		return -errno;
	if (!keep_end(h, mark.token, ends)) {
		error = errno;
		close(ends[0]);
		close(ends[1]);
		return -error;
	}
	*token = mark.token;
	return ends[1];
}

static void
signal_mark(struct i915_host *i915, uint64_t token)
{
	struct host_end *end = end_of_token(host_of(i915), token);

	/* If the program has closed its end, the hangup is on its way. */
	if (end != NULL)
		send(end->watch.fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* A program that reads no events loses them. */
static void
send_mark(
    struct i915_host *i915, uint64_t token, const void *bytes, size_t size)
{
	struct host_end *end = end_of_token(host_of(i915), token);

	if (end != NULL)
		send(end->watch.fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void
close_mark(struct i915_host *i915, uint64_t token)
{
	struct host_end *end = end_of_token(host_of(i915), token);

	if (end != NULL)
		free_end(end);
}

/* Opens a file that a process has open, memory of an object perhaps. Others than
 * regular files are not opened: that could block, or ring a bell. */
static int
open_passed(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns a duplicate of a process's eventfd, which has no path to be opened by;
 * -1: it is none, or Linux is before 5.6. */
static int
take_eventfd(const char *path, pid_t pid, int fd)
{
	static const char name[] = "anon_inode:[eventfd]";
	char link[sizeof(name)];
	ssize_t n = readlink(path, link, sizeof(link));
	int process, taken;

	if (n != sizeof(name) - 1 || memcmp(link, name, sizeof(name) - 1) != 0)
		return -1;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return -1;
	taken = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	close(process);
	return taken;
}

static int
look_at_passed(
    struct i915_host *i915, uint32_t pid, int fd, struct i915_passed *passed)
{
	struct host *h = host_of(i915);
	const struct host_end *end;
	char path[64];
	struct stat st;
	bool known;

	*passed = (struct i915_passed){.fd = -1};
	snprintf(path, sizeof(path), "/proc/%u/fd/%d", (unsigned)pid, fd);
	/* The file may be of a file system that a program serves. */
	guard_begin(h->guard, (pid_t)pid);
	known = fd >= 0 && stat(path, &st) == 0;
	if (known && S_ISREG(st.st_mode))
		passed->fd = open_passed(path);
	guard_end(h->guard);
	if (!known)
		return -EBADF;
	if (S_ISSOCK(st.st_mode)) {
		end = end_of_inode(h, st.st_ino);
		passed->token = end != NULL ? end->by_token.n : 0;
	} else if (!S_ISREG(st.st_mode))
		passed->fd = take_eventfd(path, (pid_t)pid, fd);
	return 0;
}

static uint64_t
token_of_inode(struct i915_host *i915, uint64_t inode)
{
	const struct host_end *end = end_of_inode(host_of(i915), inode);

	return end != NULL ? end->by_token.n : 0;
}

/* Arguments end with a zero each. */
static void
add_command(struct i915_host *i915, uint32_t pid, struct text *command)
{
	char path[64], arguments[4096];
	ssize_t n = -1;
	int fd;

	(void)i915;
	snprintf(path, sizeof(path), "/proc/%u/cmdline", (unsigned)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, arguments, sizeof(arguments));
		close(fd);
	}
	while (n > 0 && arguments[n - 1] == '\0')
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (arguments[i] == '\0')
			arguments[i] = ' ';
	if (n > 0)
		text_add_visible(command, arguments, (size_t)n);
}

static const struct i915_host_ops host_ops = {
    .mark = make_mark,
    .signal = signal_mark,
    .send = send_mark,
    .close = close_mark,
    .passed = look_at_passed,
    .inode = token_of_inode,
    .command = add_command,
};

struct host *
host_new(struct fd_watches *ws, const struct host_calls *ops, void *data)
{
	struct host *h = mem_calloc(1, sizeof(*h));

	if (!fill_random(&h->cookie, sizeof(h->cookie))) {
		free(h);
		return NULL;
	}
	h->i915.ops = &host_ops;
	h->watches = ws;
	h->ops = ops;
	h->data = data;
	return h;
}

static void
end_gone(struct chain_node *node)
{
	struct host_end *end = container_of(node, struct host_end, by_token);

	watches_remove(end->host->watches, &end->watch);
	close(end->watch.fd);
	free(end);
}

void
host_free(struct host *h)
{
	if (h == NULL)
		return;
	chains_sweep(&h->tokens, NULL, NULL, end_gone);
	chains_free(&h->tokens);
	chains_free(&h->inodes);
	free(h);
}

void
host_watch_copies(struct host *h, struct guard *guard)
{
	h->guard = guard;
}

struct i915_host *
host_i915(struct host *h)
{
	return &h->i915;
}

uint64_t
host_cookie(const struct host *h)
{
	return h->cookie;
}
