/* The Brazil nut as a table and as JSON. */
#include "cli/study/study_nut.h"

#include "cli/common/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum
{
    STRIDE = 5, /* shakes from one column to the next */
};

static const char DEFINITION[] =
    "on top: the highest point of the large disk is above those of 95 % of the small ones, at "
    "the end of a shake, when the box is highest";

static int most_shakes(const cli_nut_study *study)
{
    int most = 0;
    for (int i = 0; i < study->count; ++i)
        most = study->runs[i].shake_count > most ? study->runs[i].shake_count : most;
    return most;
}

static void print_head(int most)
{
    printf("\n    seed  shakes   small disks passed [%%] after");
    for (int k = STRIDE; k <= most; k += STRIDE)
        printf(" %4d", k);
    printf("  shakes   height [m]  residual  penetr. [m]  lift [m]  wall [s]\n");
}

static void print_run(const cli_nut_run *run, int most)
{
    char top[16] = "-";
    if (run->top > 0)
        snprintf(top, sizeof top, "%d", run->top);
    printf("    %4g  %6s   %28s", run->seed, top, "");
    for (int k = STRIDE; k <= most; k += STRIDE)
    {
        char text[16] = "-";
        if (k <= run->shake_count)
            snprintf(text, sizeof text, "%.0f", 100 * run->shakes[k - 1].passed);
        printf(" %4s", text);
    }
    double height = run->shake_count > 0 ? run->shakes[run->shake_count - 1].height : NAN;
    printf("  %19.1f  %8.1e  %11.1e  %8.2f  %8.3g\n", height, run->residual, run->penetration, run->lift_off,
           run->wall);
}

/* Least, largest and mean number of shakes; returns the number of runs in which the large disk reached the top. */
static int summarise(const cli_nut_study *study, int *least, int *most, double *mean)
{
    int count = 0, sum = 0;
    *least = *most = 0;
    for (int i = 0; i < study->count; ++i)
    {
        int top = study->runs[i].top;
        *least = top > 0 && (count == 0 || top < *least) ? top : *least;
        *most = top > *most ? top : *most;
        sum += top;
        count += top > 0;
    }
    *mean = count > 0 ? (double)sum / count : NAN;
    return count;
}

void cli_nut_print_text(const cli_nut_study *study)
{
    int most = most_shakes(study), low, high;
    double mean;
    printf("%s: %s\n", CLI_NUT_NAME, study->title);
    printf("  %s\n", DEFINITION);
    printf("  %d runs in steps of %g s to t = %g s in %.3g s of wall time, %d at a time\n", study->count, study->h,
           study->until, study->wall, study->jobs);
    print_head(most);
    for (int i = 0; i < study->count; ++i)
        print_run(&study->runs[i], most);
    int count = summarise(study, &low, &high, &mean);
    printf("\n    on top in %d of %d runs", count, study->count);
    if (count > 0)
    {
        printf(", after %d to %d shakes, %.1f on average (paper: comparable to the 30 to 50 of molecular dynamics)",
               low, high, mean);
    }
    printf("\n");
    if (study->options->output)
        printf("\n  picture  %s\n", study->options->output);
}

static void put_run(cli_json *json, const cli_nut_run *run)
{
    cli_json_open(json, NULL, '{');
    cli_json_number(json, "seed", run->seed);
    cli_json_text(json, "status", run->status);
    cli_json_text(json, "message", run->message);
    if (run->top > 0)
        cli_json_integer(json, "shakes", run->top);
    else
        cli_json_null(json, "shakes");
    cli_json_integer(json, "steps", run->steps);
    cli_json_integer(json, "problems", run->problems);
    cli_json_integer(json, "iterations", run->iterations);
    cli_json_number(json, "residual", run->residual);
    cli_json_number(json, "penetration", run->penetration);
    cli_json_number(json, "lift_off", run->lift_off);
    cli_json_number(json, "wall_s", run->wall);
    cli_json_open(json, "course", '[');
    for (int i = 0; i < run->shake_count; ++i)
    {
        cli_json_open(json, NULL, '{');
        cli_json_integer(json, "shake", i + 1);
        cli_json_number(json, "time", run->shakes[i].time);
        cli_json_number(json, "passed", run->shakes[i].passed);
        cli_json_number(json, "height", run->shakes[i].height);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

void cli_nut_print_json(const cli_nut_study *study)
{
    int low, high;
    double mean;
    int count = summarise(study, &low, &high, &mean);
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "study", CLI_NUT_NAME);
    cli_json_text(&json, "title", study->title);
    cli_json_text(&json, "definition", DEFINITION);
    cli_json_number(&json, "until", study->until);
    cli_json_number(&json, "step", study->h);
    cli_json_integer(&json, "on_top", count);
    cli_json_number(&json, "mean_shakes", mean);
    cli_json_numbers(&json, "paper_shakes", (double[]){30, 50}, 2);
    cli_json_open(&json, "runs", '[');
    for (int i = 0; i < study->count; ++i)
        put_run(&json, &study->runs[i]);
    cli_json_close(&json, ']');
    cli_json_integer(&json, "jobs", study->jobs);
    cli_json_number(&json, "wall_s", study->wall);
    if (study->options->output)
        cli_json_text(&json, "output", study->options->output);
    cli_json_close(&json, '}');
    putchar('\n');
}
