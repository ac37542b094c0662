/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/server_lab.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

struct i915_lab served_lab;
struct server *served;
struct text served_problems;

static uint64_t
advance(void *data)
{
	(void)data;
	return served_lab.now += 1000;
}

static void
take_problem(void *data, const char *line)
{
	(void)data;
	text_addf(&served_problems, "%s\n", line);
}

static const struct server_ops ops = {
    .advance = advance, .problem = take_problem};

int
serve_lab(void **state)
{
	struct text err = {0};

	(void)state;
	enter_test_folder();
	setenv("XDG_RUNTIME_DIR", test_folder(), 1);
	i915_lab_init(&served_lab);
	served = server_open("test", false, &ops, NULL, &err);
	assert_non_null(served);
	served_lab.dev = i915_new(&served_lab.config, server_host(served),
	    &served_lab.gpu, served_lab.now);
	server_attach(served, served_lab.dev);
	return 0;
}

int
end_serve_lab(void **state)
{
	(void)state;
	i915_lab_free(&served_lab);
	server_close(served);
	text_free(&served_problems);
	return 0;
}

void
program_fails(int line, const char *what)
{
	fprintf(stderr, "line %d: %s, errno %d\n", line, what, errno);
	_exit(1);
}

struct wire_reply program_reply;
char program_reply_bytes[WIRE_MAX_BYTES];
int program_reply_fd;

int
program_connect(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, server_path(served));
	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	return fd;
}

void
program_send(int fd, struct wire_request rq, const void *arg)
{
	struct iovec parts[] = {
	    {&rq, sizeof(rq)}, {(void *)(uintptr_t)arg, rq.size}};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};

	if (rq.version == 0)
		rq.version = WIRE_VERSION;
	must(sendmsg(fd, &msg, 0) == (ssize_t)(sizeof(rq) + rq.size));
}

/* Returns the result of the reply. */
int
program_receive(int fd)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
	struct iovec parts[] = {{&program_reply, sizeof(program_reply)},
	    {program_reply_bytes, sizeof(program_reply_bytes)}};
	struct msghdr msg = {.msg_iov = parts,
	    .msg_iovlen = 2,
	    .msg_control = room,
	    .msg_controllen = sizeof(room)};
	struct cmsghdr *head;

	must(recvmsg(fd, &msg, MSG_CMSG_CLOEXEC) >=
	    (ssize_t)sizeof(program_reply));
	head = CMSG_FIRSTHDR(&msg);
	program_reply_fd = -1;
	if (head != NULL)
		memcpy(&program_reply_fd, CMSG_DATA(head),
		    sizeof(program_reply_fd));
	return program_reply.result;
}

int
program_call(int fd, struct wire_request rq, const void *arg)
{
	program_send(fd, rq, arg);
	return program_receive(fd);
}

int
program_hello(int fd, uint64_t value)
{
	static uint64_t word = 4711;
	struct wire_hello hello = {.pid = (uint32_t)getpid(),
	    .address = (uintptr_t)&word,
	    .value = value,
	    .name = "program"};

	return program_call(fd,
	    (struct wire_request){.kind = WIRE_HELLO, .size = sizeof(hello)},
	    &hello);
}

/* Opens the card; returns the token of its mark. */
uint64_t
program_open(int fd, int *card)
{
	struct wire_mark mark;

	must(program_call(fd,
		 (struct wire_request){.kind = WIRE_OPEN, .size = 13},
		 "dev/dri/card0") >= 0);
	must(program_reply.fd_use == WIRE_FD_RETURN && program_reply_fd >= 0);
	must(wire_mark_of(program_reply_fd, &mark) && mark.kind == MARK_DRM);
	*card = program_reply_fd;
	return mark.token;
}

int
program_ioctl(int fd, uint64_t token, unsigned request, const void *arg)
{
	return program_call(fd,
	    (struct wire_request){.kind = WIRE_IOCTL,
		.token = token,
		.number = request,
		.pointer = (uintptr_t)arg,
		.size = _IOC_SIZE(request)},
	    arg);
}

void
serve_program_beside(void (*program)(void), size_t others)
{
	int alive[2], status;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(alive), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(MAX_MS / 1000);
		close(alive[0]);
		program();
		_exit(0);
	}
	close(alive[1]);
	for (;;) {
		struct pollfd p[] = {
		    {.fd = server_fd(served), .events = POLLIN},
		    {.fd = alive[0], .events = POLLIN}};

		assert_true(poll(p, 2, MAX_MS) > 0);
		server_work(served, 64);
		if (p[1].revents != 0 && read(alive[0], &byte, 1) == 0)
			break;
	}
	close(alive[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	serve_until(server_connections(served) == others);
}

void
serve_program(void (*program)(void))
{
	serve_program_beside(program, 0);
}

/* Memory that a program may only write is readable, as for a kernel; memory that
 * it may not use is not. */
static void
reads_what_may_be_written(int fd, uint64_t token)
{
	struct drm_i915_query_item *item = mmap(
	    NULL, 4096, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_i915_query query = {
	    .num_items = 1, .items_ptr = (uintptr_t)item};

	must(item != MAP_FAILED);
	item->query_id = DRM_I915_QUERY_ENGINE_INFO;
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_I915_QUERY, &query) ==
	    0);
	must(mprotect(item, 4096, PROT_NONE) == 0);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_I915_QUERY, &query) ==
	    -EFAULT);
	munmap(item, 4096);
}

void
program_asks(void)
{
	char name[8] = "";
	struct drm_version version = {.name = name, .name_len = 8};
	int fd = program_connect(), card;
	uint64_t token;

	must(program_hello(fd, 4711) == 0);
	must(program_reply.size == sizeof(struct wire_welcome));
	token = program_open(fd, &card);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_VERSION, &version) ==
	    0);
	/* The device wrote to this process. */
	must(strcmp(name, "i915") == 0);
	version.name = (char *)8;
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_VERSION, &version) ==
	    -EFAULT);
	reads_what_may_be_written(fd, token);
	/* A guessed token is nothing. */
	must(program_ioctl(
		 fd, token + 1, (unsigned)DRM_IOCTL_VERSION, &version) < 0);
	close(card);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_VERSION, &version) <
	    0);
}
