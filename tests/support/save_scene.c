/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that was read, and is written over by what is tested. */
#include "tests/support/save_scene.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"

const struct text save_scene_text = {.data = (char *)"ours\n", .len = 5};

struct file_stamp
save_scene_begin(const char *contents)
{
	struct file_stamp stamp;
	struct text t = {0};

	unlink("a");
	write_file("a", contents);
	assert_true(file_read("a", &t, &stamp, NULL));
	text_free(&t);
	return stamp;
}

void
expect_no_save_files(void)
{
	assert_int_not_equal(system("ls -A | grep -q gpuwl-save"), 0);
}
