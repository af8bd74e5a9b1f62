/* Force and deformation of a patch (Song et al. 2004, eq. 6 and 7): lambda = K delta + C delta', K = Xi^-1. Over a step,
 *
 *     lambda = K delta + E (delta+ - delta)/h ,     E = h K + C      (eq. 10)
 *     (delta+ - delta)/h = R r - E^-1 K delta ,     R = E^-1/h ,     r = h lambda
 *
 * With C = 2 d sqrt(K) + T K everything is a function of one matrix: Xi = Q diag(x) Q' gives
 *
 *     K = Q diag(1/x) Q' ,   E = Q diag(e) Q' ,   e = (h + T)/x + 2 d/sqrt(x) ,   E^-1 K = Q diag(1/(x e)) Q'
 */
#include "formulate/patch_block.h"

#include "formulate/influence.h"
#include "math/symmetric.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crn_patch_block_destroy(crn_patch_block *block)
{
    free(block->basis);
    free(block->value);
    free(block->K);
    free(block->R);
    free(block->relax);
    free(block->scratch);
    memset(block, 0, sizeof *block);
}

/* out = Q diag(f) Q', f in the scratch. */
static void compose(const crn_patch_block *block, double *out)
{
    int n = block->rows;
    memset(out, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int k = 0; k < n; ++k)
    {
        const double *q = block->basis + (size_t)k * (size_t)n;
        for (int i = 0; i < n; ++i)
        {
            double f = block->scratch[k] * q[i], *row = out + (size_t)i * (size_t)n;
            for (int j = 0; j <= i; ++j)
                row[j] += f * q[j];
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            out[(size_t)j * (size_t)n + (size_t)i] = out[(size_t)i * (size_t)n + (size_t)j];
}

void crn_patch_block_prepare(crn_patch_block *block, double h)
{
    assert(h > 0);
    assert(block->rows > 0);
    if (block->h == h)
        return;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int k = 0; k < block->rows; ++k)
        {
            double x = block->value[k];
            double e = (h + block->retardation) / x + 2 * block->damping / sqrt(x);
            block->scratch[k] = pass == 0 ? 1 / (h * e) : 1 / (x * e);
        }
        compose(block, pass == 0 ? block->R : block->relax);
    }
    block->h = h;
}

static cairn_status allocate(crn_patch_block *block)
{
    size_t n = (size_t)block->rows, square = n * n;
    block->basis = calloc(square, sizeof(double));
    block->K = calloc(square, sizeof(double));
    block->R = calloc(square, sizeof(double));
    block->relax = calloc(square, sizeof(double));
    block->value = calloc(n, sizeof(double));
    block->scratch = calloc(n, sizeof(double));
    bool complete = block->basis && block->K && block->R && block->relax && block->value && block->scratch;
    return complete ? CAIRN_OK : CAIRN_NO_MEMORY;
}

/* Add the influence of both sides to the basis, and average their damping and retardation in the block. */
static void add_sides(const cairn_model *model, const cairn_patch_options *finer, crn_patch_block *block)
{
    const int material[2] = {block->material_a, block->material_b};
    int compliant = 0;
    for (int side = 0; side < 2; ++side)
    {
        const cairn_patch_options *patch = &model->materials[material[side]].patch;
        if (patch->elements == 0)
            continue;
        crn_influence influence = {model->dimension,  block->across,  block->spacing,
                                   patch->compliance, patch->poisson, finer->kernel};
        crn_influence_add(&influence, side == 0 ? 1.0 : -1.0, block->basis);
        block->damping += patch->damping;
        block->retardation += patch->retardation;
        ++compliant;
    }
    block->damping /= compliant;
    block->retardation /= compliant;
}

/* Compute K from the eigenvalues. Returns false if one of them is not positive or is lost in rounding. */
static bool invert(crn_patch_block *block)
{
    int n = block->rows;
    if (!(block->value[0] > 1e-14 * block->value[n - 1]))
        return false;
    for (int k = 0; k < n; ++k)
        block->scratch[k] = 1 / block->value[k];
    compose(block, block->K);
    return true;
}

cairn_status crn_patch_block_create(const cairn_model *model, int material_a, int material_b, int finer,
                                    crn_patch_block *block)
{
    assert(model->materials[finer].patch.elements > 0);
    assert(finer == material_a || finer == material_b);
    const cairn_patch_options *patch = &model->materials[finer].patch;
    *block = (crn_patch_block){
        .material_a = material_a, .material_b = material_b, .across = patch->elements, .spacing = patch->spacing};
    block->elements = crn_patch_elements(model->dimension, patch->elements);
    block->rows = model->dimension * block->elements;
    const char *a = model->materials[material_a].name, *b = model->materials[material_b].name;
    if (allocate(block))
    {
        crn_patch_block_destroy(block);
        return crn_fail(model->context, CAIRN_NO_MEMORY, "patch of '%s' and '%s': memory ran out", a, b);
    }
    add_sides(model, patch, block);
    if (!crn_symmetric_eigen(block->rows, block->basis, block->value, block->scratch) || !invert(block))
    {
        double least = block->value[0];
        crn_patch_block_destroy(block);
        return crn_fail(model->context, CAIRN_INVALID,
                        "patch of '%s' and '%s': its influence matrix is not positive definite (smallest eigenvalue "
                        "%g m/N); kernel mean always is",
                        a, b, least);
    }
    return CAIRN_OK;
}
