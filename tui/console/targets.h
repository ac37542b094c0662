/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tweak is for: the step under the descriptor's cursor, the contexts
 * that are tagged, or the one that is selected. */
#ifndef TUI_CONSOLE_TARGETS_H
#define TUI_CONSOLE_TARGETS_H

#include "run/live/tune.h"
#include "tui/console/ui.h"

struct targets {
	struct tweak_target *list;
	size_t n, cap;
};

/* False: there is none, and err says why. Free with targets_free. */
bool targets_find(struct ui *ui, enum tweak_kind kind, struct targets *targets,
    struct text *err);
/* Those that are tagged or selected, whatever has the focus. */
bool targets_contexts(struct ui *ui, struct targets *targets, struct text *err);
/* The context that is called so: of the selected client, or of the descriptor
 * that is shown, or of any. */
bool targets_number(
    struct ui *ui, uint32_t context, struct targets *targets, struct text *err);
/* Can the person see what is selected, where no tags say what is meant? Not
 * while the table leaves it out and nothing else shows it. False: err. */
bool targets_selected(struct ui *ui, struct text *err);
void targets_free(struct targets *targets);

/* Where something was changed is shown, and can be undone; but the cursor of
 * who works in the descriptor stays. */
void targets_show(struct ui *ui, const struct tweak_place *place);
/* One tweak of targets, told. */
void targets_tweak(
    struct ui *ui, const struct tweak *tweak, const struct targets *targets);

#endif
