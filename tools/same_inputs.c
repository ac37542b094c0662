/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes one random input of tools/same.sh into a folder:
 *
 *   same_inputs SEED N FOLDER
 *
 *   w0.wsim ...   descriptors that run; -a's in append.wsim
 *   broken.wsim   w0.wsim, changed until it is seldom one
 *   mine.ini      a shipped profile with other numbers; broken.ini: changed as above
 *   options       random options, a command line each; many are refused
 *   keys.script   keys for the console (--script), with :dump between them
 *   input         lines NAME VALUE: work (options of batch mode), files, scheduler,
 *                 profile, trace (the kind of --trace-kernel), ini (the profile that
 *                 mine.ini was made from)
 *
 * Run it in the top folder of the tree. The same SEED and N write the same files.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "run/options_table.h"
#include "tests/naive/generate.h"
#include "tests/naive/maker.h"
#include "tests/support/annotate.h"
#include "tests/support/any_iteration.h"
#include "tests/support/monkey.h"

#define KEY_LINES 16 /* of keys.script */

#define N(array) (sizeof(array) / sizeof(*(array)))

struct input {
	const char *folder;
	uint64_t random;
	struct text first; /* w0.wsim */
	struct text work;  /* options of batch mode */
	struct text files; /* names of the descriptors */
	const char *scheduler;
};

static const char *const profiles[] = {"default", "bdw-gt2", "skl-gt3", "icl",
    "tgl", "adl-p", "dg2-g10", "mtl", "pvc", "lnl", "bmg", "ideal"};

static unsigned
below(struct input *in, unsigned n)
{
	return maker_below(&in->random, n);
}

static bool
chance(struct input *in, unsigned percent)
{
	return maker_chance(&in->random, percent);
}

static void
check(bool done, const struct text *err)
{
	if (done)
		return;
	fprintf(stderr, "same_inputs: %s\n", text_str(err));
	exit(1);
}

static void
write_file(const struct input *in, const char *name, const struct text *t)
{
	struct text path = {0}, err = {0};

	text_addf(&path, "%s/%s", in->folder, name);
	check(file_write(text_str(&path), true, t, &err), &err);
	text_free(&path);
}

/* Appends the lines in other clothes: comments, blank lines, spaces, small letters,
 * two steps in one line. */
static void
add_dressed(struct input *in, const struct text *plain, struct text *out)
{
	const char *s = text_str(plain);

	while (*s != 0) {
		size_t len = strcspn(s, "\n");
		bool lower = isdigit((unsigned char)*s) && chance(in, 10);

		if (chance(in, 5))
			text_adds(out, chance(in, 50) ? "\n" : "# a comment\n");
		for (size_t i = 0; i < len; i++)
			text_addc(out,
			    lower ? (char)tolower((unsigned char)s[i]) : s[i]);
		s += len + (s[len] == '\n');
		if (chance(in, 5))
			text_adds(out, "  # behind a step\n");
		else
			text_addc(out, *s != 0 && chance(in, 5) ? ',' : '\n');
	}
}

/* Names the descriptor w0.wsim and so on; some have annotations, some are dressed. */
static void
write_workload(struct input *in, unsigned i, const struct text *plain)
{
	struct text t = {0}, name = {0};

	text_addf(&name, "w%u.wsim", i);
	if (chance(in, 50))
		annotate(&t, text_str(plain), plain->len, &in->random);
	else if (chance(in, 40))
		add_dressed(in, plain, &t);
	else
		text_add(&t, text_str(plain), plain->len);
	write_file(in, text_str(&name), &t);
	text_addf(&in->files, " %s", text_str(&name));
	if (i == 0)
		text_add(&in->first, text_str(&t), t.len);
	text_free(&name);
	text_free(&t);
}

/* Descriptors of the second model's tests: short batches that run into each other. */
static void
write_generated(struct input *in, enum naive_scheduler scheduler)
{
	struct naive_generated g;
	uint64_t repeat = 1;

	naive_generate(&g, scheduler, below(in, UINT32_MAX));
	for (unsigned i = 0; i < g.n_workloads; i++)
		write_workload(in, i, &g.workloads[i]);
	for (unsigned i = 0; i < g.n_clients; i++)
		if (g.clients[i].repeat > 0)
			repeat = g.clients[i].repeat;
	for (unsigned i = 0; i < g.n_clients && g.n_workloads > 1; i++)
		text_addf(&in->work, " %s w%u.wsim",
		    !g.clients[i].background && g.clients[0].background ? "-W"
									: "-w",
		    g.clients[i].workload);
	if (g.n_workloads == 1)
		text_addf(&in->work, " -w w0.wsim -c %u", g.n_clients);
	text_addf(&in->work, " -r %llu -I %u -f %g -F %g%s%s",
	    (unsigned long long)repeat, g.seed, g.duration_scale, g.delay_scale,
	    g.same_random ? " -S" : "", g.sync_deps ? " -d" : "");
	if (g.append.len > 0) {
		write_file(in, "append.wsim", &g.append);
		text_adds(&in->work, " -a append.wsim");
	}
	naive_generated_clear(&g);
}

/* A descriptor of batches as long as those of frames. */
static void
write_iteration(struct input *in)
{
	struct text t = {0};

	any_iteration(below(in, UINT32_MAX), true, &t);
	write_workload(in, 0, &t);
	text_addf(&in->work, " -w w0.wsim -c %u -r %u -I %u", 1 + below(in, 3),
	    2 + below(in, 20), below(in, 100));
	text_free(&t);
}

static void
write_workloads(struct input *in)
{
	enum naive_scheduler scheduler = below(in, N_NAIVE_SCHEDULERS);

	in->scheduler = naive_scheduler_names[scheduler];
	if (chance(in, 20))
		write_iteration(in);
	else
		write_generated(in, scheduler);
	if (chance(in, 10))
		text_adds(&in->work, " --duration=0.0005");
}

static void
replace(struct text *t, size_t at, size_t len, const char *by, size_t n)
{
	struct text changed = {0};

	text_add(&changed, text_str(t), at);
	text_add(&changed, by, n);
	text_add(&changed, text_str(t) + at + len, t->len - at - len);
	text_free(t);
	*t = changed;
}

/* Another number, byte, part or no part at a random place. */
static void
break_somewhere(struct input *in, struct text *t)
{
	static const char *const numbers[] = {"0", "-1", "1", "3", "1x", "1024",
	    "4294967296", "99999999999999999999", "0x3", "1e9", "*", "7-5"};
	static const char likely[] = "\n,.-*/|#@:= fsrwTBMGbSXPqt9\x1b\xc3";
	size_t at = below(in, (unsigned)t->len), len;
	const char *by;
	char c;

	switch (below(in, 4)) {
	case 0:
		at += strcspn(text_str(t) + at, "0123456789");
		len = strspn(text_str(t) + at, "0123456789");
		by = numbers[below(in, (unsigned)N(numbers))];
		replace(t, at, len, by, strlen(by));
		break;
	case 1:
		c = likely[below(in, sizeof likely - 1)];
		replace(t, at, below(in, 2), &c, 1);
		break;
	case 2:
		len = below(in, 20);
		if (len > t->len - at)
			len = t->len - at;
		replace(t, at, len, "", 0);
		break;
	default:
		len = strcspn(text_str(t) + at, "\n");
		by = strndup(text_str(t) + at, len);
		replace(t, below(in, (unsigned)t->len), 0, by, len);
		free((char *)by);
	}
}

static void
write_broken(struct input *in, const char *name, struct text *t)
{
	for (unsigned n = 1 + below(in, 6); n > 0 && t->len > 0; n--)
		break_somewhere(in, t);
	write_file(in, name, t);
}

/* Appends the profile with other numbers for some of its knobs. */
static void
add_profile(struct input *in, const struct text *ini, struct text *out)
{
	static const char *const numbers[] = {
	    "0", "1", "2", "3", "7", "100", "500", "1000", "2500", "20000"};

	for (const char *s = text_str(ini); *s != 0;) {
		size_t len = strcspn(s, "\n");
		const char *is = memchr(s, '=', len);
		bool number = is != NULL && *s != '#' && is[1] == ' ' &&
		    strspn(is + 2, "0123456789") == (size_t)(s + len - is - 2);

		if (number && chance(in, 25))
			text_addf(out, "%.*s= %s\n", (int)(is - s), s,
			    numbers[below(in, (unsigned)N(numbers))]);
		else if (*s != '#')
			text_addf(out, "%.*s\n", (int)len, s);
		s += len + (s[len] == '\n');
	}
}

static const char *
write_profiles(struct input *in)
{
	const char *name = profiles[below(in, (unsigned)N(profiles))];
	struct text path = {0}, ini = {0}, mine = {0}, err = {0};

	text_addf(&path, "workloads/profiles/%s.ini", name);
	check(file_read(text_str(&path), &ini, NULL, &err), &err);
	add_profile(in, &ini, &mine);
	write_file(in, "mine.ini", &mine);
	write_broken(in, "broken.ini", &mine);
	text_free(&path);
	text_free(&ini);
	text_free(&mine);
	return name;
}

/* Random keys, and what the screen shows after every few of them. At the end nothing
 * is asked any more, and the descriptor is written. */
static void
write_keys(struct input *in)
{
	static const char *const sizes[] = {
	    "80x24", "120x40", "200x50", "40x10", "100x30"};
	struct monkey m = {.seed = below(in, 1u << 30), .rows = 24};
	struct text t = {0};

	text_addf(&t, "size %s\n", sizes[below(in, (unsigned)N(sizes))]);
	for (unsigned i = 1; i <= KEY_LINES; i++) {
		monkey_add_line(&m, &t);
		if (i % 4 == 0)
			text_addf(&t, "advance 300us\ndump console.%u.%s\n", i,
			    i % 8 == 0 ? "ansi" : "txt");
	}
	text_adds(&t,
	    "<Esc><Esc><Esc><Esc>5\nsize 200x60\njJzg\n:w! console.wsim\n"
	    "dump console.end.txt\n:q!\n");
	write_file(in, "keys.script", &t);
	text_free(&t);
}

/* Options that wait for others or for real time, and searches of many long runs. */
static bool
takes_long(const char *name)
{
	static const char *const names[] = {"serve", "speed", "layer-connect",
	    "layer-connect-remote", "calibrate", "capacity", "tune", "sweep"};

	for (size_t i = 0; i < N(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void
add_option(struct input *in, struct text *out)
{
	static const char *const values[] = {"0", "1", "2", "-1", "1x",
	    "w0.wsim", "broken.wsim", "./mine.ini", "options.txt", "fifo",
	    "guc", "tgl", "seed=1..2", "misses<=0", "priority", "0.001",
	    "none/x", "-", "i915,drm", "1..2", "pci:", "1.RCS.10.0.0", "x:x",
	    "1e99"};
	const struct option_info *row = &option_table[below(in, N_OPTIONS)];
	const char *value = values[below(in, (unsigned)N(values))];

	if (takes_long(row->name))
		return;
	text_addf(out, " --%s", row->name);
	if (chance(in, row->argument != NULL ? 90 : 5))
		text_addf(out, "=%s", value);
}

static void
write_options(struct input *in)
{
	struct text t = {0};

	for (unsigned line = 0; line < 3; line++) {
		if (chance(in, 60))
			text_adds(&t,
			    chance(in, 70) ? "-b -w w0.wsim"
					   : "--check w0.wsim");
		for (unsigned n = 1 + below(in, 3); n > 0; n--)
			add_option(in, &t);
		text_addc(&t, '\n');
	}
	write_file(in, "options", &t);
	text_free(&t);
}

static void
write_input(struct input *in, const char *ini)
{
	static const char *const kinds[] = {"txt", "perf", "dat"};
	struct text t = {0};

	text_addf(&t, "work%s\nfiles%s\nscheduler %s\nini %s\n",
	    text_str(&in->work), text_str(&in->files), in->scheduler, ini);
	text_addf(&t, "profile %s\ntrace %s\n",
	    profiles[below(in, (unsigned)N(profiles))], kinds[below(in, 3)]);
	write_file(in, "input", &t);
	text_free(&t);
}

int
main(int argc, char **argv)
{
	struct input in = {0};
	const char *ini;

	if (argc != 4) {
		fputs("usage: same_inputs SEED N FOLDER\n", stderr);
		return 2;
	}
	in.random = strtoull(argv[1], NULL, 10) * 1000000007u +
	    strtoull(argv[2], NULL, 10);
	in.folder = argv[3];
	below(&in, 2);
	write_workloads(&in);
	ini = write_profiles(&in);
	write_broken(&in, "broken.wsim", &in.first);
	write_options(&in);
	write_keys(&in);
	write_input(&in, ini);
	text_free(&in.first);
	text_free(&in.work);
	text_free(&in.files);
	return 0;
}
