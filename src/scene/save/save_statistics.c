/* Statistics. What they record is among the sensors. */
#include "model/handles.h"
#include "scene/save/save.h"

static const double ZERO[4] = {0};

static void save_region(crn_saver *s, const crn_statistic *statistic)
{
    const cairn_region *region = &statistic->options.region;
    static const char *const types[] = {"", "box", "ball", "cylinder"};
    int n = s->model->dimension;
    crn_field_begin(s, "region");
    crn_open(s, '{');
    crn_field_text(s, "type", types[statistic->region.kind]);
    crn_field_numbers(s, "position", region->centre, ZERO, n);
    if (statistic->region.kind == CRN_ZONE_BOX)
        crn_field_numbers(s, "size", region->size, ZERO, n);
    crn_field_number(s, "radius", region->radius, 0);
    crn_field_number(s, "height", region->height, 0);
    if (n == 2)
        crn_field_number(s, "angle", region->angle, 0);
    else
        crn_field_numbers(s, "orientation", region->orientation, ZERO, 4);
    crn_close(s, '}');
}

static void save_plane(crn_saver *s, const cairn_statistic_options *o)
{
    int n = s->model->dimension;
    crn_field_begin(s, "plane");
    crn_open(s, '{');
    crn_field_begin(s, "point");
    crn_put_numbers(s, o->point, n);
    crn_field_numbers(s, "normal", o->normal, ZERO, n);
    crn_close(s, '}');
}

void crn_save_statistics(crn_saver *s)
{
    const cairn_statistic_options standard = cairn_statistic_default();
    crn_section(s, "statistics");
    for (size_t i = 0; i < s->model->statistic_count; ++i)
    {
        const crn_statistic *statistic = &s->model->statistics[i];
        const cairn_statistic_options *o = &statistic->options;
        crn_item_begin(s);
        crn_field_text(s, "name", statistic->name);
        if (statistic->region.kind != CRN_ZONE_ALL)
            save_region(s, statistic);
        if (statistic->has_plane)
            save_plane(s, o);
        crn_field_number(s, "bins", o->bins, standard.bins);
        crn_field_number(s, "top", o->top, standard.top);
        crn_field_number(s, "touching", o->touching, standard.touching);
        crn_field_number(s, "cell", o->cell, standard.cell);
        crn_item_end(s);
    }
}
