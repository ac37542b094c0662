/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random cases: descriptors, who runs them, and the options. */
#include "tests/naive/generate.h"

#include "tests/naive/maker.h"

static const double scales[] = {0.05, 0.25, 0.5, 1.5, 2};

/* Enough iterations that they meet, few enough to be quick. */
static uint64_t
choose_repeat(uint64_t *random, unsigned n_batches, unsigned n_clients)
{
	unsigned most = 160 / (n_batches * n_clients + 1) + 1;

	if (most > 20)
		most = 20;
	return 1 + maker_below(random, most);
}

static unsigned
choose_palette(uint64_t *random)
{
	unsigned palette = 0;
	unsigned n = 1 + maker_below(random, 3);

	if (maker_chance(random, 10))
		n = 6;
	while (n-- > 0)
		palette |= 1u << maker_below(random, MAKER_ENGINES);
	return palette;
}

/* Few levels, so that they are equal as often as not. */
static void
choose_levels(struct made_style *style, uint64_t *random)
{
	static const int levels[] = {-1023, -7, -1, 0, 0, 0, 1, 5, 1023};

	style->ranked = true;
	for (unsigned i = 0; i < MAKER_LEVELS; i++)
		style->levels[i] = levels[maker_below(random, 9)];
}

/* As long as slices, and times to the next preemption point. */
static void
choose_long(struct made_style *style, uint64_t *random)
{
	static const unsigned units[] = {100, 300, 400, 1000};

	if (maker_chance(random, 50))
		style->unit = units[maker_below(random, 4)];
}

/* Equal levels or mixed ones, and contexts that may go to several engines. */
static void
choose_entities(struct made_style *style, uint64_t *random)
{
	if (maker_chance(random, 60))
		choose_levels(style, random);
	style->shared = maker_chance(random, 70);
	style->unbonded = true;
}

/* Few engines of two classes, near each other; parallel slots among plain
 * contexts on the same engines; quanta that are used up. */
static void
choose_queues(struct made_style *style, uint64_t *random)
{
	static const unsigned palettes[] = {3 << 2, 3 << 2, 3 << 4, 1 << 2,
	    3 << 2 | 1, 3 << 2 | 3 << 4, 3 << 4 | 2};

	choose_levels(style, random);
	choose_long(style, random);
	style->in_step = maker_chance(random, 15);
	style->shared = style->in_step || maker_chance(random, 30);
	style->unbonded = style->one_class = true;
	style->parallel = maker_chance(random, 60);
	style->follows = maker_chance(random, 40);
	if (style->parallel || maker_chance(random, 40))
		style->palette = palettes[maker_below(random, 7)];
	if (style->in_step)
		style->palette = 3 << 2;
}

static void
choose_style(struct made_style *style, uint64_t *random,
    const struct naive_generated *g, bool background)
{
	static const unsigned units[] = {1, 2, 5, 10};

	*style = (struct made_style){
	    .palette = choose_palette(random),
	    .unit = units[maker_below(random, 4)],
	    .calm = background || maker_chance(random, 75),
	    .sync_deps = g->sync_deps,
	    .small_ring = g->ring_requests < 100,
	    .background = background,
	    .instant = g->duration_scale < 0.2,
	};
	if (g->scheduler == NAIVE_EXECLISTS) {
		choose_levels(style, random);
		choose_long(style, random);
	} else if (g->scheduler == NAIVE_GUC) {
		choose_queues(style, random);
	} else if (g->scheduler != NAIVE_FIFO) {
		choose_entities(style, random);
	}
}

static void
choose_options(struct naive_generated *g, uint64_t *random)
{
	g->seed = maker_below(random, 1000);
	g->same_random = maker_chance(random, 20);
	g->sync_deps = maker_chance(random, 15);
	g->duration_scale = g->delay_scale = 1;
	if (maker_chance(random, 20))
		g->duration_scale =
		    scales[maker_chance(random, 40) ? 0
						    : maker_below(random, 5)];
	if (maker_chance(random, 15))
		g->delay_scale = scales[2 + maker_below(random, 3)];
	g->ring_requests = 65536;
	if (maker_chance(random, 20))
		g->ring_requests = 2 + maker_below(random, 6);
}

static unsigned
choose_size(uint64_t *random)
{
	if (maker_chance(random, 15))
		return 1 + maker_below(random, 3);
	return 3 + maker_below(random, 22);
}

/* -a stands behind every workload, and can't refer to its steps. */
static void
choose_append(struct naive_generated *g, uint64_t *random)
{
	static const char *const texts[] = {"d.2\n", "p.20\n",
	    "500.RCS.2.0.1\n", "500.VCS1.1.0.0\n500.RCS.2.-1.0\n",
	    "500.BCS.3.0.0,d.1,s.-2"};

	if (maker_chance(random, 15))
		text_adds(&g->append, texts[maker_below(random, 5)]);
}

static unsigned
make_workload(
    struct naive_generated *g, uint64_t *random, const struct made_style *style)
{
	struct maker m = {
	    .text = &g->workloads[g->n_workloads++],
	    .random = random,
	    .style = style,
	};

	maker_make(&m, choose_size(random));
	return maker_n_batches(&m);
}

/* Clones of one workload. */
static void
generate_clones(struct naive_generated *g, uint64_t *random)
{
	struct made_style style;
	unsigned n_batches;
	uint64_t repeat;

	choose_style(&style, random, g, false);
	n_batches = make_workload(g, random, &style);
	g->n_clients = 1 + maker_below(random, NAIVE_MAX_GENERATED);
	repeat = choose_repeat(random, n_batches, g->n_clients);
	for (unsigned i = 0; i < g->n_clients; i++)
		g->clients[i].repeat = repeat;
}

/* Several -w, and a master among them (-W) if the others are background. */
static void
generate_several(struct naive_generated *g, uint64_t *random)
{
	bool master = maker_chance(random, 40);
	struct made_style style;
	unsigned n_batches = 0;
	uint64_t repeat;

	choose_style(&style, random, g, master);
	g->n_clients = 2 + maker_below(random, NAIVE_MAX_GENERATED - 1);
	for (unsigned i = 0; i < g->n_clients; i++) {
		g->clients[i].workload = i;
		n_batches += make_workload(g, random, &style);
	}
	repeat = choose_repeat(random, n_batches, 1);
	for (unsigned i = 0; i < g->n_clients; i++) {
		g->clients[i].repeat = repeat;
		g->clients[i].background = master;
	}
	if (master) {
		unsigned i = maker_below(random, g->n_clients);

		g->clients[i].background = false;
	}
}

void
naive_generate(
    struct naive_generated *g, enum naive_scheduler scheduler, uint64_t seed)
{
	uint64_t random = seed;

	*g = (struct naive_generated){.scheduler = scheduler};
	choose_options(g, &random);
	choose_append(g, &random);
	if (maker_chance(&random, 60))
		generate_clones(g, &random);
	else
		generate_several(g, &random);
}

void
naive_generated_clear(struct naive_generated *g)
{
	for (unsigned i = 0; i < g->n_workloads; i++)
		text_free(&g->workloads[i]);
	text_free(&g->append);
}

void
naive_generated_print(const struct naive_generated *g, struct text *out)
{
	text_addf(out, "# %s, -I %u -f %g -F %g%s%s, rings of %u\n",
	    naive_scheduler_names[g->scheduler], g->seed, g->duration_scale,
	    g->delay_scale, g->same_random ? " -S" : "",
	    g->sync_deps ? " -d" : "", g->ring_requests);
	for (unsigned i = 0; i < g->n_clients; i++)
		text_addf(out, "# client %u: workload %u, %llu times%s\n", i,
		    g->clients[i].workload,
		    (unsigned long long)g->clients[i].repeat,
		    g->clients[i].background ? ", background" : "");
	for (unsigned i = 0; i < g->n_workloads; i++)
		text_addf(
		    out, "# workload %u\n%s\n", i, text_str(&g->workloads[i]));
	if (g->append.len > 0)
		text_addf(out, "# -a\n%s\n", text_str(&g->append));
}
