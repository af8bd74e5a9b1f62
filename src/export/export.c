/* From a model to the text of a robot: see cairn/export.h. */
#include "base/file.h"
#include "export/robot_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct format
{
    const char *name;
    int (*rank)(const crn_joint *joint);
    void (*write)(FILE *out, void *writer);
    cairn_status (*write_files)(crn_writer *writer); /* beside the text; NULL: there are none */
} format;

static const format URDF = {"URDF", crn_urdf_rank, crn_write_urdf, crn_write_urdf_meshes};
static const format MJCF = {"MJCF", crn_mjcf_rank, crn_write_mjcf, NULL};

static cairn_status check_name(const crn_writer *w, const char *kind, const char *name)
{
    return strlen(name) <= CRN_WRITER_LONGEST
               ? CAIRN_OK
               : crn_fail(w->model->context, CAIRN_INVALID,
                          "%s '%.40s...': its name has more than %d bytes, too many for %s", kind, name,
                          CRN_WRITER_LONGEST, w->format);
}

static cairn_status check_names(const crn_writer *w)
{
    const cairn_model *model = w->model;
    for (size_t i = 0; i < model->body_count; ++i)
        CRN_TRY(check_name(w, "body", model->bodies[i].name));
    for (size_t i = 0; i < model->joint_count; ++i)
        CRN_TRY(check_name(w, "joint", model->joints[i].name));
    for (size_t i = 0; i < model->spring_count; ++i)
        CRN_TRY(check_name(w, "spring", model->springs[i].name));
    return CAIRN_OK;
}

static cairn_status check(const crn_writer *w)
{
    cairn_context *context = w->model->context;
    CRN_TRY(crn_check_size(context, "save", w->options->struct_size, sizeof *w->options));
    if (w->model->dimension != 3)
        return crn_fail(context, CAIRN_INVALID, "the model is planar; %s describes robots in space alone", w->format);
    CRN_TRY(check_names(w));
    return w->options->settings ? cairn_settings_check(context, w->options->settings) : CAIRN_OK;
}

static cairn_status make(crn_writer *w, const format *f, char **text)
{
    size_t length = 0;
    cairn_context *context = w->model->context;
    CRN_TRY(check(w));
    CRN_TRY(crn_writer_plan(w, f->rank));
    *text = crn_compose(f->write, w, &length);
    if (!*text || w->status == CAIRN_NO_MEMORY)
        return crn_fail(context, CAIRN_NO_MEMORY, "%s: memory ran out", w->format);
    if (w->status)
        return crn_fail(context, w->status,
                        "%s: a number of the file would not be finite: places or masses are too large", w->format);
    assert(w->depth == 0);
    if (w->path && f->write_files)
        CRN_TRY(f->write_files(w));
    return w->path ? crn_replace_file(context, w->path, *text, length) : CAIRN_OK;
}

/* To a file, or into *out where the path is NULL. */
static cairn_status export_model(const cairn_model *model, const cairn_save_options *options, const format *f,
                                 const char *path, char **out, cairn_import_notes **notes)
{
    const cairn_save_options standard = cairn_save_default();
    crn_writer w = {.model = model, .options = options ? options : &standard, .format = f->name, .path = path};
    char *text = NULL;
    if (notes)
        *notes = NULL;
    if (out)
        *out = NULL;
    if (!model || (!path && !out))
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "%s: the model, or the place to write it to, is NULL", f->name);
    CRN_TRY(crn_make_grains(model));
    w.notes = calloc(1, sizeof *w.notes);
    cairn_status status =
        w.notes ? make(&w, f, &text) : crn_fail(model->context, CAIRN_NO_MEMORY, "%s: memory ran out", f->name);
    crn_arena_release(&w.memory);
    bool good = status == CAIRN_OK;
    if (good && out)
        *out = text;
    else
        free(text);
    if (good && notes)
        *notes = w.notes;
    else
        cairn_import_notes_destroy(w.notes);
    return status;
}

cairn_status cairn_model_save_urdf(const cairn_model *model, const cairn_save_options *options, const char *path,
                                   cairn_import_notes **notes)
{
    return export_model(model, options, &URDF, path, NULL, notes);
}

cairn_status cairn_model_urdf(const cairn_model *model, const cairn_save_options *options, char **out,
                              cairn_import_notes **notes)
{
    return export_model(model, options, &URDF, NULL, out, notes);
}

cairn_status cairn_model_save_mjcf(const cairn_model *model, const cairn_save_options *options, const char *path,
                                   cairn_import_notes **notes)
{
    return export_model(model, options, &MJCF, path, NULL, notes);
}

cairn_status cairn_model_mjcf(const cairn_model *model, const cairn_save_options *options, char **out,
                              cairn_import_notes **notes)
{
    return export_model(model, options, &MJCF, NULL, out, notes);
}
