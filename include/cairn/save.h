/* Saving: a model as a scene file, whether it was built in C, imported or loaded.
 *
 *     cairn_save_options options = cairn_save_default();
 *     options.title = "my robot";
 *     options.settings = &settings;
 *     cairn_model_save(model, &options, "robot.yaml");
 *
 * The file is meant to be read and changed by hand: defaults are left out, and expressions stay texts. Numbers have all the digits
 * they need, so that the scene, loaded again, moves as the model does, in most cases to the bit (docs/export.md). A parameter of
 * a scene is saved as its value, and groups of bodies have the names group-1 and so on.
 */
#ifndef CAIRN_SAVE_H
#define CAIRN_SAVE_H

#include "cairn/quantity.h"

CAIRN_BEGIN_DECLS

/* What a scene file holds besides the model. All is copied or only read during the call. */
typedef struct cairn_save_options
{
    /* Set by cairn_save_default; the library checks it. */
    size_t struct_size;
    /* Title of the scene; NULL: none. */
    const char *title;
    /* Settings of the simulation; NULL: none are written, and the defaults hold. */
    const cairn_settings *settings;
    /* s: the end time, written with the settings; default 1. */
    double until;
    /* Sensors, of which there are sensor_count; NULL when 0. */
    const cairn_sensor *sensors;
    int sensor_count;
    /* What run files hold; NULL: nothing is said about it. */
    const cairn_recording *recording;
} cairn_save_options;

/* The defaults: no title, no settings, no sensors. */
CAIRN_API cairn_save_options cairn_save_default(void);

/* Write a model as a scene file, which replaces what is at `path`. `options` may be NULL: the defaults. The text is read again
 * before the file is written. CAIRN_INVALID, with a message that names it, for what a scene file cannot say, such as a force that is a
 * callback; CAIRN_IO when the file cannot be written. The path is then left as it was. */
CAIRN_API cairn_status cairn_model_save(const cairn_model *model, const cairn_save_options *options, const char *path);

/* The same text in memory; *out ends in a zero byte and belongs to the caller (cairn_text_destroy). It is NULL on failure. */
CAIRN_API cairn_status cairn_model_text(const cairn_model *model, const cairn_save_options *options, char **out);
CAIRN_API void cairn_text_destroy(char *text);

/* Write a scene with its settings, end time, title and sensors, everything written out: parameters as their values, files as
 * part of the text. */
CAIRN_API cairn_status cairn_scene_save(const cairn_scene *scene, const char *path);

/* The same text in memory, as cairn_model_text gives that of a model. */
CAIRN_API cairn_status cairn_scene_written_out(const cairn_scene *scene, char **out);

CAIRN_END_DECLS

#endif
