#include "step/keep/shelf.h"

#include "step/keep/fields.h"

#include <assert.h>
#include <stdlib.h>

crn_shelf *crn_shelf_open(const crn_file_window *file)
{
    crn_shelf *shelf = calloc(1, sizeof *shelf);
    if (!shelf)
        return NULL;
    bool is_open = crn_window_share(file, &shelf->file);
    is_open = crn_window_share(file, &shelf->places) && is_open;
    is_open = crn_window_share(file, &shelf->rates) && is_open;
    if (is_open)
        return shelf;
    crn_shelf_close(shelf);
    return NULL;
}

void crn_shelf_close(crn_shelf *shelf)
{
    if (!shelf)
        return;
    crn_window_close(&shelf->file);
    crn_window_close(&shelf->places);
    crn_window_close(&shelf->rates);
    free(shelf);
}

bool crn_shelf_places(crn_shelf *shelf, size_t first, size_t count, double *q)
{
    return crn_window_read(&shelf->places, shelf->place_at + first * sizeof *q, q, count * sizeof *q);
}

bool crn_shelf_rates(crn_shelf *shelf, size_t first, size_t count, double *v)
{
    return crn_window_read(&shelf->rates, shelf->rate_at + first * sizeof *v, v, count * sizeof *v);
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
