/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: the options that it sets, and the words of refusals. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/options.h"
#include "run/options_table.h"
#include "tests/runner/test.h"

#define MAX_WORDS 32

/* A command line, split at blanks; "" is written ''. */
struct line {
	char words[512];
	char *argv[MAX_WORDS + 1];
	int argc;
	struct options o;
	struct text err;
	bool ok;
};

static void
parse(struct line *l, const char *command)
{
	char *save = NULL;

	memset(l, 0, sizeof(*l));
	strcpy(l->words, command);
	l->argc = 1; /* argv[0] is set below */
	for (char *w = strtok_r(l->words, " ", &save); w != NULL;
	     w = strtok_r(NULL, " ", &save)) {
		assert_true(l->argc < MAX_WORDS);
		l->argv[l->argc++] = strcmp(w, "''") == 0 ? w + 2 : w;
	}
	l->argv[0] = l->words;
	l->ok = options_parse(&l->o, l->argc, l->argv, &l->err);
}

static void
done(struct line *l)
{
	options_free(&l->o);
	text_free(&l->err);
}

/* Parses what must be right. */
static void
accept_line(struct line *l, const char *command)
{
	parse(l, command);
	if (!l->ok)
		fail_msg("%s: %s", command, text_str(&l->err));
}

/* Expects the command line to be refused, with these words among others. */
static void
refuse_line(const char *command, const char *words)
{
	struct line l;

	parse(&l, command);
	if (l.ok || strstr(text_str(&l.err), words) == NULL)
		fail_msg(
		    "%s: '%s', not '%s'", command, text_str(&l.err), words);
	done(&l);
}

TEST(defaults)
{
	struct line l;

	accept_line(&l, "");
	assert_int_equal(l.o.mode, MODE_CONSOLE);
	assert_int_equal(l.o.repeat, 0);
	assert_int_equal(l.o.clients, 1);
	assert_int_equal(l.o.seed, 1);
	assert_true(l.o.speed == 1 && l.o.duration_scale == 1);
	assert_true(l.o.delay_scale == 1);
	assert_string_equal(l.o.scheduler, "profile");
	assert_string_equal(l.o.profile, "default");
	assert_true(l.o.duration == NSEC_NEVER);
	assert_int_equal(l.o.verbose, 0);
	done(&l);
	accept_line(&l, "-b -w x");
	assert_int_equal(l.o.mode, MODE_BATCH);
	assert_int_equal(l.o.repeat, 1);
	assert_true(l.o.speed == 0);
	done(&l);
	accept_line(&l, "--check x");
	assert_string_equal(l.o.profile, "ideal");
	done(&l);
}

TEST(gem_wsim)
{
	struct line l;

	accept_line(&l,
	    "-b -c 4 -r 200 -w x -a d.1 -I 7 -S -d -f 0.5 -F 2 -D drm:c -v -v");
	assert_int_equal(l.o.clients, 4);
	assert_int_equal(l.o.repeat, 200);
	assert_string_equal(l.o.append, "d.1");
	assert_int_equal(l.o.seed, 7);
	assert_true(l.o.same_random && l.o.sync_deps);
	assert_true(l.o.duration_scale == 0.5 && l.o.delay_scale == 2);
	assert_string_equal(l.o.device, "drm:c");
	assert_int_equal(l.o.verbose, 2);
	done(&l);
	accept_line(&l, "-bc4 -r200 -wx -vvq");
	assert_int_equal(l.o.clients, 4);
	assert_int_equal(l.o.repeat, 200);
	assert_string_equal(l.o.workloads[0].argument, "x");
	assert_int_equal(l.o.verbose, -1);
	done(&l);
}

TEST(long_forms)
{
	struct line l;

	accept_line(&l,
	    "--batch --clients=4 --repeat 3 --workload=x --append=d.1 --seed=9 "
	    "--same-random --sync-data --scale-durations=3 --scale-delays=0 "
	    "--verbose --scheduler=drm --profile=ideal --speed=2.5 "
	    "--duration=1.5 --json --requests=r");
	assert_int_equal(l.o.clients, 4);
	assert_int_equal(l.o.repeat, 3);
	assert_true(l.o.delay_scale == 0 && l.o.speed == 2.5);
	assert_true(l.o.duration == 1500000000);
	assert_string_equal(l.o.json, "-");
	assert_string_equal(l.o.requests, "r");
	assert_true(l.o.scheduler_given);
	done(&l);
	accept_line(&l, "-b -w x --json=out.json --speed=max --duration=0.1");
	assert_string_equal(l.o.json, "out.json");
	assert_true(l.o.speed == 0);
	assert_true(l.o.duration == 100000000);
	assert_int_equal(l.o.repeat, 0);
	done(&l);
	accept_line(&l, "-b --device=drm:c -w x");
	assert_string_equal(l.o.device, "drm:c");
	done(&l);
	accept_line(&l, "--script=s --ascii --delay=0.1 --priority=-3 f");
	assert_string_equal(l.o.script, "s");
	assert_true(l.o.ascii && l.o.delay == NSEC_PER_SEC / 10);
	assert_int_equal(l.o.workloads[0].priority, -3);
	done(&l);
}

TEST(workloads_in_order)
{
	struct line l;

	accept_line(&l, "-b first -p 5 -s -w a -s -W b -p -1023 c -- -d -");
	assert_int_equal(l.o.n_workloads, 6);
	assert_string_equal(l.o.workloads[0].argument, "first");
	assert_int_equal(l.o.workloads[0].priority, 0);
	assert_false(l.o.workloads[0].small_sseu);
	assert_true(l.o.workloads[0].positional);
	assert_int_equal(l.o.workloads[1].priority, 5);
	assert_true(l.o.workloads[1].small_sseu);
	assert_false(l.o.workloads[1].positional || l.o.workloads[1].master);
	assert_true(l.o.workloads[2].master);
	assert_false(l.o.workloads[2].small_sseu);
	assert_int_equal(l.o.workloads[3].priority, -1023);
	assert_string_equal(l.o.workloads[4].argument, "-d");
	assert_string_equal(l.o.workloads[5].argument, "-");
	assert_false(l.o.sync_deps);
	done(&l);
}

TEST(modes)
{
	static const struct {
		const char *command;
		enum mode mode;
	} rows[] = {
	    {"-b -w x", MODE_BATCH},
	    {"x", MODE_CONSOLE},
	    {"--check a b -", MODE_CHECK},
	    {"a --check", MODE_CHECK},
	    {"--format a", MODE_FORMAT},
	    {"-L", MODE_LIST_DEVICES},
	    {"-l", MODE_LIST_ENGINES},
	    {"-b -L -q -w x", MODE_LIST_DEVICES},
	    {"-l -b", MODE_LIST_ENGINES},
	    {"-l -D pci:card=1", MODE_LIST_ENGINES},
	    {"-h", MODE_HELP},
	    {"-b --help -z", MODE_HELP},
	    {"--version", MODE_VERSION},
	};
	struct line l;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		accept_line(&l, rows[i].command);
		if (l.o.mode != rows[i].mode)
			fail_msg("%s: mode %d", rows[i].command, l.o.mode);
		done(&l);
	}
	accept_line(&l, "a --check b -- -c");
	assert_int_equal(l.o.n_files, 3);
	assert_string_equal(l.o.files[0], "a");
	assert_string_equal(l.o.files[2], "-c");
	assert_int_equal(l.o.n_workloads, 0);
	done(&l);
}

TEST(numbers_refused)
{
	static const char *const rows[] = {"-c abc", "-c 0", "-c -1", "-c 4x",
	    "-c ''", "-c 1000001", "-c 99999999999999999999999", "-c 1e3",
	    "-c 0x10", "-c +4", "-r 0", "-r 1.5", "-r -3", "-r abc", "-I abc",
	    "-I -1", "-I 4294967296", "-I 1.0", "-f -1", "-f 0", "-f 0.0",
	    "-f nan", "-f inf", "-f 1e400", "-f 0x1", "-f 1,5", "-f ''", "-f .",
	    "-F x", "-F -0.1", "-F 2000000"};
	static const char *const invalid[] = {"--speed=0", "--speed=-1",
	    "--speed=fast", "--speed=", "--speed=1000001", "--speed=0x1",
	    "--duration=0", "--duration=-1", "--duration=", "--duration=1m",
	    "--duration=nan", "--duration=1e10"};
	char command[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strcpy(command, "-b -w x ");
		strcat(command, rows[i]);
		refuse_line(command, "expected a");
	}
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		strcpy(command, "-b -w x ");
		strcat(command, invalid[i]);
		refuse_line(command, ": invalid ");
	}
}

TEST(priorities_refused)
{
	static const char *const rows[] = {
	    "1024", "-1024", "1x", "--5", "-", "''"};
	char command[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(command, sizeof(command), "-b -w x -p %s", rows[i]);
		refuse_line(command, "expected -1023 to 1023");
	}
}

TEST(numbers_accepted)
{
	struct line l;

	accept_line(&l, "-b -w x -f 0.1 -F 0 -I 4294967295 -c 1000000 -p 1023");
	assert_true(l.o.duration_scale == 0.1 && l.o.delay_scale == 0);
	assert_true(l.o.seed == UINT32_MAX);
	assert_int_equal(l.o.clients, 1000000);
	done(&l);
	accept_line(&l, "-b -w x --speed=0.001 --duration=16.7ms");
	assert_true(l.o.speed == 0.001 && l.o.duration == 16700000);
	done(&l);
}

TEST(refusals)
{
	refuse_line("-z", "unknown option '-z'");
	refuse_line("--jsn", "unknown option '--jsn': did you mean --json?");
	refuse_line("--bogus", "unknown option '--bogus'");
	refuse_line("--trac=x",
	    "ambiguous option '--trac': expected --trace, --trace-json, "
	    "--trace-kernel or --trace-events");
	refuse_line("--re",
	    "ambiguous option '--re': expected --repeat, --report, --requests, "
	    "--record or --replay");
	refuse_line("--help=x", "--help takes no argument");
}

TEST(refused_values)
{
	refuse_line("-b -w - -w -", "can be read once");
	refuse_line("-b -w - -a -", "can be read once");
	refuse_line("--check - -", "can be read once");
	refuse_line("-l extra", "-l takes no FILE: 'extra'");
	refuse_line("-L extra", "-L takes no FILE: 'extra'");
	refuse_line("-b -w x -D x", "-D: invalid device 'x': expected drm:");
	refuse_line("-b -w x -f 0", "a factor above 0");
	refuse_line("-b -w x --duration=1e300", "expected 1ns to 9000000000s");
	refuse_line("-b -w x --duration=1e-11", "expected 1ns to 9000000000s");
	refuse_line("-b -w", "-w needs an argument");
	refuse_line("--scheduler", "--scheduler needs an argument");
	refuse_line("-b", "no workload");
	refuse_line("-b -w x --error-state=",
	    "--error-state: empty name: expected the name of a folder, e.g. "
	    "--error-state=errors");
	refuse_line("-b -w x --record ''",
	    "--record: empty name: expected the name of a file, e.g. --record=");
	refuse_line("-b -w x --requests=", "--requests: empty name");
	refuse_line("-b -w x --json=", "--json: empty name");
	refuse_line("-b --replay=", "--replay: empty name");
	refuse_line("-b -w x --report=",
	    "--report: empty name: expected the name of a file, e.g. --report=");
	refuse_line("-b -w x --profile-frames=",
	    "--profile-frames: empty name: expected the name of a file");
	refuse_line("-b --serve --capture=", "--capture: empty name");
	refuse_line("--script=", "--script: empty name");
	refuse_line("--config=", "--config: empty name");
	refuse_line("--check ''", "--check: empty name: expected the name of");
	refuse_line(
	    "--format ''", "--format: empty name: expected the name of");
}

TEST(refused_combinations)
{
	refuse_line("-b -w x -w y -c 2", "cannot be combined");
	refuse_line("-b -w x -W y -c 2", "cannot be combined");
	refuse_line("-b -a d.1 -a d.1 -w x", "only one append workload");
	refuse_line("-b -W x -W y", "only one master workload");
	refuse_line("--duration=1 x", "--duration is for batch mode");
	refuse_line("-b -w x --trace=- --layer=-",
	    "--layer and --trace cannot share standard output");
	refuse_line("--json x", "--json is for batch mode: add -b");
	refuse_line("--requests=r x", "add -b");
	refuse_line("--duration=1 x", "add -b");
	refuse_line("-q x", "add -b");
	refuse_line("-b -w x --ascii", "leave out -b");
	refuse_line("-b -w x --script=s", "leave out -b");
	refuse_line("--check x --json", "has no effect with --check");
	refuse_line("--check x -c 2", "has no effect with --check");
	refuse_line("--check x -b", "--check and -b exclude each other");
	refuse_line("--check --format x", "exclude each other");
	refuse_line("--replay=r x", "--replay takes one FILE");
	refuse_line(
	    "--replay=r --record=s", "--record cannot be used with --replay");
	refuse_line("-b --replay=r -w 1.RCS.1.0.0",
	    "-w (--workload) cannot be used with --replay: the recording contains it");
	refuse_line("-b --replay=r --scheduler=drm",
	    "--scheduler cannot be used with --replay");
	refuse_line("-b --replay=r --duration=1",
	    "--duration cannot be used with --replay");
	refuse_line("-b --replay=r --record=s",
	    "--record cannot be used with --replay");
	refuse_line("-b --replay=r x", "--replay takes one FILE");
	refuse_line("--check", "needs a FILE");
	refuse_line("--format", "needs a FILE");
	refuse_line("--format x y", "takes one FILE");
	refuse_line("-", "standard input");
	refuse_line("-b -w x --json --requests=-", "cannot share");
	refuse_line("-b -w x -c \033[2J", "?[2J");
}

TEST(table)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *a = &option_table[i];

		assert_non_null(a->name);
		/* One thing each. */
		assert_non_null(a->take);
		/* An option that names a file says what is done with it. */
		assert_int_equal(a->file != OPTION_NO_FILE,
		    a->argument != NULL &&
			(strstr(a->argument, "FILE") != NULL ||
			    strstr(a->argument, "DIR") != NULL));
		assert_true(a->file == OPTION_NO_FILE || a->argument != NULL);
		for (size_t j = i + 1; j < N_OPTIONS; j++) {
			assert_string_not_equal(a->name, option_table[j].name);
			assert_true(a->letter == 0 ||
			    a->letter != option_table[j].letter);
		}
	}
}

TEST(help)
{
	static const char letters[] = "hqvsSdcrwWapIfFDLlb";
	struct text help = {0}, man = {0};
	char word[32];

	options_print_help(&help);
	options_print_man(&man);
	for (const char *c = letters; *c != '\0'; c++) {
		snprintf(word, sizeof(word), "  -%c, --", *c);
		assert_non_null(strstr(text_str(&help), word));
		snprintf(word, sizeof(word), "\\fB\\-%c\\fR, ", *c);
		assert_non_null(strstr(text_str(&man), word));
	}
	for (size_t i = 0; i < N_OPTIONS; i++) {
		snprintf(word, sizeof(word), " --%s", option_table[i].name);
		assert_int_equal(strstr(text_str(&help), word) != NULL,
		    option_table[i].group != GROUP_HIDDEN);
	}
	for (const char *row = text_str(&help); *row != '\0';) {
		size_t len = strcspn(row, "\n");

		/* The names of profiles stay on one line, for completion. */
		assert_true(len < 80 || *row != ' ');
		row += len + 1;
	}
	text_free(&help);
	text_free(&man);
}

/* Only this machine, unless it is said that it may be another one. */
TEST(connect)
{
	struct line l;

	parse(&l, "-b -w x --layer-connect localhost:62142");
	assert_true(l.ok);
	assert_string_equal(l.o.layer_connect, "localhost:62142");
	assert_false(l.o.layer_connect_remote);
	done(&l);
	parse(&l, "-b -w x --layer-connect 10.0.0.1:1 --layer-connect-remote");
	assert_true(l.ok);
	assert_true(l.o.layer_connect_remote);
	done(&l);
	refuse_line("-b -w x --layer-connect 10.0.0.1:1",
	    "--layer-connect: '10.0.0.1:1' is another machine: expected localhost, 127.0.0.1 or [::1], or --layer-connect-remote");
	refuse_line("-b -w x --layer-connect localhost",
	    "--layer-connect: invalid value 'localhost': expected HOST:PORT, e.g. "
	    "localhost:62142");
	refuse_line("-b -w x --layer-connect ''", "'': expected HOST:PORT");
	refuse_line("-b -w x --layer-connect-remote",
	    "--layer-connect-remote needs --layer-connect");
	refuse_line("--check x --layer-connect localhost:1",
	    "--layer-connect has no effect with --check");
}

/* The name of a trace says which format it has. */
TEST(trace_names)
{
	struct line l;

	parse(&l, "-b -w x --trace=a.perfetto --trace-json=b");
	assert_string_equal(options_output(&l.o, OUTPUT_TRACE), "a.perfetto");
	assert_string_equal(options_output(&l.o, OUTPUT_TRACE_JSON), "b");
	done(&l);
	parse(&l, "-b -w x --trace=a.JSON");
	assert_null(options_output(&l.o, OUTPUT_TRACE));
	assert_string_equal(options_output(&l.o, OUTPUT_TRACE_JSON), "a.JSON");
	done(&l);
	refuse_line("-b -w x --trace a.json --trace-json b.json",
	    "--trace: 'a.json' is Chrome's JSON, as --trace-json is: expected "
	    "one of them, or another name, e.g. x.perfetto");
}
