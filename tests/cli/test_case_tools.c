/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that cases call (tests/README.md "Commands"): `json FILE PATH...` prints, in a line,
 * the values at these paths, e.g. clients.0.period.missed or clients.*.workload; `page FILE`
 * checks that a page of --report is well-formed, and prints it; `questions` prints with how many
 * empty batches gem_wsim begins. Roles of the runner print random
 * descriptors and play scenes on a GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/any_iteration.h"
#include "tests/support/folder.h"
#include "tests/support/hardware_scenes.h"
#include "tests/support/page_check.h"
#include "tests/support/wsim_version.h"

/* An object is shown as its keys, in order, and an array as its size: [3]. */
static void
print_json_value(json_t *o)
{
	const char *key, *comma = "";
	json_t *member;
	char *text;

	if (json_is_string(o)) {
		fputs(json_string_value(o), stdout);
	} else if (json_is_array(o)) {
		printf("[%zu]", json_array_size(o));
	} else if (json_is_object(o)) {
		json_object_foreach(o, key, member)
		{
			printf("%s%s", comma, key);
			comma = ",";
		}
	} else if (o == NULL) {
		fputs("absent", stdout);
	} else {
		text = json_dumps(o, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
		fputs(text, stdout);
		free(text);
	}
}

static void
print_json_path(json_t *o, const char *path, const char **blank)
{
	size_t len = strcspn(path, "."), i;
	const char *rest = path + len + (path[len] == '.');
	char key[128];
	json_t *item;

	snprintf(key, sizeof key, "%.*s", (int)len, path);
	if (*key == '\0') {
		fputs(*blank, stdout);
		*blank = " ";
		print_json_value(o);
	} else if (strcmp(key, "*") == 0) {
		json_array_foreach(o, i, item)
		    print_json_path(item, rest, blank);
	} else if (json_is_array(o)) {
		i = strtoul(key, NULL, 10);
		print_json_path(json_array_get(o, i), rest, blank);
	} else {
		print_json_path(json_object_get(o, key), rest, blank);
	}
}

ROLE(json)
{
	const char *blank = "";
	json_error_t error;
	json_t *o = json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error);

	if (o == NULL) {
		fprintf(stderr, "%s:%d: %s\n", argv[1], error.line, error.text);
		return 1;
	}
	for (int i = 2; i < argc; i++)
		print_json_path(o, argv[i], &blank);
	putchar('\n');
	json_decref(o);
	return 0;
}

ROLE(page)
{
	char *page = read_whole(argv[1], NULL);

	page_check(page);
	fputs(page, stdout);
	free(page);
	return 0;
}

ROLE(questions)
{
	(void)argc;
	(void)argv;
	printf("%u\n", wsim_questions());
	return 0;
}

ROLE(any_iteration)
{
	struct text steps = {0};

	any_iteration(strtoull(argv[1], NULL, 10), true, &steps);
	fputs(text_str(&steps), stdout);
	text_free(&steps);
	return 0;
}

/* "as user" is a scene of a user without rights. */
ROLE(hardware)
{
	if (strncmp(argv[1], "as ", 3) == 0)
		return hardware_scene_as_user(argv[1] + 3);
	return hardware_scene(argv[1]);
}
