/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The HTML pages: one file, without anything from elsewhere, for a reader who was
 * not there. Its size is bounded: long lists and texts are cut, and say so.
 *
 *   page.c            the frame, and a run: what was run, and the totals
 *   page_tables.c     engines, clients, contexts, hangs
 *   page_charts.c     busyness and latency over time
 *   page_worst.c      the worst stretch, and why
 *   page_documents.c  documents with their edits
 *   page_session.c    changes of a session, and its baseline
 *   page_compare.c    both sides of a comparison
 *   page_capacity.c   a capacity search
 *   page_sweep.c      a sweep
 *   page_tune.c       a search for edits
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct capacity;
struct digest;
struct digest_worst;
struct digest_why;
struct engine_times;
struct options;
struct plan;
struct result;
struct session;
struct text;
struct tune;

/* A run to be reported. */
struct run_page {
	const struct result *result;
	struct digest *digest;         /* of it, settled */
	const struct session *session; /* that it is of; NULL: none */
	const char *command;           /* NULL: not known */
	bool goes_on;                  /* the run has not ended */
	const char *side;              /* of a comparison; NULL: of none */
	json_t *figures;               /* private: the object of --json */
};

/* Appends the page of a run. */
void page_of_run(struct run_page *page, struct text *out);

/* Appends the page of a search that is over. */
void page_of_capacity(const struct capacity *c, const struct plan *plan,
    const char *command, struct text *out);
/* Appends the page of a sweep of n_rows: tsv has its header and the first of its
 * rows. */
void page_of_sweep(const char *tsv, size_t n_rows, const struct plan *plan,
    const char *command, struct text *out);

/* Appends the page of a search for edits that is over. */
void page_of_tune(const struct tune *t, struct plan *plan, const char *command,
    struct text *out);

/* A figure of both sides of a comparison. */
struct compared_figure {
	char name[64];
	double value[2];
	bool marked; /* they differ by more than the page's percentage */
};

struct compared_page {
	const char *names[2]; /* of the sides */
	const struct compared_figure *figures;
	size_t n;
	unsigned n_apart; /* marked ones */
	double percent;
	const char *command;
	struct run_page sides[2];
};

/* Appends the page of a comparison. */
void page_of_comparison(struct compared_page *page, struct text *out);

/* For the other pages. */

/* Appends the names of a plan's sources: "a.wsim, b.wsim and 2 more". */
void page_add_titles(const struct plan *plan, struct text *out);

/* Add the beginning of a page with that title, text of elsewhere, and its end. */
void page_begin(const char *title, struct text *out);
void page_end(struct text *out);
/* Adds the command line, and begins a list of facts. */
void page_command(const char *command, struct text *out);
/* Adds a fact: name of the program, text of elsewhere. */
void page_fact(struct text *out, const char *name, const char *value);
/* Adds what was run of a plan: workloads, device, profile, scheduler, seed. */
void page_plan_facts(const struct plan *plan, bool served, struct text *out);
/* Adds the documents of a plan, with the number of their clients or without. */
void page_documents(const struct plan *plan, bool clients, struct text *out);
/* Adds the document of a source, with the edits that make it text. */
void page_edited_document(const struct plan *plan, size_t source,
    const struct text *text, struct text *out);

/* For the pages of runs. */

void page_engines(const struct run_page *page, struct text *out);
void page_clients(const struct run_page *page, struct text *out);
void page_contexts(const struct run_page *page, struct text *out);
void page_hangs(const struct run_page *page, struct text *out);
void page_busyness(const struct run_page *page, struct text *out);
void page_latency(const struct run_page *page, struct text *out);
void page_worst(const struct run_page *page, struct text *out);
void page_baseline(const struct run_page *page, struct text *out);
void page_changes(const struct run_page *page, struct text *out);
/* Returns the periods missed, of all clients. */
uint64_t page_missed(const struct run_page *page);

#endif
