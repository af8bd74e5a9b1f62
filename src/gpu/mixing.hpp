/* Rounds of damped sweeps, mixed by Anderson's method: for steps that sweeps alone drive in circles.
 *
 * Where grains slide, Coulomb's law can make the sweeps spiral slowly away from the solution until a contact sticks, and back again, hundreds of sweeps per
 * turn. All else dies away within a round. So let x be the impulses before a round of DAMPED sweeps, each visit r <- r + RELAX (r' - r), and g(x) those
 * after it. Few directions are left in f = g(x) - x, and differences of the last rounds span them (D. Anderson, J. ACM 12, 1965):
 *
 *     minimise |f + sum_j a_j (f_j - f)| ,    x <- P(g + sum_j a_j (g_j - g)) ,
 *
 * with f and g of the latest round, f_j and g_j of up to KEPT - 1 rounds before, and P what keeps friction in the tangent plane and within its bound. Rounding
 * leaves a part of it along the normal, which no visit takes away and mixing would amplify. Velocities are computed again from what is mixed.
 */
#pragma once

#include "sweep.hpp"

namespace crn
{

enum
{
    DAMPED = 50,  /* sweeps of a round */
    MIXED = 500,  /* of them one after the other ... */
    CYCLE = 1500, /* ... before sweeps with momentum take over, until these start again */
    KEPT = 7     /* rounds, the latest one included */
};
static const real RELAX = (real)0.7;

/* Let the rounds start with what is at hand. */
struct NoteStart
{
    World world;
    int slot;
    CRN_HD void operator()(int k) const
    {
        if (k < world.counters->contacts)
            world.rounds.start[(size_t)slot * (size_t)world.capacity + (size_t)k] = world.ordered.r[k];
    }
};

struct NoteEnd
{
    World world;
    int slot;
    CRN_HD void operator()(int k) const
    {
        if (k < world.counters->contacts)
            world.rounds.end[(size_t)slot * (size_t)world.capacity + (size_t)k] = world.ordered.r[k];
    }
};

/* Products of e_i = f_i - f, where i is not the latest round, and of those with e_latest = f. */
struct Products
{
    double of[KEPT][KEPT];
};

struct AddProducts
{
    CRN_HD Products operator()(const Products &a, const Products &b) const
    {
        Products sum;
        for (int i = 0; i < KEPT; ++i)
            for (int j = 0; j < KEPT; ++j)
                sum.of[i][j] = a.of[i][j] + b.of[i][j];
        return sum;
    }
};

struct MultiplyRounds
{
    World world;
    int count, latest;
    CRN_HD void read(int slot, int k, double f[4]) const
    {
        size_t at = (size_t)slot * (size_t)world.capacity + (size_t)k;
        R4 x = world.rounds.start[at], g = world.rounds.end[at];
        f[0] = (double)g.x - (double)x.x;
        f[1] = (double)g.y - (double)x.y;
        f[2] = (double)g.z - (double)x.z;
        f[3] = (double)g.w - (double)x.w;
    }
    CRN_HD Products operator()(int k) const
    {
        Products out = {};
        if (k >= world.counters->contacts)
            return out;
        double e[KEPT][4];
        read(latest, k, e[latest]);
        for (int i = 0; i < count; ++i)
            if (i != latest)
                read(i, k, e[i]);
        for (int i = 0; i < count; ++i)
            for (int c = 0; c < 4 && i != latest; ++c)
                e[i][c] -= e[latest][c];
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j)
                out.of[i][j] = e[i][0] * e[j][0] + e[i][1] * e[j][1] + e[i][2] * e[j][2] + e[i][3] * e[j][3];
        return out;
    }
};

struct Weights
{
    real of[KEPT]; /* a_j */
};

/* The rounds that are kept, a ring, and their weights. */
class Rounds
{
  public:
    int next() const
    {
        return (latest + 1) % KEPT;
    }
    int count() const
    {
        return kept;
    }
    int newest() const
    {
        return latest;
    }
    void add()
    {
        latest = next();
        kept += kept < KEPT;
    }
    void forget()
    {
        kept = 0;
        latest = -1;
    }
    /* Normal equations, by elimination with the largest pivot. A direction that the others all but span gets no weight. */
    Weights solve(Products p) const
    {
        const double LEAST = 1e-8;
        double start[KEPT];
        bool is_done[KEPT] = {};
        int order[KEPT], pivots = 0;
        for (int i = 0; i < kept; ++i)
        {
            start[i] = p.of[i][i];
            is_done[i] = i == latest;
        }
        for (int best = 0; best >= 0;)
        {
            best = -1;
            for (int i = 0; i < kept; ++i)
                if (!is_done[i] && p.of[i][i] > LEAST * start[i] && (best < 0 || p.of[i][i] > p.of[best][best]))
                    best = i;
            if (best < 0)
                break;
            is_done[best] = true;
            order[pivots++] = best;
            eliminate(p, best, is_done);
        }
        return substitute(p, order, pivots);
    }

  private:
    int kept = 0, latest = -1;

    void eliminate(Products &p, int pivot, const bool *is_done) const
    {
        for (int i = 0; i < kept; ++i)
        {
            if (is_done[i])
                continue;
            double factor = p.of[i][pivot] / p.of[pivot][pivot];
            for (int j = 0; j < kept; ++j)
                if (!is_done[j] || j == latest)
                    p.of[i][j] -= factor * p.of[pivot][j];
        }
    }
    Weights substitute(const Products &p, const int *order, int pivots) const
    {
        Weights a = {};
        for (int k = pivots - 1; k >= 0; --k)
        {
            int i = order[k];
            double left = -p.of[i][latest];
            for (int l = k + 1; l < pivots; ++l)
                left -= p.of[i][order[l]] * (double)a.of[order[l]];
            a.of[i] = (real)(left / p.of[i][i]);
        }
        return a;
    }
};

struct Mix
{
    World world;
    int count, latest;
    Weights weights;
    CRN_HD void operator()(int k) const
    {
        if (k >= world.counters->contacts)
            return;
        const R4 *end = world.rounds.end;
        size_t stride = (size_t)world.capacity;
        R4 g = end[(size_t)latest * stride + (size_t)k], x = g;
        for (int j = 0; j < count; ++j)
            if (j != latest)
                x = added(x, weights.of[j], difference(end[(size_t)j * stride + (size_t)k], g));
        R3 n = xyz(world.ordered.n[k]);
        world.ordered.r[k] = project_disc(across(xyz(x), n), x.w > 0 ? x.w : 0, world.friction[class_of(world.ordered.pair[k])]);
    }
};

} // namespace crn
