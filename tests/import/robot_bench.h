/* A robot from a text, with its simulation, for the tests of the importers. */
#ifndef TEST_IMPORT_ROBOT_BENCH_H
#define TEST_IMPORT_ROBOT_BENCH_H

#include "support/check.h"

#include "cairn/cairn.h"

#include <string.h>

typedef struct bench
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_import_notes *notes;
    const cairn_model *model;
    cairn_simulation *simulation;
} bench;

/* keyframe: NULL: none; h: the step in s, 0: no simulation. */
static inline bench bench_open(const char *text, const char *keyframe, double h)
{
    bench b = {.context = cairn_context_create()};
    cairn_import_options options = cairn_import_default();
    options.keyframe = keyframe;
    if (cairn_import_parse(b.context, "robot.xml", text, strlen(text), &options, &b.notes, &b.scene))
        fail_msg("%s", cairn_context_last_message(b.context));
    b.model = cairn_scene_model(b.scene);
    cairn_settings settings = cairn_scene_settings(b.scene);
    settings.step = h;
    if (h > 0 && cairn_simulation_create(b.context, b.model, &settings, &b.simulation))
        fail_msg("%s", cairn_context_last_message(b.context));
    return b;
}

static inline void bench_run(bench *b, int steps)
{
    for (int i = 0; i < steps; ++i)
        if (cairn_simulation_step(b->simulation))
            fail_msg("%s", cairn_context_last_message(b->context));
}

static inline cairn_body_state bench_body(const bench *b, const char *name)
{
    cairn_body body = cairn_model_find_body(b->model, name);
    assert_true(body.id != 0);
    return cairn_simulation_body(b->simulation, body);
}

static inline cairn_coordinate_info bench_coordinate(const bench *b, const char *joint)
{
    return cairn_model_coordinate_info(b->model, cairn_model_find_joint(b->model, joint), 0);
}

/* How many notes contain the words. */
static inline int bench_notes(const bench *b, const char *words)
{
    int count = 0;
    for (int i = 0; i < cairn_import_note_count(b->notes); ++i)
        count += strstr(cairn_import_note(b->notes, i).text, words) != NULL;
    return count;
}

static inline void bench_close(bench *b)
{
    cairn_simulation_destroy(b->simulation);
    cairn_import_notes_destroy(b->notes);
    cairn_scene_destroy(b->scene);
    cairn_context_destroy(b->context);
}

/* A wrong file: what is said about it, and at which line. */
typedef struct mistake
{
    const char *text, *says;
    int line;
} mistake;

static inline void check_mistakes(const char *file, const mistake *list, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        const mistake *m = &list[i];
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        cairn_import_notes *notes;
        cairn_status status = cairn_import_parse(context, file, m->text, strlen(m->text), NULL, &notes, &scene);
        cairn_message said = cairn_context_message(context, 0);
        if (status != CAIRN_INVALID || !strstr(said.text, m->says) || said.line != m->line)
            print_error("%s\n  said at line %d: %s\n", m->text, said.line, said.text);
        assert_int_equal(status, CAIRN_INVALID);
        assert_non_null(strstr(said.text, m->says));
        assert_int_equal(said.line, m->line);
        assert_string_equal(said.file, file);
        assert_true(!scene && !notes);
        cairn_context_destroy(context);
    }
}

#endif
