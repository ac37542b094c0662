/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that are started on the device of a session: their command line,
 * their output, which goes to a file of the state folder, and their end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "device/serve/program.h"
#include "device/service/service.h"
#include "run/live/programs_private.h"
#include "run/live/session.h"

/* Time that programs have to end after SIGTERM. */
#define GRACE_NS (2 * NSEC_PER_SEC)

/* The file of the output: when it is longer, its last bytes are kept. */
#define LOG_MAX  (64 * 1024 * 1024)
#define LOG_KEPT (1024 * 1024)
#define LOG_LINE 4096 /* bytes in which a line's end is looked for */

static bool
output_folder(struct text *path)
{
	for (enum state_place p = 0; p < N_STATE_PLACES; p++)
		if (state_folder(p, true, path))
			return true;
	return false;
}

/* Opens the file, empty, unless it is open. */
static bool
open_log(struct programs *p, struct text *err)
{
	struct text path = {0};

	if (p->log_path.len > 0)
		return true;
	if (!output_folder(&path)) {
		state_folder_problem(err);
		text_free(&path);
		return false;
	}
	text_addf(&path, "output-%s.log", p->name);
	p->log = open(text_str(&path),
	    O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
	    0600);
	if (p->log < 0)
		text_addf(err, "%s: %s", text_str(&path), strerror(errno));
	else
		text_adds(&p->log_path, text_str(&path));
	text_free(&path);
	return p->log_path.len > 0;
}

/* Writes the last bytes of the file, from the beginning of a line on, as its only
 * ones. */
static void
keep_log_end(const struct programs *p, off_t size)
{
	static const char dropped[] = "... (earlier output was dropped)\n";
	int fd = open(
	    text_str(&p->log_path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *bytes = mem_calloc(1, LOG_KEPT);
	ssize_t n = fd < 0 ? -1 : pread(fd, bytes, LOG_KEPT, size - LOG_KEPT);
	/* A long line may be all that there is. */
	const char *start = n > LOG_LINE ? memchr(bytes, '\n', LOG_LINE) : NULL;
	bool kept;

	if (start == NULL)
		start = bytes;
	/* Programs append, so that they go on behind what is written here. */
	kept = n > 0 && ftruncate(p->log, 0) == 0 &&
	    write(p->log, dropped, strlen(dropped)) > 0 &&
	    write(p->log, start, (size_t)(bytes + n - start)) > 0;
	/* Where the disk is full, the end is lost, too. */
	(void)kept;
	if (fd >= 0)
		close(fd);
	free(bytes);
}

void
programs_limit_log(const struct programs *p)
{
	struct stat st;

	if (p->log_path.len > 0 && fstat(p->log, &st) == 0 &&
	    st.st_size > LOG_MAX)
		keep_log_end(p, st.st_size);
}

/* Writes the command before its output. */
static void
log_command(const struct programs *p, char *const argv[])
{
	struct text line = {0};

	text_addc(&line, '$');
	for (; *argv != NULL; argv++)
		text_addf(&line, " %s", *argv);
	text_addc(&line, '\n');
	/* The program runs without this line too. */
	if (write(p->log, text_str(&line), line.len) < 0)
		text_clear(&line);
	text_free(&line);
}

const char *
session_output_log(const struct session *s)
{
	return text_str(&s->programs.log_path);
}

/* Starting. */

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != 0 ? slash + 1 : path;
}

static char **
copy_arguments(char *const argv[])
{
	char **words = NULL;
	size_t n = 0, cap = 0;

	do {
		words = mem_grow(words, n, &cap, sizeof(*words));
		words[n] = argv[n] != NULL ? mem_strdup(argv[n]) : NULL;
	} while (argv[n++] != NULL);
	return words;
}

char *const *
session_first_program(const struct session *s, uint64_t *n)
{
	*n = s->programs.n_started;
	return s->programs.first;
}

static bool
start_child(
    struct programs *p, const char *path, char *const argv[], struct text *err)
{
	struct program_child *child = &p->children[p->n_children];
	struct launch how = {
	    .path = path, .argv = argv, .output = p->log, .apart = true};
	struct text said = {0};

	if (!service_launch(p->service, &child->process, &how, err))
		return false;
	child->name = mem_strdup(base_name(argv[0]));
	p->n_children++;
	if (p->n_started++ == 0)
		p->first = copy_arguments(argv);
	text_addf(&said, "%s runs, pid %ld (:output shows what it writes)",
	    child->name, (long)child->process.pid);
	programs_say(p, false, text_str(&said));
	text_free(&said);
	return true;
}

bool
session_run_program(struct session *s, char *const argv[], struct text *err)
{
	struct programs *p = &s->programs;
	char *path = NULL;
	bool ok;

	if (p->n_children == PROGRAMS_MAX) {
		text_addf(err,
		    "%u programs run that were started here: wait "
		    "for one to end",
		    PROGRAMS_MAX);
		return false;
	}
	ok = program_find(argv[0], &path, err) == 0 &&
	    (p->service != NULL || session_serve(s, NULL, false, err)) &&
	    open_log(p, err);
	if (ok) {
		log_command(p, argv);
		ok = start_child(p, path, argv, err);
	}
	free(path);
	return ok;
}

/* Command lines. */

/* Appends the home folder for a "~" or "~/" at *s, and moves *s behind the
 * "~". */
static void
take_home(const char **s, struct text *word)
{
	const char *home = getenv("HOME");

	if (**s != '~' || strchr("/ \t", (*s)[1]) == NULL || home == NULL)
		return;
	text_adds(word, home);
	++*s;
}

/* Appends the next word of *line, without its quotes, and moves *line behind it.
 * False: err says which quote is not closed. */
static bool
take_program_word(const char **line, struct text *word, struct text *err)
{
	const char *s = *line;
	char quote = 0;

	take_home(&s, word);
	for (; *s != 0 && (quote != 0 || strchr(" \t", *s) == NULL); s++) {
		if (*s == '\\' && quote != '\'' && s[1] != 0)
			text_addc(word, *++s);
		else if (quote == 0 && (*s == '\'' || *s == '"'))
			quote = *s;
		else if (*s == quote)
			quote = 0;
		else
			text_addc(word, *s);
	}
	*line = s;
	if (quote != 0)
		text_addf(err, "a %c is not closed", quote);
	return quote == 0;
}

static void
free_words(char **words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(words[i]);
	free(words);
}

bool
session_run_line(struct session *s, const char *line, struct text *err)
{
	char **words = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;

	while (ok && *(line += strspn(line, " \t")) != 0) {
		struct text word = {0};

		ok = take_program_word(&line, &word, err);
		words = mem_grow(words, n, &cap, sizeof(*words));
		words[n++] = mem_strdup(text_str(&word));
		text_free(&word);
	}
	words = mem_grow(words, n, &cap, sizeof(*words));
	words[n] = NULL;
	if (ok && n == 0)
		text_adds(err, "no program: e.g. :run gem_wsim -w a.wsim");
	ok = ok && n > 0 && session_run_program(s, words, err);
	free_words(words, n);
	return ok;
}

unsigned
session_n_children(const struct session *s)
{
	return s->programs.n_children;
}

/* The end. */

static void
say_end(struct programs *p, const char *name, int status)
{
	struct text said = {0};

	if (status == 0)
		text_addf(&said, "%s has ended", name);
	else if (status > 128)
		text_addf(&said, "%s was ended by signal %d (SIG%s)", name,
		    status - 128,
		    sigabbrev_np(status - 128) != NULL
			? sigabbrev_np(status - 128)
			: "?");
	else
		text_addf(&said,
		    "%s failed with status %d (:output shows what it wrote)",
		    name, status);
	programs_say(p, status != 0, text_str(&said));
	text_free(&said);
}

void
programs_reap(struct session *s)
{
	struct programs *p = &s->programs;
	unsigned kept = 0;
	int status;

	for (unsigned i = 0; i < p->n_children; i++) {
		struct program_child *child = &p->children[i];

		if (launch_ended(&child->process, &status)) {
			say_end(p, child->name, status);
			free(child->name);
		} else
			p->children[kept++] = *child;
	}
	p->n_children = kept;
}

static void
signal_children(const struct programs *p, int signal)
{
	for (unsigned i = 0; i < p->n_children; i++)
		launch_signal(&p->children[i].process, signal);
}

/* Time that the simulation may take between two looks at the children. */
#define SLICE_NS (10 * NSEC_PER_MSEC)

static enum sim_poll
is_slice_over(void *end)
{
	return clock_wall() > *(const nsec *)end ? SIM_PAUSE : SIM_GO_ON;
}

/* Lets the device work until the children have ended, or the time is over. */
static void
await_children(struct session *s, nsec until)
{
	struct pollfd fds[PROGRAMS_FDS];
	nsec slice_end;

	session_set_poll(s, is_slice_over, &slice_end);
	while (s->programs.n_children > 0 && clock_wall() < until) {
		nsec next;
		unsigned n = session_device_poll(s, fds, &next);

		(void)next;
		poll(fds, n, 10);
		slice_end = clock_wall() + SLICE_NS;
		session_device_work(s);
	}
	session_set_poll(s, NULL, NULL);
}

/* A program that was stopped by a signal ends as well. */
void
programs_end_children(struct session *s)
{
	/* A session that never began has no simulation either. */
	if (s->programs.n_children == 0)
		return;
	signal_children(&s->programs, SIGTERM);
	signal_children(&s->programs, SIGCONT);
	await_children(s, clock_wall() + GRACE_NS);
	signal_children(&s->programs, SIGKILL);
	await_children(s, clock_wall() + GRACE_NS);
}
