/* What has passed the plane of a statistic: read from the state, where every step books it (step/account/flow.c). */
#include "statistics/grains.h"

static const crn_passed *passed_of(const cairn_simulation *s, const crn_statistic *of)
{
    assert(of >= s->model->statistics && of < s->model->statistics + s->statistic_count && of->has_plane);
    return &s->state.passed[of - s->model->statistics];
}

cairn_status crn_stat_flow(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = passed_of(s, of)->now / s->state.h_base;
    return CAIRN_OK;
}

cairn_status crn_stat_passed(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = passed_of(s, of)->mass;
    return CAIRN_OK;
}

cairn_status crn_stat_passed_bodies(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = passed_of(s, of)->bodies;
    return CAIRN_OK;
}
