/* Which bodies a page gets of very many: those that do not move or that joints and springs hold, and every k-th of the others. */
#ifndef CLI_VIEW_VIEW_SAMPLE_H
#define CLI_VIEW_VIEW_SAMPLE_H

#include <cairn/cairn.h>

enum
{
    CLI_VIEW_MOST_BODIES = 100000
};

typedef struct cli_view_sample
{
    int every;  /* k; 1: all are shown */
    int count;  /* how many are shown, */
    int total;  /* of how many */
    int *body;  /* of each that is shown, its index among all */
    int *place; /* of each body, its index among those that are shown; -1: it is not */
} cli_view_sample;

/* Of `total` bodies at most about `most`. `index` says where each of the model's bodies is among them, -1: nowhere; NULL: in the same place.
 * model NULL: all may move. Close it when done, or open it again. */
void cli_view_sample_open(cli_view_sample *sample, const cairn_model *model, const int *index, int total, int most);
void cli_view_sample_close(cli_view_sample *sample);

/* A sentence for the page; "": all bodies are shown. */
void cli_view_sample_tell(const cli_view_sample *sample, char *out, size_t size);

#endif
