/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenery.h"

#include <string.h>

#include "engine/sched/steps.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "tests/support/annotate.h"

/* Parallel slots, which the generator does not make. */
static const char *const parallel[] = {
    "G.9.VCS1/VCS2\n9.DEFAULT.100-300.0.0\n9.DEFAULT.50/100.-1.0\n"
    "8.VCS1.70.0.1\n",
    "G.9.VECS1/VECS2\n9.DEFAULT.*/20.0.0\n8.VECS2.30.0.0\nd.40\nT.-3\n"
    "7.VECS.20.-2.0\n",
    "P.9.5\nG.9.VCS1/VCS2\n3.VCS.40.0.0\n9.DEFAULT.10.-1.0\n"
    "3.VCS.20.-1.0\n9.DEFAULT.1.-1.0\ns.-1\n",
};

static void
compile(struct scene *scene, const char *text, size_t len)
{
	struct document *doc = document_parse("random", text, len, SOURCE_FILE);
	const struct document *docs[] = {doc};
	struct diag_list diags = {0};
	struct text err = {0};
	struct device dev;
	struct program *p;

	device_init(&dev, &scene->config.profile);

	struct program_options options = {
	    .duration_scale = scene->g.duration_scale,
	    .delay_scale = scene->g.delay_scale,
	    .all_slices = device_all_slices(&dev),
	};

	p = program_compile(docs, 1, &dev, &options, &diags);
	if (p != NULL && scene->n_programs < CHAOS_MAX_PROGRAMS &&
	    sched_accepts(scene->config.sched, p, &scene->config.profile, &err))
		scene->programs[scene->n_programs++] = p;
	else if (p != NULL)
		program_free(p);
	diag_list_free(&diags);
	document_free(doc);
	text_free(&err);
}

static void
add_program(struct scene *scene, const char *text, size_t len)
{
	struct text annotated = {0};

	if (scene->annotations == 0) {
		compile(scene, text, len);
		return;
	}
	annotate(&annotated, text, len, &scene->annotations);
	compile(scene, text_str(&annotated), annotated.len);
	text_free(&annotated);
}

static void
make(struct scene *scene, struct chaos *c, uint64_t seed)
{
	*c = (struct chaos){.random = seed, .max_events = SCENE_MAX_EVENTS};
	chaos_configure(c, &scene->config, true);
	naive_generate(&scene->g,
	    (enum naive_scheduler)chaos_below(c, N_NAIVE_SCHEDULERS), seed);
	/* So that batches are about as long as timeouts. */
	if (chaos_below(c, 4) == 0)
		scene->g.duration_scale *= 20;
	for (unsigned i = 0; i < scene->g.n_workloads; i++)
		add_program(scene, text_str(&scene->g.workloads[i]),
		    scene->g.workloads[i].len);
	if (chaos_below(c, 3) == 0) {
		const char *text = parallel[chaos_below(c, 3)];

		add_program(scene, text, strlen(text));
	}
}

void
scene_make(struct scene *scene, struct chaos *c, uint64_t seed)
{
	memset(scene, 0, sizeof *scene);
	make(scene, c, seed);
}

void
scene_make_annotated(struct scene *scene, struct chaos *c, uint64_t seed)
{
	memset(scene, 0, sizeof *scene);
	scene->annotations = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	make(scene, c, seed);
}

void
scene_clear(struct scene *scene)
{
	for (unsigned i = 0; i < scene->n_programs; i++)
		program_unref((struct program *)(uintptr_t)scene->programs[i]);
	naive_generated_clear(&scene->g);
}
