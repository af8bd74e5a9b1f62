#include "base/context.h"

#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cairn_context
{
    cairn_message *messages; /* texts and file names owned */
    size_t count;
    size_t capacity;
    uint16_t models; /* number of the last model made with this context */
    struct
    {
        const void **added;
        size_t count, capacity;
    } registry[CRN_REGISTRIES];
};

static const char *const STATUS_TEXT[] = {
    [CAIRN_OK] = "all is well",
    [CAIRN_INVALID] = "the input is wrong",
    [CAIRN_NO_MEMORY] = "memory ran out",
    [CAIRN_IO] = "a file could not be read or written, or a device failed",
    [CAIRN_NUMERIC] = "numbers went bad: overflow, NaN, or a matrix that is not positive definite",
    [CAIRN_UNSOLVED] = "no solver found a solution of the step",
    [CAIRN_UNSUPPORTED] = "this combination has no meaning or is not supported",
};

const char *cairn_status_text(cairn_status status)
{
    size_t index = (size_t)status;
    return index < sizeof STATUS_TEXT / sizeof STATUS_TEXT[0] ? STATUS_TEXT[index] : "unknown status";
}

const char *cairn_version(void)
{
    return CAIRN_VERSION;
}

cairn_context *cairn_context_create(void)
{
    return calloc(1, sizeof(cairn_context));
}

/* Numbers repeat after 65535 models; 0 is the number of none. */
uint16_t crn_context_next_model(cairn_context *context)
{
    if (!context)
        return 0;
    context->models = context->models == UINT16_MAX ? 1 : (uint16_t)(context->models + 1);
    return context->models;
}

void crn_forget_messages(cairn_context *context, int count)
{
    assert(count >= 0);
    while (context && context->count > (size_t)count)
    {
        const cairn_message *last = &context->messages[--context->count];
        free((char *)last->file);
        free((char *)last->text);
    }
}

bool crn_context_register(cairn_context *context, crn_registry registry, const void *added)
{
    assert(registry < CRN_REGISTRIES);
    if (!context || crn_reserve(&context->registry[registry].added, &context->registry[registry].capacity,
                                context->registry[registry].count + 1, sizeof(const void *)))
        return false;
    context->registry[registry].added[context->registry[registry].count++] = added;
    return true;
}

const void *crn_context_registered(const cairn_context *context, crn_registry registry, int i)
{
    assert(registry < CRN_REGISTRIES);
    bool known = context && i >= 0 && (size_t)i < context->registry[registry].count;
    return known ? context->registry[registry].added[i] : NULL;
}

void cairn_context_clear(cairn_context *context)
{
    crn_forget_messages(context, 0);
}

void cairn_context_destroy(cairn_context *context)
{
    if (!context)
        return;
    cairn_context_clear(context);
    for (int i = 0; i < CRN_REGISTRIES; ++i)
        free(context->registry[i].added);
    free(context->messages);
    free(context);
}

int cairn_context_message_count(const cairn_context *context)
{
    return context ? (int)context->count : 0;
}

cairn_message cairn_context_message(const cairn_context *context, int index)
{
    cairn_message none = {.text = ""};
    if (!context || index < 0 || (size_t)index >= context->count)
        return none;
    return context->messages[index];
}

const char *cairn_context_last_message(const cairn_context *context)
{
    return context && context->count ? context->messages[context->count - 1].text : "";
}

static void leave(cairn_context *context, const char *file, int line, int column, const char *format, va_list arguments)
{
    assert(line >= 0 && column >= 0 && format);
    if (!context || crn_reserve(&context->messages, &context->capacity, context->count + 1, sizeof(cairn_message)))
        return;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text)
    {
        vsnprintf(text, (size_t)length + 1, format, again);
        char *name = file ? strdup(file) : NULL;
        context->messages[context->count++] =
            (cairn_message){.file = name, .line = line, .column = column, .text = text};
    }
    va_end(again);
}

cairn_status crn_fail(cairn_context *context, cairn_status status, const char *format, ...)
{
    assert(format);
    va_list arguments;
    va_start(arguments, format);
    leave(context, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

cairn_status crn_check_size(cairn_context *context, const char *kind, size_t found, size_t expected)
{
    return found == expected
               ? CAIRN_OK
               : crn_fail(context, CAIRN_INVALID,
                          "%s: its options were not filled by cairn_%s_default, or by that of another version of the "
                          "library (struct_size is %zu, expected %zu)",
                          kind, kind, found, expected);
}

cairn_status crn_fail_at(cairn_context *context, cairn_status status, const char *file, int line, int column,
                         const char *format, ...)
{
    assert(status != CAIRN_OK);
    va_list arguments;
    va_start(arguments, format);
    leave(context, file, line, column, format, arguments);
    va_end(arguments);
    return status;
}
