/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of the console: time and CPU to the first screen, memory, CPU and bytes
 * at one and ten frames a second at 200x50 with a workload running, wake-ups while
 * paused, and how long a key takes to show, idle and with a thousand clients at
 * full speed; and what ten thousand clients cost that are launched by command.
 * htop, where it is installed, is measured in the same way beside it; its starts
 * alternate with the console's, so that both have the same load.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define COLS         200
#define ROWS         50
#define GIVE_UP_S    20.0
#define SETTLE_S     2.0
#define START_ROUNDS 9
#define KEY_ROUNDS   150
#define CHUNK        65536
#define KEEP         256 /* a text that is waited for is shorter */

struct child {
	pid_t pid;
	int fd;
	size_t bytes;
	char seen[CHUNK + KEEP]; /* the last that was read */
	size_t n_seen;
};

static double
wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
become(const char *const argv[])
{
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_STATE_HOME", "/nonexistent", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

static bool
start(struct child *c, const char *const argv[])
{
	struct winsize size = {.ws_row = ROWS, .ws_col = COLS};

	*c = (struct child){.fd = -1};
	c->pid = forkpty(&c->fd, NULL, NULL, &size);
	if (c->pid == 0)
		become(argv);
	return c->pid > 0;
}

static void
stop(struct child *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	close(c->fd);
}

/* Reads what comes within so many seconds; false: nothing did. */
static bool
take(struct child *c, double seconds)
{
	struct pollfd p = {.fd = c->fd, .events = POLLIN};
	size_t kept = c->n_seen < KEEP ? c->n_seen : KEEP;
	ssize_t n;

	if (poll(&p, 1, (int)(seconds * 1e3) + 1) <= 0)
		return false;
	memmove(c->seen, c->seen + c->n_seen - kept, kept);
	n = read(c->fd, c->seen + kept, CHUNK);
	c->n_seen = kept + (n > 0 ? (size_t)n : 0);
	c->bytes += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* Reads for so long. */
static void
watch(struct child *c, double seconds)
{
	double end = wall() + seconds, left;

	while ((left = end - wall()) > 0)
		take(c, left);
}

/* Until the text comes, which must be written in one piece. */
static bool
wait_for(struct child *c, const char *text)
{
	double end = wall() + GIVE_UP_S;

	c->n_seen = 0;
	while (wall() < end) {
		if (take(c, end - wall()) &&
		    memmem(c->seen, c->n_seen, text, strlen(text)) != NULL)
			return true;
	}
	fprintf(stderr, "bench_console: \"%s\" never came\n", text);
	return false;
}

/* Nanoseconds that all its threads have run. */
static double
cpu_of(pid_t pid)
{
	char path[300];
	double sum = 0;
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir != NULL && (d = readdir(dir)) != NULL) {
		unsigned long long ns;
		FILE *f;

		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat",
		    (int)pid, d->d_name);
		f = fopen(path, "r");
		if (f == NULL)
			continue;
		if (fscanf(f, "%llu", &ns) == 1)
			sum += (double)ns;
		fclose(f);
	}
	if (dir != NULL)
		closedir(dir);
	return sum;
}

/* How often it has waited for something. */
static double
wakeups_of(pid_t pid)
{
	char path[64], line[128];
	double n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		sscanf(line, "voluntary_ctxt_switches: %lf", &n);
	if (f != NULL)
		fclose(f);
	return n;
}

static void
print(const char *program, const char *what, double value, const char *unit)
{
	char name[96];

	snprintf(name, sizeof(name), "%s.%s", program, what);
	bench_print(name, value, unit);
}

/* Kilobytes that it has (VmRSS), or had at most (VmHWM). */
static double
memory_of(pid_t pid, const char *field)
{
	char path[64], line[128];
	size_t len = strlen(field);
	double kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, field, len) == 0 && line[len] == ':')
			sscanf(line + len, ": %lf", &kb);
	if (f != NULL)
		fclose(f);
	return kb;
}

/* The most memory of the first seconds. */
static void
measure_memory(const char *const argv[])
{
	struct child c;

	if (!start(&c, argv))
		return;
	watch(&c, bench_quick() ? 0.3 : 5);
	print("console", "memory", memory_of(c.pid, "VmHWM") / 1e3, "MB");
	stop(&c);
}

/* CPU and bytes per frame while nobody does anything. */
static void
measure_rate(const char *program, const char *const argv[], const char *rate,
    double hertz)
{
	double seconds = bench_quick() ? 0.5 : 20, cpu;
	char what[64];
	struct child c;

	if (!start(&c, argv))
		return;
	watch(&c, bench_quick() ? 0.3 : SETTLE_S);
	c.bytes = 0;
	cpu = cpu_of(c.pid);
	watch(&c, seconds);
	cpu = cpu_of(c.pid) - cpu;
	snprintf(what, sizeof(what), "cpu_%s", rate);
	print(program, what, cpu / 1e9 / seconds * 100, "%");
	snprintf(what, sizeof(what), "bytes_per_frame_%s", rate);
	print(program, what, (double)c.bytes / (seconds * hertz), "bytes");
	stop(&c);
}

static void
measure_paused(const char *const argv[])
{
	double seconds = bench_quick() ? 0.3 : 5, before;
	struct child c;

	if (!start(&c, argv))
		return;
	if (wait_for(&c, "Quit") && write(c.fd, " ", 1) == 1 &&
	    wait_for(&c, "PAUSED")) {
		watch(&c, 0.3);
		before = wakeups_of(c.pid);
		watch(&c, seconds);
		print("console", "wakeups_paused",
		    (wakeups_of(c.pid) - before) / seconds, "/s");
	}
	stop(&c);
}

struct starts {
	const char *program, *const *argv;
	double wall[START_ROUNDS], cpu[START_ROUNDS]; /* s, ns */
};

/* Starts a new process, of files that are in the page cache, on a new terminal:
 * from fork() until the last line of the first screen is read. */
static bool
measure_start(struct starts *s, size_t round)
{
	double before = wall();
	struct child c;
	bool ok;

	if (!start(&c, s->argv))
		return false;
	ok = wait_for(&c, "Quit");
	s->wall[round] = wall() - before;
	s->cpu[round] = cpu_of(c.pid);
	stop(&c);
	return ok;
}

/* A round before those that count brings the files into the page cache. */
static void
measure_starts(struct starts *programs, size_t n)
{
	size_t rounds = bench_quick() ? 1 : START_ROUNDS;

	for (size_t i = 0; i < n; i++)
		if (!measure_start(&programs[i], 0))
			return;
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			if (!measure_start(&programs[i], round))
				return;
	for (struct starts *s = programs; s < programs + n; s++) {
		print(s->program, "start", bench_median(s->wall, rounds) * 1e3,
		    "ms");
		print(s->program, "start_cpu",
		    bench_median(s->cpu, rounds) / 1e6, "ms");
	}
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* From the key to the text that it brings. */
static bool
key(struct child *c, const char *k, const char *text, double *seconds)
{
	double before = wall();

	if (write(c->fd, k, strlen(k)) < 0 || !wait_for(c, text))
		return false;
	*seconds = wall() - before;
	return true;
}

/* The help page comes and goes. */
static void
measure_keys(const char *what, const char *const argv[])
{
	static double times[2 * KEY_ROUNDS];
	size_t rounds = bench_quick() ? 3 : KEY_ROUNDS, n = 0;
	struct child c;
	char name[64];

	if (!start(&c, argv))
		return;
	if (!wait_for(&c, "Quit")) {
		stop(&c);
		return;
	}
	watch(&c, 0.3);
	while (n < 2 * rounds && key(&c, "?", "commands", &times[n]) &&
	    key(&c, "q", "Quit", &times[n + 1]))
		n += 2;
	stop(&c);
	if (n < 2 * rounds)
		return;
	qsort(times, n, sizeof(*times), by_value);
	snprintf(name, sizeof(name), "key_p50_%s", what);
	print("console", name, times[n / 2] * 1e3, "ms");
	snprintf(name, sizeof(name), "key_p99_%s", what);
	print("console", name, times[(n - 1) * 99 / 100] * 1e3, "ms");
}

/* The help page comes and goes while all of them run; the longest of all. */
static bool
slowest_key(struct child *c, double *worst)
{
	for (int i = 0; i < (bench_quick() ? 2 : 40); i++) {
		double there, back;

		if (!key(c, "?", "commands", &there) ||
		    !key(c, "q", "Quit", &back))
			return false;
		*worst = there > *worst ? there : *worst;
		*worst = back > *worst ? back : *worst;
		watch(c, 0.05);
	}
	return true;
}

/* Ten thousand clients at a time are launched by command, three times: the
 * longest that this takes, memory per client, and the slowest key. */
static void
measure_launches(const char *what, const char *const argv[])
{
	double worst_launch = 0, worst_key = 0, launch;
	int n = bench_quick() ? 1 : 3;
	char name[64];
	struct child c;

	if (!start(&c, argv))
		return;
	for (int i = 0; i < n && wait_for(&c, "Quit"); i++) {
		if (!key(&c, ":launch 10000\r", "10000 more", &launch))
			break;
		worst_launch = launch > worst_launch ? launch : worst_launch;
		if (!slowest_key(&c, &worst_key))
			break;
	}
	snprintf(name, sizeof(name), "launch_10000_%s", what);
	print("console", name, worst_launch * 1e3, "ms");
	snprintf(name, sizeof(name), "key_max_%s", what);
	print("console", name, worst_key * 1e3, "ms");
	snprintf(name, sizeof(name), "memory_per_client_%s", what);
	print("console", name, memory_of(c.pid, "VmRSS") / (10000.0 * n), "kB");
	stop(&c);
}

/* The program beside this one, as it was built. */
static void
find_program(const char *argv0, char *path, size_t size)
{
	const char *end = strstr(argv0, "tests/bench/");

	snprintf(path, size, "%.*sgpuwl-top",
	    end != NULL ? (int)(end - argv0) : 0, argv0);
}

static bool
has_htop(void)
{
	return system("command -v htop >/dev/null 2>&1") == 0;
}

int
main(int argc, char **argv)
{
	char path[4096];
	char workload[] = "workloads/desktop.wsim";
	const char *slow[] = {path, "--delay=1", workload, NULL};
	const char *quick[] = {path, "--delay=0.1", workload, NULL};
	const char *paused[] = {path, "--delay=0.1", workload, NULL};
	const char *load[] = {
	    path, "-c", "1000", "--speed=max", workload, NULL};
	char layered[] = "workloads/layer.wsim";
	const char *many[] = {path, workload, NULL};
	const char *many_layered[] = {path, layered, NULL};
	const char *htop_slow[] = {"htop", "-d", "10", NULL};
	const char *htop_quick[] = {"htop", "-d", "1", NULL};

	struct starts starts[] = {
	    {"console", many, {0}, {0}}, {"htop", htop_slow, {0}, {0}}};

	(void)argc;
	find_program(argv[0], path, sizeof(path));
	measure_starts(starts, has_htop() ? 2 : 1);
	measure_memory(many);
	measure_rate("console", slow, "1hz", 1);
	measure_rate("console", quick, "10hz", 10);
	measure_paused(paused);
	measure_keys("idle", slow);
	measure_keys("load", load);
	measure_launches("many", many);
	measure_launches("many_layered", many_layered);
	if (!has_htop())
		return 0;
	measure_rate("htop", htop_slow, "1hz", 1);
	measure_rate("htop", htop_quick, "10hz", 10);
	return 0;
}
