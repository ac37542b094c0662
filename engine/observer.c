/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/observer.h"

#define TELL(list, call, ...)                                                  \
	do {                                                                   \
		for (struct observer *o = (list); o != NULL; o = o->next) {    \
			if (o->call != NULL)                                   \
				o->call(o, __VA_ARGS__);                       \
		}                                                              \
	} while (0)

static uint32_t
mask_of(const struct observer *o)
{
	uint32_t mask = 0;

#define ADD(call) mask |= o->call != NULL ? OBSERVER_BIT(call) : 0
	ADD(submitted);
	ADD(ready);
	ADD(cleared);
	ADD(took);
	ADD(began);
	ADD(started);
	ADD(paced);
	ADD(left);
	ADD(ended);
	ADD(blocked);
	ADD(woken);
	ADD(resumed);
	ADD(missed);
	ADD(iterated);
	ADD(hung);
	ADD(timed_out);
	ADD(controlled);
#undef ADD
	return mask;
}

uint32_t
observers_mask(const struct observer *list)
{
	uint32_t mask = 0;

	for (const struct observer *o = list; o != NULL; o = o->next)
		mask |= mask_of(o);
	return mask;
}

void
observers_submitted(struct observer *list, struct request *rq)
{
	TELL(list, submitted, rq);
}

void
observers_ready(
    struct observer *list, struct request *rq, const struct fence *last)
{
	TELL(list, ready, rq, last);
}

void
observers_cleared(
    struct observer *list, struct request *rq, const struct fence *last)
{
	TELL(list, cleared, rq, last);
}

void
observers_took(struct observer *list, const struct hw_engine *e,
    struct request *rq, struct switching cost)
{
	TELL(list, took, e, rq, &cost);
}

void
observers_began(struct observer *list, struct request *rq)
{
	TELL(list, began, rq);
}

void
observers_started(struct observer *list, struct request *rq)
{
	TELL(list, started, rq);
}

void
observers_paced(struct observer *list, struct request *rq)
{
	TELL(list, paced, rq);
}

void
observers_left(struct observer *list, const struct hw_engine *e,
    struct request *rq, enum leaving why, const struct request *by)
{
	TELL(list, left, e, rq, why, by);
}

void
observers_ended(struct observer *list, struct request *rq)
{
	TELL(list, ended, rq);
}

void
observers_blocked(struct observer *list, struct client *c)
{
	TELL(list, blocked, c);
}

void
observers_woken(
    struct observer *list, struct client *c, const struct request *rq)
{
	TELL(list, woken, c, rq);
}

void
observers_resumed(struct observer *list, struct client *c)
{
	TELL(list, resumed, c);
}

void
observers_missed(struct observer *list, struct client *c, nsec due)
{
	TELL(list, missed, c, due);
}

void
observers_iterated(struct observer *list, struct client *c)
{
	TELL(list, iterated, c);
}

void
observers_hung(struct observer *list, const struct hang *hang)
{
	TELL(list, hung, hang);
}

void
observers_timed_out(struct observer *list, const struct request *rq)
{
	TELL(list, timed_out, rq);
}

void
observers_controlled(struct observer *list, const struct control *control)
{
	TELL(list, controlled, control);
}
