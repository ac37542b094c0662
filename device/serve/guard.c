/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process that watches over copies, and the page that it shares with the
 * device. */
#include "device/serve/guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

/* It looks so often while there are copies, and ends a program when that many
 * looks found the same copy; after as many again, who holds the copy. */
#define LOOK_NS (250 * 1000 * 1000)
#define LOOKS   4

/* Shared with the process. */
struct guard_page {
	_Atomic uint64_t copy; /* odd: one is under way */
	_Atomic pid_t pid;     /* of its program */
	_Atomic pid_t ended;   /* program that was ended; 0: none */
	_Atomic pid_t holder;  /* another process, ended after it; 0: none */
	_Atomic uint32_t asleep;
};

struct guard {
	struct guard_page *page;
	pid_t pid;
};

/* The process. */

/* True if the device, which copies, sleeps: for a page. */
static bool
is_held(pid_t device)
{
	char path[64], line[512];
	const char *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)device);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	state = strrchr(line, ')');
	return state != NULL && state[1] == ' ' &&
	    (state[2] == 'D' || state[2] == 'S');
}

/* Waits for the next copy. */
static void
sleep_until_copy(struct guard_page *page, uint64_t seen)
{
	atomic_store(&page->asleep, 1);
	if (atomic_load(&page->copy) == seen)
		syscall(SYS_futex, &page->asleep, FUTEX_WAIT, 1, NULL, NULL, 0);
	atomic_store(&page->asleep, 0);
}

/* True if a descriptor of a process is a userfaultfd with faults that wait. */
static bool
holds_faults(const char *pid, const char *fd)
{
	char path[600], line[256] = "";
	const char *total;
	ssize_t n;
	int info;

	snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid, fd);
	n = readlink(path, line, sizeof(line) - 1);
	if (n <= 0 || strstr(line, "[userfaultfd]") == NULL)
		return false;
	snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", pid, fd);
	info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return false;
	n = read(info, line, sizeof(line) - 1);
	close(info);
	line[n > 0 ? n : 0] = '\0';
	total = strstr(line, "total:");
	return total != NULL && strtoul(total + strlen("total:"), NULL, 10) > 0;
}

static bool
is_holder(const char *pid)
{
	char path[300];
	struct dirent *entry;
	bool found = false;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	folder = opendir(path);
	while (!found && folder != NULL && (entry = readdir(folder)) != NULL)
		found = holds_faults(pid, entry->d_name);
	if (folder != NULL)
		closedir(folder);
	return found;
}

/* Ends processes of that user that let faults wait: the memory of a program that
 * was ended lives on while the device copies from it, and its faults may be
 * another process's. */
static void
end_holders(struct guard_page *page, uid_t user)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	struct stat st;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		long pid = strtol(entry->d_name, NULL, 10);

		if (pid > 0 && pid != getppid() &&
		    fstatat(dirfd(folder), entry->d_name, &st, 0) == 0 &&
		    st.st_uid == user && is_holder(entry->d_name)) {
			atomic_store(&page->holder, (pid_t)pid);
			kill((pid_t)pid, SIGKILL);
		}
	}
	if (folder != NULL)
		closedir(folder);
}

static uid_t
owner_of_process(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%ld", (long)pid);
	return stat(path, &st) == 0 ? st.st_uid : (uid_t)-1;
}

static void __attribute__((noreturn))
watch_copies(struct guard_page *page, pid_t device)
{
	uid_t user = (uid_t)-1;
	unsigned looks = 0;

	while (getppid() == device) {
		uint64_t seen = atomic_load(&page->copy);

		nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
		if (atomic_load(&page->copy) == seen && seen % 2 != 0 &&
		    is_held(device)) {
			looks++;
		} else {
			looks = 0;
			if (atomic_load(&page->copy) == seen && seen % 2 == 0)
				sleep_until_copy(page, seen);
		}
		if (looks == LOOKS) {
			user = owner_of_process(page->pid);
			atomic_store(&page->ended, page->pid);
			kill(page->pid, SIGKILL);
		} else if (looks == 2 * LOOKS) {
			end_holders(page, user);
			looks = LOOKS;
		}
	}
	_exit(0);
}

static void __attribute__((noreturn))
begin_watching(struct guard_page *page, pid_t device)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "gpuwl-guard");
	close_range(0, UINT_MAX, 0);
	watch_copies(page, device);
}

/* The device. */

struct guard *
guard_new(void)
{
	pid_t device = getpid();
	struct guard *g;
	void *page = mmap(NULL, sizeof(struct guard_page),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	g = mem_calloc(1, sizeof(*g));
	g->page = page;
	g->pid = fork();
	if (g->pid == 0)
		begin_watching(g->page, device);
	if (g->pid > 0)
		return g;
	guard_free(g);
	return NULL;
}

void
guard_free(struct guard *g)
{
	if (g == NULL)
		return;
	if (g->pid > 0) {
		kill(g->pid, SIGKILL);
		waitpid(g->pid, NULL, 0);
	}
	munmap(g->page, sizeof(*g->page));
	free(g);
}

void
guard_begin(struct guard *g, pid_t pid)
{
	struct guard_page *page;

	if (g == NULL)
		return;
	page = g->page;
	atomic_store_explicit(&page->pid, pid, memory_order_relaxed);
	atomic_store(&page->copy, page->copy + 1);
	if (atomic_load_explicit(&page->asleep, memory_order_relaxed) != 0) {
		atomic_store(&page->asleep, 0);
		syscall(SYS_futex, &page->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

void
guard_end(struct guard *g)
{
	if (g != NULL)
		atomic_store_explicit(
		    &g->page->copy, g->page->copy + 1, memory_order_release);
}

pid_t
guard_ended(struct guard *g, pid_t *holder)
{
	if (g == NULL ||
	    atomic_load_explicit(&g->page->ended, memory_order_relaxed) == 0)
		return 0;
	*holder = atomic_exchange(&g->page->holder, 0);
	return atomic_exchange(&g->page->ended, 0);
}
