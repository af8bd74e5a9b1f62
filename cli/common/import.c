#include "cli/common/import.h"

#include <stdio.h>
#include <string.h>

/* The first note before `index` with the same sentence; -1: none. */
static int earlier(const cairn_import_notes *notes, int index)
{
    const char *text = cairn_import_note(notes, index).text;
    for (int i = 0; i < index; ++i)
        if (!strcmp(cairn_import_note(notes, i).text, text))
            return i;
    return -1;
}

static int times(const cairn_import_notes *notes, int index)
{
    int count = 0;
    for (int i = index; i < cairn_import_note_count(notes); ++i)
        count += !strcmp(cairn_import_note(notes, i).text, cairn_import_note(notes, index).text);
    return count;
}

void cli_import_print(const cairn_import_notes *notes, bool all)
{
    for (int i = 0; i < cairn_import_note_count(notes); ++i)
    {
        cairn_message note = cairn_import_note(notes, i);
        if (!all && earlier(notes, i) >= 0)
            continue;
        int count = all ? 1 : times(notes, i);
        printf("%s:%d: %s", note.file, note.line, note.text);
        if (count > 1)
            printf(" (%d times)", count);
        putchar('\n');
    }
}

int cli_import_load(cairn_context *context, const char *path, const cairn_import_options *options, bool keep,
                    cairn_scene **out)
{
    cairn_import_notes *notes;
    cairn_status status = cairn_import_file(context, path, options, &notes, out);
    int count = cairn_import_note_count(notes);
    if (count > 0)
        fprintf(stderr, "%s: %d note%s on what was changed or left out; 'cairn import %s' lists them\n", path, count,
                count == 1 ? "" : "s", path);
    cairn_import_notes_destroy(notes);
    if (status && !keep)
        cli_messages_print(context);
    return status == CAIRN_IO ? CLI_EXIT_WRONG : cli_exit_status(status);
}
