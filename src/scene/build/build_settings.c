/* The mapping `simulation` of a scene file: its table is made from the library's table of settings, so that every setting is a
 * field of scene files. */
#include "scene/build/build.h"
#include "step/settings/settings.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ its table */

static crn_field_kind kind_of(cairn_setting_type type)
{
    switch (type)
    {
    case CAIRN_SETTING_NUMBER:
        return CRN_FIELD_NUMBER;
    case CAIRN_SETTING_COUNT:
        return CRN_FIELD_INTEGER;
    case CAIRN_SETTING_SWITCH:
        return CRN_FIELD_FLAG;
    case CAIRN_SETTING_WORD:
        return CRN_FIELD_WORD;
    case CAIRN_SETTING_LAW:
        return CRN_FIELD_NAME;
    case CAIRN_SETTING_WORDS:
        break;
    }
    return CRN_FIELD_ANY;
}

static crn_range range_of(const cairn_setting *setting)
{
    bool number = setting->type == CAIRN_SETTING_NUMBER || setting->type == CAIRN_SETTING_COUNT;
    bool positive = setting->above || setting->least > 0;
    return !number ? CRN_ANY : positive ? CRN_POSITIVE : CRN_NOT_NEGATIVE;
}

static crn_field field_of(const cairn_setting *setting, size_t offset)
{
    assert(offset < sizeof(crn_simulation_record));
    return (crn_field){
        .name = setting->name, .kind = kind_of(setting->type), .offset = offset, .range = range_of(setting)};
}

void crn_simulation_table_make(crn_simulation_table *out)
{
    int words = 0, fields = 0;
    assert(cairn_setting_count() <= CRN_MOST_SETTINGS);
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        crn_field *field = &out->field[fields++];
        *field = field_of(setting, offsetof(crn_simulation_record, setting) + (size_t)i * sizeof(crn_setting_record));
        field->words = out->word + words;
        for (int k = 0; setting->type == CAIRN_SETTING_WORD && setting->word(k); ++k)
        {
            assert(words < CRN_MOST_WORDS);
            out->word[words++] = (crn_word){setting->word(k), 0};
            ++field->word_count;
        }
        if (i == 0) /* next to the step */
            out->field[fields++] = (crn_field){.name = "until",
                                               .kind = CRN_FIELD_NUMBER,
                                               .offset = offsetof(crn_simulation_record, until),
                                               .range = CRN_POSITIVE};
    }
    assert(fields == cairn_setting_count() + 1);
    out->object = (crn_object){.noun = "simulation",
                               .definition = "simulation",
                               .fields = out->field,
                               .count = fields,
                               .record_size = sizeof(crn_simulation_record)};
}

/* ----------------------------------------------------------------------------------------------- its values */

/* Store a list of words as bits. */
static void take_words(crn_reader *reader, const cairn_setting *setting, const crn_node *list, cairn_settings *settings)
{
    assert(setting->type == CAIRN_SETTING_WORDS);
    uint32_t bits = 0;
    reader->field = setting->name;
    if (list->kind != CRN_LIST)
        crn_problem_at(reader, list, "expected a list of words, found %s", crn_describe(list).text);
    for (const crn_node *item = list->kind == CRN_LIST ? list->first : NULL; item; item = item->next)
    {
        cairn_settings one = *settings;
        const char *name;
        char expected[512];
        if (!crn_read_text(reader, item, &name))
            continue;
        if (*name && !strchr(name, ',') && !cairn_settings_set(NULL, &one, setting->name, name))
        {
            bits |= (uint32_t)cairn_setting_value(setting, &one);
            continue;
        }
        cairn_setting_expects(setting, expected, sizeof expected);
        crn_problem_at(reader, item, "expected %s, found '%s'%s", expected, crn_clip_text(name).text,
                       crn_setting_suggest(setting, name).hint);
    }
    crn_setting_put(setting, bits, settings);
    reader->field = NULL;
}

static void take_number(crn_reader *reader, const cairn_setting *setting, const crn_number *number,
                        cairn_settings *settings)
{
    assert(setting->type == CAIRN_SETTING_NUMBER || setting->type == CAIRN_SETTING_COUNT);
    assert(isfinite(number->value));
    char expected[512];
    cairn_setting_expects(setting, expected, sizeof expected);
    if (crn_setting_allows(setting, number->value))
        crn_setting_put(setting, number->value, settings);
    else
        crn_problem_at(reader, number->node, "%s: expected %s, found %g", setting->name, expected, number->value);
}

static void take_law(crn_reader *reader, const cairn_setting *setting, const crn_text *law, cairn_settings *settings)
{
    assert(setting->type == CAIRN_SETTING_LAW);
    char expected[512];
    cairn_setting_expects(setting, expected, sizeof expected);
    if (cairn_settings_set(NULL, settings, setting->name, law->text))
        crn_problem_at(reader, law->node, "%s: expected %s, found '%s'%s", setting->name, expected,
                       crn_clip_text(law->text).text, crn_setting_suggest(setting, law->text).hint);
}

static void take(crn_reader *reader, const cairn_setting *setting, const crn_setting_record *record,
                 cairn_settings *settings)
{
    switch (setting->type)
    {
    case CAIRN_SETTING_NUMBER:
    case CAIRN_SETTING_COUNT:
        take_number(reader, setting, &record->number, settings);
        return;
    case CAIRN_SETTING_SWITCH:
        crn_setting_put(setting, record->flag.value, settings);
        return;
    case CAIRN_SETTING_WORD:
        crn_setting_put(setting, record->choice.index, settings);
        return;
    case CAIRN_SETTING_LAW:
        take_law(reader, setting, &record->text, settings);
        return;
    case CAIRN_SETTING_WORDS:
        take_words(reader, setting, record->any.node, settings);
        return;
    }
}

void crn_build_settings(crn_reader *reader, const crn_scene_record *scene, cairn_settings *settings, double *until)
{
    assert(!reader->where && !reader->field);
    const crn_node *node = scene->simulation.node;
    crn_simulation_table table = {0};
    crn_simulation_record record;
    int before = crn_problem_total(reader);
    if (!node)
        return;
    reader->where = "simulation";
    crn_simulation_table_make(&table);
    (void)crn_read_object(reader, &table.object, node, &record); /* its problems are counted below */
    for (int i = 0; i < cairn_setting_count(); ++i)
        if (record.setting[i].any.node)
            take(reader, cairn_setting_at(i), &record.setting[i], settings);
    *until = record.until.node ? record.until.value : *until;
    reader->where = NULL;
    if (crn_problem_total(reader) == before)
        crn_pass_on(reader, node, cairn_settings_check(reader->scratch, settings));
}
