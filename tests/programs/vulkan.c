/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A Vulkan program for tools/check-drivers.sh: transfers, dispatches and draws
 * that wait for each other by timeline semaphores, events and the CPU, without a
 * display. Half of the dispatches are in a secondary command buffer. It checks what
 * a GPU writes into memory: semaphores, events, fences, timestamps and their copies,
 * queries. It ignores what is computed.
 *
 *   vulkan DEVICE ROUNDS [no-events]
 *
 * Exits with 0, or 1 after a line on standard error. DEVICE must be in the
 * device's name. no-events: the driver has none, nor copies of queries, as that of
 * generation 7.
 */
#include <vulkan/vulkan.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Made by glslangValidator of vulkan.comp, .vert and .frag. */
#include "vulkan_comp.h"
#include "vulkan_frag.h"
#include "vulkan_vert.h"

#define PROGRAM "vulkan"
#include "tests/programs/check.h"

#define SIZE     256
#define BYTES    65536
#define DRAWS    5
#define VERTICES 3
#define GROUPS   16
#define WAIT_NS  UINT64_C(20000000000)

/* Parts of a round, each a command buffer. */
enum part { TRANSFER, COMPUTE, GRAPHICS, N_PARTS };

#define OK(call)                                                               \
	do {                                                                   \
		VkResult result_ = (call);                                     \
		CHECK(result_ == VK_SUCCESS, "error %d", result_);             \
	} while (0)

struct app {
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue;
	VkPhysicalDeviceProperties properties;
	bool statistics, events;
	VkBuffer buffer, copy, results;
	const uint64_t *copied; /* the memory of results */
	VkDescriptorSetLayout set_layout;
	VkDescriptorSet set;
	VkPipelineLayout layout;
	VkPipeline compute, graphics;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkCommandBuffer commands[N_PARTS], secondary;
	VkQueryPool stamps, counts, samples;
	VkEvent from_cpu, on_gpu;
	VkSemaphore timeline;
	VkFence fence;
};

static void
choose_device(struct app *a, const char *name)
{
	VkApplicationInfo info = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
	    .apiVersion = VK_API_VERSION_1_2};
	VkInstanceCreateInfo create = {
	    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
	    .pApplicationInfo = &info};
	VkInstance instance;
	VkPhysicalDevice gpus[8];
	uint32_t n = 8;

	OK(vkCreateInstance(&create, NULL, &instance));
	vkEnumeratePhysicalDevices(instance, &n, gpus);
	for (uint32_t i = 0; i < n && a->gpu == NULL; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &a->properties);
		if (strstr(a->properties.deviceName, name))
			a->gpu = gpus[i];
	}
	CHECK(a->gpu != NULL, "no device has %s in its name", name);
}

static void
open_device(struct app *a)
{
	float priority = 1;
	VkPhysicalDeviceFeatures has;
	VkDeviceQueueCreateInfo queue = {
	    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
	    .queueCount = 1,
	    .pQueuePriorities = &priority};
	VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
	    .sType =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
	    .timelineSemaphore = VK_TRUE};
	VkPhysicalDeviceFeatures wanted = {0};
	VkDeviceCreateInfo create = {
	    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
	    .pNext = &timeline,
	    .queueCreateInfoCount = 1,
	    .pQueueCreateInfos = &queue,
	    .pEnabledFeatures = &wanted};

	vkGetPhysicalDeviceFeatures(a->gpu, &has);
	a->statistics = has.pipelineStatisticsQuery;
	wanted.pipelineStatisticsQuery = has.pipelineStatisticsQuery;
	OK(vkCreateDevice(a->gpu, &create, NULL, &a->device));
	vkGetDeviceQueue(a->device, 0, 0, &a->queue);
}

/* Allocates memory that programs can see, of any type that fits. */
static VkDeviceMemory
allocate(struct app *a, const VkMemoryRequirements *needs)
{
	VkMemoryAllocateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
	    .allocationSize = needs->size};
	VkDeviceMemory memory;

	while ((needs->memoryTypeBits >> info.memoryTypeIndex & 1) == 0)
		info.memoryTypeIndex++;
	OK(vkAllocateMemory(a->device, &info, NULL, &memory));
	return memory;
}

static VkBuffer
make_buffer(struct app *a, VkDeviceMemory *memory)
{
	VkBufferCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
	    .size = BYTES,
	    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
		VK_BUFFER_USAGE_TRANSFER_DST_BIT |
		VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
	VkMemoryRequirements needs;
	VkBuffer buffer;

	OK(vkCreateBuffer(a->device, &info, NULL, &buffer));
	vkGetBufferMemoryRequirements(a->device, buffer, &needs);
	*memory = allocate(a, &needs);
	OK(vkBindBufferMemory(a->device, buffer, *memory, 0));
	return buffer;
}

static void
make_buffers(struct app *a)
{
	VkDeviceMemory memory;
	void *mapped;

	a->buffer = make_buffer(a, &memory);
	a->copy = make_buffer(a, &memory);
	a->results = make_buffer(a, &memory);
	OK(vkMapMemory(a->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
	a->copied = mapped;
}

static VkShaderModule
shader(struct app *a, const uint32_t *words, size_t bytes)
{
	VkShaderModuleCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
	    .codeSize = bytes,
	    .pCode = words};
	VkShaderModule module;

	OK(vkCreateShaderModule(a->device, &info, NULL, &module));
	return module;
}

#define STAGE(bit, words)                                                      \
	{                                                                      \
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,  \
		.stage = (bit), .module = shader(a, (words), sizeof(words)),   \
		.pName = "main"                                                \
	}

static void
make_set(struct app *a)
{
	VkDescriptorSetLayoutBinding binding = {
	    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	    .descriptorCount = 1,
	    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
	VkDescriptorSetLayoutCreateInfo layout = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
	    .bindingCount = 1,
	    .pBindings = &binding};
	VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
	VkDescriptorPoolCreateInfo pool_info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
	    .maxSets = 1,
	    .poolSizeCount = 1,
	    .pPoolSizes = &size};
	VkDescriptorSetAllocateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
	    .descriptorSetCount = 1,
	    .pSetLayouts = &a->set_layout};
	VkDescriptorBufferInfo buffer = {a->buffer, 0, BYTES};
	VkWriteDescriptorSet write = {
	    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
	    .descriptorCount = 1,
	    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	    .pBufferInfo = &buffer};

	OK(vkCreateDescriptorSetLayout(
	    a->device, &layout, NULL, &a->set_layout));
	OK(vkCreateDescriptorPool(
	    a->device, &pool_info, NULL, &info.descriptorPool));
	OK(vkAllocateDescriptorSets(a->device, &info, &a->set));
	write.dstSet = a->set;
	vkUpdateDescriptorSets(a->device, 1, &write, 0, NULL);
}

static void
make_compute(struct app *a)
{
	VkPipelineLayoutCreateInfo layout = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
	    .setLayoutCount = 1,
	    .pSetLayouts = &a->set_layout};
	VkComputePipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
	    .stage = STAGE(VK_SHADER_STAGE_COMPUTE_BIT, vulkan_comp)};

	OK(vkCreatePipelineLayout(a->device, &layout, NULL, &a->layout));
	info.layout = a->layout;
	OK(vkCreateComputePipelines(
	    a->device, VK_NULL_HANDLE, 1, &info, NULL, &a->compute));
}

static VkImageView
make_target(struct app *a)
{
	VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
	    .imageType = VK_IMAGE_TYPE_2D,
	    .format = VK_FORMAT_R8G8B8A8_UNORM,
	    .extent = {SIZE, SIZE, 1},
	    .mipLevels = 1,
	    .arrayLayers = 1,
	    .samples = VK_SAMPLE_COUNT_1_BIT,
	    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
	VkImageViewCreateInfo view = {
	    .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
	    .viewType = VK_IMAGE_VIEW_TYPE_2D,
	    .format = VK_FORMAT_R8G8B8A8_UNORM,
	    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
	VkMemoryRequirements needs;
	VkImageView made;

	OK(vkCreateImage(a->device, &info, NULL, &view.image));
	vkGetImageMemoryRequirements(a->device, view.image, &needs);
	OK(vkBindImageMemory(a->device, view.image, allocate(a, &needs), 0));
	OK(vkCreateImageView(a->device, &view, NULL, &made));
	return made;
}

static void
make_pass(struct app *a)
{
	VkAttachmentDescription target = {.format = VK_FORMAT_R8G8B8A8_UNORM,
	    .samples = VK_SAMPLE_COUNT_1_BIT,
	    .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
	    .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
	    .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
	VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
	VkSubpassDescription subpass = {
	    .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
	    .colorAttachmentCount = 1,
	    .pColorAttachments = &reference};
	VkRenderPassCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
	    .attachmentCount = 1,
	    .pAttachments = &target,
	    .subpassCount = 1,
	    .pSubpasses = &subpass};
	VkImageView view = make_target(a);
	VkFramebufferCreateInfo framebuffer = {
	    .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
	    .attachmentCount = 1,
	    .pAttachments = &view,
	    .width = SIZE,
	    .height = SIZE,
	    .layers = 1};

	OK(vkCreateRenderPass(a->device, &info, NULL, &a->pass));
	framebuffer.renderPass = a->pass;
	OK(vkCreateFramebuffer(a->device, &framebuffer, NULL, &a->framebuffer));
}

static void
make_graphics(struct app *a)
{
	VkPipelineShaderStageCreateInfo stages[] = {
	    STAGE(VK_SHADER_STAGE_VERTEX_BIT, vulkan_vert),
	    STAGE(VK_SHADER_STAGE_FRAGMENT_BIT, vulkan_frag)};
	VkPipelineVertexInputStateCreateInfo input = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	VkPipelineInputAssemblyStateCreateInfo assembly = {
	    .sType =
		VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
	    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
	VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
	VkPipelineViewportStateCreateInfo view = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
	    .viewportCount = 1,
	    .pViewports = &viewport,
	    .scissorCount = 1,
	    .pScissors = &scissor};
	VkPipelineRasterizationStateCreateInfo raster = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
	    .lineWidth = 1};
	VkPipelineMultisampleStateCreateInfo samples = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
	    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
	VkPipelineColorBlendStateCreateInfo blend = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
	    .attachmentCount = 1,
	    .pAttachments = &attachment};
	VkGraphicsPipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
	    .stageCount = 2,
	    .pStages = stages,
	    .pVertexInputState = &input,
	    .pInputAssemblyState = &assembly,
	    .pViewportState = &view,
	    .pRasterizationState = &raster,
	    .pMultisampleState = &samples,
	    .pColorBlendState = &blend,
	    .layout = a->layout,
	    .renderPass = a->pass};

	OK(vkCreateGraphicsPipelines(
	    a->device, VK_NULL_HANDLE, 1, &info, NULL, &a->graphics));
}

static VkQueryPool
make_queries(struct app *a, VkQueryType type, uint32_t n)
{
	VkQueryPoolCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
	    .queryType = type,
	    .queryCount = n,
	    .pipelineStatistics =
		VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
		VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT};
	VkQueryPool pool;

	OK(vkCreateQueryPool(a->device, &info, NULL, &pool));
	return pool;
}

static void
make_signals(struct app *a)
{
	VkSemaphoreTypeCreateInfo type = {
	    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
	    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
	VkSemaphoreCreateInfo semaphore = {
	    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
	VkFenceCreateInfo fence = {
	    .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkEventCreateInfo event = {
	    .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};

	OK(vkCreateSemaphore(a->device, &semaphore, NULL, &a->timeline));
	OK(vkCreateFence(a->device, &fence, NULL, &a->fence));
	OK(vkCreateEvent(a->device, &event, NULL, &a->from_cpu));
	OK(vkCreateEvent(a->device, &event, NULL, &a->on_gpu));
	a->stamps = make_queries(a, VK_QUERY_TYPE_TIMESTAMP, 2 * N_PARTS);
	a->samples = make_queries(a, VK_QUERY_TYPE_OCCLUSION, 1);
	if (a->statistics)
		a->counts = make_queries(
		    a, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1);
}

static void
make_commands(struct app *a)
{
	VkCommandPoolCreateInfo pool = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
	VkCommandBufferAllocateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
	    .commandBufferCount = N_PARTS};

	OK(vkCreateCommandPool(a->device, &pool, NULL, &info.commandPool));
	OK(vkAllocateCommandBuffers(a->device, &info, a->commands));
	info.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
	info.commandBufferCount = 1;
	OK(vkAllocateCommandBuffers(a->device, &info, &a->secondary));
}

/* Waits for an event of the CPU, fills, copies, and sets one on the GPU. */
static void
record_transfer(struct app *a, VkCommandBuffer c)
{
	VkBufferCopy region = {.size = BYTES};

	vkCmdWaitEvents(c, 1, &a->from_cpu, VK_PIPELINE_STAGE_HOST_BIT,
	    VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL, 0, NULL);
	vkCmdFillBuffer(c, a->buffer, 0, BYTES, 7);
	vkCmdCopyBuffer(c, a->buffer, a->copy, 1, &region);
	vkCmdSetEvent(c, a->on_gpu, VK_PIPELINE_STAGE_TRANSFER_BIT);
}

static void
dispatch(struct app *a, VkCommandBuffer c)
{
	vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, a->compute);
	vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, a->layout, 0,
	    1, &a->set, 0, NULL);
	vkCmdDispatch(c, GROUPS, 1, 1);
}

static void
record_secondary(struct app *a)
{
	VkCommandBufferInheritanceInfo inherits = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
	VkCommandBufferBeginInfo begin = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	    .pInheritanceInfo = &inherits};

	OK(vkBeginCommandBuffer(a->secondary, &begin));
	dispatch(a, a->secondary);
	OK(vkEndCommandBuffer(a->secondary));
}

/* Waits for the event of the transfer, and computes, here and in the secondary. */
static void
record_compute(struct app *a, VkCommandBuffer c)
{
	vkCmdWaitEvents(c, 1, &a->on_gpu, VK_PIPELINE_STAGE_TRANSFER_BIT,
	    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
	dispatch(a, c);
	vkCmdExecuteCommands(c, 1, &a->secondary);
}

static void
record_graphics(struct app *a, VkCommandBuffer c)
{
	VkClearValue clear = {0};
	VkRenderPassBeginInfo begin = {
	    .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
	    .renderPass = a->pass,
	    .framebuffer = a->framebuffer,
	    .renderArea = {{0, 0}, {SIZE, SIZE}},
	    .clearValueCount = 1,
	    .pClearValues = &clear};

	vkCmdResetQueryPool(c, a->samples, 0, 1);
	if (a->statistics)
		vkCmdResetQueryPool(c, a->counts, 0, 1);
	vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, a->graphics);
	vkCmdBeginQuery(c, a->samples, 0, 0);
	if (a->statistics)
		vkCmdBeginQuery(c, a->counts, 0, 0);
	for (unsigned i = 0; i < DRAWS; i++)
		vkCmdDraw(c, VERTICES, 1, 0, 0);
	if (a->statistics)
		vkCmdEndQuery(c, a->counts, 0);
	vkCmdEndQuery(c, a->samples, 0);
	vkCmdEndRenderPass(c);
}

/* Records each part between two timestamps; the last one copies them all. */
static void
record_all(struct app *a)
{
	static void (*const record[N_PARTS])(struct app *, VkCommandBuffer) = {
	    record_transfer, record_compute, record_graphics};
	VkCommandBufferBeginInfo begin = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};

	for (uint32_t i = 0; i < N_PARTS; i++) {
		VkCommandBuffer c = a->commands[i];

		OK(vkBeginCommandBuffer(c, &begin));
		vkCmdResetQueryPool(c, a->stamps, 2 * i, 2);
		vkCmdWriteTimestamp(
		    c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, a->stamps, 2 * i);
		record[i](a, c);
		vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
		    a->stamps, 2 * i + 1);
		if (a->events && i + 1 == N_PARTS)
			vkCmdCopyQueryPoolResults(c, a->stamps, 0, 2 * N_PARTS,
			    a->results, 0, sizeof *a->copied,
			    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
		OK(vkEndCommandBuffer(c));
	}
}

/* Submits a part that waits for a point of the timeline and signals the next. */
static void
submit_part(struct app *a, uint32_t part, uint64_t point, VkFence fence)
{
	uint64_t next = point + 1;
	VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkTimelineSemaphoreSubmitInfo points = {
	    .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
	    .waitSemaphoreValueCount = 1,
	    .pWaitSemaphoreValues = &point,
	    .signalSemaphoreValueCount = 1,
	    .pSignalSemaphoreValues = &next};
	VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
	    .pNext = &points,
	    .waitSemaphoreCount = 1,
	    .pWaitSemaphores = &a->timeline,
	    .pWaitDstStageMask = &stage,
	    .commandBufferCount = 1,
	    .pCommandBuffers = &a->commands[part],
	    .signalSemaphoreCount = 1,
	    .pSignalSemaphores = &a->timeline};

	OK(vkQueueSubmit(a->queue, 1, &submit, fence));
}

static VkResult
wait_for(struct app *a, uint64_t point, uint64_t ns)
{
	VkSemaphoreWaitInfo wait = {
	    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
	    .semaphoreCount = 1,
	    .pSemaphores = &a->timeline,
	    .pValues = &point};

	return vkWaitSemaphores(a->device, &wait, ns);
}

/* The GPU goes no further than the timeline and the event let it. */
static void
run_round(struct app *a, uint64_t base)
{
	VkSemaphoreSignalInfo start = {
	    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
	    .semaphore = a->timeline,
	    .value = base};
	uint64_t value;

	for (uint32_t i = 0; i < N_PARTS; i++)
		submit_part(a, i, base + i, i + 1 == N_PARTS ? a->fence : NULL);
	CHECK(vkGetFenceStatus(a->device, a->fence) == VK_NOT_READY,
	    "the fence signals before the CPU starts the timeline");
	OK(vkSignalSemaphore(a->device, &start));
	CHECK(!a->events || wait_for(a, base + 1, 2000000) == VK_TIMEOUT,
	    "the transfer does not wait for its event");
	OK(vkSetEvent(a->device, a->from_cpu));
	for (uint32_t i = 1; i <= N_PARTS; i++) {
		OK(wait_for(a, base + i, WAIT_NS));
		OK(vkGetSemaphoreCounterValue(a->device, a->timeline, &value));
		CHECK(value >= base + i, "the timeline goes back");
	}
	OK(vkWaitForFences(a->device, 1, &a->fence, VK_TRUE, WAIT_NS));
	CHECK(!a->events ||
		vkGetEventStatus(a->device, a->on_gpu) == VK_EVENT_SET,
	    "the GPU's event is not set");
}

/* Timestamps are in the order of the parts, in between what the CPU saw. */
static void
check_stamps(struct app *a, double wall_ns)
{
	uint64_t stamp[2 * N_PARTS] = {0};
	double ns;

	OK(vkGetQueryPoolResults(a->device, a->stamps, 0, 2 * N_PARTS,
	    sizeof stamp, stamp, sizeof *stamp, VK_QUERY_RESULT_64_BIT));
	for (uint32_t i = 0; a->events && i < 2 * N_PARTS; i++)
		CHECK(a->copied[i] == stamp[i],
		    "timestamp %u is copied as %llx", i,
		    (unsigned long long)a->copied[i]);
	for (uint32_t i = 1; i < 2 * N_PARTS; i++)
		CHECK(stamp[i - 1] <= stamp[i], "timestamp %u goes back", i);
	ns = (double)(stamp[2 * N_PARTS - 1] - stamp[0]) *
	    (double)a->properties.limits.timestampPeriod;
	CHECK(ns <= wall_ns, "the GPU took %.0f ns of %.0f ns", ns, wall_ns);
}

static void
check_counts(struct app *a)
{
	uint64_t counts[2] = {0}, samples[2] = {7, 7};

	OK(vkGetQueryPoolResults(a->device, a->samples, 0, 1, sizeof samples,
	    samples, sizeof samples,
	    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
	CHECK(samples[1] != 0, "the occlusion query is not there");
	if (!a->statistics)
		return;
	OK(vkGetQueryPoolResults(a->device, a->counts, 0, 1, sizeof counts,
	    counts, sizeof counts, VK_QUERY_RESULT_64_BIT));
	CHECK(counts[0] == DRAWS * VERTICES && counts[1] == DRAWS,
	    "%ld vertices, %ld primitives", (long)counts[0], (long)counts[1]);
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int
main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 3;
	struct app a = {0};

	a.events = argc <= 3 || strcmp(argv[3], "no-events") != 0;
	choose_device(&a, argc > 1 ? argv[1] : "Intel");
	open_device(&a);
	make_buffers(&a);
	make_set(&a);
	make_compute(&a);
	make_pass(&a);
	make_graphics(&a);
	make_signals(&a);
	make_commands(&a);
	record_secondary(&a);
	for (int i = 0; i < rounds; i++) {
		double begin = now_ns();

		record_all(&a);
		run_round(&a, 1 + (uint64_t)i * (N_PARTS + 1));
		check_stamps(&a, now_ns() - begin);
		check_counts(&a);
		OK(vkResetEvent(a.device, a.from_cpu));
		OK(vkResetEvent(a.device, a.on_gpu));
		OK(vkResetFences(a.device, 1, &a.fence));
	}
	OK(vkDeviceWaitIdle(a.device));
	return 0;
}
