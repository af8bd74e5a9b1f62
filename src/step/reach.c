/* Finding the contacts that a step needs.
 *
 * A contact may be left out of the step's problem if the solution satisfies its law without an impulse: gap + h u_n >= 0, or
 * under the convex laws, which lift sliding contacts, gap + h (u_n - mu |u_t|) >= 0. By the Cauchy-Schwarz inequality
 * u_n >= -|u| and u_n - mu |u_t| >= -sqrt(1 + mu^2) |u|, so this is guaranteed for every contact with
 *
 *     gap >= h k |u| ,     k = 1 or sqrt(1 + mu^2) ,     |u| <= |v_a - v_b| + |w_a| rho_a + |w_b| rho_b
 *
 * where rho is the radius of the body about its origin. The velocities are those at the end of the step, which are only known
 * once the problem is solved. So the reach is first computed from the current velocities, with an allowance for gravity. After
 * the solve it is computed from the new ones, and contacts that the problem lacked and the solution violates are added to it.
 *
 * Where steps may be swept, contacts that never push would be most of what long steps cost. There a body that is carried, and so slower than gravity
 * makes it in a step, is expected to stay so, and turning counts by the cores of rounded shapes. What that misses is found after the solve.
 */
#include "base/parallel_ranges.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "model/periodic.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    CROWD = 60 /* bodies */
};

/* Of h^2 |g|: two bodies that are carried see gaps up to twice as much, and settle.c counts those up to 0.1 as closed. */
static const double CARRIED = 0.1;

/* The same for the file's own loops over bodies, into which it is written. */
static inline crn_motion motion_of(const cairn_simulation *s, int body, const double *v, double h, const double *radius)
{
    assert(body >= 0 && (size_t)body < s->model->body_count);
    assert(h > 0);
    const crn_layout *layout = s->layout;
    double own[6] = {0};
    const double *twist = own;
    int block = layout->body_block[body], linear = s->model->dimension;
    int dofs = block >= 0 ? layout->block_start[block + 1] - layout->block_start[block] : 0;
    if (dofs == 6)
        twist = v + layout->block_start[block];
    else if (block < 0)
        twist = crn_frame_drive(&s->located.frame, body);
    else
    {
        memcpy(own, v + layout->block_start[block], (size_t)linear * sizeof(double));
        for (int i = linear; i < dofs; ++i) /* planar: any axis will do */
            own[3 + i - linear] = v[layout->block_start[block] + i];
    }
    return (crn_motion){{h * twist[0], h * twist[1], h * twist[2]}, h * crn_norm3(twist + 3) * radius[body]};
}

crn_motion crn_motion_of(const cairn_simulation *s, int body, const double *v, double h)
{
    return motion_of(s, body, v, h, s->layout->bound);
}

static bool lifts(const cairn_simulation *s)
{
    return cairn_law_lifts_off(s->settings.law.kind);
}

/* Apply the user's mu in place of that of all materials; NULL: there is none. */
static const double *told_friction(const cairn_simulation *s)
{
    return isnan(s->state.friction) ? NULL : &s->state.friction;
}

/* m: change of the motion due to gravity from one step to the next. */
static double fall(const cairn_simulation *s, double h)
{
    return h * h * crn_norm3(s->state.gravity);
}

/* Whether steps may be swept: then reach and sweeps are most of what they cost. Of few bodies, they seldom are. */
static bool may_be_short(const cairn_simulation *s)
{
    return s->model->body_count > CROWD && s->model->dimension == 3 && !lifts(s) &&
           s->settings.device == CAIRN_DEVICE_CPU && crn_compact_may_apply(s);
}

/* Per body: m, the radius about its origin at which turning counts. Where laws do not lift, only u_n does, and to that what is rounded adds
 * nothing: a ball that turns about its centre closes no gap. */
static const double *radius_of(const cairn_simulation *s)
{
    return s->located.is_short ? s->layout->swing : s->layout->bound;
}

/* m: `room` for gravity, or less for a body that is slower than a step of gravity makes it. It is mostly carried, and goes on being carried. */
static double room_of(const cairn_simulation *s, double room, const crn_motion *m)
{
    return s->located.is_short ? fmin(room, CARRIED * room + crn_norm3(m->travel)) : room;
}

/* ------------------------------------------------------------------------------------------- before the solve */

/* Margins on their way to the bodies, part by part. */
typedef struct reaching
{
    cairn_simulation *s;
    double h, k, room;
    const double *v;                     /* velocities that margins are to cover as well */
    bool is_faster[CRN_COMPACT_THREADS]; /* per part: some margin has grown */
} reaching;

static void reach_part(void *data, int part)
{
    const reaching *all = data;
    cairn_simulation *s = all->s;
    int parts = s->layout->parts, end = (int)crn_part(s->model->body_count, parts, part + 1);
    for (int b = (int)crn_part(s->model->body_count, parts, part); b < end; ++b)
    {
        crn_motion m = motion_of(s, b, s->state.v, all->h, radius_of(s));
        double sliver = 1e-6 * s->layout->bound[b]; /* keeps resting contacts from being lost to rounding */
        s->located.margin[b] = all->k * m.turn + room_of(s, all->room, &m) + sliver + crn_cohesion_reach(s->layout, b);
        memcpy(s->located.travel[b], m.travel, sizeof m.travel);
    }
}

static void set_reach(cairn_simulation *s, double h)
{
    double k = crn_reach_factor(s->model, lifts(s), told_friction(s));
    double room = k * fall(s, h) + s->settings.contact_tolerance;
    reaching all = {.s = s, .h = h, .k = k, .room = room};
    s->located.is_short = may_be_short(s);
    crn_in_parts(s->layout->parts, reach_part, &all);
    s->located.reach = (crn_reach){.margin = s->located.margin,
                                   .travel = s->located.travel,
                                   .lifts = lifts(s),
                                   .friction = told_friction(s),
                                   .sides = &s->state.sides,
                                   .allows = s->hooks.options.filter ? crn_ask_filter : NULL,
                                   .allow_data = s,
                                   .absent = s->state.absent,
                                   .down = s->state.gravity,
                                   .t = s->state.t,
                                   .h = h};
    s->located.made_for = (crn_located_for){k, room, s->state.friction, s->model->revision};
}

/* Find contacts at the state itself. Trials start from its sides of thin shapes. */
static cairn_status collide(cairn_simulation *s)
{
    crn_reach reach = s->located.reach;
    reach.settles = true;
    s->located.is_chosen = s->located.is_grown = s->located.is_initial = false;
    cairn_status status = crn_collide_hooked(s, s->located.collider, s->located.frame.pose, &reach,
                                             &s->located.contacts, &s->located.contact_count);
    status = status ? status : crn_sides_copy(crn_collider_sides(s->located.collider), &s->state.sides);
    return status == CAIRN_OK ? status
                              : crn_fail(s->context, status, "collision detection at t = %g failed", s->state.t);
}

/* Set the reach of the coming step in a frame that is up to date. */
static void look_ahead(cairn_simulation *s, double h)
{
    set_reach(s, h);
    s->state.located_h = h;
    s->bulk.fresh = false;
}

cairn_status crn_located_open(cairn_simulation *s)
{
    crn_located *located = &s->located;
    size_t bodies = s->model->body_count;
    if (crn_reserve_all(&located->memory, CRN_ARRAY(located->margin, bodies), CRN_ARRAY(located->margin_before, bodies),
                        CRN_ARRAY(located->travel, bodies)) ||
        crn_poses_open(s))
        return CAIRN_NO_MEMORY;
    if (located->collider)
        return CAIRN_OK;
    located->collider = crn_collider_create(s->settings.solver.threads);
    if (!located->collider)
        return CAIRN_NO_MEMORY;
    crn_collider_take_turns(located->collider, s->scratch);
    if (!s->settings.reduction)
        crn_collider_keep_all(located->collider);
    return CAIRN_OK;
}

void crn_located_release(cairn_simulation *s)
{
    crn_located *located = &s->located;
    crn_collider_destroy(located->collider);
    crn_arena_release(&located->memory);
    crn_scratch_release(s->scratch);
    located->collider = NULL;
    located->contacts = NULL;
    located->contact_count = 0;
    located->margin = located->margin_before = NULL;
    located->travel = NULL;
    located->reach = (crn_reach){0};
    located->is_initial = located->is_chosen = located->is_grown = false;
    s->state.located_h = 0;
    crn_poses_release(s);
}

cairn_status crn_locate(cairn_simulation *s, double h)
{
    assert(h > 0 && isfinite(h));
    if (crn_located_open(s))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "collision detection at t = %g: memory ran out", s->state.t);
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, h);
    look_ahead(s, h);
    return collide(s);
}

cairn_status crn_ensure_located(cairn_simulation *s, double h)
{
    CRN_TRY(s->state.located_h == h ? CAIRN_OK : crn_locate(s, h));
    s->located.is_initial = true;
    return CAIRN_OK;
}

/* Whether positions and velocities are those at the start of the step, to the bit. */
static bool has_stayed(const cairn_simulation *s)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    return memcmp(s->state.v, s->saved.v, nv * sizeof(double)) == 0 &&
           memcmp(s->state.q, s->saved.q, nq * sizeof(double)) == 0;
}

static bool is_same(const crn_located_for *a, const crn_located_for *b)
{
    bool friction = a->friction == b->friction || (isnan(a->friction) && isnan(b->friction));
    return a->k == b->k && a->room == b->room && friction && a->revision == b->revision;
}

cairn_status crn_locate_end(cairn_simulation *s, double h)
{
    bool asks = s->hooks.options.filter || s->hooks.options.pre_solve;
    bool stays =
        s->located.is_initial && !s->located.frame.any_driven && !asks && s->state.sides.count == 0 && has_stayed(s);
    assert(s->layout->body_block_count == 0 ||
           s->located.frame.pose[s->layout->block_body[0]].x[0] == s->state.q[s->layout->q_start[0]]);
    crn_located_for before = s->located.made_for;
    crn_frame_prescribe(&s->located.frame, s->layout, s->state.t, h); /* the step has moved the dynamic bodies */
    look_ahead(s, h);
    stays = stays && is_same(&before, &s->located.made_for);
    assert(!stays || s->located.contact_count == 0 || crn_collider_keeps(s->located.collider, s->located.contacts));
    return stays ? CAIRN_OK : collide(s);
}

/* -------------------------------------------------------------------------------------------- after the solve */

static void widen_part(void *data, int part)
{
    reaching *all = data;
    cairn_simulation *s = all->s;
    int parts = s->layout->parts, end = (int)crn_part(s->model->body_count, parts, part + 1);
    bool faster = false;
    for (int b = (int)crn_part(s->model->body_count, parts, part); b < end; ++b)
    {
        crn_motion m = motion_of(s, b, all->v, all->h, radius_of(s));
        double change[3];
        crn_sub3(m.travel, s->located.travel[b], change);
        double need = all->k * (m.turn + crn_norm3(change));
        if (!s->located.is_grown)
            s->located.margin_before[b] = s->located.margin[b];
        faster = faster || need > s->located.margin[b];
        s->located.margin[b] = need > s->located.margin[b] ? need : s->located.margin[b];
    }
    all->is_faster[part] = faster;
}

/* Extend the margins to cover velocity v as well, and keep those before. Returns false if none has grown. */
static bool widen(cairn_simulation *s, double h, const double *v)
{
    reaching all = {.s = s, .h = h, .k = crn_reach_factor(s->model, lifts(s), told_friction(s)), .v = v};
    bool faster = false;
    crn_in_parts(s->layout->parts, widen_part, &all);
    for (int part = 0; part < s->layout->parts; ++part)
        faster = faster || all.is_faster[part];
    return faster;
}

cairn_status crn_widen(cairn_simulation *s, double h, const double *v)
{
    return widen(s, h, v) ? collide(s) : CAIRN_OK;
}

/* A solution, and the contacts of its problem. */
typedef struct solved
{
    cairn_simulation *s;
    double h;
    const crn_assembly *assembly;
    const double *v;
    int at;          /* the contacts of the problem before this one have been passed */
    double allowed;  /* m: overlap that a contact may be left with which the problem lacks */
    bool has_missed; /* some contact is left with more */
} solved;

/* A contact that the problem lacks is not missed if it is left no worse than those that the problem has. */
static solved solution_of(cairn_simulation *s, double h, const crn_assembly *assembly, const double *v)
{
    return (solved){
        .s = s, .h = h, .assembly = assembly, .v = v, .allowed = s->settings.contact_tolerance + h * s->trial.left};
}

/* gap + h (u_n - mu |u_t|), without the friction term if the law has no lift. */
static double room_left(const solved *it, const crn_contact *contact)
{
    const cairn_simulation *s = it->s;
    double t[2][3], u[3] = {0};
    if (lifts(s))
        crn_contact_tangents(contact, s->model->dimension, t);
    const double *direction[3] = {contact->normal, t[0], t[1]};
    for (int i = 0; i < (lifts(s) ? s->model->dimension : 1); ++i)
    {
        crn_gradient gradient;
        crn_gradient_point(&s->located.frame, &gradient, 0, contact->body_a, contact->point_a, direction[i], 1);
        crn_gradient_point(&s->located.frame, &gradient, 1, contact->body_b, contact->point_b, direction[i], -1);
        u[i] = crn_gradient_rate(s->layout, &gradient, it->v) +
               crn_contact_drive(&s->located.frame, contact, direction[i], &gradient);
    }
    return contact->gap + it->h * (u[0] - (lifts(s) ? contact->friction * hypot(u[1], u[2]) : 0.0));
}

/* Whether the problem has a contact. Asked in ascending order of identity, which is that of the problem's rigid contacts. */
static bool is_known(solved *it, uint64_t identity)
{
    const crn_contact *contact = it->assembly->active;
    if (it->assembly->patch_item_count > 0)
        return crn_assembly_has(it->assembly, identity);
    int count = crn_contacts_of(it->assembly);
    while (it->at < count && contact[it->at].identity < identity)
        ++it->at;
    return it->at < count && contact[it->at].identity == identity;
}

/* Whether the next solve needs a contact: those that the problem has, and those that its solution violates or nearly violates. */
static bool is_needed(solved *it, const crn_contact *contact)
{
    if (is_known(it, contact->identity))
        return true;
    double room = room_left(it, contact);
    it->has_missed = it->has_missed || room < -it->allowed;
    return room < fall(it->s, it->h) + it->s->settings.contact_tolerance;
}

/* Select the contacts that the next solve needs. The list is shortened where it lies: nobody else reads it. */
static void choose(cairn_simulation *s, solved *it)
{
    assert(s->located.contact_count >= 0);
    crn_contact *needed = (crn_contact *)s->located.contacts;
    int count = 0;
    for (int i = 0; i < s->located.contact_count; ++i)
        if (is_needed(it, &s->located.contacts[i]))
            needed[count++] = s->located.contacts[i];
    s->located.contact_count = count;
    s->located.is_chosen = true;
}

/* The same from the contacts in reach before, all of which are kept, and those that have come into reach. Returns how many of these are needed, too. */
static int choose_grown(solved *it, crn_contact *more, int more_count)
{
    int added = 0;
    for (int i = 0; i < more_count; ++i)
        if (!is_known(it, more[i].identity) && is_needed(it, &more[i]))
            more[added++] = more[i];
    return added;
}

/* The same where contacts may be left out. Both lists are by identity. */
static int choose_any(solved *it, crn_contact *old, int *old_count, crn_contact *more, int more_count)
{
    int kept = 0, added = 0;
    for (int i = 0, j = 0; i < *old_count || j < more_count;)
    {
        bool first = j == more_count || (i < *old_count && old[i].identity <= more[j].identity);
        crn_contact contact = first ? old[i] : more[j];
        j += !first || (j < more_count && more[j].identity == contact.identity);
        i += first;
        if (is_needed(it, &contact))
            *(first ? &old[kept++] : &more[added++]) = contact;
    }
    *old_count = kept;
    return added;
}

static cairn_status choose_from_both(cairn_simulation *s, solved *it, const crn_contact *grown, int grown_count)
{
    if (!it->assembly->rowless) /* contacts may be left out */
        CRN_TRY(crn_ledger_vacate(s, s->located.contacts));
    crn_contact *old = (crn_contact *)s->located.contacts, *more = (crn_contact *)grown;
    int kept = s->located.contact_count, added;
    if (it->assembly->rowless)
    {
        assert(kept == crn_contacts_of(it->assembly));
        added = choose_grown(it, more, grown_count);
    }
    else
        added = choose_any(it, old, &kept, more, grown_count);
    s->located.contact_count = kept + added;
    /* other shapes than spheres and half-spaces may have sides, which a whole search remembers */
    s->located.is_grown =
        it->assembly->rowless && s->compact.all_plain && (s->located.is_grown || !s->located.is_chosen);
    s->located.is_chosen = true;
    s->located.is_initial = false;
    const crn_contact *before = s->located.contacts;
    CRN_TRY(crn_collider_insert(s->located.collider, kept, more, added, &s->located.contacts));
    if (s->stage[0].assembly.active == before) /* it will be viewed anew */
        s->stage[0].assembly.active = s->located.contacts;
    return crn_ledger_follow_start(s, before, more, added);
}

cairn_status crn_vacate_scratch(cairn_simulation *s)
{
    crn_assembly *assembly = &s->stage[0].assembly;
    bool reads = s->stage_count > 0 && assembly->rowless && assembly->active == s->scratch->memory;
    if ((reads && crn_own_contacts(assembly)) || crn_ledger_vacate(s, s->scratch->memory))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    return CAIRN_OK;
}

/* Whether two shapes may have a contact that the solution violates and that was not within reach before. Its gap exceeds the reach of
 * then, so that the bound on h |u| for the new velocities has to. Neighbours in a heap mostly become faster together: few pairs of the
 * bodies whose margins have grown pass. */
static bool may_close(const void *data, int shape_a, int shape_b)
{
    const solved *it = data;
    const cairn_simulation *s = it->s;
    int a = s->model->shapes[shape_a].body, b = s->model->shapes[shape_b].body;
    const double *radius = radius_of(s);
    crn_motion of_a = motion_of(s, a, it->v, it->h, radius), of_b = motion_of(s, b, it->v, it->h, radius);
    double before[3], after[3];
    crn_sub3(s->located.travel[a], s->located.travel[b], before);
    crn_sub3(of_a.travel, of_b.travel, after);
    double had = s->located.margin_before[a] + s->located.margin_before[b] + crn_norm3(before);
    return !(of_a.turn + of_b.turn + crn_norm3(after) <= (1 - 1e-9) * had);
}

/* Contacts of bodies whose margins have grown. `only`: those of pairs that may close alone, which tell whether any was missed. The user's
 * filter takes the place of that question; laws that lift sliding contacts are not asked it. */
static cairn_status find_grown(const solved *it, bool only, const crn_contact **contacts, int *count)
{
    cairn_simulation *s = it->s;
    crn_reach reach = s->located.reach;
    if (only && !reach.allows && !lifts(s))
    {
        reach.allows = may_close;
        reach.allow_data = it;
    }
    CRN_TRY(crn_vacate_scratch(s));
    cairn_status status = crn_collide_grown(s->located.collider, s->model, s->located.frame.pose, &reach,
                                            s->located.margin_before, contacts, count);
    return status ? crn_fail(s->context, status, "collision detection at t = %g failed", s->state.t) : CAIRN_OK;
}

static bool is_any_missed(solved it, const crn_contact *contacts, int count)
{
    for (int i = 0; i < count && !it.has_missed; ++i)
        (void)is_needed(&it, &contacts[i]);
    return it.has_missed;
}

cairn_status crn_find_missed(cairn_simulation *s, double h, const crn_assembly *assembly, const double *v, bool again,
                             bool *missed)
{
    *missed = false;
    if (crn_collider_meets_nobody(s->located.collider) || !widen(s, h, v))
        return CAIRN_OK;
    solved it = solution_of(s, h, assembly, v);
    const crn_contact *grown = NULL;
    int count = 0;
    /* mostly nothing is missed, and the contacts in reach before do */
    bool is_whole = !s->located.is_chosen || s->located.is_grown;
    bool looks = s->model->dimension == 3 && !s->hooks.options.pre_solve && is_whole && !crn_is_periodic(s->model);
    CRN_TRY(looks ? find_grown(&it, true, &grown, &count) : CAIRN_OK);
    if (looks && !is_any_missed(it, grown, count))
        return CAIRN_OK;
    if (looks && !again) /* the list is that of the solved problem, and stays so */
    {
        *missed = true;
        return CAIRN_OK;
    }
    /* sides of thin shapes, patches and hooks want to see all */
    if (looks && s->state.sides.count == 0 && assembly->patch_item_count == 0)
    {
        CRN_TRY(find_grown(&it, false, &grown, &count));
        if (choose_from_both(s, &it, grown, count))
            return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    }
    else
    {
        CRN_TRY(collide(s));
        choose(s, &it);
    }
    *missed = it.has_missed;
    return CAIRN_OK;
}
