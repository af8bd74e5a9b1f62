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

/* Marks the functions that a shared library exports. */
#if defined(__GNUC__)
#define CAIRN_API __attribute__((visibility("default")))
#else
#define CAIRN_API
#endif

/* Version of the headers, MAJOR.MINOR.PATCH; compare with cairn_version(). */
#define CAIRN_VERSION "0.1.0"

/* The result of a call. A solver that misses its tolerance is not an error: see the outcome in the step report. */
typedef enum cairn_status
{
    /* Success. */
    CAIRN_OK = 0,
    /* The input is wrong, or a handle is stale. The messages say where. */
    CAIRN_INVALID,
    /* Memory ran out. */
    CAIRN_NO_MEMORY,
    /* A file cannot be read or written, or a device failed. */
    CAIRN_IO,
    /* Numbers became unusable: overflow, NaN, a matrix that is not positive definite. */
    CAIRN_NUMERIC,
    /* No solver found a solution of the step. */
    CAIRN_UNSOLVED,
    /* A combination that has no meaning, or that this version lacks. */
    CAIRN_UNSUPPORTED,
} cairn_status;

/* A plain sentence for a status, and for any other number. Never NULL; must not be freed. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* Version of the library at run time, such as "0.1.0"; CAIRN_VERSION is the one that the program was compiled with. */
CAIRN_API const char *cairn_version(void);

/* A message: a sentence that names the thing at fault. */
typedef struct cairn_message
{
    /* NULL when the fault is not in a file. */
    const char *file;
    /* From 1; 0: none. */
    int line;
    /* From 1; 0: none. */
    int column;
    /* The sentence, without a final newline. */
    const char *text;
} cairn_message;

/* Collects messages. One thread at a time may use a context and the objects made with it. */
typedef struct cairn_context cairn_context;

/* Create an empty context, which the caller destroys. Returns NULL only when memory ran out. */
CAIRN_API cairn_context *cairn_context_create(void);

/* Destroy a context with its messages. NULL is allowed. */
CAIRN_API void cairn_context_destroy(cairn_context *context);

/* The number of messages since the last clear. */
CAIRN_API int cairn_context_message_count(const cairn_context *context);

/* Message `index`, from 0, the oldest first; an empty message for an index out of range. Its texts live until the next clear, or
 * until a call that succeeds after failed attempts drops the messages of those attempts. */
CAIRN_API cairn_message cairn_context_message(const cairn_context *context, int index);

/* The text of the last message; "" when there is none. It lives as long as that message. */
CAIRN_API const char *cairn_context_last_message(const cairn_context *context);

/* Forget all messages. */
CAIRN_API void cairn_context_clear(cairn_context *context);

/* A search for the name that an unknown word probably stands for. Set `word` and zero the rest, then offer every known name. */
typedef struct cairn_suggestion
{
    /* The unknown word. */
    const char *word;
    /* "; did you mean 'NAME'?" with the name that other programs know by this word, or else the one nearest in spelling; ""
     * when none is near. */
    char hint[96];
    /* Edit distance of the name in the hint. */
    int distance;
} cairn_suggestion;

/* Offer a name; the hint changes when the name fits better than those before. */
CAIRN_API void cairn_suggestion_offer(cairn_suggestion *suggestion, const char *name);

CAIRN_END_DECLS

#endif
