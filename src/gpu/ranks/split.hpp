/* Sweeps that exchange bodies twice a pass instead of before every colour: the mode that is not `reproducible` (docs/cluster.md).
 *
 * Each contact of a border is visited by one rank, that which counts it. A body whose contacts several ranks visit is lent by its owner to the others. Within a pass
 * they know nothing of each other, as in Jacobi's method, which may overshoot. So every rank gets a share of the body, and visits its contacts as if that
 * were all of it (mass splitting: Tonge, Benevolenski & Voroshilov, ACM TOG 31, 2012). With shares s_i of mass and inertia, their sum 1, and impulses p_i of
 * the visits of rank i, the parts move by M^-1 p_i / s_i. Joined again they have the momentum of all of them:
 *
 *     v' = v + sum_i s_i (v_i - v) = v + M^-1 sum_i p_i ,
 *
 * so that velocities stay those that the impulses produce, whatever the shares. The operator of the split bodies majorises that of the whole ones, since the kinetic energy is
 * convex in the velocity: for convex laws a pass cannot make the step's energy larger, however many ranks share a body. The share of a rank is that of the
 * body's contacts and joints that it visits.
 *
 * A pass (the exchange is that of T. Preclik & U. Ruede, Comp. Part. Mech. 2, 2015):
 *
 *     outer   contacts with ghosts, by colour; then what they changed of the ghosts is on its way to the owners
 *     near    contacts and joints of own bodies that are lent; then parts are joined in the order of the ranks, and go back to those who visit them
 *     deep    all others, meanwhile.
 *
 * After the last pass every contact of a border has its impulse sent to the rank that did not visit it: it needs it for the certificate, and for the next
 * step. A rank that is alone has deep contacts only, and does what it does in the other mode.
 *
 * This file: what is lent, and the shares. */
#pragma once

#include "loose.hpp"
#include "schedule.hpp"

namespace crn
{

enum SplitStage
{
    STAGE_DEEP,
    STAGE_NEAR,
    STAGE_OUTER,
    STAGE_FOREIGN, /* visited by another rank */
    STAGES
};

class Split
{
  public:
    Traffic lent;                /* in: ghosts that this rank visits contacts of; out: own bodies that others do */
    Traffic back;                /* the same in the other direction */
    Traffic last;                /* all bodies of the border that a pass may change */
    Traffic impulses;            /* not bodies, but contacts in the order of the sweeps: visited here, and elsewhere */
    int stage[BINS][STAGES + 1]; /* per colour: where the contacts of each stage begin */
    std::vector<char> is_near;   /* per joint: one of its bodies is lent */
    bool has_near_joints = false;

    /* A body that is divided: a ghost that this rank visits, or an own body that is lent. */
    struct Part
    {
        int body;     /* number in the description */
        bool is_own;
        int visits;   /* contacts and joints that this rank visits */
        int all;      /* that all ranks visit */
        double share; /* of its mass and inertia, here */
        R3 v, w;      /* where the pass began */
        R3 dv, dw;    /* what others have changed, times their shares */
        real light, nimble;
        Inertia inertia;
        Mass mass;
    };
    std::vector<Part> part;
    std::vector<int> part_of; /* per body of the description; -1: it is whole */

    void clear(int bodies)
    {
        part.clear();
        part_of.assign((size_t)bodies, -1);
    }
    Part &part_for(int body, bool is_own)
    {
        if (part_of[(size_t)body] < 0)
        {
            part_of[(size_t)body] = (int)part.size();
            part.push_back({body, is_own, 0, 0, 1.0, {}, {}, {}, {}, 0, 0, {}, {}});
        }
        return part[(size_t)part_of[(size_t)body]];
    }
    bool is_split(int body) const
    {
        return part_of[(size_t)body] >= 0;
    }
    Part &at(int body)
    {
        return part[(size_t)part_of[(size_t)body]];
    }

    /* Bodies that are divided, in the order of the border. */
    void route(const Ranks &ranks, const std::vector<char> &lent_out, const std::vector<char> &lent_in)
    {
        lent.clear();
        for (size_t q = 0; q < (size_t)ranks.neighbours; ++q)
        {
            take(ranks.border.out, q, lent_out, lent.out);
            take(ranks.border.in, q, lent_in, lent.in);
            lent.close();
        }
        back.out = lent.in;
        back.in = lent.out;
    }

    void set_shares()
    {
        for (Part &p : part)
            p.share = p.visits > 0 && p.all > 0 ? (double)p.visits / p.all : 1.0;
    }

    /* Bodies get the masses of their parts, and their own again. */
    void divide(const World &w, const std::vector<int> &place)
    {
        for (Part &p : part)
        {
            int i = place[(size_t)p.body];
            Motion &m = w.sorted.m[i];
            real times = (real)(1 / p.share);
            p.light = m.v.w;
            p.nimble = m.w.w;
            m.v.w *= times;
            m.w.w *= times;
            if (w.has_shapes)
                divide_inertia(w, i, p);
        }
    }
    void unite(const World &w, const std::vector<int> &place) const
    {
        for (const Part &p : part)
        {
            int i = place[(size_t)p.body];
            w.sorted.m[i].v.w = p.light;
            w.sorted.m[i].w.w = p.nimble;
            if (!w.has_shapes)
                continue;
            w.shapes.inertia[i] = p.inertia;
            w.shapes.mass[i] = p.mass;
        }
    }

    /* A pass begins: ghosts are what their owners are. */
    void begin(const World &w, const std::vector<int> &place)
    {
        for (Part &p : part)
        {
            const Motion &m = w.sorted.m[place[(size_t)p.body]];
            p.v = xyz(m.v);
            p.w = xyz(m.w);
            p.dv = p.dw = {0, 0, 0};
        }
    }
    /* What this rank has changed, times its share. */
    static void change_of(const Part &p, const Motion &m, R3 &dv, R3 &dw)
    {
        dv = (real)p.share * (xyz(m.v) - p.v);
        dw = (real)p.share * (xyz(m.w) - p.w);
    }
    /* Own bodies, whole again. */
    void join(const World &w, const std::vector<int> &place) const
    {
        for (const Part &p : part)
            if (p.is_own)
            {
                R3 dv, dw;
                Motion &m = w.sorted.m[place[(size_t)p.body]];
                change_of(p, m, dv, dw);
                m = {with(p.v + dv + p.dv, m.v.w), with(p.w + dw + p.dw, m.w.w)};
            }
    }

  private:
    static void take(const Route &border, size_t q, const std::vector<char> &is_lent, Route &to)
    {
        for (int i = border.first[q]; i < border.first[q + 1]; ++i)
            if (is_lent[(size_t)i])
                to.body.push_back(border.body[(size_t)i]);
    }
    static void divide_inertia(const World &w, int i, Part &p)
    {
        real times = (real)(1 / p.share);
        Inertia &J = w.shapes.inertia[i];
        Mass &mass = w.shapes.mass[i];
        p.inertia = J;
        p.mass = mass;
        J.diagonal = {times * J.diagonal.x, times * J.diagonal.y, times * J.diagonal.z, J.diagonal.w};
        J.rest = {times * J.rest.x, times * J.rest.y, times * J.rest.z, J.rest.w};
        for (double &x : mass.inverse)
            x /= p.share;
    }
};

} // namespace crn
