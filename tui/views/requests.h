/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Requests view: requests in flight, in order, then the requests that ended
 * last. A row may outlive its request. With many requests in flight rows are
 * collected less often than every tick, so that their cost per second is
 * bounded.
 */
#ifndef TUI_VIEWS_REQUESTS_H
#define TUI_VIEWS_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "run/live/session.h"
#include "tui/views/columns.h"
#include "tui/views/filter.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct requests_row {
	uint64_t seq;
	struct request *rq; /* may have been freed: row_request() */
	uint32_t key;       /* sorts before seq */
};

struct request_rows {
	struct requests_row *list;
	size_t n, cap;
	bool by_engine;
	bool hide_done;
	bool stale; /* collect at the next frame in any case */
	struct row_filter filter;
	size_t n_hidden;  /* rows that do not pass the filter */
	struct text cell; /* room to print a cell for the filter */
	/* of the session and the simulation when they were collected */
	uint64_t samples, events;
};

/* Collects the rows if that is due; true: they may have moved. */
bool request_rows_update(struct request_rows *rows, const struct session *s);
/* Returns the row of a request, or rows->n. */
size_t request_rows_find(const struct request_rows *rows, uint64_t seq);
/* Frees what the rows have and clears them. */
void request_rows_free(struct request_rows *rows);
/* Returns the row's request, NULL once it has ended. */
struct request *row_request(const struct requests_row *row);
/* Returns the trail's record of an ended request; NULL: it is lost. */
const struct trail_request *ended_request(
    const struct session *s, uint64_t seq);

/* The nearest requests that a request waits for, directly or through others. */
#define CHAIN_MAX 64
struct chain {
	/* the first is the request itself */
	const struct request *list[CHAIN_MAX];
	size_t n;
};

struct requests {
	struct view view;
	struct row_list list;
	struct request_rows rows;
	struct columns columns; /* as drawn last */
	int first_y;            /* first row of the list, likewise */
	struct text text;       /* for searching */
	struct chain chain;     /* of the selected request */
	uint64_t unasked; /* selected though the user selected none; 0: none */
	const struct request *selected; /* NULL: none, or it has ended */
	uint64_t n_submitted; /* the highest REQ, while a frame is drawn */
	bool of_programs;     /* some may be, likewise */
};

/* A row as its columns print it. */
struct request_cell {
	const struct session *session;
	uint64_t seq;
	const struct request *rq; /* NULL: it has ended */
	/* The trail's record of an ended request; NULL: it is lost. */
	const struct trail_request *past;
	enum role text_role; /* of the step's text */
	bool text_shown;     /* it has a column of its own */
	int state_cols;      /* width of STATE; 0: the word alone */
};

/* Indices of the columns that the view itself looks at. */
enum {
	COLUMN_REQUEST = 0,
	COLUMN_TEXT = 5,
	COLUMN_ENGINE = 6,
	COLUMN_STATE = 7
};
extern const struct column request_columns[];
extern const int n_request_columns;

/* Appends the text that a search looks into: of an ended request (rq: NULL) its
 * number; of another also its step, engine and what it waits for. */
void request_print_searched(const struct session *s, uint64_t seq,
    const struct request *rq, struct text *out);

struct queue_place {
	unsigned place; /* from 1; 0: the scheduler's queue has no order */
	unsigned of;    /* requests; 0: too many in flight to compare */
};
/* The place of a ready request among those that wait for the same engines. */
struct queue_place place_in_queue(
    const struct session *s, const struct request *rq);

#endif
