/* What it costs to find the contacts and to write the one-step problem down, for growing numbers of cubes. Both must grow
 * linearly: the exponent of time over contacts is fitted and printed. */
#include "bench.h"
#include "boxes.h"
#include "formulate/assemble.h"

#include <stdlib.h>

#define SIZES 7
static const int COUNTS[SIZES] = {10, 20, 50, 100, 200, 500, 1000};

/* Everything a step keeps warm, up to the solver. */
typedef struct bench_site
{
    cairn_context *context;
    cairn_model *model;
    cairn_settings settings;
    crn_layout *layout;
    crn_frame frame;
    crn_collider *collider;
    crn_assembly assembly;
    double *q, *v, *margin;
    const crn_contact *contacts;
    int contact_count;
} bench_site;

static bool site_open(bench_site *site, int count, int height)
{
    *site = (bench_site){.context = cairn_context_create(), .settings = cairn_settings_default()};
    site->settings.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
    site->model = bench_towers(site->context, count, height);
    site->collider = crn_collider_create(1);
    if (!site->collider || crn_layout_create(site->context, site->model, &site->layout) ||
        crn_frame_create(site->layout, &site->frame) || crn_assembly_create(site->layout, &site->assembly))
        return false;
    int blocks = site->layout->block_count;
    site->q = bench_memory((size_t)site->layout->q_start[blocks], sizeof(double));
    site->v = bench_memory((size_t)site->layout->block_start[blocks], sizeof(double));
    site->margin = bench_memory((size_t)count + 1, sizeof(double));
    for (int i = 0; i <= count; ++i)
        site->margin[i] = 0.005;
    crn_layout_initial(site->layout, site->q, site->v);
    return true;
}

static void site_close(bench_site *site)
{
    crn_assembly_destroy(&site->assembly);
    crn_frame_destroy(&site->frame);
    crn_layout_destroy(site->layout);
    crn_collider_destroy(site->collider);
    cairn_model_destroy(site->model);
    cairn_context_destroy(site->context);
    free(site->q);
    free(site->v);
    free(site->margin);
}

static cairn_status collide(bench_site *site)
{
    crn_frame_update(&site->frame, site->layout, site->q, 0, site->settings.step);
    return crn_collide(site->collider, site->model, site->frame.pose, &(crn_reach){.margin = site->margin},
                       &site->contacts, &site->contact_count);
}

static cairn_status assemble(bench_site *site)
{
    crn_input in = {.layout = site->layout,
                    .gravity = site->model->gravity,
                    .frame = &site->frame,
                    .settings = &site->settings,
                    .q = site->q,
                    .v = site->v,
                    .v_at = site->v,
                    .h = site->settings.step,
                    .contacts = site->contacts,
                    .contact_count = site->contact_count};
    crn_begin(&site->assembly, &in);
    crn_add_gravity(&site->assembly, &in);
    crn_add_gyroscopic(&site->assembly, &in, CRN_IMPLICIT);
    cairn_status status = crn_add_joint_rows(&site->assembly, &in, 1 / in.h);
    status = status ? status : crn_add_contact_rows(&site->assembly, &in);
    crn_finish(&site->assembly, &in, site->settings.law);
    return status;
}

/* Median seconds of collision detection and of assembly. */
static void time_size(bench_run *run, int count, int height, double *detection, double *writing)
{
    int repetitions = run->quick ? 3 : 31;
    double times[2][31];
    bench_site site;
    bool fine = site_open(&site, count, height) && !collide(&site) && !assemble(&site); /* the first warms up */
    for (int i = 0; fine && i < repetitions; ++i)
    {
        double start = bench_now();
        fine = !collide(&site);
        double middle = bench_now();
        fine = fine && !assemble(&site);
        times[0][i] = middle - start;
        times[1][i] = bench_now() - middle;
    }
    const cairn_problem *problem = &site.assembly.problem;
    if (!fine || problem->contact_count != 4 * count || problem->n != 6 * count ||
        !cairn_problem_is_valid(site.context, problem))
    {
        bench_wrong(run, "the one-step problem of the cubes is not what it must be");
        *detection = *writing = 0;
    }
    else
    {
        *detection = bench_median(times[0], repetitions);
        *writing = bench_median(times[1], repetitions);
    }
    site_close(&site);
}

static void print_family(bench_run *run, const char *name, int height, bool last)
{
    double contacts[SIZES], detection[SIZES], writing[SIZES];
    int sizes = run->quick ? 4 : SIZES;
    printf("  %s\n    %8s %16s %16s\n", name, "contacts", "detection ns", "assembly ns");
    for (int i = 0; i < sizes; ++i)
    {
        contacts[i] = 4.0 * COUNTS[i];
        time_size(run, COUNTS[i], height, &detection[i], &writing[i]);
        printf("    %8.0f %16.1f %16.1f\n", contacts[i], 1e9 * detection[i] / contacts[i],
               1e9 * writing[i] / contacts[i]);
    }
    double k_detection = bench_exponent(contacts, detection, sizes);
    double k_writing = bench_exponent(contacts, writing, sizes);
    printf("    time ~ contacts^%.2f and contacts^%.2f\n", k_detection, k_writing);
    if (!run->json)
        return;
    fprintf(run->json, "    {\"case\": \"%s\", \"detection_exponent\": %.3f, \"assembly_exponent\": %.3f, \"sizes\": [",
            name, k_detection, k_writing);
    for (int i = 0; i < sizes; ++i)
    {
        fprintf(run->json, "%s{\"contacts\": %.0f, \"detection_ns\": %.1f, \"assembly_ns\": %.1f}", i ? ", " : "",
                contacts[i], 1e9 * detection[i] / contacts[i], 1e9 * writing[i] / contacts[i]);
    }
    fprintf(run->json, "]}%s\n", last ? "" : ",");
}

void bench_assembly(bench_run *run)
{
    printf("\nContact detection and assembly; median time a contact\n");
    if (run->json)
        fprintf(run->json, "[\n");
    print_family(run, "cubes side by side on a half-space", 1, false);
    print_family(run, "towers of 10 cubes", 10, true);
    if (run->json)
        fprintf(run->json, "  ]");
}
