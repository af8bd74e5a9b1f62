/* Settings by their table, for those who fill them from elsewhere than text. */
#ifndef CRN_STEP_SETTINGS_H
#define CRN_STEP_SETTINGS_H

#include "cairn/settings.h"

/* Set a field from what cairn_setting_value gives; the value must fit the field. */
void crn_setting_put(const cairn_setting *setting, double value, cairn_settings *settings);
/* Whether a number or count lies within its range. */
bool crn_setting_allows(const cairn_setting *setting, double value);

#endif
