/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The language of `#@` lines (the manual, ANNOTATIONS): the content of the next
 * batch, one item per line, as a GPU timeline layer would see it.
 *
 *   #@ label push "Shadow"      #@ label pop
 *   #@ renderpass 1920x1080 draws=42 subpasses=1 attach=C0:clear:store,D
 *   #@ renderpass 1920x1080 suspend            #@ renderpass resume draws=3
 *   #@ dispatch 64x64x1 local=8x8x1            #@ dispatch 64x64x1 indirect
 *   #@ dispatch 64x64x1 spirv=blur.spv:main 0=16 1=8
 *   #@ tracerays 1920x1080x1 indirect
 *   #@ copybuffer 65536         #@ fillbuffer whole
 *   #@ copyimage 4096           #@ clearimage 4096
 *   #@ blitimage 4096           #@ copymemory 4096 (and other transfers)
 *   #@ asbuild 5000 fasttrace   #@ ascopy 4096     #@ datagraph
 *   #@ secondary begin times=2  #@ secondary end
 *   #@ once                     #@ weight=3
 *
 * `weight=N` alone applies to the next workload of the batch; a weight in the
 * workload's own line overrides it.
 */
#ifndef PARSER_ANNOTATION_H
#define PARSER_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/diag.h"
#include "parser/scan.h"

struct text;

#define ANNOTATION_ATTACHMENTS                                                 \
	20 /* 8 colours and resolves, D and S the same                         \
	    */
#define ANNOTATION_CONSTANTS  16
#define ANNOTATION_UNKNOWN    (-1) /* a number that the line omits */
#define ANNOTATION_WHOLE      (-2) /* fillbuffer whole */
#define ANNOTATION_LABEL_MAX  1024 /* bytes of a label */
#define ANNOTATION_WEIGHT_MAX 1000000
#define ANNOTATION_TIMES_MAX  64 /* executions of a secondary, in all */
#define ANNOTATION_NESTED_MAX 8  /* secondaries, each within another */

enum annotation_kind {
	ANNOTATION_LABEL_PUSH,
	ANNOTATION_LABEL_POP,
	ANNOTATION_RENDERPASS,
	ANNOTATION_DISPATCH,
	ANNOTATION_TRACERAYS,
	ANNOTATION_COPYBUFFER,
	ANNOTATION_FILLBUFFER,
	ANNOTATION_COPYIMAGE,
	ANNOTATION_CLEARIMAGE,
	ANNOTATION_BLITIMAGE,
	ANNOTATION_RESOLVEIMAGE,
	ANNOTATION_MIPMAPS,
	ANNOTATION_BUFFERTOIMAGE,
	ANNOTATION_IMAGETOBUFFER,
	ANNOTATION_MEMORYTOIMAGE,
	ANNOTATION_COPYMEMORY,
	ANNOTATION_COPYTENSOR,
	ANNOTATION_COPYQUERY,
	ANNOTATION_ASCOPY,
	ANNOTATION_ASTOMEMORY,
	ANNOTATION_MEMORYTOAS,
	ANNOTATION_MICROMAPCOPY,
	ANNOTATION_MICROMAPTOMEMORY,
	ANNOTATION_MEMORYTOMICROMAP,
	ANNOTATION_ASBUILD,
	ANNOTATION_DATAGRAPH,
	ANNOTATION_SECONDARY_BEGIN,
	ANNOTATION_SECONDARY_END,
	ANNOTATION_ONCE,
	ANNOTATION_WEIGHT,
	N_ANNOTATION_KINDS
};

enum attachment_binding {
	ATTACHMENT_COLOUR, /* + the number: C0 to C7 are 0 to 7 */
	ATTACHMENT_DEPTH = 8,
	ATTACHMENT_STENCIL,
	N_ATTACHMENT_BINDINGS
};

enum attachment_load { LOAD_LOAD, LOAD_CLEAR, LOAD_DISCARD };
enum attachment_store { STORE_STORE, STORE_DISCARD };

/* NAME:load|clear|discard:store|discard, or NAME:resolve. Defaults: clear and
 * store. */
struct attachment {
	uint8_t binding; /* enum attachment_binding */
	uint8_t load;    /* enum attachment_load */
	uint8_t store;   /* enum attachment_store */
	bool resolve;    /* another one is resolved into it */
};

struct spec_constant {
	uint32_t id, value;
};

/*
 * A parsed annotation. Fields point into the text that was parsed; lists are in
 * the arena. A line of a document has its annotation as long as the document
 * lives (document_line_annotation()); a program has copies of its own.
 */
struct annotation {
	struct field text; /* the line as it was parsed */
	enum annotation_kind kind;
	/* LABEL_PUSH: between the quotes, as written (annotation_label()). */
	struct field label;
	/* RENDERPASS: width, height; DISPATCH: groups; TRACERAYS: items.
	 * ANNOTATION_UNKNOWN if left out (renderpass resume only). */
	int64_t size[3];
	/* Bytes of transfers to buffers and of acceleration structures
	 * (FILLBUFFER: or ANNOTATION_WHOLE), pixels of those of images,
	 * primitives of ASBUILD. */
	int64_t amount;
	/* RENDERPASS */
	int64_t draws; /* ANNOTATION_UNKNOWN: not given */
	uint32_t subpasses;
	bool suspend, resume;
	uint8_t n_attachments;
	struct attachment *attachments; /* at most ANNOTATION_ATTACHMENTS */
	/* DISPATCH: group size, 0: not given; or the shader that has it. */
	uint32_t local[3];
	struct field spirv, entry; /* empty: none, "main" */
	uint8_t n_constants;
	struct spec_constant *constants; /* at most ANNOTATION_CONSTANTS */
	/* DISPATCH, TRACERAYS: the size is known only after the run. */
	bool indirect;
	bool fast_trace; /* ASBUILD: for fast tracing, not a fast build */
	bool update;     /* ASBUILD: of one that was built before */
	uint32_t times;  /* SECONDARY_BEGIN: executions, from 1 */
	uint32_t weight; /* of a workload or of WEIGHT; 0: not given */
};

/*
 * Parses one line, with its `#@` and blanks around it. Allocates lists in
 * arena. False if it has errors; they are added to diags (unless NULL) as those
 * of that line, columns from text. out->kind is set if the name is valid.
 */
bool annotation_parse(struct arena *arena, const char *text, size_t len,
    uint32_t line, struct annotation *out, struct diag_list *diags);
/* Copies an annotation, its text and its lists into arena. */
void annotation_copy(
    struct arena *arena, struct annotation *to, const struct annotation *from);

/* True for a workload: work that an engine executes. */
bool annotation_is_workload(enum annotation_kind kind);

/* Appends the label without its escapes (\" and \\) to t. */
void annotation_label(const struct annotation *a, struct text *t);

/* The purpose of a kind, and its syntax: "#@ dispatch XxYxZ [local=XxYxZ] ...". */
const char *annotation_help(enum annotation_kind kind);
void annotation_syntax_print(enum annotation_kind kind, struct text *t);
/* The purpose of word[0..len) of an annotation, without the value of an option;
 * NULL: unknown. */
const char *annotation_word_help(const char *word, size_t len);
/* Sets the kind that text, the beginning of an annotation with its `#@`, names;
 * false: none yet. */
bool annotation_kind_typed(
    const char *text, size_t len, enum annotation_kind *kind);

/*
 * Lists words that complete text, the beginning of an annotation with its `#@`;
 * *typed is the length of the unfinished word at its end, in bytes. Returns the
 * number of words, at most max, in the order of the language. A word with a
 * value ends in '='. Words are literals.
 */
size_t annotation_words(
    const char *text, size_t len, const char **list, size_t max, size_t *typed);

#endif
