/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts of keys: any bytes come to an end, in items that the console can
 * take; what is said of wrong lines names the line and is safe to show. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/nsec.h"
#include "base/text.h"
#include "tui/input/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_key(const struct key_press *key)
{
	bool is_byte = key->code >= 0 && key->code <= 0xff;
	bool is_named = key->code >= KEY_SPECIAL &&
	    key->code <= KEY_FUNCTION + 24;

	if (!is_byte && !is_named)
		abort();
	if (key->len > sizeof(key->bytes) || key->x < 0 || key->y < 0)
		abort();
}

static void
check_problem(const char *text)
{
	if (strncmp(text, "fuzz:", 5) != 0)
		abort();
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			abort();
}

static void
check_item(const struct script_item *item)
{
	switch (item->kind) {
	case SCRIPT_KEY: check_key(&item->key); break;
	case SCRIPT_ERROR: check_problem(text_str(&item->text)); break;
	case SCRIPT_ADVANCE:
		if (item->duration > NSEC_MAX)
			abort();
		break;
	case SCRIPT_SIZE:
		if (item->cols < 1 || item->rows < 1 || item->cols > 1000 ||
		    item->rows > 1000)
			abort();
		break;
	case SCRIPT_COMMAND:
	case SCRIPT_WAIT:
	case SCRIPT_DUMP:
		if (strchr(text_str(&item->text), '\n') != NULL)
			abort();
		break;
	case SCRIPT_END: break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct script s = {.path = "fuzz"};
	struct script_item item = {0};
	size_t n = 0;

	text_add(&s.text, (const char *)data, size);
	do {
		script_next(&s, &item);
		check_item(&item);
		/* Each takes a byte at least. */
		if (n++ > size)
			abort();
	} while (item.kind != SCRIPT_END);
	script_next(&s, &item);
	if (item.kind != SCRIPT_END)
		abort();
	text_free(&item.text);
	script_close(&s);
	return 0;
}
