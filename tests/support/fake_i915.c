/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of the little device: connections, files that it gave out, answers. */
#include "tests/support/fake_i915.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "device/wire/channel.h"
#include "device/wire/live.h"
#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define FAKE_MAX 256

struct fake_file {
	int end; /* ours */
	struct wire_mark mark;
	ino_t inode; /* of the program's end */
};

static struct {
	int listener;
	bool refuse;
	int connections[FAKE_MAX];
	size_t n_connections;
	struct fake_file files[FAKE_MAX];
	size_t n_files;
	int blocked; /* connection that waits, -1: none */
	uint64_t cookie, tokens, reads;
	unsigned looks; /* at the frequency */
	struct wire_request last;
	struct fake_counts counts;
	char socket_path[PATH_MAX];
} fake;

static void
listen_again(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	unlink(fake.socket_path);
	fake.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_true(strlen(fake.socket_path) < sizeof address.sun_path);
	strcpy(address.sun_path, fake.socket_path);
	assert_int_equal(
	    bind(fake.listener, (struct sockaddr *)&address, sizeof address),
	    0);
	assert_int_equal(listen(fake.listener, 8), 0);
	fake.cookie += (uint64_t)getpid() << 16 | 0x1111;
}

static void
cut_all(void)
{
	for (size_t i = 0; i < fake.n_connections; i++)
		close(fake.connections[i]);
	for (size_t i = 0; i < fake.n_files; i++)
		close(fake.files[i].end);
	fake.n_connections = fake.n_files = 0;
	close(fake.listener);
	fake.listener = -1;
	fake.blocked = -1;
}

static void
answer_fd(int to, struct wire_reply rp, const void *data, int fd)
{
	/* A thread that was cancelled hears no more. */
	assert_true(wire_answer(to, &rp, data, fd) || errno == EPIPE);
	if (fd >= 0)
		close(fd);
}

static void
answer(int to, int result)
{
	answer_fd(to, (struct wire_reply){.result = result}, NULL, -1);
}

/* Makes a file of kind and returns the program's end. */
static int
new_file_of(enum wire_mark_kind kind, uint32_t minor)
{
	struct fake_file *f = &fake.files[fake.n_files++];
	struct stat st;
	int ends[2];

	assert_true(fake.n_files < FAKE_MAX);
	f->mark = (struct wire_mark){.cookie = fake.cookie,
	    .token = 0xfeed0000 + ++fake.tokens,
	    .minor = minor,
	    .kind = (char)kind};
	assert_true(wire_marked_pair(&f->mark, ends));
	/* Where the library is linked in, fstat() is its own. */
	assert_int_equal(syscall(SYS_fstat, ends[1], &st), 0);
	f->inode = st.st_ino;
	f->end = ends[0];
	return ends[1];
}

static int
memory_of(const char *name, const void *bytes, size_t len, size_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	assert_int_equal(pwrite(fd, bytes, len, 0), len);
	return fd;
}

static int
text_of(const char *path, const char *text)
{
	char name[200];

	snprintf(name, sizeof name, WIRE_TEXT "%.190s", path);
	return memory_of(name, text, strlen(text), strlen(text));
}

/* A frequency that is 7 MHz lower at each look. */
static int
frequency_of(const char *path)
{
	char text[16];

	snprintf(text, sizeof text, "%u\n", 1014 - 7 * fake.looks++);
	return text_of(path, text);
}

static int
object(uint64_t number)
{
	return memory_of("object", &number, sizeof number, FAKE_OBJECT_BYTES);
}

static struct fake_file *
file_of_token(uint64_t token)
{
	for (size_t i = 0; i < fake.n_files; i++) {
		if (fake.files[i].mark.token == token)
			return &fake.files[i];
	}
	return NULL;
}

static struct fake_file *
file_of_inode(ino_t inode)
{
	for (size_t i = 0; i < fake.n_files; i++) {
		if (fake.files[i].inode == inode)
			return &fake.files[i];
	}
	return NULL;
}

static void
say_hello(int to, const struct wire_hello *hello)
{
	static const char no[] = "kernel.yama.ptrace_scope is 3: not served";
	struct wire_welcome welcome = {
	    .cookie = fake.cookie, .pid = (uint32_t)getpid()};
	uint64_t word = 0;
	struct iovec here = {&word, sizeof word};
	struct iovec there = {(void *)(uintptr_t)hello->address, sizeof word};

	fake.counts.hellos++;
	assert_int_equal(
	    process_vm_readv((pid_t)hello->pid, &here, 1, &there, 1, 0),
	    sizeof word);
	assert_true(word == hello->value);
	if (fake.refuse)
		answer_fd(to,
		    (struct wire_reply){
			.result = -EPERM, .size = sizeof no - 1},
		    no, -1);
	else
		answer_fd(to, (struct wire_reply){.size = sizeof welcome},
		    &welcome, -1);
}

static void
open_file(int to, const struct wire_request *rq, const char *path)
{
	static const char none[] = "No error state collected\n";
	struct wire_reply rp = {
	    .fd_use = WIRE_FD_RETURN, .cloexec = (rq->flags & O_CLOEXEC) != 0};
	const struct fake_file *again = file_of_token(rq->token);
	const char *node = strrchr(path, '/');
	int fd = -1;

	/* A file that is left to the program. */
	if (node != NULL && strcmp(node, "/i915_wedged") == 0) {
		answer(to, WIRE_NOT_MINE);
		return;
	}
	if (rq->size == 0 && again != NULL)
		fd = new_file_of(MARK_DRM, again->mark.minor);
	else if (strcmp(path, "dev/dri/card0") == 0)
		fd = new_file_of(MARK_DRM, 0);
	else if (strcmp(path, "dev/dri/renderD128") == 0)
		fd = new_file_of(MARK_DRM, 128);
	else if (strcmp(path, "dev/sw_sync") == 0)
		fd = new_file_of(MARK_TIMELINE, 0);
	else if (node != NULL && strcmp(node, "/resource0") == 0)
		fd = memory_of("registers", "regs", 4, 1 << 20);
	else if ((rq->flags & O_ACCMODE) != O_RDONLY)
		fd = new_file_of(MARK_CONTROL, 0);
	else if (node != NULL && strcmp(node, "/gt_cur_freq_mhz") == 0)
		fd = frequency_of(path);
	else
		fd = text_of(path, none);
	answer_fd(to, rp, NULL, fd);
}

static void
give_fdinfo(int to, const struct wire_request *rq)
{
	static const char text[] = "pos:\t0\nflags:\t02\nino:\t1\n"
				   "drm-driver:\ti915\ndrm-client-id:\t7\n";
	struct stat st;
	char path[64];

	snprintf(
	    path, sizeof path, "/proc/%u/fd/%u", (unsigned)rq->number, rq->aux);
	if (stat(path, &st) != 0 || file_of_inode(st.st_ino) == NULL)
		answer(to, WIRE_NOT_MINE);
	else
		answer_fd(to, (struct wire_reply){.fd_use = WIRE_FD_RETURN},
		    NULL,
		    memory_of(
			"fdinfo", text, sizeof text - 1, sizeof text - 1));
}

static void
read_file(int to, const struct wire_request *rq)
{
	uint64_t group[WIRE_MAX_BYTES / 8] = {0};
	uint32_t size = (uint32_t)rq->number;
	const struct fake_file *f = file_of_token(rq->token);

	/* A group's count, nanoseconds, values. */
	group[0] = size / 8 - 2;
	group[1] = ++fake.reads * 1000000;
	if (f != NULL && f->mark.kind == MARK_PERF)
		answer_fd(to,
		    (struct wire_reply){.result = (int)size, .size = size},
		    group, -1);
	else
		answer_fd(
		    to, (struct wire_reply){.result = 2, .size = 2}, "3\n", -1);
}

static void
write_file_of(int to, const struct wire_request *rq, const char *bytes)
{
	if (strncmp(bytes, "bad", 3) == 0) {
		answer(to, -EINVAL);
		return;
	}
	snprintf(fake.counts.wrote, sizeof fake.counts.wrote, "%.*s",
	    (int)rq->size, bytes);
	answer(to, (int)rq->size);
}

/* Requests whose argument is a struct fake_value. */
static void
answer_value(int to, unsigned request, struct fake_value v)
{
	struct wire_reply rp = {.size = sizeof v, .cloexec = 1};
	size_t at = offsetof(struct fake_value, result);
	int fd = -1;

	switch (request) {
	case FAKE_FAIL: rp.result = -(int)v.value; break;
	case FAKE_FENCE:
		rp.fd_use = WIRE_FD_STORE;
		rp.fd_offset = (uint16_t)at;
		fd = new_file_of(MARK_FENCE, 0);
		break;
	case FAKE_MAP:
		rp.fd_use = WIRE_FD_MAP;
		rp.fd_offset = (uint16_t)at;
		rp.prot = PROT_READ | PROT_WRITE;
		rp.map_size = FAKE_OBJECT_BYTES;
		fd = object(v.value);
		break;
	case FAKE_BAD_REPLY:
		rp.fd_use = WIRE_FD_STORE;
		rp.fd_offset = sizeof v;
		fd = object(0);
		break;
	default: break;
	}
	v.pad = 0xabcd;
	answer_fd(to, rp, &v, fd);
}

static void
signal_last_fence(void)
{
	for (size_t i = fake.n_files; i-- > 0;) {
		if (fake.files[i].mark.kind == MARK_FENCE) {
			assert_int_equal(write(fake.files[i].end, "", 1), 1);
			return;
		}
	}
}

static void
answer_counts(int to)
{
	fake.counts.connections = (uint32_t)fake.n_connections;
	fake.counts.files = (uint32_t)fake.n_files;
	fake.counts.blocked = fake.blocked >= 0;
	answer_fd(to, (struct wire_reply){.size = sizeof fake.counts},
	    &fake.counts, -1);
}

static void
answer_ioctl(int to, const struct wire_request *rq, unsigned char *arg)
{
	struct fake_value v;

	if (rq->token != 0 && file_of_token(rq->token) == NULL) {
		answer(to, -ENODEV);
		return;
	}
	switch ((unsigned)rq->number) {
	case FAKE_ECHO:
		for (size_t i = 0; i < rq->size; i++)
			arg[i]++;
		answer_fd(to, (struct wire_reply){.size = rq->size}, arg, -1);
		break;
	case FAKE_FAIL:
	case FAKE_FENCE:
	case FAKE_MAP:
	case FAKE_BAD_REPLY:
		memcpy(&v, arg, sizeof v);
		answer_value(to, (unsigned)rq->number, v);
		break;
	case FAKE_SIGNAL:
		signal_last_fence();
		answer(to, 0);
		break;
	case FAKE_BLOCK: fake.blocked = to; break;
	case FAKE_POKE:
		if (fake.blocked >= 0)
			answer(fake.blocked, 7);
		answer(to, fake.blocked >= 0);
		fake.blocked = -1;
		break;
	case FAKE_LAST:
		answer_fd(to, (struct wire_reply){.size = sizeof fake.last},
		    &fake.last, -1);
		break;
	case FAKE_COUNT: answer_counts(to); break;
	case FAKE_QUIT:
		unlink(fake.socket_path);
		cut_all();
		break;
	case FAKE_RESTART:
		/* All is there again before the program has its answer. */
		to = dup(to);
		cut_all();
		listen_again();
		shutdown(to, SHUT_RD);
		answer(to, 0);
		close(to);
		break;
	default: answer(to, rq->token == 0 ? WIRE_NOT_MINE : 5); break;
	}
}

static void
answer_request(int to, const struct wire_request *rq, unsigned char *arg)
{
	bool about_us = rq->kind == WIRE_IOCTL &&
	    ((unsigned)rq->number == FAKE_LAST ||
		(unsigned)rq->number == FAKE_COUNT);

	switch ((enum wire_kind)rq->kind) {
	case WIRE_HELLO: say_hello(to, (const struct wire_hello *)arg); return;
	case WIRE_OPEN: open_file(to, rq, (const char *)arg); break;
	case WIRE_IOCTL: answer_ioctl(to, rq, arg); break;
	case WIRE_MMAP:
		answer_fd(to,
		    (struct wire_reply){
			.fd_use = WIRE_FD_MAP, .map_size = FAKE_OBJECT_BYTES},
		    NULL, object(rq->number >> 36));
		break;
	case WIRE_READ: read_file(to, rq); break;
	case WIRE_WRITE: write_file_of(to, rq, (const char *)arg); break;
	case WIRE_PERF_OPEN:
		answer_fd(to, (struct wire_reply){.fd_use = WIRE_FD_RETURN},
		    NULL, new_file_of(MARK_PERF, 0));
		break;
	case WIRE_FDINFO: give_fdinfo(to, rq); break;
	case WIRE_STAT: {
		const struct fake_file *f = file_of_inode(rq->number);

		answer(to, f != NULL ? (int)f->mark.minor : WIRE_NOT_MINE);
		break;
	}
	case WIRE_MEMORY:
	case WIRE_UNMAP:
	case WIRE_RIGHTS: answer(to, 0); break;
	case WIRE_CANCEL:
		fake.counts.cancels++;
		if (fake.blocked == to) {
			fake.blocked = -1;
			answer(to, -EINTR);
		}
		return;
	case WIRE_JOIN:
	case WIRE_SUMMARY:
	case WIRE_WAIT:
	case WIRE_WAKE:
	case WIRE_EXPECT:
	case WIRE_EXPECTED:
	case WIRE_SIGNALS:
	case WIRE_LEAVE:
	case WIRE_TIMER_NEW:
	case WIRE_TIMER_SIGNAL:
	case WIRE_TIMER_END:
	case WIRE_TIMER:
	case WIRE_TIMER_READ:
	case N_WIRE_KINDS: fail();
	}
	if (!about_us)
		fake.last = *rq;
}

/* Serves connection i; false: it has gone, or all have. */
static bool
serve_connection(size_t i)
{
	_Alignas(8) static unsigned char arg[WIRE_MAX_BYTES + 1];
	struct wire_request rq;
	int fd = fake.connections[i];

	if (wire_receive(fd, &rq, arg, WIRE_MAX_BYTES) <= 0) {
		if (fake.blocked == fd)
			fake.blocked = -1;
		close(fd);
		fake.connections[i] = fake.connections[--fake.n_connections];
		return false;
	}
	assert_int_equal(rq.version, WIRE_VERSION);
	arg[rq.size] = 0;
	answer_request(fd, &rq, arg);
	return fake.n_connections > 0;
}

/* A file's last end was closed, or text came for a control file. */
static void
serve_file(size_t i)
{
	char buf[32];
	ssize_t n = read(fake.files[i].end, buf, sizeof buf - 1);

	if (n > 0) {
		snprintf(fake.counts.wrote, sizeof fake.counts.wrote, "%.*s",
		    (int)n, buf);
		return;
	}
	close(fake.files[i].end);
	fake.files[i] = fake.files[--fake.n_files];
}

/* One turn; false: the program has ended. */
static bool
serve_once(int program)
{
	struct pollfd p[2 + 2 * FAKE_MAX] = {
	    {program, POLLIN, 0}, {fake.listener, POLLIN, 0}};
	size_t n = 2;

	for (size_t i = 0; i < fake.n_connections; i++)
		p[n++] = (struct pollfd){fake.connections[i], POLLIN, 0};
	for (size_t i = 0; i < fake.n_files; i++)
		p[n++] = (struct pollfd){fake.files[i].end, POLLIN, 0};
	if (poll(p, n, -1) < 0)
		return errno == EINTR;
	if (p[1].revents != 0) {
		fake.connections[fake.n_connections++] = accept4(
		    fake.listener, NULL, NULL, SOCK_CLOEXEC);
		return true;
	}
	/* Files first: a hangup is seen before a later request. One at a time,
	 * since each may change the arrays. */
	for (size_t i = 0; i < fake.n_files; i++) {
		if (p[2 + fake.n_connections + i].revents != 0) {
			serve_file(i);
			return true;
		}
	}
	for (size_t i = 0; i < fake.n_connections; i++) {
		if (p[2 + i].revents != 0) {
			serve_connection(i);
			return true;
		}
	}
	return p[0].revents == 0;
}

static void
redirect(const char *path, int fd)
{
	int file;

	if (path == NULL)
		return;
	file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	dup2(file, fd);
}

int fake_card = -1;

int
fake_open_card(void **state)
{
	(void)state;
	fake_card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	return fake_card >= 0 ? 0 : -1;
}

int
fake_close_card(void **state)
{
	(void)state;
	return close(fake_card);
}

int
fake_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

struct fake_counts
fake_counts(int fd)
{
	struct fake_counts c;

	assert_int_equal(ioctl(fd, FAKE_COUNT, &c), 0);
	return c;
}

/* The library is beside the program, gpuwl-top. */
static void
load_library(void)
{
	const char *program = getenv("GPUWL_TOP");
	struct text path = {0};

	if (program == NULL)
		_exit(125);
	text_addf(&path, "%.*s/libgpuwl-i915.so",
	    (int)(strrchr(program, '/') - program), program);
	setenv("LD_PRELOAD", text_str(&path), 1);
	/* A sanitizer of gcc wants to be the first library; it is not harmed
	 * by one that has nothing of its own. Leaks are of the program. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
}

static _Noreturn void
become_program(const char *root, const struct fake_args *args)
{
	redirect(args->output, 1);
	redirect(args->errors, 2);
	setenv(WIRE_SOCKET_VARIABLE, fake.socket_path, 1);
	setenv(WIRE_ROOT_VARIABLE, root, 1);
	if (args->preload)
		load_library();
	execvp(args->argv[0], (char *const *)(uintptr_t)args->argv);
	_exit(127);
}

int
fake_i915_run(const struct tree_device *device, const struct fake_args *args)
{
	struct text err = {0};
	char root[PATH_MAX];
	int program, status;
	pid_t child;

	memset(&fake, 0, sizeof fake);
	fake.blocked = -1;
	fake.refuse = args->refuse;
	snprintf(fake.socket_path, sizeof fake.socket_path, "%s",
	    test_path("i915.socket"));
	snprintf(root, sizeof root, "%s", test_path("i915"));
	assert_int_equal(mkdir(root, 0700), 0);
	if (!tree_write(root, device, &err))
		fail_msg("%s", text_str(&err));
	listen_again();
	child = fork();
	if (child == 0)
		become_program(root, args);
	program = (int)syscall(SYS_pidfd_open, child, 0);
	while (serve_once(program))
		;
	assert_int_equal(waitpid(child, &status, 0), child);
	cut_all();
	close(program);
	unlink(fake.socket_path);
	if (!tree_remove(root, &err))
		fail_msg("%s", text_str(&err));
	return status;
}
