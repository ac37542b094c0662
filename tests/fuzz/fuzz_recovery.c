/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes where a recovery file may be: what is taken from them is what stands
 * behind a whole header, and putting it off changes nothing but its owner. */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/gpuwl-fuzz-XXXXXX";
static char document[64], left[64];

static void
remove_folder(void)
{
	char removal[64];

	snprintf(removal, sizeof(removal), "rm -rf '%s'", folder);
	if (system(removal) != 0)
		perror(removal);
}

static void
make_folder(void)
{
	if (*document != '\0')
		return;
	if (mkdtemp(folder) == NULL)
		abort();
	snprintf(document, sizeof(document), "%s/a", folder);
	snprintf(left, sizeof(left), "%s/.a.gpuwl-recover", folder);
	/* Other files left on this machine are not ours to find. */
	setenv("XDG_STATE_HOME", folder, 1);
	atexit(remove_folder);
}

static void
leave(const uint8_t *data, size_t size)
{
	int fd = open(left, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* The bytes are the last ones of the input, behind a line. */
static void
check_found(const struct recovered *found, const uint8_t *data, size_t size)
{
	const size_t len = found->contents.len;

	if (len >= size || data[size - len - 1] != '\n' ||
	    memcmp(text_str(&found->contents), data + size - len, len) != 0 ||
	    strcmp(found->file, left) != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct text mine = {.data = (char *)"mine", .len = 4};
	struct recovered found, again;

	make_folder();
	leave(data, size);
	if (recovery_find(document, 0, &found)) {
		check_found(&found, data, size);
		recovered_put_off(&found);
		if (!recovery_find(document, 0, &again) || !again.put_off)
			abort();
		check_found(&again, data, size);
		recovered_remove(&again);
		recovered_free(&again);
		if (access(left, F_OK) == 0)
			abort();
	}
	recovered_free(&found);
	/* Another process's file stays, and what is not one goes. */
	if (!recovery_write(document, 0, &mine, NULL))
		abort();
	recovery_remove(document, 0);
	return 0;
}
