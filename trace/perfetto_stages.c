/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render stages in Perfetto's format, as Arm's viewer loads and joins them, with
 * the fields that Perfetto has had since 2026. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "trace/perfetto_private.h"

/* Defines a name that render stages use by its id. */
static void
packet_specification(
    struct sink *out, uint64_t iid, const char *name, unsigned category)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__GpuSpecification spec = PERFETTO__GPU_SPECIFICATION__INIT;
	Perfetto__GpuSpecification *list = &spec;

	spec.has_iid = true;
	spec.iid = iid;
	spec.name = (char *)(uintptr_t)name;
	spec.has_category = category != 0;
	spec.category = category;
	data.n_gpu_specifications = 1;
	data.gpu_specifications = &list;
	packet.interned_data = &data;
	packet.sequence_flags = PACKET_NEEDS_STATE;
	perfetto_add_packet(out, &packet);
}

enum category { OTHER, GRAPHICS, COMPUTE };

/* Ids of names, in one space for stages and streams. Never 0, which Arm's
 * loader rejects. */
#define STAGE_IID(stage)             (1u + (stage))
#define STREAM_IID(stream, instance) (100u + (stream)*100u + (instance))

/* Arm's loader refuses other names. */
static const struct {
	const char *name;
	enum category category;
} stream_names[N_STAGE_STREAMS] =
    {
	[STREAM_COMPUTE] = {"compute", COMPUTE},
	[STREAM_VERTEX] = {"vertex", GRAPHICS},
	[STREAM_NON_FRAGMENT] = {"non-fragment", GRAPHICS},
	[STREAM_FRAGMENT] = {"fragment", GRAPHICS},
	[STREAM_BINNING] = {"binning", GRAPHICS},
	[STREAM_MAIN] = {"main", GRAPHICS},
	[STREAM_TRANSFER] = {"transfer", OTHER},
},
  stage_names[N_RENDER_STAGES] = {
      [RENDER_STAGE_COMPUTE] = {"compute", COMPUTE},
      [RENDER_STAGE_TRACE_RAYS] = {"trace_rays", COMPUTE},
      [RENDER_STAGE_VERTEX] = {"vertex", GRAPHICS},
      [RENDER_STAGE_NON_FRAGMENT] = {"non-fragment", GRAPHICS},
      [RENDER_STAGE_FRAGMENT] = {"fragment", GRAPHICS},
      [RENDER_STAGE_BINNING] = {"binning", GRAPHICS},
      [RENDER_STAGE_MAIN] = {"main", GRAPHICS},
      [RENDER_STAGE_CLEAR_IMAGE] = {"clear image", OTHER},
      [RENDER_STAGE_COPY_IMAGE] = {"copy image", OTHER},
      [RENDER_STAGE_COPY_BUFFER] = {"copy buffer", OTHER},
      [RENDER_STAGE_FILL_BUFFER] = {"fill buffer", OTHER},
      [RENDER_STAGE_BLIT_IMAGE] = {"blit image", OTHER},
      [RENDER_STAGE_RESOLVE_IMAGE] = {"resolve image", OTHER},
      [RENDER_STAGE_MIPMAPS] = {"generate mipmap", OTHER},
      [RENDER_STAGE_COPY_QUERY] = {"copy query", OTHER},
      [RENDER_STAGE_FAST_BUILD] = {"acceleration structure 'fast build' build",
	  COMPUTE},
      [RENDER_STAGE_FAST_TRACE] = {"acceleration structure 'fast trace' build",
	  COMPUTE},
      [RENDER_STAGE_STRUCTURE_UPDATE] = {"acceleration structure update",
	  COMPUTE},
      [RENDER_STAGE_STRUCTURE_OUT] = {"acceleration structure copy to memory",
	  OTHER},
      [RENDER_STAGE_STRUCTURE_IN] = {"acceleration structure copy from memory",
	  OTHER},
};

/* The id of a stream. Its name is written before its first use. */
static uint64_t
stream_iid(struct perfetto *p, enum stage_stream stream, unsigned instance)
{
	uint64_t bit = UINT64_C(1) << instance % STAGE_MAX_INSTANCES;
	uint64_t iid = STREAM_IID(stream, instance % STAGE_MAX_INSTANCES);

	if (!(p->known_streams[stream] & bit))
		packet_specification(&p->writer.out, iid,
		    stream_names[stream].name, stream_names[stream].category);
	p->known_streams[stream] |= bit;
	return iid;
}

static uint64_t
stage_iid(struct perfetto *p, enum render_stage_kind stage)
{
	uint64_t bit = UINT64_C(1) << stage;

	if (!(p->known_stages & bit))
		packet_specification(&p->writer.out, STAGE_IID(stage),
		    stage_names[stage].name, stage_names[stage].category);
	p->known_stages |= bit;
	return STAGE_IID(stage);
}

#define API_VULKAN 2 /* InternedGraphicsContext.Api */

/* Says whose context it is, before its first use. */
static void
define_graphics_context(struct perfetto *p, const struct render_stage *s)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__GraphicsContext context = PERFETTO__GRAPHICS_CONTEXT__INIT;
	Perfetto__GraphicsContext *list = &context;
	struct chain_node *node;

	if (s->context == 0 ||
	    chains_find(&p->contexts, NULL, s->context) != NULL)
		return;
	node = mem_calloc(1, sizeof(*node));
	node->n = s->context;
	chains_add(&p->contexts, node);
	context.has_iid = context.has_pid = context.has_api = true;
	context.iid = s->context;
	context.pid = (int32_t)s->pid;
	context.api = API_VULKAN;
	data.n_graphics_contexts = 1;
	data.graphics_contexts = &list;
	packet.interned_data = &data;
	packet.sequence_flags = PACKET_NEEDS_STATE;
	perfetto_add_packet(&p->writer.out, &packet);
}

static void
set_dim(const uint32_t size[3], Perfetto__GpuRenderStageEvent__Dim3 *d)
{
	perfetto__gpu_render_stage_event__dim3__init(d);
	d->has_x = d->has_y = d->has_z = true;
	d->x = size[0];
	d->y = size[1];
	d->z = size[2];
}

/* Sets the fields that Perfetto has had since 2026. */
static void
set_newer(struct perfetto *p, const struct render_stage *s,
    Perfetto__GpuRenderStageEvent *event, char *name)
{
	event->has_render_pass_instance_id = s->pass != 0;
	event->render_pass_instance_id = s->pass;
	event->n_event_wait_ids = s->n_waits;
	event->event_wait_ids = (uint64_t *)(uintptr_t)s->waits;
	if (s->name == NULL)
		return;
	event->name_iid = perfetto_intern(p, SPACE_EVENTS, name);
	event->has_name_iid = event->name_iid != 0;
	if (!event->has_name_iid)
		event->name = name;
}

static void
perfetto_stage_event(struct perfetto *p, const struct render_stage *s,
    Perfetto__GpuRenderStageEvent *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__GpuRenderStageEvent__ComputeKernelLaunch launch =
	    PERFETTO__GPU_RENDER_STAGE_EVENT__COMPUTE_KERNEL_LAUNCH__INIT;
	Perfetto__GpuRenderStageEvent__Dim3 grid, local;

	define_graphics_context(p, s);
	event->has_hw_queue_iid = event->has_stage_iid = true;
	event->hw_queue_iid = stream_iid(p, s->stream, s->instance);
	event->stage_iid = stage_iid(p, s->stage);
	event->has_event_id = event->has_duration = event->has_context = true;
	event->event_id = ++p->n_stages;
	event->duration = s->end_ns - s->start_ns;
	event->context = s->context;
	event->has_submission_id = s->submission != 0;
	event->submission_id = s->submission;
	if (s->grid[0] != 0) {
		set_dim(s->grid, &grid);
		launch.grid_size = &grid;
		event->launch = &launch;
	}
	if (s->local[0] != 0) {
		set_dim(s->local, &local);
		launch.workgroup_size = &local;
		event->launch = &launch;
	}
	packet.has_timestamp = true;
	packet.timestamp = s->start_ns;
	packet.sequence_flags = PACKET_NEEDS_STATE;
	packet.gpu_render_stage_event = event;
	perfetto_add_packet(&p->writer.out, &packet);
}

uint64_t
perfetto_stage(struct trace_writer *w, const struct render_stage *s)
{
	struct perfetto *p = (struct perfetto *)w;
	Perfetto__GpuRenderStageEvent event =
	    PERFETTO__GPU_RENDER_STAGE_EVENT__INIT;
	Perfetto__GpuRenderStageEvent__ExtraData data[TRACE_MAX_ARGS + 1];
	Perfetto__GpuRenderStageEvent__ExtraData *list[TRACE_MAX_ARGS + 1];
	char label[24];
	size_t n = perfetto_gather(
		   p, s->name != NULL ? s->name : "", s->args, s->n_args),
	       first = s->tag == 0;

	snprintf(label, sizeof(label), "t%" PRIu64, s->tag);
	for (size_t i = 0; i <= n; i++) {
		perfetto__gpu_render_stage_event__extra_data__init(&data[i]);
		list[i] = &data[i];
		data[i].name = i > 0 ? p->strings.data + p->name_at[i - 1]
				     : (char *)(uintptr_t) "Labels";
		data[i].value = i > 0 ? p->strings.data + p->text_at[i - 1]
				      : label;
	}
	event.n_extra_data = n + 1 - first;
	event.extra_data = list + first;
	set_newer(p, s, &event, p->strings.data);
	perfetto_stage_event(p, s, &event);
	return p->n_stages;
}

/* Arm's loader refuses a trace without render stages. */
void
perfetto_ensure_stage(struct perfetto *p)
{
	static const struct trace_arg note = {
	    .name = "Note", .text = "no batch of this run is a workload"};
	struct render_stage s = {
	    .stream = STREAM_COMPUTE,
	    .stage = RENDER_STAGE_COMPUTE,
	    .start_ns = p->first_start,
	    .end_ns = p->first_end,
	    .args = &note,
	    .n_args = 1,
	};

	if (p->n_stages == 0)
		perfetto_stage(&p->writer, &s);
}
