/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server of a virtual i915: any messages on four connections, in any order,
 * whole or cut off, with descriptors or without, in real or in virtual time. The
 * program is this process, so that numbers which could be its addresses are left
 * out, but for those of one array. All connections, turns and marks must be gone
 * when the last one is closed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "device/serve/server.h"
#include "device/wire/mark.h"
#include "tests/fuzz/fuzz_i915.h"

#define STEPS       200 /* of an input, at most */
#define CONNECTIONS 4
#define KEPT        24 /* descriptors of the program */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct wire_input {
	const uint8_t *data;
	size_t size;
};

static struct {
	struct server *server;
	struct turn_order *turns; /* NULL: real time */
	int fds[CONNECTIONS];     /* -1: closed */
	int kept[KEPT];           /* descriptors that came; -1: none */
	uint64_t tokens[KEPT];
	uint64_t memory[512]; /* that arguments point at */
} program;

static uint8_t
next_byte(struct wire_input *in)
{
	if (in->size == 0)
		return 0;
	in->size--;
	return *in->data++;
}

/* A number that may mean something, but no address of this process other than of
 * program.memory; nor of a sanitizer's shadow. */
static uint64_t
next_word(struct wire_input *in)
{
	uint8_t byte = next_byte(in), small = byte >> 4;

	switch (byte % 8) {
	case 0: return 0;
	case 1: return small;
	case 2: return (uintptr_t)program.memory + next_byte(in) * 16u;
	case 3: return UINT64_MAX - small;
	case 4: return next_byte(in) | (unsigned)small << 8;
	case 5: return (uint64_t)1 << next_byte(in) % 31;
	case 6: return program.tokens[next_byte(in) % KEPT];
	default: return (uint64_t)small * 4096;
	}
}

/* The server's questions. */

static uint64_t
wire_advance(void *data)
{
	(void)data;
	return world.now += 1000;
}

/* A line about a program, for a terminal. */
static void
wire_problem(void *data, const char *line)
{
	world_refused(data, line, true);
}

static uint64_t
wire_next(void *data)
{
	(void)data;
	return UINT64_MAX;
}

static void
wire_advance_to(void *data, uint64_t now_ns)
{
	(void)data;
	world.now = now_ns;
	i915_advance(world.dev, now_ns);
}

static bool
wire_pauses(void *data)
{
	(void)data;
	return false;
}

static const struct server_ops wire_ops = {
    .advance = wire_advance, .problem = wire_problem};

/* The program. */

static void
keep_descriptor(int fd)
{
	struct wire_mark mark = {0};
	unsigned i = 0;

	while (i < KEPT && program.kept[i] >= 0)
		i++;
	if (i == KEPT) {
		close(fd);
		return;
	}
	wire_mark_of(fd, &mark);
	program.kept[i] = fd;
	program.tokens[i] = mark.token;
}

/* Closes a descriptor that the server's guard may have too, as it is a fork of
 * this process. */
static void
close_everywhere(int fd)
{
	if (fd < 0)
		return;
	shutdown(fd, SHUT_RDWR);
	close(fd);
}

static void
close_connection(unsigned i)
{
	close_everywhere(program.fds[i]);
	program.fds[i] = -1;
}

/* Takes one answer. False: there is none. */
static bool
take_answer(unsigned i)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
	static char bytes[WIRE_MAX_BYTES];
	struct wire_reply rp = {0};
	struct iovec parts[] = {{&rp, sizeof(rp)}, {bytes, sizeof(bytes)}};
	struct msghdr msg = {.msg_iov = parts,
	    .msg_iovlen = 2,
	    .msg_control = room,
	    .msg_controllen = sizeof(room)};
	struct cmsghdr *head;
	ssize_t n;
	int fd;

	if (program.fds[i] < 0)
		return false;
	n = recvmsg(program.fds[i], &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n <= 0) {
		if (n == 0 || errno != EAGAIN)
			close_connection(i);
		return false;
	}
	if ((size_t)n != sizeof(rp) + rp.size)
		abort();
	world_told(bytes, rp.size);
	head = CMSG_FIRSTHDR(&msg);
	if ((head != NULL) != (rp.fd_use != WIRE_FD_NONE))
		abort();
	if (head != NULL) {
		memcpy(&fd, CMSG_DATA(head), sizeof(fd));
		keep_descriptor(fd);
	}
	return true;
}

/* Serves all that was sent, and takes the answers. */
static void
serve(void)
{
	bool more = true;

	for (unsigned n = 0; more && n < 64; n++) {
		more = server_work(program.server, 64);
		if (program.turns != NULL)
			turns_go(program.turns);
		for (unsigned i = 0; i < CONNECTIONS; i++)
			more |= take_answer(i);
	}
}

static void
connect_one(unsigned i)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	close_connection(i);
	program.fds[i] = socket(
	    AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s",
	    server_path(program.server));
	if (connect(program.fds[i], (struct sockaddr *)&address,
		sizeof(address)) != 0)
		close_connection(i);
}

/* Sends rq and the bytes behind it, `sent` of them; a descriptor too if fd is not
 * -1. */
static void
send_message(unsigned i, const struct wire_request *rq, size_t head,
    const void *arg, size_t sent, int fd)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec parts[] = {
	    {(void *)(uintptr_t)rq, head}, {(void *)(uintptr_t)arg, sent}};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};
	struct cmsghdr *control = (struct cmsghdr *)(void *)room;

	if (program.fds[i] < 0)
		return;
	if (fd >= 0) {
		msg.msg_control = room;
		msg.msg_controllen = sizeof(room);
		control->cmsg_len = CMSG_LEN(sizeof(int));
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		memcpy(CMSG_DATA(control), &fd, sizeof(fd));
	}
	sendmsg(program.fds[i], &msg, MSG_NOSIGNAL);
}

static void
send_request(unsigned i, struct wire_request rq, const void *arg)
{
	rq.version = WIRE_VERSION;
	send_message(i, &rq, sizeof(rq), arg, rq.size, -1);
}

static void
greet(struct wire_input *in, unsigned i)
{
	uint8_t how = next_byte(in);
	struct wire_hello hello = {.pid = (uint32_t)getpid(),
	    .tid = i + 1,
	    .address = (uintptr_t)program.memory,
	    .value = program.memory[0] + (how == 1),
	    .name = "fuzz",
	    .thread = i + 1,
	    .number = how / 64u,
	    .first = how & 2};

	connect_one(i);
	send_request(i,
	    (struct wire_request){.kind = WIRE_HELLO, .size = sizeof(hello)},
	    &hello);
}

static const char *const wire_paths[] = {"dev/dri/card0", "dev/dri/renderD128",
    "dev/sw_sync", WIRE_UEVENTS, "sys/class/drm/card0/error",
    "sys/class/drm/card0/gt_max_freq_mhz", "dev", ""};

static void
open_file(struct wire_input *in, unsigned i)
{
	const char *path = wire_paths[next_byte(in) % 8];

	send_request(i,
	    (struct wire_request){.kind = WIRE_OPEN,
		.size = (uint32_t)strlen(path),
		.flags = next_byte(in) & O_ACCMODE},
	    path);
}

static const unsigned wire_ioctls[] = {FUZZ_I915_REQUESTS};

static void
make_ioctl(struct wire_input *in, unsigned i)
{
	unsigned request = wire_ioctls[next_byte(in) %
	    (sizeof(wire_ioctls) / sizeof(wire_ioctls[0]))];
	unsigned which = next_byte(in) % KEPT;
	struct wire_request rq = {.kind = WIRE_IOCTL,
	    .size = _IOC_SIZE(request),
	    .number = request,
	    .token = program.tokens[which],
	    .pointer = (uintptr_t)program.memory,
	    .aux = (uint32_t)program.kept[which],
	    .flags = next_byte(in) & 1 ? WIRE_RESTARTS : 0};
	uint64_t arg[64] = {0};

	for (unsigned n = 0; n < (rq.size + 7) / 8 && n < 64; n++)
		arg[n] = next_word(in);
	if (rq.size <= sizeof(arg))
		send_request(i, rq, arg);
}

/* Any message; a signal that a timer sends is one that a process ignores. */
static void
send_anything(struct wire_input *in, unsigned i)
{
	static uint64_t arg[20000 / 8];
	uint8_t how = next_byte(in);
	struct wire_request rq = {.version = how == 255 ? 1 : WIRE_VERSION,
	    .kind = next_byte(in) % (N_WIRE_KINDS + 2),
	    .token = next_word(in),
	    .number = next_word(in),
	    .pointer = next_word(in),
	    .flags = (uint32_t)next_word(in),
	    .aux = next_byte(in)};
	size_t head = sizeof(rq), sent;

	rq.size = how & 1 ? next_byte(in) : (uint32_t)next_word(in) % 20000;
	sent = rq.size;
	for (unsigned n = 0; n < 32; n++)
		arg[n] = next_word(in);
	if (rq.kind == WIRE_TIMER_SIGNAL)
		rq.aux = SIGURG;
	if ((how & 0xf0) == 0x10)
		sent = next_byte(in);
	if ((how & 0xf0) == 0x20)
		head = next_byte(in) % sizeof(rq);
	send_message(i, &rq, head, arg, sent, (how & 0xf0) == 0x30 ? 0 : -1);
}

/* The program closes a descriptor, or writes what it has in memory. */
static void
change_program(struct wire_input *in)
{
	unsigned i = next_byte(in) % KEPT;
	uint64_t word;

	if (i % 2 == 0 && program.kept[i] >= 0) {
		close_everywhere(program.kept[i]);
		program.kept[i] = -1;
	}
	word = next_word(in);
	program.memory[1 + next_byte(in)] = word;
}

static void
end_some(struct wire_input *in)
{
	world.now += (uint64_t)next_byte(in) << 16;
	if (world.n_requests > 0)
		end_request(next_byte(in) % world.n_requests, 0);
}

static void
wire_step(struct wire_input *in)
{
	uint8_t what = next_byte(in);
	unsigned i = what / 16 % CONNECTIONS;

	switch (what % 8) {
	case 0: greet(in, i); break;
	case 1: close_connection(i); break;
	case 2: open_file(in, i); break;
	case 3: change_program(in); break;
	case 4: end_some(in); break;
	case 5: send_anything(in, i); break;
	default: make_ioctl(in, i);
	}
	/* Else several messages come at once. */
	if ((what & 8) == 0)
		serve();
}

static void
wire_start(uint8_t choice)
{
	static const struct server_turns how = {.next = wire_next,
	    .advance = wire_advance_to,
	    .pauses = wire_pauses,
	    .now_ns = 1000};
	struct text err = {0};

	program.memory[0] = 4711;
	for (unsigned i = 0; i < CONNECTIONS; i++)
		program.fds[i] = -1;
	for (unsigned i = 0; i < KEPT; i++) {
		program.kept[i] = -1;
		program.tokens[i] = 0;
	}
	world_start(choice & 0x7f);
	i915_free(world.dev);
	program.server = server_open("fuzz", choice & 1, &wire_ops, NULL, &err);
	if (program.server == NULL) {
		fprintf(stderr, "%s\n", text_str(&err));
		abort();
	}
	world.dev = i915_new(
	    &world.config, server_host(program.server), &world.gpu, world.now);
	program.turns = choice & 0x80 ? server_turns(program.server, &how)
				      : NULL;
	server_attach(program.server, world.dev);
}

static void
wire_end(void)
{
	for (unsigned i = 0; i < CONNECTIONS; i++)
		close_connection(i);
	for (unsigned i = 0; i < KEPT; i++)
		close_everywhere(program.kept[i]);
	for (unsigned n = 0; n < 100; n++)
		server_work(program.server, 64);
	if (server_connections(program.server) != 0)
		abort();
	while (world.n_requests > 0)
		end_request(0, 0);
	i915_free(world.dev);
	server_close(program.server);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_input in = {data, size};
	char folder[] = "/tmp/fuzz-wire-XXXXXX", inner[64];

	void (*handler)(int) = signal(SIGALRM, SIG_IGN);

	/* Timers in virtual time send it; libFuzzer has a handler. */
	if (handler != SIG_DFL)
		signal(SIGALRM, handler);
	if (mkdtemp(folder) == NULL)
		abort();
	setenv("XDG_RUNTIME_DIR", folder, 1);
	wire_start(next_byte(&in));
	for (unsigned i = 0; i < STEPS && in.size > 0; i++)
		wire_step(&in);
	serve();
	wire_end();
	snprintf(inner, sizeof(inner), "%s/gpuwl", folder);
	rmdir(inner);
	rmdir(folder);
	return 0;
}
