/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/fake_host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "trace/host.h"

#define HEADER 14

static const uint8_t services[] =
    "\0\x08\0\0\0registry\x01\x03\0\0\0log\x02\x0b\0\0\0GPUTimeline";

/* The state of the child. */
struct talk {
	const struct fake_plan *plan;
	int fd, kept;
	uint8_t header[HEADER]; /* of the message that is read */
	size_t n_header;
	uint64_t payload; /* bytes of it that are to come */
	int answered, good;
	bool misbehaved;
};

static uint64_t
little(const uint8_t *at, unsigned n)
{
	uint64_t value = 0;

	while (n > 0)
		value = value << 8 | at[--n];
	return value;
}

static void
send_for_ever(struct talk *t, const void *bytes, size_t n)
{
	while (send(t->fd, bytes, n, MSG_NOSIGNAL) > 0)
		;
	_exit(0);
}

/* Answers with the ids that come next, without end. */
static void
flood(struct talk *t)
{
	for (uint64_t id = (uint64_t)t->good + 1;; id++) {
		uint8_t one[HEADER] = {2, 0};

		memcpy(one + 2, &id, sizeof(id));
		if (send(t->fd, one, sizeof(one), MSG_NOSIGNAL) < 0)
			_exit(0);
	}
}

static void
misbehave(struct talk *t)
{
	static const uint8_t zeros[4096];
	uint8_t next[HEADER] = {2, 0};
	struct linger none = {.l_onoff = 1};

	next[2] = (uint8_t)(t->good + 1); /* the next question's id */
	switch (t->plan->then) {
	case FAKE_BABBLES: send_for_ever(t, zeros, sizeof(zeros)); break;
	case FAKE_FLOODS: flood(t); break;
	case FAKE_HALF:
		next[10] = 100;
		send(t->fd, next, sizeof(next), MSG_NOSIGNAL);
		break;
	case FAKE_HUGE:
		memset(next + 10, 0xff, 4);
		send(t->fd, next, sizeof(next), MSG_NOSIGNAL);
		break;
	case FAKE_OTHER_ID:
		next[3] = 77;
		send(t->fd, next, sizeof(next), MSG_NOSIGNAL);
		break;
	case FAKE_HALF_OPEN: shutdown(t->fd, SHUT_WR); break;
	case FAKE_RESETS:
		setsockopt(t->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
		_exit(0);
	case FAKE_CLOSES: _exit(0);
	default: break;
	}
}

static bool
send_all(const struct talk *t, const uint8_t *bytes, size_t n)
{
	size_t most = t->plan->then == FAKE_TRICKLES ? 1 : n;

	for (size_t i = 0; i < n; i += most)
		if (send(t->fd, bytes + i, most, MSG_NOSIGNAL) != (ssize_t)most)
			return false;
	return true;
}

static void
answer(struct talk *t)
{
	uint8_t usual[HEADER + sizeof(services) - 1] = {2};
	const void *bytes = t->plan->answer;
	size_t n = t->plan->answer_len;

	if (t->plan->silent || (t->misbehaved && t->plan->then == FAKE_HALF) ||
	    (t->plan->answers > 0 && t->answered == t->plan->answers))
		return;
	t->answered++;
	if (bytes == NULL) {
		memcpy(usual + 2, t->header + 2, 8);
		usual[10] = sizeof(services) - 1;
		memcpy(usual + HEADER, services, sizeof(services) - 1);
		bytes = usual;
		n = sizeof(usual);
	}
	if (!send_all(t, bytes, n))
		_exit(0);
}

/* Messages, of which the questions are answered. */
static void
listen_to(struct talk *t, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (t->payload > 0) {
			t->payload--;
			continue;
		}
		t->header[t->n_header++] = bytes[i];
		if (t->n_header < HEADER)
			continue;
		t->n_header = 0;
		t->payload = little(t->header + 10, 4);
		/* Half of an answer needs a question, else it is another
		 * mistake. */
		if (t->answered == t->good && !t->misbehaved &&
		    (t->plan->then != FAKE_HALF || t->header[0] == 2)) {
			t->misbehaved = true;
			misbehave(t);
		}
		if (t->header[0] == 2)
			answer(t);
	}
}

static void
serve(struct talk *t)
{
	static uint8_t bytes[65536];
	size_t most = t->plan->then == FAKE_TRICKLES ? 1
	    : t->plan->chunk > 0                     ? t->plan->chunk
						     : sizeof(bytes);
	size_t all = 0;
	ssize_t n;

	while ((n = read(t->fd, bytes, most)) > 0) {
		if (write(t->kept, bytes, (size_t)n) != n)
			_exit(1);
		listen_to(t, bytes, (size_t)n);
		all += (size_t)n;
		if (t->plan->close_after > 0 && all >= t->plan->close_after)
			_exit(0);
		while (t->plan->deaf)
			pause();
	}
}

void
fake_host_start(struct fake_host *h, const struct fake_plan *plan)
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int small = 4096;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	assert_int_equal(bind(fd, (const void *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (void *)&a, &len), 0);
	h->port = ntohs(a.sin_port);
	snprintf(h->address, sizeof(h->address), "127.0.0.1:%d", h->port);
	h->kept = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	assert_true(h->kept >= 0);
	h->pid = fork();
	assert_true(h->pid >= 0);
	if (h->pid == 0) {
		struct talk t = {.plan = plan,
		    .kept = h->kept,
		    .good = plan->good > 0 ? plan->good : 1};

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		t.fd = accept(fd, NULL, NULL);
		close(fd);
		serve(&t);
		_exit(0);
	}
	close(fd);
}

void
fake_host_kill(struct fake_host *h)
{
	kill(h->pid, SIGKILL);
	assert_int_equal(waitpid(h->pid, NULL, 0), h->pid);
	close(h->kept);
}

uint8_t *
fake_host_read(struct fake_host *h, size_t *len)
{
	int status;
	off_t size;
	uint8_t *bytes;

	assert_int_equal(waitpid(h->pid, &status, 0), h->pid);
	assert_int_equal(status, 0);
	size = lseek(h->kept, 0, SEEK_END);
	bytes = calloc(1, (size_t)size + 1);
	assert_non_null(bytes);
	assert_true(pread(h->kept, bytes, (size_t)size, 0) == size);
	close(h->kept);
	*len = (size_t)size;
	return bytes;
}

bool
fake_host_next(const uint8_t **at, size_t *len, struct fake_message *message)
{
	if (*len == 0)
		return false;
	assert_true(*len >= HEADER);
	*message = (struct fake_message){
	    .type = (*at)[0],
	    .endpoint = (*at)[1],
	    .id = little(*at + 2, 8),
	    .payload = *at + HEADER,
	    .len = (uint32_t)little(*at + 10, 4),
	};
	assert_true(*len - HEADER >= message->len);
	*at += HEADER + message->len;
	*len -= HEADER + message->len;
	return true;
}

struct host_client *
fake_host_connect(const struct fake_host *h, size_t queue, struct text *err)
{
	const struct host_options options = {
	    .address = h->address,
	    .service = "GPUTimeline",
	    .limit_ms = 10000,
	    .queue = queue,
	    .ask_after = 10000,
	};

	return host_client_open(&options, err);
}
