#include "support/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char recording_scene[] = "dimension: 2\n"
                               "materials: [{name: m, friction: 0.3, restitution: 0.5}]\n"
                               "bodies:\n"
                               "  - {name: ground, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
                               "  - {name: box, position: [0, 0.6], angle: 0.1, velocity: [1, 0], material: m,\n"
                               "     shapes: [{type: rectangle, size: [1, 1], density: 1}]}\n"
                               "  - {name: ball, position: [3, 0.4], mass: 2, inertia: 0.1, material: m,\n"
                               "     shapes: [{type: circle, radius: 0.3}]}\n"
                               "  - {name: bob, point: true, mass: 1, position: [3, 2]}\n"
                               "joints: [{name: rod, type: distance, bodies: [bob, world], points: [[0, 0], [4, 2]]}]\n"
                               "springs: [{name: coil, type: linear, bodies: [ball, bob], stiffness: 50, damping: 1}]\n"
                               "forces: [{name: push, body: box, force: [\"cos(t)\", 0]}]\n"
                               "simulation: {step: 0.01, until: 1}\n";

recording recording_start(void)
{
    recording w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "scene", recording_scene, strlen(recording_scene), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    assert_int_equal(cairn_simulation_create(w.context, cairn_scene_model(w.scene), &settings, &w.simulation),
                     CAIRN_OK);
    return w;
}

void recording_free(recording *w)
{
    cairn_simulation_destroy(w->simulation);
    cairn_scene_destroy(w->scene);
    cairn_context_destroy(w->context);
}

cairn_recorder *recording_record(recording *w, const char *path, int every, double interval)
{
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_name = "falling things";
    options.scene_text = recording_scene;
    options.every = every;
    options.flush_interval = interval;
    cairn_recorder *recorder;
    if (cairn_recorder_create(w->context, path, w->simulation, &options, &recorder))
        fail_msg("%s", cairn_context_last_message(w->context));
    return recorder;
}

void recording_step(recording *w, cairn_recorder *recorder, int steps)
{
    for (int i = 0; i < steps; ++i)
    {
        assert_int_equal(cairn_simulation_step(w->simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
    }
}

static recording_frame look(const recording *w)
{
    const cairn_simulation *s = w->simulation;
    recording_frame f = {.time = cairn_simulation_time(s), .energy = cairn_simulation_energy(s)};
    const cairn_step_report *report = cairn_simulation_report(s);
    f.report = *report;
    for (int i = 0; i < RECORDING_BODIES; ++i)
        f.bodies[i] = cairn_simulation_body(s, cairn_model_body(cairn_simulation_model(s), i));
    f.contact_count = cairn_simulation_contact_count(s);
    assert_true(f.contact_count <= RECORDING_CONTACTS);
    for (int i = 0; i < f.contact_count; ++i)
        f.contacts[i] = cairn_simulation_contact(s, i);
    f.stretch = cairn_simulation_spring_stretch(s, cairn_model_spring(cairn_simulation_model(s), 0));
    f.spring_work = cairn_simulation_spring_work(s, cairn_model_spring(cairn_simulation_model(s), 0));
    f.joint_work = cairn_simulation_joint_work(s, cairn_model_joint(cairn_simulation_model(s), 0));
    f.force_work = cairn_simulation_force_work(s, cairn_model_force(cairn_simulation_model(s), 0));
    return f;
}

recording_frame *recording_frames(int count)
{
    recording w = recording_start();
    recording_frame *frames = calloc((size_t)count, sizeof *frames);
    assert_non_null(frames);
    frames[0] = look(&w);
    for (int i = 1; i < count; ++i)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        frames[i] = look(&w);
    }
    recording_free(&w);
    return frames;
}

cairn_run *recording_open(const char *path)
{
    cairn_run *run;
    if (cairn_run_open(NULL, path, &run))
    {
        cairn_context *context = cairn_context_create();
        cairn_run_open(context, path, &run);
        fail_msg("%s", cairn_context_last_message(context));
    }
    return run;
}

static void check_bodies(cairn_run *run, int64_t index, const recording_frame *f)
{
    cairn_body_state states[RECORDING_BODIES];
    assert_int_equal(cairn_run_read_frame(run, index, states), CAIRN_OK);
    for (int i = 0; i < RECORDING_BODIES; ++i)
    {
        assert_memory_equal(states[i].position, f->bodies[i].position, sizeof states[i].position);
        assert_memory_equal(states[i].orientation, f->bodies[i].orientation, sizeof states[i].orientation);
        assert_memory_equal(states[i].velocity, f->bodies[i].velocity, sizeof states[i].velocity);
        assert_memory_equal(states[i].angular_velocity, f->bodies[i].angular_velocity,
                            sizeof states[i].angular_velocity);
        assert_memory_equal(&states[i].angle, &f->bodies[i].angle, sizeof states[i].angle);
    }
}

static void check_contacts(cairn_run *run, int64_t index, const recording_frame *f)
{
    const cairn_contact *contacts;
    int count;
    assert_int_equal(cairn_run_read_contacts(run, index, &contacts, &count), CAIRN_OK);
    assert_int_equal(count, f->contact_count);
    assert_true(count > 0 || !contacts);
    for (int i = 0; i < count; ++i)
    {
        const cairn_contact *a = &contacts[i];
        const cairn_contact *b = &f->contacts[i];
        assert_int_equal(a->a.id, b->a.id);
        assert_int_equal(a->b.id, b->b.id);
        assert_true(a->identity == b->identity);
        assert_memory_equal(a->point, b->point, sizeof a->point);
        assert_memory_equal(a->normal, b->normal, sizeof a->normal);
        assert_memory_equal(a->tangent, b->tangent, sizeof a->tangent);
        assert_memory_equal(a->impulse, b->impulse, sizeof a->impulse);
        assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
        assert_true(a->gap == b->gap && a->friction == b->friction);
        assert_true(a->patch == b->patch && a->element == b->element);
        assert_memory_equal(a->offset, b->offset, sizeof a->offset);
        assert_memory_equal(a->deformation, b->deformation, sizeof a->deformation);
    }
}

void recording_check(cairn_run *run, const recording_frame *frames, int64_t first)
{
    int64_t count = cairn_run_frame_count(run);
    double *time = calloc((size_t)count + 1, sizeof *time);
    double *work = calloc((size_t)count + 1, sizeof *work);
    assert_non_null(time);
    assert_non_null(work);
    assert_int_equal(cairn_run_read_series(run, "time", time), CAIRN_OK);
    assert_int_equal(cairn_run_read_series(run, "springs/work/coil", work), CAIRN_OK);
    for (int64_t i = first; i < count; ++i)
    {
        assert_true(time[i] == frames[i].time);
        assert_true(work[i] == frames[i].spring_work);
        check_bodies(run, i, &frames[i]);
        check_contacts(run, i, &frames[i]);
    }
    free(time);
    free(work);
}

char *read_whole(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

void write_whole(const char *path, const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}
