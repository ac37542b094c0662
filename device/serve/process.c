/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of other processes by process_vm_readv(2), and their rights by
 * /proc/PID/status. */
#include "device/serve/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "device/i915/i915.h"
#include "device/serve/guard.h"
#include "device/wire/wire.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* Linux 5.8 */
#endif

/* Bytes copied at a time, in much less time than the guard waits. */
#define COPY_BYTES ((size_t)1 << 26)

struct process_memory {
	struct user_memory memory;
	pid_t pid;
	struct guard *guard; /* NULL: none */
	int file;            /* /proc/PID/mem, -1: not open */
};

typedef ssize_t process_copy_fn(pid_t pid, const struct iovec *here,
    unsigned long n_here, const struct iovec *there, unsigned long n_there,
    unsigned long flags);

static int
copy_memory(struct user_memory *m, process_copy_fn *copy, void *here,
    uint64_t there, size_t size)
{
	const struct process_memory *p = container_of(
	    m, struct process_memory, memory);
	size_t done = 0;

	while (done < size) {
		size_t len = size - done < COPY_BYTES ? size - done
						      : COPY_BYTES;
		struct iovec local = {(char *)here + done, len};
		struct iovec remote = {(void *)(uintptr_t)(there + done), len};
		ssize_t n;

		guard_begin(p->guard, p->pid);
		n = copy(p->pid, &local, 1, &remote, 1, 0);
		guard_end(p->guard);
		if (n <= 0)
			return -EFAULT;
		done += (size_t)n;
	}
	return 0;
}

/* Reads a line of /proc/PID/maps up to its mode. False: it is none. */
static bool
parse_mapping(const char *line, uint64_t *first, uint64_t *end, char **mode)
{
	*first = strtoull(line, mode, 16);
	if (**mode != '-')
		return false;
	*end = strtoull(*mode + 1, mode, 16);
	return *(*mode)++ == ' ';
}

/* True if a mapping of the process can be written and not read: the kernel reads
 * it nevertheless, as the processor does, but not for another process. */
static bool
is_write_only(pid_t pid, uint64_t from, size_t size)
{
	char path[64], line[512], *mode;
	uint64_t first, end;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/maps", (long)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), f) != NULL)
		found = parse_mapping(line, &first, &end, &mode) &&
		    mode[0] == '-' && mode[1] == 'w' && first <= from &&
		    from < end && size <= end - from;
	fclose(f);
	return found;
}

/* Reads memory whatever its protection is. */
static int
read_forced(struct process_memory *p, void *to, uint64_t from, size_t size)
{
	char path[64];
	bool ok;

	snprintf(path, sizeof(path), "/proc/%ld/mem", (long)p->pid);
	if (p->file < 0)
		p->file = open(path, O_RDONLY | O_CLOEXEC);
	if (p->file < 0)
		return -EFAULT;
	guard_begin(p->guard, p->pid);
	ok = pread(p->file, to, size, (off_t)from) == (ssize_t)size;
	guard_end(p->guard);
	return ok ? 0 : -EFAULT;
}

static int
read_process(struct user_memory *m, void *to, uint64_t from, size_t size)
{
	struct process_memory *p = container_of(
	    m, struct process_memory, memory);
	int rc = copy_memory(m, process_vm_readv, to, from, size);

	if (rc != 0 && is_write_only(p->pid, from, size))
		return read_forced(p, to, from, size);
	return rc;
}

static int
fetch_process(struct user_memory *m, void *to, uint64_t from, size_t size)
{
	int rc = copy_memory(m, process_vm_readv, to, from, size);

	if (rc != 0)
		rc = read_forced(container_of(m, struct process_memory, memory),
		    to, from, size);
	return rc;
}

static int
write_process(struct user_memory *m, uint64_t to, const void *from, size_t size)
{
	return copy_memory(
	    m, process_vm_writev, (void *)(uintptr_t)from, to, size);
}

/* The memory of a process goes first of all that it has. */
static bool
has_no_memory(struct user_memory *m)
{
	const struct process_memory *p = container_of(
	    m, struct process_memory, memory);
	char byte;
	struct iovec local = {&byte, 1}, remote = {NULL, 1};

	return process_vm_readv(p->pid, &local, 1, &remote, 1, 0) < 0 &&
	    errno == ESRCH;
}

static void
free_process(struct user_memory *m)
{
	struct process_memory *p = container_of(
	    m, struct process_memory, memory);

	if (p->file >= 0)
		close(p->file);
	free(p);
}

static const struct user_memory_ops process_ops = {
    .read = read_process,
    .write = write_process,
    .fetch = fetch_process,
    .is_gone = has_no_memory,
    .free = free_process,
};

struct user_memory *
process_memory(pid_t pid, struct guard *guard)
{
	struct process_memory *p = mem_calloc(1, sizeof(*p));

	p->memory = (struct user_memory){.ops = &process_ops, .refs = 1};
	p->pid = pid;
	p->guard = guard;
	p->file = -1;
	return &p->memory;
}

void
process_memory_put(struct user_memory *m)
{
	if (--m->refs == 0)
		m->ops->free(m);
}

/* The folder in /proc is of root if the program is protected from its user, so its
 * file says whose it is. */
static bool
is_of_another_user(pid_t pid)
{
	char path[64], line[256];
	unsigned long user = geteuid();
	int e = errno;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		char *ids = line + strlen("Uid:");

		if (strncmp(line, "Uid:", strlen("Uid:")) != 0)
			continue;
		strtoul(ids, &ids, 10); /* the real one */
		user = strtoul(ids, NULL, 10);
	}
	if (f != NULL)
		fclose(f);
	errno = e;
	return user != geteuid();
}

enum probed
process_probe(
    struct user_memory *m, uint64_t address, uint64_t value, struct text *err)
{
	const struct process_memory *p = container_of(
	    m, struct process_memory, memory);
	uint64_t word = 0;
	struct iovec local = {&word, sizeof(word)};
	struct iovec remote = {(void *)(uintptr_t)address, sizeof(word)};
	ssize_t n;

	guard_begin(p->guard, p->pid);
	n = process_vm_readv(p->pid, &local, 1, &remote, 1, 0);
	guard_end(p->guard);
	if (n == (ssize_t)sizeof(word) && word == value)
		return PROBED;
	/* Its memory goes before its descriptors do. */
	if (n < 0 && errno == ESRCH)
		return PROBE_ENDED;
	text_addf(err, "the device can't read the memory of process %ld",
	    (long)p->pid);
	if (n >= 0)
		text_adds(err, ": it has other contents than the library said");
	else if (errno == EPERM && is_of_another_user(p->pid))
		text_adds(err,
		    ": Linux lets only root read a program of root; serve the "
		    "device as root, too");
	else if (errno == EPERM)
		text_adds(err,
		    ": kernel.yama.ptrace_scope must be 0 or 1 (`sysctl "
		    "kernel.yama.ptrace_scope`), and the program must not be "
		    "protected from its user");
	else
		text_addf(err, ": %s", strerror(errno));
	return PROBE_REFUSED;
}

/* True if the capability is in the set. */
static bool
has_capability(uint64_t set, unsigned capability)
{
	return (set >> capability & 1) != 0;
}

unsigned
process_capabilities(pid_t pid, bool all)
{
	char path[64], line[256], *effective;
	unsigned long user = 0;
	uint64_t set = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "CapEff:", 7) == 0)
			set = strtoull(line + 7, NULL, 16);
		else if (strncmp(line, "Uid:", 4) == 0) {
			strtoul(line + 4, &effective, 10); /* the real one */
			user = strtoul(effective, NULL, 10);
		}
	fclose(f);
	if (all && (user == geteuid() || user == 0))
		return I915_CAP_NICE | I915_CAP_ADMIN | I915_CAP_PERFMON;
	return (has_capability(set, CAP_SYS_NICE) ? I915_CAP_NICE : 0) |
	    (has_capability(set, CAP_SYS_ADMIN) ? I915_CAP_ADMIN : 0) |
	    (has_capability(set, CAP_PERFMON) ||
			has_capability(set, CAP_SYS_ADMIN)
		    ? I915_CAP_PERFMON
		    : 0);
}

long
process_run(pid_t pid, bool *privileged)
{
	static const char name[] = WIRE_RUN_VARIABLE "=";
	char path[64], *entry = NULL, *end;
	size_t room = 0;
	long run = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/environ", (long)pid);
	f = fopen(path, "re");
	while (f != NULL && run == 0 && getdelim(&entry, &room, 0, f) > 0) {
		if (strncmp(entry, name, strlen(name)) != 0)
			continue;
		run = strtol(entry + strlen(name), &end, 10);
		if (strcmp(end, ",privileged") == 0)
			*privileged = true;
	}
	free(entry);
	if (f != NULL)
		fclose(f);
	return run;
}
