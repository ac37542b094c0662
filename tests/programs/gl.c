/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An OpenGL program for tools/check-drivers.sh: draws frames into a texture,
 * without a display, and checks what a GPU writes into memory: fences,
 * timestamps, queries. Its pixels are not checked.
 *
 *   gl RENDERER FRAMES DRAWS [THREADS]
 *
 * Each thread has a context of its own. Exits with 0, or 1 after a line on
 * standard error. RENDERER must be in GL_RENDERER.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROGRAM "gl"
#include "tests/programs/check.h"

#define SIZE        256
#define WAIT_NS     UINT64_C(20000000000)
#define MAX_FRAMES  1000
#define MAX_THREADS 16

struct job {
	EGLDisplay display;
	const char *renderer;
	int frames, draws;
};

struct frame {
	GLsync fence;
	GLuint begin, end, elapsed, primitives, vertices;
};

static GLuint
compile_shader(GLenum type, const char *text)
{
	GLuint shader = glCreateShader(type);
	GLint ok = 0;

	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	CHECK(ok, "a shader does not compile");
	return shader;
}

static void
use_program(void)
{
	static const char vertex[] = "#version 130\n"
				     "in vec2 p; uniform float u;\n"
				     "void main() { gl_Position = "
				     "vec4(p * u, 0., 1.); }\n",
			  fragment[] = "#version 130\n"
				       "out vec4 c;\n"
				       "void main() { c = vec4(1., .5, 0., "
				       "1.); }\n";
	GLuint program = glCreateProgram();
	GLint ok = 0;

	glAttachShader(program, compile_shader(GL_VERTEX_SHADER, vertex));
	glAttachShader(program, compile_shader(GL_FRAGMENT_SHADER, fragment));
	glBindAttribLocation(program, 0, "p");
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	CHECK(ok, "the program does not link");
	glUseProgram(program);
	glUniform1f(glGetUniformLocation(program, "u"), .5f);
}

static void
bind_target(void)
{
	static const float triangle[] = {-1, -1, 1, -1, 0, 1};
	GLuint texture, framebuffer, array, buffer;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA,
	    GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(
	    GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	CHECK(
	    glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
	    "no framebuffer");
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(
	    GL_ARRAY_BUFFER, sizeof triangle, triangle, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, 0, 0, NULL);
	glEnableVertexAttribArray(0);
	glViewport(0, 0, SIZE, SIZE);
}

static bool
has_extension(const char *name)
{
	GLint n = 0;

	glGetIntegerv(GL_NUM_EXTENSIONS, &n);
	for (GLint i = 0; i < n; i++) {
		const char *at = (const char *)glGetStringi(
		    GL_EXTENSIONS, (GLuint)i);

		if (at != NULL && strcmp(at, name) == 0)
			return true;
	}
	return false;
}

static void
draw_frame(struct frame *f, int draws, bool counts_vertices)
{
	glGenQueries(5, &f->begin);
	glQueryCounter(f->begin, GL_TIMESTAMP);
	glBeginQuery(GL_TIME_ELAPSED, f->elapsed);
	glBeginQuery(GL_PRIMITIVES_GENERATED, f->primitives);
	if (counts_vertices)
		glBeginQuery(GL_VERTICES_SUBMITTED_ARB, f->vertices);
	glClear(GL_COLOR_BUFFER_BIT);
	for (int i = 0; i < draws; i++)
		glDrawArrays(GL_TRIANGLES, 0, 3);
	if (counts_vertices)
		glEndQuery(GL_VERTICES_SUBMITTED_ARB);
	glEndQuery(GL_PRIMITIVES_GENERATED);
	glEndQuery(GL_TIME_ELAPSED);
	glQueryCounter(f->end, GL_TIMESTAMP);
	f->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
	glFlush();
}

static uint64_t
result_of(GLuint query)
{
	GLuint64 value = UINT64_MAX;

	glGetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
	return value;
}

/* Waits for the last frame: all others must be done then. */
static void
check_fences(const struct frame *frames, int n)
{
	GLenum r = glClientWaitSync(
	    frames[n - 1].fence, GL_SYNC_FLUSH_COMMANDS_BIT, WAIT_NS);

	CHECK(r == GL_ALREADY_SIGNALED || r == GL_CONDITION_SATISFIED,
	    "the last fence does not signal: %x", r);
	for (int i = 0; i < n; i++) {
		GLint status = 0;

		glGetSynciv(frames[i].fence, GL_SYNC_STATUS, 1, NULL, &status);
		CHECK(status == GL_SIGNALED, "fence %d is not signalled", i);
		glDeleteSync(frames[i].fence);
	}
}

/* Timestamps go on from frame to frame, within the time that the CPU saw. */
static void
check_queries(const struct frame *frames, const struct job *job,
    bool counts_vertices, int64_t before, int64_t after)
{
	uint64_t last = 0;

	for (int i = 0; i < job->frames; i++) {
		const struct frame *f = &frames[i];
		uint64_t begin = result_of(f->begin), end = result_of(f->end);
		uint64_t elapsed = result_of(f->elapsed);

		CHECK(last <= begin && begin <= end,
		    "timestamps of frame %d go back: %ld %ld %ld", i,
		    (long)last, (long)begin, (long)end);
		CHECK(elapsed <= end - begin, "frame %d took %ld ns of %ld ns",
		    i, (long)elapsed, (long)(end - begin));
		last = end;
		CHECK(result_of(f->primitives) == (uint64_t)job->draws,
		    "frame %d has %ld primitives", i,
		    (long)result_of(f->primitives));
		CHECK(!counts_vertices ||
			result_of(f->vertices) == 3 * (uint64_t)job->draws,
		    "frame %d has %ld vertices", i,
		    (long)result_of(f->vertices));
	}
	/* The GPU's clock, as the CPU reads it, counts in ticks. */
	CHECK(before <= (int64_t)result_of(frames[0].begin) + 1000 &&
		(int64_t)last <= after + 1000,
	    "timestamps are not in between: %ld < %ld < %ld", (long)before,
	    (long)last, (long)after);
}

static void
open_context(const struct job *job)
{
	static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3,
	    EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
	EGLContext context;

	CHECK(eglBindAPI(EGL_OPENGL_API), "no OpenGL");
	context = eglCreateContext(
	    job->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	CHECK(context != EGL_NO_CONTEXT, "no context: %x",
	    (unsigned)eglGetError());
	CHECK(eglMakeCurrent(
		  job->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context),
	    "the context can't be used");
	CHECK(strstr((const char *)glGetString(GL_RENDERER), job->renderer),
	    "the renderer is %s, not %s", glGetString(GL_RENDERER),
	    job->renderer);
}

static void *
draw_frames(void *data)
{
	const struct job *job = data;
	struct frame *frames = calloc((size_t)job->frames, sizeof *frames);
	unsigned char pixel[4];
	GLint64 before, after;
	bool counts_vertices;

	open_context(job);
	use_program();
	bind_target();
	counts_vertices = has_extension("GL_ARB_pipeline_statistics_query");
	glGetInteger64v(GL_TIMESTAMP, &before);
	for (int i = 0; i < job->frames; i++)
		draw_frame(&frames[i], job->draws, counts_vertices);
	check_fences(frames, job->frames);
	glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	glFinish();
	glGetInteger64v(GL_TIMESTAMP, &after);
	check_queries(frames, job, counts_vertices, before, after);
	CHECK(glGetError() == GL_NO_ERROR, "an error");
	free(frames);
	eglReleaseThread();
	return NULL;
}

int
main(int argc, char **argv)
{
	int threads = argc > 4 ? atoi(argv[4]) : 1;
	struct job job = {.renderer = argc > 1 ? argv[1] : "Intel",
	    .frames = argc > 2 ? atoi(argv[2]) : 10,
	    .draws = argc > 3 ? atoi(argv[3]) : 20};
	pthread_t ids[MAX_THREADS];

	CHECK(job.frames > 0 && job.frames <= MAX_FRAMES && threads > 0 &&
		threads <= MAX_THREADS,
	    "usage: gl RENDERER FRAMES DRAWS [THREADS]");
	job.display = eglGetPlatformDisplay(
	    EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	CHECK(eglInitialize(job.display, NULL, NULL), "no display");
	if (threads == 1) {
		draw_frames(&job);
		return 0;
	}
	for (int i = 0; i < threads; i++)
		CHECK(pthread_create(&ids[i], NULL, draw_frames, &job) == 0,
		    "no thread");
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
