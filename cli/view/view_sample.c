#include "cli/view/view_sample.h"
#include "cli/common/cli.h"
#include "cli/mechanism/mechanism.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MAY_GO = 1, /* in the list of places, before they are known */
    STAYS = 0,
};

static int index_of(const int *index, cairn_body body)
{
    return body.id < 1 ? -1 : index ? index[body.id - 1] : body.id - 1;
}

static void keep(int *place, const int *index, const cairn_attachment ends[2])
{
    for (int k = 0; k < 2; ++k)
        if (index_of(index, ends[k].body) >= 0)
            place[index_of(index, ends[k].body)] = STAYS;
}

/* Marks the bodies that may be left out; their number. */
static int mark(int *place, const cairn_model *model, const int *index, int total)
{
    for (int i = 0; i < total; ++i)
        place[i] = MAY_GO;
    for (int i = 0; model && i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        int at = index_of(index, body);
        if (at >= 0 && cairn_model_body_kind(model, body) != CAIRN_DYNAMIC)
            place[at] = STAYS;
    }
    cairn_attachment ends[2];
    for (int i = 0; model && i < cairn_model_joint_count(model); ++i)
    {
        cli_joint_ends(model, cairn_model_joint(model, i), ends);
        keep(place, index, ends);
    }
    for (int i = 0; model && i < cairn_model_spring_count(model); ++i)
    {
        cairn_model_spring_attachments(model, cairn_model_spring(model, i), &ends[0], &ends[1]);
        keep(place, index, ends);
    }
    int count = 0;
    for (int i = 0; i < total; ++i)
        count += place[i] == MAY_GO;
    return count;
}

void cli_view_sample_open(cli_view_sample *sample, const cairn_model *model, const int *index, int total, int most)
{
    assert(total >= 0 && most >= 1);
    cli_view_sample_close(sample);
    sample->total = total;
    sample->place = cli_allocate((size_t)total + 1, sizeof *sample->place);
    sample->body = cli_allocate((size_t)total + 1, sizeof *sample->body);
    int many = mark(sample->place, model, index, total), room = most - (total - many);
    room = room > 1 ? room : 1;
    sample->every = many > room ? (many + room - 1) / room : 1;
    for (int i = 0, seen = 0; i < total; ++i)
    {
        bool shown = sample->place[i] == STAYS || seen++ % sample->every == 0;
        sample->place[i] = shown ? sample->count : -1;
        if (shown)
            sample->body[sample->count++] = i;
    }
    assert(sample->every > 1 || sample->count == total);
}

void cli_view_sample_close(cli_view_sample *sample)
{
    free(sample->place);
    free(sample->body);
    *sample = (cli_view_sample){.every = 1};
}

void cli_view_sample_tell(const cli_view_sample *sample, char *out, size_t size)
{
    out[0] = '\0';
    if (sample->every > 1)
        snprintf(out, size, "One of %d bodies that move is shown, %d of %d in all, without contacts.", sample->every,
                 sample->count, sample->total);
}
