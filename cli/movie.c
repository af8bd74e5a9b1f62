/* The loop over the pictures, whatever becomes of them. */
#include "movie.h"

#include "cli.h"
#include "progress.h"
#include "signals.h"

#include <inttypes.h>
#include <math.h>

enum
{
    MOST_PICTURES = 200000,
};

crn_movie_options crn_movie_default(void)
{
    return (crn_movie_options){.film = {.width = 960, .height = 540, .captions = true}, .fps = 30, .speed = 1};
}

/* With a given number of pictures time goes by as fast as it must. */
static crn_film_plan plan_of(const crn_plot_run *run, const crn_movie_options *o)
{
    crn_film_plan plan = crn_film_plan_of(run, o->fps, o->speed);
    if (o->count > 1 && run->frame_count > 1)
    {
        plan.count = run->frame_count < o->count ? run->frame_count : o->count;
        plan.every = (run->time[run->frame_count - 1] - plan.from) / (double)(plan.count - 1);
    }
    return plan;
}

static int draw_all(crn_film *film, const crn_film_plan *plan, const crn_movie_sink *sink, bool quiet)
{
    crn_progress progress = crn_progress_start(!quiet, plan->count, 0);
    int status = CRN_EXIT_DONE;
    crn_signals_watch();
    for (int64_t k = 0; k < plan->count && !status && !crn_signals_caught(); ++k)
    {
        status = crn_film_draw(film, crn_film_frame(film->run, plan, k));
        crn_image image = crn_image_begin(&film->canvas);
        if (!status && !sink->add(sink->self, &image))
        {
            status = CRN_EXIT_FAILED;
        }
        crn_progress_count(&progress, k + 1, "pictures");
    }
    crn_progress_end(&progress);
    return crn_signals_status(status);
}

static int write_film(crn_film *film, const char *path, crn_movie_open_fn *open, const crn_movie_options *o)
{
    crn_film_plan plan = plan_of(film->run, o);
    crn_movie_sink sink;
    if (plan.count > MOST_PICTURES)
    {
        crn_cli_error("'%s' would have %" PRId64 " pictures, more than %d; a larger --speed makes fewer", path,
                      plan.count, MOST_PICTURES);
        return CRN_EXIT_WRONG;
    }
    if (!open(&sink, path, o->film.width, o->film.height, o->fps))
    {
        return CRN_EXIT_WRONG;
    }
    int status = draw_all(film, &plan, &sink, o->quiet);
    if (status)
    {
        sink.abandon(sink.self);
        return status;
    }
    return sink.finish(sink.self) ? CRN_EXIT_DONE : CRN_EXIT_FAILED;
}

int crn_movie_write(crn_plot_run *run, const char *path, crn_movie_open_fn *open, const crn_movie_options *options)
{
    crn_film film;
    int status = crn_film_open(&film, run, &options->film);
    status = status ? status : write_film(&film, path, open, options);
    crn_film_close(&film);
    return status;
}
