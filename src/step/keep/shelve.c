/* Putting things on the shelf (shelf.h), and passing them on from there. */
#include "base/hash.h"
#include "math/vec.h"
#include "model/names.h"
#include "step/keep/fields.h"
#include "step/keep/shelf.h"

#include <assert.h>

enum
{
    PLACE = 7, /* numbers per block, of a grain and at most: a place and an orientation */
    RATE = 6
};

/* ------------------------------------------------------------------------------------------------------------- motions */

/* Numbers of a block; start: of the layout's. */
static size_t width_of(const crn_layout *layout, const int *start, int block, size_t free)
{
    return block < layout->block_count ? (size_t)(start[block + 1] - start[block]) : free;
}

static size_t count_all(const crn_layout *layout, const int *start, int grains, size_t free)
{
    return (size_t)start[layout->block_count] + (size_t)grains * free;
}

size_t crn_shelved_numbers(const crn_layout *layout, int grains)
{
    return count_all(layout, layout->q_start, grains, PLACE) + count_all(layout, layout->block_start, grains, RATE);
}

/* A quaternion of length 0 is not a rotation. */
static void look(crn_stream *stream, const double *number, size_t width, const char *what)
{
    crn_stream_check(stream, crn_all_finite(number, (int)width), what);
    crn_stream_check(stream, width < PLACE || crn_quaternion_turns(number + 3), "an orientation");
}

static void look_at_all(crn_stream *stream, const crn_layout *layout, int grains, const int *start, size_t free,
                        const char *what, crn_shelf *shelf)
{
    double number[PLACE];
    for (int k = 0; k < layout->block_count + grains && stream->status == CAIRN_OK; ++k)
    {
        size_t width = width_of(layout, start, k, free);
        assert(width <= PLACE);
        crn_stream_numbers(stream, number, width);
        if (!crn_stream_reads(stream))
            return;
        look(stream, number, width, what);
        shelf->motion_hash = crn_hash_more(shelf->motion_hash, number, width * sizeof *number);
    }
}

void crn_shelve_motions(crn_stream *stream, const crn_layout *layout, int grains, crn_shelf *shelf)
{
    shelf->has_motions = true;
    shelf->motion_hash = crn_hash(NULL, 0);
    shelf->place_at = stream->at;
    look_at_all(stream, layout, grains, layout->q_start, PLACE, "the positions", shelf);
    shelf->rate_at = stream->at;
    look_at_all(stream, layout, grains, layout->block_start, RATE, "the velocities", shelf);
}

/* Words of 8 bytes from a place of the file. */
static void pass(crn_file_window *window, size_t at, size_t words, crn_stream *stream)
{
    uint64_t part[1024];
    const size_t most = sizeof part / sizeof *part;
    for (size_t done = 0, count; done < words && stream->status == CAIRN_OK; done += count)
    {
        count = words - done < most ? words - done : most;
        if (!crn_window_read(window, at + 8 * done, part, 8 * count))
            stream->status = CAIRN_IO;
        else
            crn_stream_put(stream, part, 8 * count);
    }
}

void crn_shelf_pass_motions(crn_shelf *shelf, const crn_layout *layout, int grains, crn_stream *stream)
{
    pass(&shelf->places, shelf->place_at, count_all(layout, layout->q_start, grains, PLACE), stream);
    pass(&shelf->rates, shelf->rate_at, count_all(layout, layout->block_start, grains, RATE), stream);
}

/* ------------------------------------------------------------------------------------------------------------ contacts */

bool crn_shelve_contacts(crn_stream *stream, const cairn_model *model, crn_shelf *shelf)
{
    size_t begin = stream->at, count = 0;
    crn_stream_count(stream, &count, CRN_LEAST_CONTACT, "contacts");
    if (!crn_stream_reads(stream) || count <= CRN_SHELVED)
    {
        stream->at = begin;
        return false;
    }
    shelf->contact_at = stream->at;
    for (size_t i = 0; i < count && stream->status == CAIRN_OK; ++i)
    {
        cairn_contact contact;
        crn_stream_public_contact(stream, model, &contact);
    }
    shelf->contacts = count;
    shelf->contact_bytes = (stream->at - shelf->contact_at) / count;
    return true;
}

/* --------------------------------------------------------------------------------------------- what ranks go on from */

void crn_shelve_kept(crn_shelf *shelf, crn_stream *stream)
{
    crn_stream_count(stream, &shelf->kept_words, 8, "what the device keeps");
    shelf->kept_at = stream->at;
    crn_stream_skip(stream, 8 * shelf->kept_words);
}

void crn_shelf_pass_kept(crn_shelf *shelf, crn_stream *stream)
{
    crn_stream_count(stream, &shelf->kept_words, 8, "what the device keeps");
    pass(&shelf->file, shelf->kept_at, shelf->kept_words, stream);
}
