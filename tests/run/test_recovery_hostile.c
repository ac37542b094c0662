/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recovery files that were planted: at random, at each place that one may have.
 * None is followed, waited for or believed that is no file of this user's, and
 * what a living process keeps is never lost.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define ROUNDS  1000
#define VICTIM  "nobody's business\n"
#define MAGIC   "gpuwl-recover 1 "
#define NOBODY  65534
#define SECONDS 200 /* seconds for the whole test: nothing may block */
/* A process id above the limit. */
#define DEAD 4194304

static const struct text mine = {.data = (char *)"mine", .len = 4};
static char beside[256], in_state[256], of_process[256], unnamed[256];

/* xorshift */
static uint32_t
draw(uint32_t *random, uint32_t n)
{
	*random ^= *random << 13;
	*random ^= *random >> 17;
	*random ^= *random << 5;
	return *random % n;
}

static void
put_bytes(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

/* A complete file of a dead process, with bytes that a terminal would
 * interpret. */
static void
put_dead(const char *path, uint32_t *random)
{
	char bytes[200];
	int n = snprintf(
	    bytes, sizeof(bytes), MAGIC "%d 1\n", DEAD - (int)draw(random, 9));
	size_t len = (size_t)n + draw(random, 100);

	for (size_t i = (size_t)n; i < len; i++)
		bytes[i] = (char)draw(random, 256);
	put_bytes(path, bytes, len);
}

/* A complete file with a few random changes. */
static void
put_mutated(const char *path, uint32_t *random)
{
	char bytes[64] = MAGIC "4194300 1\n1.RCS.1.0.0\n";
	size_t len = strlen(bytes);

	for (uint32_t n = 1 + draw(random, 3); n > 0; n--) {
		uint32_t at = draw(random, 27);

		bytes[at] = (char)draw(random, 256);
	}
	put_bytes(path, bytes, draw(random, 2) ? len : draw(random, 30));
}

static void
put_huge(const char *path)
{
	put_bytes(path, MAGIC "4194300 1\n", strlen(MAGIC) + 10);
	assert_int_equal(truncate(path, (off_t)FILE_MAX_BYTES + 1), 0);
}

/* Devices that block or never end. */
static void
put_device(const char *path)
{
	if (geteuid() != 0 || mknod(path, S_IFCHR | 0600, makedev(1, 5)) != 0)
		assert_int_equal(mkfifo(path, 0600), 0);
}

static void
put_of_another(const char *path, uint32_t *random)
{
	put_dead(path, random);
	if (geteuid() == 0)
		assert_int_equal(lchown(path, NOBODY, NOBODY), 0);
	else
		assert_int_equal(chmod(path, 0), 0);
}

/* A file of a running process, our parent. */
static void
put_living(const char *path)
{
	char bytes[64];
	int n = snprintf(
	    bytes, sizeof(bytes), MAGIC "%ld 0\nliving", (long)getppid());

	put_bytes(path, bytes, (size_t)n);
}

static bool
is_living(const char *path)
{
	struct stat st;
	char *s;
	bool is;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > 999 ||
	    access(path, R_OK) != 0)
		return false;
	s = read_whole(path, NULL);
	is = strstr(s, "living") != NULL;
	free(s);
	return is;
}

static void
clear(const char *path)
{
	if (unlink(path) != 0)
		rmdir(path);
}

static void
plant(const char *path, uint32_t *random)
{
	clear(path);
	switch (draw(random, 14)) {
	case 0: assert_int_equal(symlink("/dev/zero", path), 0); break;
	case 1: assert_int_equal(symlink(test_path("victim"), path), 0); break;
	case 2: assert_int_equal(symlink(test_path("left"), path), 0); break;
	case 3: assert_int_equal(mkfifo(path, 0600), 0); break;
	case 4: assert_int_equal(mkdir(path, 0700), 0); break;
	case 5: assert_int_equal(link(test_path("victim"), path), 0); break;
	case 6: put_device(path); break;
	case 7: put_of_another(path, random); break;
	case 8: put_living(path); break;
	case 9: put_dead(path, random); break;
	case 10: assert_int_equal(symlink(path, path), 0); break;
	case 11:
		if (draw(random, 20) == 0) {
			put_huge(path);
			break;
		}
	/* fallthrough */
	default: put_mutated(path, random); break;
	}
}

/* The result comes from a trusted file, and equals its contents. */
static void
check_found(const struct recovered *found)
{
	struct stat st;
	char *s, *text;
	size_t len;

	assert_int_equal(lstat(found->file, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_uid, geteuid());
	s = read_whole(found->file, &len);
	assert_memory_equal(s, MAGIC, strlen(MAGIC));
	text = strchr(s, '\n');
	assert_non_null(text);
	assert_int_equal(len - (size_t)(text + 1 - s), found->contents.len);
	assert_memory_equal(
	    text + 1, text_str(&found->contents), found->contents.len);
	assert_null(strstr(text_str(&found->contents), "living"));
	assert_null(strstr(text_str(&found->contents), VICTIM));
	free(s);
}

static void
look(const char *path, uint32_t *random)
{
	struct recovered found;

	for (unsigned skip = 0; skip < 5; skip++) {
		if (!recovery_find(path, skip, &found))
			return;
		check_found(&found);
		if (draw(random, 3) == 0)
			recovered_put_off(&found);
		else if (draw(random, 3) == 0)
			recovered_remove(&found);
		recovered_free(&found);
	}
}

/* Our own file is written at one of the places, readable by us only, and
 * removed. */
static void
write_ours(const char *path)
{
	static const char *const places[] = {
	    beside, in_state, of_process, unnamed};
	struct text err = {0};
	unsigned n = 0;

	if (!recovery_write(path, 0, &mine, &err))
		fail_msg("%s", text_str(&err));
	for (size_t i = 0; i < 4; i++) {
		char head[32];
		struct stat st;
		char *s;

		if (lstat(places[i], &st) != 0 || !S_ISREG(st.st_mode) ||
		    st.st_size > 999 || access(places[i], R_OK) != 0)
			continue;
		s = read_whole(places[i], NULL);
		snprintf(head, sizeof(head), MAGIC "%ld ", (long)getpid());
		if (strncmp(s, head, strlen(head)) == 0) {
			n++;
			assert_int_equal(st.st_mode & 0777, 0600);
			assert_int_equal(st.st_nlink, 1);
		}
		free(s);
	}
	/* It is in /tmp if all places here are taken. */
	assert_true(n == 1 || n == 0);
	recovery_remove(path, 0);
}

static void
find_places(void)
{
	char name[200];

	snprintf(name, sizeof(name), "%s/d", test_folder());
	snprintf(beside, sizeof(beside), "%s/.d.gpuwl-recover", test_folder());
	for (char *p = name; *p != '\0'; p++)
		if (*p == '/')
			*p = '%';
	snprintf(in_state, sizeof(in_state), "%s/gpuwl/%s.gpuwl-recover",
	    test_folder(), name);
	snprintf(of_process, sizeof(of_process),
	    "%s/gpuwl/%s+%ld.gpuwl-recover", test_folder(), name,
	    (long)getpid());
	snprintf(unnamed, sizeof(unnamed),
	    "%s/gpuwl/unnamed-%ld-0.gpuwl-recover", test_folder(),
	    (long)getpid());
}

TEST(planted)
{
	static const char *const places[] = {
	    beside, in_state, of_process, unnamed};
	uint32_t random = 2463534242u;

	find_places();
	alarm(SECONDS);
	for (int round = 0; round < ROUNDS; round++) {
		const char *path = draw(&random, 3) ? test_path("d") : NULL;
		bool living[4];

		for (size_t i = 0; i < 4; i++)
			if (draw(&random, 3) > 0)
				plant(places[i], &random);
		for (size_t i = 0; i < 4; i++)
			living[i] = is_living(places[i]);
		look(path, &random);
		write_ours(path);
		for (size_t i = 0; i < 4; i++)
			assert_true(!living[i] || is_living(places[i]));
		expect_file("victim", VICTIM);
		expect_file("left", MAGIC "4194300 1\nof another place");
	}
	alarm(0);
	for (size_t i = 0; i < 4; i++)
		clear(places[i]);
}

/* One document's name is the beginning of another's. */
TEST(longer_names)
{
	struct recovered found;
	uint32_t random = 1;
	char *path = in_state;

	find_places();
	strcpy(strrchr(path, 'd'), "x+y.gpuwl-recover");
	put_dead(path, &random);
	assert_true(recovery_find(test_path("x+y"), 0, &found));
	recovered_free(&found);
	assert_false(recovery_find(test_path("x"), 0, &found));
	assert_true(recovery_find(test_path("x+y"), 0, &found));
	recovered_remove(&found);
	recovered_free(&found);
}

/* Two processes that start to edit one file at the same time keep both
 * texts. */
TEST(two_writers)
{
	enum { N = 6 };
	int begin[2];
	pid_t pids[N];

	for (int round = 0; round < 200; round++) {
		struct recovered found;
		unsigned n = 0;
		char c;

		assert_int_equal(pipe(begin), 0);
		for (int i = 0; i < N; i++) {
			pids[i] = fork();
			if (pids[i] == 0) {
				close(begin[1]);
				_exit(read(begin[0], &c, 1) != 0 ||
				    !recovery_write("both", 0, &mine, NULL));
			}
		}
		close(begin[0]);
		close(begin[1]);
		for (int i = 0; i < N; i++) {
			int status;

			waitpid(pids[i], &status, 0);
			assert_int_equal(status, 0);
		}
		while (recovery_find("both", 0, &found)) {
			assert_string_equal(text_str(&found.contents), "mine");
			recovered_remove(&found);
			recovered_free(&found);
			n++;
		}
		assert_true(n == N);
	}
}

static int
fill_folder(void **state)
{
	(void)state;
	enter_test_folder();
	setenv("XDG_STATE_HOME", test_folder(), 1);
	assert_int_equal(mkdir("gpuwl", 0700), 0);
	write_file("d", "");
	write_file("both", "");
	write_file("victim", VICTIM);
	write_file("left", MAGIC "4194300 1\nof another place");
	return 0;
}

FIXTURES(fill_folder, NULL);
