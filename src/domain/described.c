#include "domain/described.h"

#include <stdlib.h>

enum
{
    SEEN = 1 << 10 /* bodies that are asked for at a time */
};

crn_described crn_described_open(const crn_gpu_description *description)
{
    crn_described from = {.d = description};
    bool has_all = description->body && description->made == 0;
    if (!has_all)
        from.part = malloc(SEEN * sizeof *from.part);
    from.status = has_all || from.part ? CAIRN_OK : CAIRN_NO_MEMORY;
    return from;
}

cairn_status crn_described_close(crn_described *from)
{
    free(from->part);
    from->part = NULL;
    return from->status;
}

static void read_part(crn_described *from, int first)
{
    const crn_gpu_description *d = from->d;
    from->first = first;
    from->count = d->body_count - first < SEEN ? d->body_count - first : SEEN;
    if (!d->read_bodies(d->keeper, first, from->count, from->part))
        from->status = CAIRN_IO;
}

const crn_gpu_body *crn_described_body(crn_described *from, int number)
{
    static const crn_gpu_body NONE = {.driven = -1};
    if (from->d->body && number < from->d->body_count - from->d->made)
        return &from->d->body[number];
    if (from->status == CAIRN_OK && (number < from->first || number >= from->first + from->count))
        read_part(from, number);
    return from->status ? &NONE : &from->part[number - from->first];
}
