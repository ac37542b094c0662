/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections of a virtual i915, a thread each, with one request at a time. */
#include "device/serve/server.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "base/watch.h"
#include "device/i915/i915.h"
#include "device/serve/address.h"
#include "device/serve/guard.h"
#include "device/serve/host.h"
#include "device/serve/process.h"
#include "device/turns/turns.h"
#include "device/wire/channel.h"

/* Requests of one connection before others have their turn. */
#define REQUESTS_IN_A_ROW 16
/* Threads of all programs; further ones are refused. */
#define MAX_CONNECTIONS 16384

struct served_thread {
	struct fd_watch watch;
	struct server *server;
	struct served_thread *next, **at; /* in its server's list */
	struct ucred peer;
	struct i915_caller caller; /* memory NULL: before HELLO */
	bool joined;               /* of a process that starts programs */
	bool unwelcome;            /* refused when it speaks */
	bool privileged;           /* has all capabilities */
	struct turn_thread *turn;  /* in virtual time, after HELLO; else NULL */
	bool dead;                 /* to be freed when its request is served */
	bool busy;                 /* its request is being served */
};

struct server {
	const struct server_ops *ops;
	void *data;
	bool privileged;
	struct listener listener;
	struct fd_watch accepts;
	bool deaf; /* accepts none, for want of descriptors */
	struct fd_watches *watches;
	struct host *host;
	struct i915 *dev;
	struct turn_order *turns; /* NULL: real time */
	struct turns_ops turns_ops;
	struct turns_costs costs; /* of turns */
	struct guard *guard; /* NULL: no program has come, or there is none */
	struct served_thread *connections;
	size_t n_connections;
	/* The argument of the request being served. */
	_Alignas(uint64_t) unsigned char argument[WIRE_MAX_BYTES];
};

static void __attribute__((format(printf, 2, 3)))
report(const struct server *s, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&line, fmt, ap);
	va_end(ap);
	s->ops->problem(s->data, text_str(&line));
	text_free(&line);
}

static void
free_thread(struct served_thread *c)
{
	struct server *s = c->server;

	if (s->dev != NULL && c->caller.memory != NULL)
		i915_caller_gone(s->dev, &c->caller);
	if (c->joined)
		s->ops->runs->leave(s->data, (long)c->peer.pid);
	if (c->turn != NULL)
		turns_lose(s->turns, c->turn);
	watches_remove(s->watches, &c->watch);
	close(c->watch.fd);
	if (c->caller.memory != NULL)
		process_memory_put(c->caller.memory);
	*c->at = c->next;
	if (c->next != NULL)
		c->next->at = c->at;
	s->n_connections--;
	if (s->deaf)
		s->deaf = !watches_add(s->watches, &s->accepts, EPOLLIN);
	free(c);
}

/* Ends a connection, at once or after the request that is being served. */
static void
drop_thread(struct served_thread *c)
{
	c->dead = true;
	if (!c->busy)
		free_thread(c);
}

/* A program that does not read its answers has broken the protocol. */
static void
send_answer(struct served_thread *c, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	if (!c->dead && !wire_answer(c->watch.fd, rp, bytes, fd))
		c->dead = true;
	if (fd >= 0)
		close(fd);
}

static void
answer(struct served_thread *c, const struct wire_reply *rp, const void *bytes,
    int fd)
{
	if (c->turn != NULL)
		turns_answer(c->server->turns, c->turn, rp, bytes, fd);
	else
		send_answer(c, rp, bytes, fd);
}

static void
send_in_turn(
    void *owner, const struct wire_reply *rp, const void *bytes, int fd)
{
	struct served_thread *c = owner;

	send_answer(c, rp, bytes, fd);
	if (c->dead && !c->busy)
		shutdown(c->watch.fd, SHUT_RDWR);
}

static void
hang_up(void *owner)
{
	const struct served_thread *c = owner;

	shutdown(c->watch.fd, SHUT_RDWR);
}

static void
reply_of_device(struct i915_caller *caller, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	struct served_thread *c = container_of(
	    caller, struct served_thread, caller);

	answer(c, rp, bytes, fd);
	if (c->dead && !c->busy)
		/* Found by its hangup; the device is not done with it yet. */
		shutdown(c->watch.fd, SHUT_RDWR);
}

/* Refuses a connection with a text, which the library prints. */
static void
refuse_thread(struct served_thread *c, int error, const struct text *why)
{
	struct wire_reply rp = {.result = -error, .size = (uint32_t)why->len};

	report(c->server, "process %ld is refused: %s", (long)c->peer.pid,
	    text_str(why));
	answer(c, &rp, text_str(why), -1);
	c->dead = true;
}

static void
refuse_version(struct served_thread *c, unsigned version)
{
	struct text why = {0};

	text_addf(&why,
	    "the preload library speaks version %u of the protocol, this "
	    "device %d: use both of one release",
	    version, WIRE_VERSION);
	refuse_thread(c, EPROTO, &why);
	text_free(&why);
}

static void
welcome(struct served_thread *c)
{
	struct server *s = c->server;
	struct wire_welcome welcome = {.cookie = host_cookie(s->host),
	    .pid = (uint32_t)getpid(),
	    .submit_ns = s->costs.submit_ns,
	    .wakeup_ns = s->costs.wakeup_ns};
	struct wire_reply rp = {.size = sizeof(welcome)};

	answer(c, &rp, &welcome, -1);
}

/* Sets what a program may do, and reports by which process it was started. */
static void
set_rights(struct served_thread *c)
{
	const struct server *s = c->server;
	long run;

	c->privileged = s->privileged;
	run = process_run(c->peer.pid, &c->privileged);
	c->caller.capabilities = process_capabilities(
	    c->peer.pid, c->privileged);
	if (run > 0 && s->ops->runs != NULL)
		s->ops->runs->program(s->data, run, (long)c->peer.pid);
}

/* Answers with the text from offset on, as far as it fits. */
static void
answer_text(struct served_thread *c, const struct text *t, uint64_t offset)
{
	size_t left = offset < t->len ? t->len - (size_t)offset : 0;
	struct wire_reply rp = {
	    .size = left < WIRE_MAX_BYTES ? (uint32_t)left : WIRE_MAX_BYTES};

	answer(c, &rp, text_str(t) + (left > 0 ? offset : 0), -1);
}

/* Serves a process that starts programs. */
static void
serve_starter(struct served_thread *c, const struct wire_request *rq)
{
	struct server *s = c->server;
	struct text t = {0};

	if (rq->kind == WIRE_JOIN && !c->joined) {
		c->joined = true;
		s->ops->runs->join(s->data, (long)c->peer.pid, &t);
		answer_text(c, &t, 0);
	} else if (rq->kind == WIRE_SUMMARY && c->joined && s->dev != NULL) {
		i915_advance(s->dev, s->ops->advance(s->data));
		s->ops->runs->summary(s->data, (long)c->peer.pid, &t);
		answer_text(c, &t, rq->number);
	} else
		c->dead = true;
	text_free(&t);
}

/* The first request of a connection. */
static void
serve_hello(struct served_thread *c, const struct wire_request *rq)
{
	struct server *s = c->server;
	struct user_memory *memory;
	struct wire_hello hello = {0};
	struct text why = {0};
	enum probed probed;

	if (s->guard == NULL) {
		s->guard = guard_new();
		host_watch_copies(s->host, s->guard);
	}
	memory = process_memory(c->peer.pid, s->guard);
	if (rq->kind != WIRE_HELLO || rq->size != sizeof(hello) ||
	    s->dev == NULL) {
		text_adds(&why,
		    s->dev == NULL
			? "the device is ending"
			: "its first message is not the one that is expected");
		refuse_thread(c, ENODEV, &why);
		process_memory_put(memory);
		text_free(&why);
		return;
	}
	memcpy(&hello, s->argument, sizeof(hello));
	probed = process_probe(memory, hello.address, hello.value, &why);
	switch (probed) {
	case PROBED:
		c->caller.pid = (uint32_t)c->peer.pid;
		c->caller.tid = hello.tid;
		memcpy(c->caller.name, hello.name, sizeof(c->caller.name) - 1);
		set_rights(c);
		c->caller.memory = memory;
		c->caller.reply = reply_of_device;
		if (s->turns != NULL)
			c->turn = turns_join(s->turns, c->peer.pid, &hello, c);
		welcome(c);
		break;
	case PROBE_REFUSED: refuse_thread(c, EPERM, &why); break;
	case PROBE_ENDED: c->dead = true; break;
	}
	if (probed != PROBED)
		process_memory_put(memory);
	text_free(&why);
}

/* A process that gives up its user keeps its connection. */
static void
serve_rights(struct served_thread *c)
{
	struct wire_reply rp = {0};

	c->caller.capabilities = process_capabilities(
	    c->peer.pid, c->privileged);
	answer(c, &rp, NULL, -1);
}

/* Refuses a program of another user. */
static void
refuse_user(struct served_thread *c)
{
	struct text why = {0};

	text_addf(&why,
	    "it is of user %ld: only programs of the same user and of root are "
	    "served",
	    (long)c->peer.uid);
	refuse_thread(c, EACCES, &why);
	text_free(&why);
}

static void
call_device(struct served_thread *c, const struct wire_request *rq)
{
	struct server *s = c->server;

	if (rq->kind == WIRE_RIGHTS) {
		serve_rights(c);
		return;
	}
	i915_advance(s->dev, s->ops->advance(s->data));
	if (rq->kind == WIRE_STAT && rq->token != 0)
		host_look(s->host, rq->token);
	i915_call(s->dev, &c->caller, rq, s->argument);
}

static void
serve_request(struct served_thread *c, const struct wire_request *rq)
{
	struct server *s = c->server;

	if (c->unwelcome)
		refuse_user(c);
	else if (c->caller.waiter != NULL && rq->kind != WIRE_CANCEL) {
		report(s, "process %ld: a second call while one waits",
		    (long)c->peer.pid);
		c->dead = true;
	} else if (rq->version != WIRE_VERSION)
		refuse_version(c, rq->version);
	else if (c->joined ||
	    (rq->kind == WIRE_JOIN && c->caller.memory == NULL &&
		s->dev != NULL && s->ops->runs != NULL))
		serve_starter(c, rq);
	else if (c->caller.memory == NULL)
		serve_hello(c, rq);
	else if (s->dev == NULL)
		c->dead = true;
	else if (c->turn == NULL)
		call_device(c, rq);
	else {
		if (!turns_serve(s->turns, c->turn, rq, s->argument))
			call_device(c, rq);
		turns_served(s->turns, c->turn);
	}
}

/* Serves what a thread has sent. */
static void
thread_ready(struct fd_watch *w, uint32_t events)
{
	struct served_thread *c = container_of(w, struct served_thread, watch);
	struct server *s = c->server;
	struct wire_request rq;
	/* In turns, the next one comes after an answer. */
	int most = s->turns != NULL ? 1 : REQUESTS_IN_A_ROW;

	(void)events;
	for (int i = 0; i < most && !c->dead; i++) {
		int got = wire_receive(
		    w->fd, &rq, s->argument, sizeof(s->argument));

		if (got < 0 && errno == EAGAIN)
			return;
		if (got < 0 && errno == EPROTO)
			report(s, "process %ld: a message is cut off",
			    (long)c->peer.pid);
		if (got <= 0) {
			c->dead = true;
			break;
		}
		c->busy = true;
		serve_request(c, &rq);
		c->busy = false;
	}
	if (c->dead)
		drop_thread(c);
}

/* True if that user's programs are served. */
static bool
is_welcome(const struct ucred *peer)
{
	return peer->uid == geteuid() || peer->uid == 0;
}

static void
add_thread(struct server *s, int fd)
{
	struct served_thread *c = mem_calloc(1, sizeof(*c));
	socklen_t len = sizeof(c->peer);
	bool known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c->peer, &len) ==
	    0;

	c->server = s;
	c->watch = (struct fd_watch){.fd = fd, .ready = thread_ready};
	c->unwelcome = !is_welcome(&c->peer);
	if (!known || s->n_connections >= MAX_CONNECTIONS ||
	    !watches_add(s->watches, &c->watch, EPOLLIN)) {
		report(s,
		    "process %ld is refused: at most %d threads of programs "
		    "are served",
		    (long)c->peer.pid, MAX_CONNECTIONS);
		close(fd);
		free(c);
		return;
	}
	c->next = s->connections;
	c->at = &s->connections;
	if (c->next != NULL)
		c->next->at = &c->next;
	s->connections = c;
	s->n_connections++;
}

static void
accept_ready(struct fd_watch *w, uint32_t events)
{
	struct server *s = container_of(w, struct server, accepts);
	int fd = accept4(w->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (fd >= 0)
		add_thread(s, fd);
	else if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) {
		report(s, "can't accept a program: %s", strerror(errno));
		watches_remove(s->watches, &s->accepts);
		s->deaf = true;
	}
}

static void
mark_hangup(void *data, uint64_t token)
{
	struct server *s = data;

	if (s->turns != NULL && turns_hangup(s->turns, token))
		return;
	if (s->dev == NULL)
		return;
	i915_advance(s->dev, s->ops->advance(s->data));
	i915_hangup(s->dev, token);
}

static void
mark_written(void *data, uint64_t token, const void *bytes, size_t size)
{
	struct server *s = data;

	if (s->dev == NULL)
		return;
	i915_advance(s->dev, s->ops->advance(s->data));
	i915_written(s->dev, token, bytes, size);
}

static const struct host_calls mark_calls = {mark_hangup, mark_written};

/* Makes what a server waits with. False, with errno. */
static bool
open_watches(struct server *s)
{
	s->watches = watches_new();
	if (s->watches == NULL)
		return false;
	s->host = host_new(s->watches, &mark_calls, s);
	s->accepts = (struct fd_watch){
	    .fd = s->listener.socket, .ready = accept_ready};
	return s->host != NULL && watches_add(s->watches, &s->accepts, EPOLLIN);
}

struct server *
server_open(const char *name, bool privileged, const struct server_ops *ops,
    void *data, struct text *err)
{
	struct server *s = mem_calloc(1, sizeof(*s));

	s->ops = ops;
	s->data = data;
	s->privileged = privileged;
	if (!listener_open(&s->listener, name, err)) {
		free(s);
		return NULL;
	}
	if (open_watches(s))
		return s;
	text_addf(err, "can't serve a device: %s", strerror(errno));
	server_close(s);
	return NULL;
}

void
server_close(struct server *s)
{
	if (s == NULL)
		return;
	s->dev = NULL;
	while (s->connections != NULL)
		free_thread(s->connections); /* NOLINT: it is unlinked */
	turns_free(s->turns);
	host_free(s->host);
	watches_free(s->watches);
	guard_free(s->guard);
	listener_close(&s->listener);
	free(s);
}

struct i915_host *
server_host(struct server *s)
{
	return host_i915(s->host);
}

void
server_attach(struct server *s, struct i915 *dev)
{
	s->dev = dev;
}

struct turn_order *
server_turns(struct server *s, const struct server_turns *how)
{
	s->turns_ops = (struct turns_ops){.send = send_in_turn,
	    .hang_up = hang_up,
	    .next = how->next,
	    .advance = how->advance,
	    .pauses = how->pauses};
	s->costs = how->costs;
	s->turns = turns_new(s->watches, host_i915(s->host), &s->turns_ops,
	    s->data, how->now_ns, &s->costs);
	return s->turns;
}

const char *
server_path(const struct server *s)
{
	return s->listener.path;
}

int
server_fd(const struct server *s)
{
	return watches_fd(s->watches);
}

/* Reports a program that the guard has ended. */
static void
report_ended(const struct server *s)
{
	pid_t holder = 0, pid = guard_ended(s->guard, &holder);

	if (pid != 0)
		report(s,
		    "process %ld was killed: the device waited a second for its "
		    "memory or a file, which a process serves (userfaultfd, "
		    "FUSE)",
		    (long)pid);
	if (holder != 0)
		report(s,
		    "process %ld was killed: it kept page faults of process "
		    "%ld waiting (userfaultfd)",
		    (long)holder, (long)pid);
}

bool
server_work(struct server *s, unsigned max_requests)
{
	bool any = watches_work(s->watches, max_requests) > 0;

	report_ended(s);
	return any;
}

bool
server_wait(struct server *s, int ms)
{
	return watches_wait(s->watches, ms) > 0;
}

size_t
server_connections(const struct server *s)
{
	return s->n_connections;
}
