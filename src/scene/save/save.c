/* A model as the text of a scene file.
 *
 * The text is what a person would have written: short mappings in braces, defaults left out, numbers with as many digits as it takes to
 * read the same number back. It is read again before it is kept. So a scene that was saved is a scene that can be loaded, and whatever the
 * format cannot say is an error rather than a loss.
 */
#include "scene/save/save.h"
#include "base/file.h"
#include "cairn/scene.h"
#include "model/periodic.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_save_options cairn_save_default(void)
{
    return (cairn_save_options){.struct_size = sizeof(cairn_save_options), .until = 1.0};
}

/* What is written. */
typedef struct work
{
    crn_saver saver;
    const cairn_save_options *options;
} work;

static void save_head(const crn_saver *s, const cairn_save_options *options)
{
    if (options->title && options->title[0])
    {
        fputs("title: ", s->out);
        crn_write_text(s->out, options->title);
        fputc('\n', s->out);
    }
    fprintf(s->out, "dimension: %d\n", s->model->dimension);
    const double standard[3] = {0, s->model->dimension == 2 ? -9.81 : 0, s->model->dimension == 3 ? -9.81 : 0};
    if (memcmp(s->model->gravity, standard, sizeof standard) == 0)
        return;
    fputs("gravity: [", s->out);
    for (int k = 0; k < s->model->dimension; ++k)
    {
        fputs(k > 0 ? ", " : "", s->out);
        crn_write_number(s->out, s->model->gravity[k]);
    }
    fputs("]\n", s->out);
}

static void save_box(const crn_saver *s)
{
    const cairn_model *model = s->model;
    if (!crn_is_periodic(model))
        return;
    fputs("periodic: {size: [", s->out);
    for (int k = 0; k < model->dimension; ++k)
    {
        fputs(k > 0 ? ", " : "", s->out);
        crn_write_number(s->out, model->box[k]);
    }
    fputs("]", s->out);
    if (model->shear != 0)
    {
        fputs(", shear: ", s->out);
        crn_write_number(s->out, model->shear);
    }
    fputs("}\n", s->out);
}

static void write_scene(FILE *out, void *data)
{
    work *w = data;
    crn_saver *s = &w->saver;
    s->out = out;
    if (s->model->system_count > 0)
        crn_cannot_say(s, "system '%s': is made of callbacks, which a scene file cannot hold",
                       s->model->systems[0].name);
    save_head(s, w->options);
    save_box(s);
    crn_save_materials(s);
    crn_save_bodies(s);
    crn_save_populations(s);
    crn_save_joints(s);
    crn_save_links(s);
    crn_save_statistics(s);
    crn_save_settings(s, w->options);
    crn_save_files(s);
}

/* Read the text again: names that scene files refuse, and whatever else was overlooked, are found here. */
static cairn_status check_text(const cairn_model *model, const char *text, size_t length)
{
    cairn_scene *scene = NULL;
    cairn_status status = cairn_scene_parse(model->context, "saved scene", text, length, NULL, 0, &scene);
    if (status != CAIRN_OK)
        return crn_fail(model->context, status, "save: the model has something that a scene file cannot say");
    status = crn_compare_models(model, cairn_scene_model(scene));
    cairn_scene_destroy(scene);
    return status;
}

static cairn_status check_options(const cairn_model *model, const cairn_save_options *o)
{
    if (o->struct_size != sizeof *o)
        return crn_fail(model->context, CAIRN_INVALID, "save: the options do not come from cairn_save_default");
    if (o->sensor_count < 0 || (o->sensor_count > 0 && !o->sensors))
        return crn_fail(model->context, CAIRN_INVALID, "save: the sensors are NULL");
    if (!(o->until > 0 && isfinite(o->until)))
        return crn_fail(model->context, CAIRN_INVALID, "save: until: must be greater than 0, found %g", o->until);
    return o->settings ? cairn_settings_check(model->context, o->settings) : CAIRN_OK;
}

static cairn_status make_text(const cairn_model *model, const cairn_save_options *options, char **text, size_t *length)
{
    work w = {.saver = {.model = model}, .options = options};
    CRN_TRY(check_options(model, options));
    CRN_TRY(crn_make_grains(model));
    *text = crn_compose(write_scene, &w, length);
    if (w.saver.failed)
        return CAIRN_INVALID;
    if (!*text || w.saver.no_memory)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "save: memory ran out");
    return check_text(model, *text, *length);
}

cairn_status cairn_model_save(const cairn_model *model, const cairn_save_options *options, const char *path)
{
    const cairn_save_options standard = cairn_save_default();
    char *text = NULL;
    size_t length = 0;
    if (!model || !path)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "save: the model or the path is NULL");
    cairn_status status = make_text(model, options ? options : &standard, &text, &length);
    if (status == CAIRN_OK)
        status = crn_replace_file(model->context, path, text, length);
    free(text);
    return status;
}

cairn_status cairn_model_text(const cairn_model *model, const cairn_save_options *options, char **out)
{
    const cairn_save_options standard = cairn_save_default();
    size_t length = 0;
    if (!model || !out)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "save: the model or the place for its text is NULL");
    *out = NULL;
    cairn_status status = make_text(model, options ? options : &standard, out, &length);
    if (status == CAIRN_OK)
        return status;
    free(*out);
    *out = NULL;
    return status;
}

void cairn_text_destroy(char *text)
{
    free(text);
}

/* To a file, or into *out where the path is NULL. */
static cairn_status save_scene(const cairn_scene *scene, const char *path, char **out)
{
    const cairn_model *model = cairn_scene_model(scene);
    cairn_settings settings = cairn_scene_settings(scene);
    int count = cairn_scene_sensor_count(scene);
    cairn_sensor *sensors = calloc((size_t)count + 1, sizeof *sensors);
    if (!sensors)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "save: memory ran out");
    for (int i = 0; i < count; ++i)
        sensors[i] = cairn_scene_sensor(scene, i);
    cairn_save_options options = cairn_save_default();
    options.title = cairn_scene_title(scene);
    options.settings = &settings;
    options.until = cairn_scene_until(scene);
    options.sensors = sensors;
    options.sensor_count = count;
    cairn_recording recording = cairn_scene_recording(scene);
    options.recording = &recording;
    cairn_status status = path ? cairn_model_save(model, &options, path) : cairn_model_text(model, &options, out);
    free(sensors);
    return status;
}

cairn_status cairn_scene_save(const cairn_scene *scene, const char *path)
{
    return scene && path ? save_scene(scene, path, NULL) : CAIRN_INVALID;
}

cairn_status cairn_scene_written_out(const cairn_scene *scene, char **out)
{
    return scene && out ? save_scene(scene, NULL, out) : CAIRN_INVALID;
}
