#include "step/keep/shelf.h"

#include "step/keep/fields.h"

#include <assert.h>
#include <stdlib.h>

crn_shelf *crn_shelf_open(const crn_file_window *file)
{
    crn_shelf *shelf = calloc(1, sizeof *shelf);
    if (shelf && crn_window_share(file, &shelf->file))
        return shelf;
    free(shelf);
    return NULL;
}

void crn_shelf_close(crn_shelf *shelf)
{
    if (shelf)
        crn_window_close(&shelf->file);
    free(shelf);
}

bool crn_shelf_contacts(crn_shelf *shelf, const cairn_model *model, size_t first, size_t count, cairn_contact *out)
{
    assert(first <= shelf->contacts && count <= shelf->contacts - first);
    size_t at = shelf->contact_at + first * shelf->contact_bytes;
    crn_stream stream = {
        .give = crn_window_read, .giver = &shelf->file, .at = at, .size = at + count * shelf->contact_bytes};
    for (size_t i = 0; i < count && stream.status == CAIRN_OK; ++i)
    {
        out[i] = (cairn_contact){0};
        crn_stream_public_contact(&stream, model, &out[i]);
    }
    return stream.status == CAIRN_OK;
}
