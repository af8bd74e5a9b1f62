/* Motions of a restored state that stay in its file (keep/shelf.h) until ranks have them: no process has all of them then, either. Who reads one body, or needs all of them, is served from there. */
#include "step/keep/shelf.h"
#include "step/simulation.h"

#include <assert.h>

bool crn_device_may_shelve(const cairn_simulation *s)
{
    return s->device && s->device->is_plain && crn_device_leaves_motions(s);
}

bool crn_motions_are_shelved(const cairn_simulation *s)
{
    assert(!s->state.shelf || !s->state.shelf->has_motions || !s->state.q);
    return s->state.shelf && s->state.shelf->has_motions;
}

typedef struct stretch
{
    size_t first, count;
} stretch;

/* The numbers of a block, or of a grain behind all blocks, which has `free` of them. grain: -1: none. */
static stretch find(const crn_layout *layout, const int *start, int block, int grain, size_t free)
{
    if (grain >= 0)
        return (stretch){(size_t)start[layout->block_count] + free * (size_t)grain, free};
    return (stretch){(size_t)start[block], (size_t)(start[block + 1] - start[block])};
}

bool crn_device_read_shelved(const cairn_simulation *s, int body, cairn_body_state *out)
{
    const crn_layout *layout = s->layout;
    bool is_grain = s->grains.count > 0 && body >= s->grains.first;
    int grain = is_grain ? body - s->grains.first : -1, block = is_grain ? -1 : layout->body_block[body];
    double q[7] = {0}, v[6] = {0};
    const stretch place = find(layout, layout->q_start, block, grain, 7);
    const stretch rate = find(layout, layout->block_start, block, grain, 6);
    if (!crn_shelf_places(s->state.shelf, place.first, place.count, q) ||
        !crn_shelf_rates(s->state.shelf, rate.first, rate.count, v))
        return false;
    if (is_grain)
        crn_layout_take_free(q, v, out);
    else
        crn_layout_take_body(layout, body, q, v, out);
    return true;
}

bool crn_device_take_shelved(cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    crn_shelf *shelf = s->state.shelf;
    bool is_read = crn_shelf_places(shelf, 0, (size_t)layout->q_start[layout->block_count], s->state.q) &&
                   crn_shelf_rates(shelf, 0, (size_t)layout->block_start[layout->block_count], s->state.v);
    shelf->has_motions = !is_read;
    return is_read;
}
