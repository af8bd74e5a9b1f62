/* Springs between bodies as the device sees them: joints of one or three rows that give (src/gpu/joints). Under `stiff` their rows are equations at the end of
 * the step, under `euler` known impulses from its start, as on the processor (formulate/springs_add.c).
 */
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static crn_gpu_row row_of(const cairn_simulation *s, const crn_spring *spring, int k)
{
    bool is_linear = spring->kind == CAIRN_SPRING_LINEAR;
    return (crn_gpu_row){.function = !is_linear          ? CRN_GPU_TWIST
                                     : spring->rest == 0 ? CRN_GPU_MEET
                                                         : CRN_GPU_STRETCH,
                         .k = k,
                         .mode = s->settings.integrator == CAIRN_INTEGRATOR_STIFF ? CRN_GPU_HOLD : CRN_GPU_EARLY,
                         .timed = -1,
                         .coordinate = -1,
                         .sign = 1,
                         .k_s = spring->stiffness,
                         .c_s = spring->damping,
                         .rest = spring->rest};
}

void crn_device_add_spring(const cairn_simulation *s, int index, crn_gpu_joint *out)
{
    assert(index >= 0 && (size_t)index < s->model->spring_count);
    const crn_spring *spring = &s->model->springs[index];
    const crn_attachment *end[2] = {&spring->a, &spring->b};
    bool acts = spring->stiffness > 0 || spring->damping > 0;
    int rows = !acts ? 0 : spring->kind == CAIRN_SPRING_LINEAR && spring->rest == 0 ? 3 : 1;
    *out = (crn_gpu_joint){.rows = rows};
    for (int side = 0; side < 2; ++side)
    {
        out->body[side] = end[side]->body;
        memcpy(out->point[side], end[side]->point, sizeof out->point[side]);
        if (end[side]->body >= 0 && s->layout->body_block[end[side]->body] >= 0)
            out->length = fmax(out->length, crn_size_of(s->layout, end[side]->body));
    }
    if (spring->kind == CAIRN_SPRING_ANGULAR)
        memcpy(out->axis[0][0], spring->axis_a, sizeof out->axis[0][0]);
    for (int k = 0; k < rows; ++k)
        out->row[k] = row_of(s, spring, k);
    out->equations = s->settings.integrator == CAIRN_INTEGRATOR_STIFF ? rows : 0;
    out->watched = rows;
    out->angle[0] = s->state.spring_angle[index];
}
