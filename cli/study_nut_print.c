/* The Brazil nut as a table and as JSON. */
#include "study_nut.h"

#include "json.h"

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

static int most_shakes(const crn_nut_study *study)
{
    int most = 0;
    for (int i = 0; i < study->count; ++i)
    {
        most = study->runs[i].shake_count > most ? study->runs[i].shake_count : most;
    }
    return most;
}

static void print_head(int most)
{
    printf("\n    seed  shakes   small disks passed [%%] after");
    for (int k = STRIDE; k <= most; k += STRIDE)
    {
        printf(" %4d", k);
    }
    printf("  shakes   height [m]  residual  penetr. [m]  lift [m]  wall [s]\n");
}

static void print_run(const crn_nut_run *run, int most)
{
    char top[16] = "-";
    if (run->top > 0)
    {
        snprintf(top, sizeof top, "%d", run->top);
    }
    printf("    %4g  %6s   %28s", run->seed, top, "");
    for (int k = STRIDE; k <= most; k += STRIDE)
    {
        char text[16] = "-";
        if (k <= run->shake_count)
        {
            snprintf(text, sizeof text, "%.0f", 100 * run->shakes[k - 1].passed);
        }
        printf(" %4s", text);
    }
    double height = run->shake_count > 0 ? run->shakes[run->shake_count - 1].height : NAN;
    printf("  %19.1f  %8.1e  %11.1e  %8.2f  %8.3g\n", height, run->residual, run->penetration, run->lift_off,
           run->wall);
}

/* Least, largest and mean number of shakes; returns in how many runs the large disk came to the top. */
static int summarise(const crn_nut_study *study, int *least, int *most, double *mean)
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

void crn_nut_print_text(const crn_nut_study *study)
{
    int most = most_shakes(study), low, high;
    double mean;
    printf("%s: %s\n", CRN_NUT_NAME, study->title);
    printf("  %s\n", DEFINITION);
    printf("  %d runs in steps of %g s to t = %g s in %.3g s of wall time, %d at a time\n", study->count, study->h,
           study->until, study->wall, study->jobs);
    print_head(most);
    for (int i = 0; i < study->count; ++i)
    {
        print_run(&study->runs[i], most);
    }
    int count = summarise(study, &low, &high, &mean);
    printf("\n    on top in %d of %d runs", count, study->count);
    if (count > 0)
    {
        printf(", after %d to %d shakes, %.1f on average (paper: comparable to the 30 to 50 of molecular dynamics)",
               low, high, mean);
    }
    printf("\n");
    if (study->options->output)
    {
        printf("\n  picture  %s\n", study->options->output);
    }
}

static void put_run(crn_json *json, const crn_nut_run *run)
{
    crn_json_open(json, NULL, '{');
    crn_json_number(json, "seed", run->seed);
    crn_json_text(json, "status", run->status);
    crn_json_text(json, "message", run->message);
    if (run->top > 0)
    {
        crn_json_integer(json, "shakes", run->top);
    }
    else
    {
        crn_json_null(json, "shakes");
    }
    crn_json_integer(json, "steps", run->steps);
    crn_json_integer(json, "problems", run->problems);
    crn_json_integer(json, "iterations", run->iterations);
    crn_json_number(json, "residual", run->residual);
    crn_json_number(json, "penetration", run->penetration);
    crn_json_number(json, "lift_off", run->lift_off);
    crn_json_number(json, "wall_s", run->wall);
    crn_json_open(json, "course", '[');
    for (int i = 0; i < run->shake_count; ++i)
    {
        crn_json_open(json, NULL, '{');
        crn_json_integer(json, "shake", i + 1);
        crn_json_number(json, "time", run->shakes[i].time);
        crn_json_number(json, "passed", run->shakes[i].passed);
        crn_json_number(json, "height", run->shakes[i].height);
        crn_json_close(json, '}');
    }
    crn_json_close(json, ']');
    crn_json_close(json, '}');
}

void crn_nut_print_json(const crn_nut_study *study)
{
    int low, high;
    double mean;
    int count = summarise(study, &low, &high, &mean);
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    crn_json_text(&json, "study", CRN_NUT_NAME);
    crn_json_text(&json, "title", study->title);
    crn_json_text(&json, "definition", DEFINITION);
    crn_json_number(&json, "until", study->until);
    crn_json_number(&json, "step", study->h);
    crn_json_integer(&json, "on_top", count);
    crn_json_number(&json, "mean_shakes", mean);
    crn_json_numbers(&json, "paper_shakes", (double[]){30, 50}, 2);
    crn_json_open(&json, "runs", '[');
    for (int i = 0; i < study->count; ++i)
    {
        put_run(&json, &study->runs[i]);
    }
    crn_json_close(&json, ']');
    crn_json_integer(&json, "jobs", study->jobs);
    crn_json_number(&json, "wall_s", study->wall);
    if (study->options->output)
    {
        crn_json_text(&json, "output", study->options->output);
    }
    crn_json_close(&json, '}');
    putchar('\n');
}
