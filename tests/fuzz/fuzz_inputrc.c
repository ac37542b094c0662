/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An inputrc of any bytes: it is read, what is said of it is bounded, and any
 * keys after it leave a line or none. The first byte says how much of the input
 * is keys. */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <readline/readline.h>

#include "base/text.h"
#include "tui/input/prompt.h"
#include "tui/input/prompt_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* Bindings and settings of readline stay until others take their place. */
const char *
__lsan_default_suppressions(void)
{
	return "leak:libreadline";
}

static const struct prompt_kind kind = {.prompt = ":"};

static void
read_bytes(const uint8_t *data, size_t size)
{
	struct text said = {0};
	char path[64];
	int fd = memfd_create("inputrc", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	setenv("INPUTRC", path, 1);
	if (inputrc_read(&said) == 0 && said.len > 0)
		abort();
	vi_fixes_install();
	macros_install();
	text_free(&said);
	close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n_keys;

	if (size < 1)
		return 0;
	setlocale(LC_ALL, "C.UTF-8");
	setenv("INPUTRC", "/dev/null", 1);
	prompt_open(&kind, "", false, NULL); /* readline is initialised */
	prompt_cancel();
	n_keys = data[0] % 32 < size ? data[0] % 32 : size - 1;
	read_bytes(data + 1 + n_keys, size - 1 - n_keys);
	for (size_t i = 1; i <= n_keys; i++) {
		struct key_press key = {.code = data[i], .len = 1};
		char *line = NULL;

		if (!prompt_is_open())
			prompt_open(&kind, "", false, NULL);
		key.bytes[0] = (char)data[i];
		prompt_feed(&key, &line);
		free(line);
	}
	prompt_cancel();
	return 0;
}
