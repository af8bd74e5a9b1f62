/* MJCF: classes of defaults, and values that are looked up in them. */
#include "import/mjcf/mjcf.h"

#include <string.h>

void crn_mjcf_collect_defaults(crn_mjcf *m, crn_xml *parent)
{
    for (crn_xml *d = crn_xml_child(parent, "default"); d; d = crn_xml_again(d))
    {
        crn_xml_get(d, "class");
        if (crn_reserve_all(&m->import->memory, CRN_ARRAY(m->defaults, m->default_count + 1)))
        {
            m->import->no_memory = true;
            return;
        }
        m->defaults[m->default_count++] = d;
        for (crn_xml *c = d->first; c; c = c->next)
            c->used = true;
        crn_mjcf_collect_defaults(m, d);
    }
}

const crn_xml *crn_mjcf_class(crn_mjcf *m, const crn_xml *at, const char *name)
{
    cairn_suggestion near = {.word = name};
    for (int i = 0; i < m->default_count; ++i)
    {
        const char *found = crn_xml_peek(m->defaults[i], "class");
        found = found ? found : "main";
        if (!strcmp(found, name))
            return m->defaults[i];
        cairn_suggestion_offer(&near, found);
    }
    if (strcmp(name, "main") != 0)
        crn_import_problem(m->import, at, "there is no class of defaults '%.80s'%s", name, near.hint);
    return NULL;
}

crn_mjcf_item crn_mjcf_item_of(crn_mjcf *m, crn_xml *element, const crn_xml *outer)
{
    const char *own = crn_xml_get(element, "class");
    const crn_xml *class = own ? crn_mjcf_class(m, element, own) : outer;
    if (!class && m->default_count > 0)
        class = m->defaults[0];
    return (crn_mjcf_item){m, element, class};
}

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!strcmp(word, words[i]))
            return true;
    return false;
}

/* Whether an element in a class of defaults speaks of this one: all tendons have one default, and so have all actuators. */
static bool is_default_of(const crn_xml *standard, const crn_xml *element)
{
    static const char *const TENDONS[] = {"fixed", "spatial"};
    static const char *const ACTUATORS[] = {"motor",   "position", "velocity", "intvelocity", "damper",
                                            "general", "cylinder", "muscle",   "adhesion"};
    const size_t actuators = sizeof ACTUATORS / sizeof ACTUATORS[0];
    return !strcmp(standard->name, element->name) ||
           (!strcmp(standard->name, "tendon") && is_one_of(element->name, TENDONS, 2)) ||
           (is_one_of(standard->name, ACTUATORS, actuators) && is_one_of(element->name, ACTUATORS, actuators));
}

/* The element that has the attribute: this one, or the one of the same name in the innermost class that has it. An attribute that is asked
 * for is known wherever defaults have it. */
static crn_xml *holder_of(const crn_mjcf_item *item, const char *name)
{
    const crn_mjcf *m = item->mjcf;
    for (int i = 0; i < m->default_count; ++i)
        for (crn_xml *c = m->defaults[i]->first; c; c = c->next)
            if (is_default_of(c, item->element))
                crn_xml_get(c, name);
    if (crn_xml_peek(item->element, name))
        return item->element;
    for (const crn_xml *d = item->class; d && !strcmp(d->name, "default"); d = d->parent)
        for (crn_xml *c = d->first; c; c = c->next)
            if (is_default_of(c, item->element) && crn_xml_peek(c, name))
                return c;
    return item->element;
}

const char *crn_mjcf_text(const crn_mjcf_item *item, const char *name)
{
    return crn_xml_get(holder_of(item, name), name);
}

int crn_mjcf_numbers(const crn_mjcf_item *item, const char *name, int least, int most, double *out)
{
    return crn_import_numbers(item->mjcf->import, holder_of(item, name), name, least, most, out);
}

bool crn_mjcf_number(const crn_mjcf_item *item, const char *name, double *out)
{
    return crn_mjcf_numbers(item, name, 1, 1, out) == 1;
}

bool crn_mjcf_amount(const crn_mjcf_item *item, const char *name, double *out)
{
    return crn_import_amount(item->mjcf->import, holder_of(item, name), name, out);
}

bool crn_mjcf_flag(const crn_mjcf_item *item, const char *name, bool otherwise)
{
    const char *value = crn_mjcf_text(item, name);
    if (value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0 && strcmp(value, "auto") != 0)
        crn_import_problem(item->mjcf->import, item->element,
                           "attribute '%s': expected true, false or auto, found '%.40s'", name, value);
    return !value || !strcmp(value, "auto") ? otherwise : !strcmp(value, "true");
}

bool crn_mjcf_limited(const crn_mjcf_item *item, const char *limited, const char *range)
{
    bool given = crn_mjcf_text(item, range) != NULL;
    return crn_mjcf_flag(item, limited, given && !item->mjcf->no_autolimits);
}
