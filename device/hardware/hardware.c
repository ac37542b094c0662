/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a GPU for a run. */
#include "device/hardware/hardware.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "device/hardware/health.h"
#include "device/hardware/trial.h"

#define FIRST_ADDRESS (UINT64_C(4) << 30)

/* Submissions must not block: the loop of the run does all waiting. */
static bool
never_block(const struct hardware *hw, struct text *err)
{
	int flags = fcntl(hw->fd, F_GETFL);

	if (flags >= 0 && fcntl(hw->fd, F_SETFL, flags | O_NONBLOCK) == 0)
		return true;
	text_addf(err, "%s: no O_NONBLOCK", hw->facts.path);
	return false;
}

/* Asks the GPU, which is open, for all that a run needs. */
static bool
prepare_gpu(struct hardware *hw, struct text *err)
{
	struct text why = {0};

	if (!facts_read(&hw->facts, &hw->node, hw->fd, err) ||
	    !facts_allow_run(&hw->facts, err) || !never_block(hw, err))
		return false;
	hw->clock.hz = hw->context_hz = hw->facts.ring_hz;
	if (!clock_set(&hw->clock, hw->fd, &why)) {
		text_addf(err, "%s: %s", hw->facts.path, text_str(&why));
		text_free(&why);
		return false;
	}
	return trial_run(hw, err);
}

bool
hardware_open(struct hardware *hw, const char *filter, struct text *err)
{
	struct text why = {0};
	bool ok;

	*hw = (struct hardware){.fd = -1, .next_address = FIRST_ADDRESS};
	if (!node_choose(&hw->node, filter, err))
		return false;
	hw->fd = node_open(&hw->node, err);
	if (hw->fd < 0)
		return false;
	ok = prepare_gpu(hw, &why);
	/* A GPU that is lost lacks everything. */
	if (!ok && hardware_works(hw, err))
		text_adds(err, text_str(&why));
	text_free(&why);
	if (!ok)
		hardware_close(hw);
	return ok;
}

void
hardware_close(struct hardware *hw)
{
	if (hw->fd >= 0)
		close(hw->fd);
	hw->fd = -1;
}

int
hardware_engine_of(const struct hardware *hw, uint32_t mark)
{
	for (unsigned i = 0; mark != 0 && i < hw->facts.n_engines; i++)
		if (hw->marks[i] == mark)
			return (int)i;
	return -1;
}
