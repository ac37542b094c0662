/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a list that the manual has of one of the program's tables: options,
 * keys, commands, settings, roles, or steps of the language. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "parser/step.h"
#include "run/options.h"
#include "tui/console/actions.h"
#include "tui/input/keys.h"
#include "tui/settings/config.h"

int
main(int argc, char **argv)
{
	struct text out = {0};
	int status = 0;

	if (argc == 2 && strcmp(argv[1], "options") == 0)
		options_print_man(&out);
	else if (argc == 2 && strcmp(argv[1], "keys") == 0)
		actions_print_man(&console_actions, &out);
	else if (argc == 2 && strcmp(argv[1], "commands") == 0)
		commands_print_man(&out);
	else if (argc == 2 && strcmp(argv[1], "settings") == 0)
		config_print_man_settings(&out);
	else if (argc == 2 && strcmp(argv[1], "steps") == 0)
		steps_print_man(&out);
	else if (argc == 2 && strcmp(argv[1], "roles") == 0)
		config_print_man_roles(&out);
	else
		status = 2;
	fputs(text_str(&out), stdout);
	text_free(&out);
	return status;
}
