/* Status codes, messages and the context that carries them.
 *
 * Nothing in Cairn is global. A cairn_context collects the messages of the objects made with it. Use one context per thread,
 * and worlds step in parallel without locks. Every call that can fail returns a cairn_status and leaves a message in the
 * context that names the thing at fault:
 *
 *     cairn_context *context = cairn_context_create();
 *     if (cairn_model_create(context, 3, &model) != CAIRN_OK)
 *         fprintf(stderr, "%s\n", cairn_context_last_message(context));
 *
 * Pointers: a function that returns a cairn_status answers CAIRN_INVALID when a pointer that it needs is NULL. Functions that
 * destroy or close something accept NULL and do nothing. All other functions only read, and need a valid object.
 *
 * Lifetimes: an object may be destroyed before or after those it was made from (context, model, scene, simulation). Once one of
 * those is gone, its own destruction is the only call that is still allowed.
 *
 * Creation: functions that can fail for a reason other than lack of memory return a status and set *out, to NULL on failure.
 */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C linkage for C++ programs. */
#ifdef __cplusplus
#define CAIRN_BEGIN_DECLS                                                                                              \
    extern "C"                                                                                                         \
    {
#define CAIRN_END_DECLS }
#else
#define CAIRN_BEGIN_DECLS
#define CAIRN_END_DECLS
#endif

CAIRN_BEGIN_DECLS

#if defined(__GNUC__)
#define CAIRN_API __attribute__((visibility("default")))
#else
#define CAIRN_API
#endif

#define CAIRN_VERSION "0.1.0"

/* The result of a call. A solver that misses its tolerance is not an error: see the outcome in the step report. */
typedef enum cairn_status
{
    CAIRN_OK = 0,
    CAIRN_INVALID,     /* the input is wrong, or a handle is stale; the messages say where */
    CAIRN_NO_MEMORY,   /* memory ran out */
    CAIRN_IO,          /* a file cannot be read or written */
    CAIRN_NUMERIC,     /* numbers went bad: overflow, NaN, a matrix that is not positive definite */
    CAIRN_UNSOLVED,    /* no solver found a solution of the step */
    CAIRN_UNSUPPORTED, /* a combination that has no meaning, or that this version lacks */
} cairn_status;

/* One plain sentence for a status, also for a number that is none. Never NULL; never to be freed. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* The version of the library at run time, e.g. "0.1.0"; CAIRN_VERSION is the one that the program was compiled against. */
CAIRN_API const char *cairn_version(void);

/* One message: a sentence that names the thing at fault, without a final newline. File is NULL and line 0 when the fault did not
 * come from a file. */
typedef struct cairn_message
{
    const char *file;
    int line;   /* from 1; 0: none */
    int column; /* from 1; 0: none */
    const char *text;
} cairn_message;

typedef struct cairn_context cairn_context;

/* An empty context, which the caller destroys. NULL only when memory ran out. */
CAIRN_API cairn_context *cairn_context_create(void);
/* Destroy a context with its messages. */
CAIRN_API void cairn_context_destroy(cairn_context *context);

/* Messages left since the last clear, oldest first. Texts live until the next clear, or until a call that succeeds after failed
 * attempts drops the messages of those. An index out of range returns an empty message. */
CAIRN_API int cairn_context_message_count(const cairn_context *context);
CAIRN_API cairn_message cairn_context_message(const cairn_context *context, int index);

/* The text of the last message, or "" when there is none. */
CAIRN_API const char *cairn_context_last_message(const cairn_context *context);
/* Forget all messages. */
CAIRN_API void cairn_context_clear(cairn_context *context);

/* "Did you mean": a running search for the name that an unknown word stands for. Set `word`, all else zero, and offer
 * every name. The hint is then "; did you mean 'NAME'?" with the name that other programs call by this word, or else the
 * one nearest in spelling; it is "" when none is near. */
typedef struct cairn_suggestion
{
    const char *word;
    char hint[96];
    int distance; /* of the name in the hint */
} cairn_suggestion;

CAIRN_API void cairn_suggestion_offer(cairn_suggestion *suggestion, const char *name);

CAIRN_END_DECLS

#endif
