/* Contacts in parts: whatever the number of ranks and the size of a part, the parts together are the contacts of the step, and they come in the order of the
 * identities that the simulation gives them. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "domain/crew.h"
#include "step/simulation.h"
#include "support/check.h"
#include "support/shared_scene.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    STEPS = 90,
    LEAST = 20 /* contacts, for a test that says something */
};

typedef struct listing_run
{
    const char *scene;
    int most;
    int contacts, parts;
    atomic_int failures;
} listing_run;

static bool is_good(listing_run *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s: %s\n", run->scene, cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

/* The place of a contact in the simulation's list, which is sorted by identity. */
static int place_of(const cairn_simulation *simulation, const cairn_contact *list, int count,
                    const crn_gpu_contact *contact)
{
    double impulse[3];
    uint64_t identity = crn_device_contact_at(simulation, contact, simulation->located.frame.pose, impulse).identity;
    for (int i = 0; i < count; ++i)
        if (list[i].identity == identity)
            return i;
    return -1;
}

/* Every part must fill the places behind those of the parts before it. */
static void read_parts(listing_run *run, cairn_simulation *simulation, const cairn_contact *list)
{
    crn_gpu_contact *part = calloc((size_t)run->most, sizeof *part);
    bool *seen = calloc((size_t)run->contacts + 1, sizeof *seen);
    char sentence[CRN_GPU_SENTENCE];
    int read = 0, count = 1;
    run->failures += crn_poses_open(simulation) != CAIRN_OK;
    for (bool is_first = true; count > 0; is_first = false, run->parts += count > 0)
    {
        bool good = crn_crew_next_contacts(simulation->device->world, is_first, run->most, part, &count, sentence);
        run->failures += !good;
        if (!good)
            break;
        for (int i = 0; i < count; ++i)
        {
            int place = place_of(simulation, list, run->contacts, &part[i]);
            bool fits = place >= read && place < read + count && !seen[place];
            run->failures += !fits;
            if (fits)
                seen[place] = true;
        }
        read += count;
    }
    run->failures += read != run->contacts;
    free(part);
    free(seen);
}

static void look(listing_run *run, cairn_context *context, cairn_simulation *simulation)
{
    if (!is_good(run, context, cairn_simulation_steps(simulation, STEPS)))
        return;
    run->contacts = cairn_simulation_contact_count(simulation);
    cairn_contact *list = calloc((size_t)run->contacts + 1, sizeof *list);
    for (int i = 0; i < run->contacts; ++i)
    {
        list[i] = cairn_simulation_contact(simulation, i);
        run->failures += i > 0 && list[i].identity <= list[i - 1].identity;
    }
    read_parts(run, simulation, list);
    free(list);
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    listing_run *run = data;
    look(run, context, simulation);
}

static void share(int ranks, listing_run *run)
{
    shared_scene scene = {.name = run->scene, .work = work, .data = run};
    run->failures += shared_scene_run(&scene, ranks, 300);
}

static void check_scene(const char *scene)
{
    static const int RANKS[] = {1, 2, 5}, MOST[] = {5, 17, 100000};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
        {
            listing_run run = {.scene = scene, .most = MOST[k]};
            share(RANKS[i], &run);
            assert_int_equal(run.failures, 0);
            assert_true(run.contacts >= LEAST);
            assert_true(k < 2 ? run.parts >= run.contacts / MOST[k] : run.parts == 1);
        }
}

static void test_spheres(void **unused)
{
    (void)unused;
    check_scene("grains");
}

static void test_shapes(void **unused)
{
    (void)unused;
    check_scene("mixed");
}

static void test_triangles_and_walls(void **unused)
{
    (void)unused;
    check_scene("terrain");
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_triangles_and_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
