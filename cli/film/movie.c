/* The loop over the pictures, whatever becomes of them. */
#include "cli/film/movie.h"

#include "cli/common/cli.h"
#include "cli/common/progress.h"
#include "cli/common/signals.h"

#include <inttypes.h>
#include <math.h>

enum
{
    MOST_PICTURES = 200000,
};

cli_movie_options cli_movie_default(void)
{
    return (cli_movie_options){.film = {.width = 960, .height = 540, .captions = true}, .fps = 30, .speed = 1};
}

/* With a given number of pictures time goes by as fast as it must. */
static cli_frame_plan plan_of(const cli_plot_run *run, const cli_movie_options *o)
{
    cli_frame_plan plan = cli_frame_plan_of(run, o->fps, o->speed);
    if (o->count > 1 && run->frame_count > 1)
    {
        plan.count = run->frame_count < o->count ? run->frame_count : o->count;
        plan.every = (run->time[run->frame_count - 1] - plan.from) / (double)(plan.count - 1);
    }
    return plan;
}

static int draw_all(cli_frame_renderer *film, const cli_frame_plan *plan, const cli_movie_sink *sink, bool quiet)
{
    cli_progress progress = cli_progress_start(!quiet, plan->count, 0);
    int status = CLI_EXIT_DONE;
    cli_signals_watch();
    for (int64_t k = 0; k < plan->count && !status && !cli_signals_caught(); ++k)
    {
        status = cli_frame_renderer_draw(film, cli_frame_plan_at(film->run, plan, k));
        cli_image image = cli_image_begin(&film->canvas);
        if (!status && !sink->add(sink->self, &image))
            status = CLI_EXIT_FAILED;
        cli_progress_count(&progress, k + 1, "pictures");
    }
    cli_progress_end(&progress);
    return cli_signals_status(status);
}

static int write_film(cli_frame_renderer *film, const char *path, cli_movie_open_fn *open, const cli_movie_options *o)
{
    cli_frame_plan plan = plan_of(film->run, o);
    cli_movie_sink sink;
    if (plan.count > MOST_PICTURES)
    {
        return cli_wrong("'%s' would have %" PRId64 " pictures, more than %d; a larger --speed makes fewer", path,
                         plan.count, MOST_PICTURES);
    }
    if (!open(&sink, path, o->film.width, o->film.height, o->fps))
        return CLI_EXIT_WRONG;
    int status = draw_all(film, &plan, &sink, o->quiet);
    if (status)
    {
        sink.abandon(sink.self);
        return status;
    }
    return sink.finish(sink.self) ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
}

int cli_movie_write(cli_plot_run *run, const char *path, cli_movie_open_fn *open, const cli_movie_options *options)
{
    cli_frame_renderer film;
    int status = cli_frame_renderer_open(&film, run, &options->film);
    status = status ? status : write_film(&film, path, open, options);
    cli_frame_renderer_close(&film);
    return status;
}
