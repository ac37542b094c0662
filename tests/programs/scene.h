/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenes of programs that tests run in virtual time
 * (tests/cli/virtual_time.cases): each word of the arguments is a scene, whose
 * lines have the time in us since the scene began. */
#ifndef TESTS_PROGRAMS_SCENE_H
#define TESTS_PROGRAMS_SCENE_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct scene {
	const char *name;
	void (*run)(void);
};

static long long began_ns;

static inline long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static inline void
say(const char *what)
{
	printf("%lld %s\n", (now_ns() - began_ns) / 1000, what);
	fflush(stdout);
}

static inline void
play(const struct scene *scenes, size_t n, char *const *names)
{
	for (; *names != NULL; names++)
		for (size_t s = 0; s < n; s++)
			if (strcmp(*names, scenes[s].name) == 0) {
				began_ns = now_ns();
				scenes[s].run();
			}
}

#endif
