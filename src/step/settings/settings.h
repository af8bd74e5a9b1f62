/* Reading and writing settings through their table, for callers that do not parse text. */
#ifndef CRN_STEP_SETTINGS_H
#define CRN_STEP_SETTINGS_H

#include "cairn/model.h"
#include "cairn/settings.h"

/* Set a field to a value as returned by cairn_setting_value. The value must be valid for the field. */
void crn_setting_put(const cairn_setting *setting, double value, cairn_settings *settings);
bool crn_setting_is_number(const cairn_setting *setting); /* or a count */
/* "a, b or c": the allowed words, with `last` before the last one. */
void crn_setting_list(const cairn_setting *setting, const char *last, char *text, size_t size);
/* The allowed word closest to an unknown one. */
cairn_suggestion crn_setting_suggest(const cairn_setting *setting, const char *word);
/* Whether a number or count lies within its range. */
bool crn_setting_allows(const cairn_setting *setting, double value);

/* Whether a periodic box suits the settings and holds the model; CAIRN_INVALID with a sentence. */
cairn_status crn_settings_check_box(cairn_context *context, const cairn_model *model, const cairn_settings *settings);

#endif
