/* The scene as the device sees it: spheres at the centres of their bodies, half-spaces, and classes of friction and restitution. Other shapes are
 * described in describe_shapes.c.
 *
 * What the device does not support is refused here, with a sentence that names it. Nothing is left out silently.
 */
#include "math/vec.h"
#include "model/names.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cairn_status refuse(const cairn_simulation *s, const char *what, const char *instead)
{
    return crn_device_fail(s, CAIRN_UNSUPPORTED, "%s not supported on the device yet; %s", what, instead);
}

/* ------------------------------------------------------------------------------------------------------- refusals */

/* The least tolerance that a step on the device is asked to meet, in single and in double precision. */
static const double FINEST[] = {[CAIRN_DEVICE_GPU] = 1e-6, [CAIRN_DEVICE_RANKS] = 1e-12};
static const int MOST_SWEEPS = 20000;
static const double SPARE = 0.01; /* of its thickness: the gap at which a shape is found although nothing approaches */

static cairn_status check_settings(const cairn_simulation *s)
{
    const cairn_settings *o = &s->settings;
    cairn_law_kind law = o->law.kind;
    if (o->integrator != CAIRN_INTEGRATOR_EULER && o->integrator != CAIRN_INTEGRATOR_STIFF)
        return refuse(s, "second-order schemes are", "use integrator euler or stiff");
    if (law == CAIRN_LAW_CONVEX_PYRAMID || law == CAIRN_LAW_LAGGED)
        return refuse(s, "this law is", "use law cone, convex cone, pyramid, box or frictionless");
    if (o->stabilisation == CAIRN_STABILISE_PROJECT)
        return refuse(s, "stabilisation project is", "use gap or none");
    if (o->accuracy == CAIRN_ACCURACY_EXACT && o->solver.tolerance < FINEST[o->device])
        return crn_device_fail(s, CAIRN_UNSUPPORTED,
                               "velocities and impulses are in %s precision there, so that accuracy exact needs a "
                               "solver_tolerance of at least %g; it is %g",
                               o->device == CAIRN_DEVICE_GPU ? "single" : "double", FINEST[o->device],
                               o->solver.tolerance);
    if (o->solver.kind != CAIRN_SOLVER_AUTO)
        return refuse(s, "a choice of solver is", "use solver auto");
    if (o->solver.forces != CAIRN_FORCES_AUTO && o->solver.forces != CAIRN_FORCES_ANY)
        return refuse(s, "a choice of forces is", "use forces auto or any");
    return CAIRN_OK;
}

/* m: half the least thickness of the shapes. */
static double thinnest_of(const cairn_model *model)
{
    double thinnest = INFINITY;
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        if (shape->radius > 0)
            thinnest = fmin(thinnest, shape->radius);
        else if (shape->kind == CAIRN_HULL)
            thinnest = fmin(thinnest, shape->form->hull->thickness);
        else if (shape->kind == CAIRN_BOX || shape->kind == CAIRN_ELLIPSOID || shape->kind == CAIRN_CYLINDER ||
                 shape->kind == CAIRN_CONE)
            thinnest = fmin(thinnest, fmin(shape->form->half[0], fmin(shape->form->half[1], shape->form->half[2])));
    }
    return thinnest;
}

static bool gives_at_contacts(const cairn_model *model)
{
    for (size_t i = 0; i < model->material_count; ++i)
        if (model->materials[i].stiffness > 0)
            return true;
    return false;
}

static cairn_status check_model(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    const char *cpu = "use device cpu";
    if (model->dimension != 3)
        return refuse(s, "planar scenes are", cpu);
    if (model->joint_count > 0 && model->has_references)
        return refuse(s, "targets of drives that depend on the state are", cpu);
    if (model->system_count > 0)
        return refuse(s, "users' systems are", cpu);
    if (gives_at_contacts(model) || s->state.patches.block_count > 0)
        return refuse(s, "materials that give are", cpu);
    if (model->shear != 0)
        return refuse(s, "periodic boxes that are sheared are", cpu);
    if (model->flows)
        return refuse(s, "populations that come and go are", cpu);
    double thinnest = thinnest_of(model);
    if (s->grains.count > 0)
        thinnest = fmin(thinnest, s->grains.recipe->least);
    if (model->range > SPARE * thinnest)
        return refuse(s, "cohesion over more than a hundredth of the smallest shape's thickness is", cpu);
    if (model->drifts)
        return refuse(s, "surfaces that move beyond their bodies are", cpu);
    if (s->hooks.options.filter || s->hooks.options.pre_solve || s->hooks.options.touches)
        return refuse(s, "hooks and lists of touches are", cpu);
    for (size_t i = 0; i < model->material_count; ++i)
        if (model->materials[i].patch.elements > 0)
            return refuse(s, "compliant patches are", cpu);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ shapes */

int crn_device_driven_index(crn_device *device, int body)
{
    for (int i = 0; i < device->driven_count; ++i)
        if (device->driven[i] == body)
            return i;
    device->driven[device->driven_count] = body;
    return device->driven_count++;
}

static void shape_place(const cairn_simulation *s, const crn_shape *shape, double x[3])
{
    const crn_pose pose = crn_pose_of(s, shape->body);
    crn_rotate3(pose.R, crn_frame_of(shape)->position, x);
    crn_add3(x, pose.x, x);
}

static void add_plane(cairn_simulation *s, crn_device *device, int index)
{
    const crn_shape *shape = &s->model->shapes[index];
    crn_gpu_plane *plane = &device->plane[device->planes];
    double x[3], n[3];
    shape_place(s, shape, x);
    crn_rotate3(crn_pose_of(s, shape->body).R, shape->form->normal, n);
    bool is_driven = s->model->bodies[shape->body].kind == CAIRN_DRIVEN;
    *plane = (crn_gpu_plane){.offset = crn_dot3(n, x),
                             .material = shape->material,
                             .driven = is_driven ? crn_device_driven_index(device, shape->body) : -1};
    memcpy(plane->n, n, sizeof n);
    device->wall_after[device->planes] = device->bodies;
    device->plane_shape[device->planes++] = index;
}

static void put_motion(const cairn_body_state *state, crn_gpu_body *out)
{
    double R[9];
    memcpy(out->x, state->position, sizeof out->x);
    memcpy(out->q, state->orientation, sizeof out->q);
    memcpy(out->v, state->velocity, sizeof out->v);
    crn_quaternion_to_matrix(state->orientation, R);
    crn_rotate3(R, state->angular_velocity, out->w);
}

bool crn_device_read_dynamic(const cairn_simulation *s, int body, crn_gpu_body *out)
{
    cairn_body_state state;
    bool is_read = true;
    if (crn_motions_are_here(s))
        crn_layout_read_body(s->layout, body, s->state.q, s->state.v, &state);
    else if (crn_motions_are_shelved(s))
        is_read = crn_device_read_shelved(s, body, &state);
    else
        crn_layout_initial_body(s->layout, body, &state); /* they are sent there for the first time (device_start.c) */
    if (is_read)
        put_motion(&state, out);
    out->inverse_mass = 1.0 / s->layout->mass[body];
    out->inverse_inertia = s->model->bodies[body].point ? 0.0 : 1.0 / crn_inertia_about_z(&s->layout->inertia, body);
    return is_read;
}

/* A sphere by its number; false: it cannot be read. */
static bool describe_sphere(const cairn_simulation *s, crn_device *device, int number, crn_gpu_body *out)
{
    const crn_shape *shape = &s->model->shapes[device->sphere_shape[number]];
    *out = (crn_gpu_body){.q = {1}, .radius = shape->radius, .material = shape->material, .driven = -1};
    if (s->layout->body_block[shape->body] >= 0)
        return crn_device_read_dynamic(s, shape->body, out);
    shape_place(s, shape, out->x);
    if (s->model->bodies[shape->body].kind == CAIRN_DRIVEN)
        out->driven = crn_device_driven_index(device, shape->body);
    return true;
}

/* Grains that are not made, from one on: as they begin, unless a state says how they move. */
static bool describe_grains(const cairn_simulation *s, int grain, int count, crn_gpu_body *out)
{
    crn_recipe_reader reader = crn_recipe_read(s->grains.recipe, grain);
    crn_gpu_shape shape;
    bool is_read = true;
    for (int i = 0; i < count && is_read; ++i)
    {
        cairn_body_state state;
        crn_grains_describe(&reader, 1, &out[i], s->device->is_plain ? NULL : &shape);
        if (!crn_motions_are_shelved(s))
            continue;
        is_read = crn_device_read_shelved(s, s->grains.first + grain + i, &state);
        if (is_read)
            put_motion(&state, &out[i]);
    }
    return is_read;
}

bool crn_device_describe_bodies(void *simulation, int32_t first, int32_t count, crn_gpu_body *out)
{
    const cairn_simulation *s = simulation;
    int listed = s->device->bodies - s->grains.count, own = listed - first < count ? listed - first : count;
    bool is_read = true;
    own = own < 0 ? 0 : own;
    for (int i = 0; i < own && is_read; ++i)
        is_read = describe_sphere(s, s->device, first + i, &out[i]);
    is_read = is_read && (own == count || describe_grains(s, first + own - listed, count - own, out + own));
    return is_read && crn_device_overlay_kept(s, first, count, out);
}

/* Ranks are told of spheres a part at a time. */
static void add_sphere(cairn_simulation *s, crn_device *device, int index)
{
    const crn_shape *shape = &s->model->shapes[index];
    int number = device->bodies++;
    device->sphere_shape[number] = index;
    if (s->model->bodies[shape->body].kind == CAIRN_DRIVEN)
        (void)crn_device_driven_index(device, shape->body); /* in this order */
    if (device->body)
        (void)describe_sphere(s, device, number, &device->body[number]); /* its motion is here */
}

int crn_device_body_of(const cairn_simulation *s, const crn_device *device, int number)
{
    int listed = device->bodies - s->grains.count;
    if (number >= listed)
        return s->grains.first + (number - listed);
    return device->is_plain ? s->model->shapes[device->sphere_shape[number]].body : number;
}

/* Spheres are in the order of the shapes, and a body that moves has one. */
int crn_device_number_of(const cairn_simulation *s, const crn_device *device, int body)
{
    int first = 0, end = device->bodies;
    if (s->grains.count > 0 && body >= s->grains.first)
        return end - s->grains.count + (body - s->grains.first);
    int shape = s->model->bodies[body].shape_begin;
    while (device->is_plain && first < end)
    {
        int middle = first + (end - first) / 2;
        if (device->sphere_shape[middle] < shape)
            first = middle + 1;
        else
            end = middle;
    }
    bool is_found = first < device->bodies && crn_device_body_of(s, device, first) == body;
    return !device->is_plain ? body : is_found ? first : -1;
}

static size_t count_driven(const cairn_model *model)
{
    size_t count = 0;
    for (size_t b = 0; b < model->body_count; ++b)
        count += model->bodies[b].kind == CAIRN_DRIVEN;
    return count;
}

/* Of a scene of single spheres and half-spaces. */
static cairn_status add_spheres(cairn_simulation *s, crn_device *device)
{
    size_t count = s->model->shape_count, spheres = 0;
    for (size_t i = 0; i < count; ++i)
        spheres += s->model->shapes[i].kind == CAIRN_SPHERE;
    size_t planes = count - spheres;
    if (!crn_device_is_shared(s))
        CRN_TRY(crn_reserve_all(&device->sending, CRN_ARRAY(device->body, spheres)));
    CRN_TRY(crn_reserve_all(&device->sending, CRN_ARRAY(device->plane, planes)));
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->sphere_shape, spheres),
                            CRN_ARRAY(device->plane_shape, planes), CRN_ARRAY(device->wall_after, planes),
                            CRN_ARRAY(device->driven, count_driven(s->model))));
    for (int i = 0; i < (int)count; ++i)
        if (s->model->shapes[i].kind == CAIRN_SPHERE)
            add_sphere(s, device, i);
        else
            add_plane(s, device, i);
    device->bodies += s->grains.count;
    return device->bodies > 0 ? CAIRN_OK
                              : crn_device_fail(s, CAIRN_UNSUPPORTED, "the scene has no spheres; use device cpu");
}

/* ---------------------------------------------------------------------------------------------------------- materials */

/* The class of a pair of materials; -1: there are too many. */
static int class_of(crn_device *device, double friction, double restitution, crn_gpu_surface surface)
{
    int i = 0;
    while (i < device->classes &&
           (device->class_friction[i] != friction || device->class_restitution[i] != restitution ||
            memcmp(&device->class_surface[i], &surface, sizeof surface) != 0))
        ++i;
    if (i == CRN_GPU_CLASSES)
        return -1;
    device->class_friction[i] = friction;
    device->class_restitution[i] = restitution;
    device->class_surface[i] = surface;
    device->classes = i == device->classes ? i + 1 : device->classes;
    return i;
}

static cairn_status add_materials(cairn_simulation *s, crn_device *device)
{
    int count = (int)s->model->material_count;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->pair_class, (size_t)count * (size_t)count)));
    device->classes = 0;
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b)
        {
            double friction, restitution;
            crn_materials_pair(s->model, a, b, &friction, &restitution);
            crn_gpu_surface surface = {0};
            crn_materials_rolling(s->model, a, b, &surface.rolling, &surface.spinning);
            surface.cohesion = crn_materials_cohesion(s->model, a, b, &surface.range);
            int class = class_of(device, isnan(s->state.friction) ? friction : s->state.friction, restitution, surface);
            if (class < 0)
                return crn_device_fail(s, CAIRN_UNSUPPORTED,
                                       "the materials have more than %d different pairs of friction, "
                                       "restitution and the rest; use device cpu",
                                       CRN_GPU_CLASSES);
            device->pair_class[a * count + b] = (uint8_t) class;
        }
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------------------------------- description */

static crn_gpu_law law_of(cairn_law_kind law)
{
    return law == CAIRN_LAW_CONVEX_CONE    ? CRN_GPU_CONVEX
           : law == CAIRN_LAW_FRICTIONLESS ? CRN_GPU_FRICTIONLESS
                                           : CRN_GPU_CONE;
}

static bool is_polygon(cairn_law_kind law)
{
    return law == CAIRN_LAW_PYRAMID || law == CAIRN_LAW_BOX;
}

bool crn_device_is_plain(const cairn_simulation *s)
{
    return s->model->joint_count == 0 && s->model->spring_count == 0 && s->model->ignored_count == 0 &&
           !s->model->rolls && !s->model->coheres && !is_polygon(s->settings.law.kind) && crn_device_is_round(s);
}

static void widen(const double x[3], bool is_first, crn_gpu_description *out)
{
    for (int k = 0; k < 3; ++k)
    {
        out->low[k] = is_first ? x[k] : fmin(out->low[k], x[k]);
        out->high[k] = is_first ? x[k] : fmax(out->high[k], x[k]);
    }
}

/* The box of the bodies that can move, where the scene begins: it does not depend on the state. */
static void find_box(const cairn_simulation *s, crn_gpu_description *out)
{
    bool is_first = true;
    for (int b = 0; b < (int)s->model->body_count; ++b)
        if (s->layout->body_block[b] >= 0)
        {
            widen(s->model->bodies[b].position, is_first, out);
            is_first = false;
        }
    crn_recipe_reader reader;
    for (int i = 0; i < s->grains.count; ++i)
    {
        crn_recipe_grain grain;
        if (i == 0)
            reader = crn_recipe_read(s->grains.recipe, 0);
        crn_recipe_next(&reader, &grain);
        widen(grain.x, is_first && i == 0, out);
    }
}

/* Whether the processor's solvers may take over where sweeps miss the tolerance: not if the user has limited the iterations. */
static bool can_finish(const cairn_simulation *s)
{
    return s->settings.accuracy == CAIRN_ACCURACY_EXACT && s->settings.device == CAIRN_DEVICE_GPU &&
           s->settings.solver.max_iterations == 0;
}

cairn_status crn_device_describe(cairn_simulation *s, crn_device *device, crn_gpu_description *out)
{
    CRN_TRY(check_settings(s));
    CRN_TRY(check_model(s));
    device->bodies = device->planes = device->driven_count = device->shapes = device->walls = device->hulls = 0;
    device->made_shapes = 0;
    device->is_plain = crn_device_is_plain(s);
    CRN_TRY(device->is_plain ? add_spheres(s, device) : crn_device_add_shapes(s, device));
    CRN_TRY(add_materials(s, device));
    CRN_TRY(crn_device_add_joints(s, device));
    CRN_TRY(crn_device_add_forces(s, device));
    if (device->joints > 0 && device->shapes == device->walls)
        return crn_device_fail(
            s, CAIRN_UNSUPPORTED,
            "a scene with joints or springs but without a shape that can touch is not supported on the "
            "device; use device cpu");
    const cairn_settings *o = &s->settings;
    int most = o->solver.max_iterations > 0 ? o->solver.max_iterations : MOST_SWEEPS;
    bool is_exact = o->accuracy == CAIRN_ACCURACY_EXACT, is_box = o->law.kind == CAIRN_LAW_BOX;
    int made = crn_motions_are_shelved(s) ? 0 : s->grains.count; /* ranks know how these begin, and nothing else */
    *out = (crn_gpu_description){.body_count = device->bodies,
                                 .plane_count = device->planes,
                                 .shape_count = device->shapes,
                                 .wall_count = device->walls,
                                 .triangle_count = device->triangles,
                                 .vertex_count = device->vertices,
                                 .shape = device->shape,
                                 .triangle = device->triangle,
                                 .vertex = device->vertex,
                                 .ring_begin = device->ring_begin,
                                 .ring = device->ring,
                                 .hull_count = device->hulls,
                                 .hull_corner_count = device->hull_corners,
                                 .hull_face_count = device->hull_faces,
                                 .hull = device->hull,
                                 .hull_corner = device->hull_corner,
                                 .hull_normal = device->hull_normal,
                                 .hull_face_begin = device->hull_face_begin,
                                 .hull_face_corner = device->hull_face_corner,
                                 .hull_at_begin = device->hull_at_begin,
                                 .hull_at = device->hull_at,
                                 .is_implicit = o->integrator == CAIRN_INTEGRATOR_STIFF,
                                 .material_count = (int32_t)s->model->material_count,
                                 .class_count = device->classes,
                                 .driven_count = device->driven_count,
                                 .body = device->body,
                                 .read_bodies = crn_device_describe_bodies,
                                 .keeper = s,
                                 .made = made,
                                 .made_shapes = device->made_shapes,
                                 .recipe = made > 0 ? s->grains.recipe : NULL,
                                 .recipe_size = made > 0 ? s->grains.recipe->size : 0,
                                 .make = crn_grains_of_rank,
                                 .plane = device->plane,
                                 .pair_class = device->pair_class,
                                 .friction = device->class_friction,
                                 .restitution = device->class_restitution,
                                 .surface = s->model->rolls || s->model->coheres ? device->class_surface : NULL,
                                 .law = law_of(o->law.kind),
                                 .corners = !is_polygon(o->law.kind) ? 0
                                            : is_box                 ? 4
                                                                     : o->law.directions,
                                 .corner_angle = is_box ? atan(1.0) : 0.0,
                                 .corner_reach = is_box ? sqrt(2.0) : 1.0,
                                 .joint_count = device->joints,
                                 .joint_colours = device->joint_colours,
                                 .timed_count = device->timed,
                                 .apart_count = device->aparts,
                                 .joint = device->joint,
                                 .joint_first = device->joint_first,
                                 .closes_loops = s->loops.redundant && o->stabilisation != CAIRN_STABILISE_NONE,
                                 .apart = device->apart,
                                 .force_count = device->forces,
                                 .force = device->force_at,
                                 .instruction_count = device->instructions,
                                 .variable_count = device->variables,
                                 .program_first = device->program_first,
                                 .instruction = device->instruction,
                                 .variable = device->variable,
                                 .sweeps = is_exact && most < o->sweeps ? most : o->sweeps,
                                 .tolerance = is_exact ? o->solver.tolerance : 0.0,
                                 .most_sweeps = most,
                                 .finish = can_finish(s) ? crn_device_finish_step : NULL,
                                 .finish_user = s,
                                 .certify_every = o->certify_every,
                                 .restitution_threshold = o->restitution_threshold,
                                 .push_out_speed = o->push_out_speed,
                                 .step = o->step,
                                 .push_share = -1,
                                 .push_out = o->stabilisation == CAIRN_STABILISE_GAP,
                                 .is_split = !o->reproducible,
                                 .threads = o->solver.threads,
                                 .wall_after = device->wall_after,
                                 .triangle_first = device->triangle_first,
                                 .feature_mask = crn_device_feature_mask(s)};
    memcpy(out->box, s->model->box, sizeof out->box);
    find_box(s, out);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- drives */

static void read_drive(cairn_simulation *s, const crn_device *device, int body, crn_gpu_drive *out)
{
    double drive[6];
    cairn_body_state state;
    crn_drive_of(s, body, drive);
    crn_model_pose_at(s->model, body, s->located.frame.t, &state);
    memcpy(out->x, state.position, sizeof out->x);
    memcpy(out->q, state.orientation, sizeof out->q);
    memcpy(out->v, drive, sizeof out->v);
    crn_rotate3(crn_pose_of(s, body).R, drive + 3, out->w);
    for (int k = 0; k < device->planes; ++k)
        if (s->model->shapes[device->plane_shape[k]].body == body)
            shape_place(s, &s->model->shapes[device->plane_shape[k]], out->x); /* it does not turn */
}

/* s: when step k of a batch begins. For ranks it is the time that a step of its own would begin at, so that results do not depend on batches. */
static double time_of(const cairn_simulation *s, double t, double h, int k)
{
    bool is_on_grid = s->settings.device == CAIRN_DEVICE_RANKS && h == s->state.h_base;
    return is_on_grid ? s->state.t_base + (double)(s->state.steps_since_base + k) * h : t + k * h;
}

cairn_status crn_device_drives(cairn_simulation *s, crn_device *device, double t, double h, int count)
{
    assert(count > 0);
    int driven = device->driven_count, timed = device->timed, forces = device->forces;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->drive, (size_t)driven * (size_t)count),
                            CRN_ARRAY(device->time, (size_t)timed * (size_t)count),
                            CRN_ARRAY(device->load, (size_t)forces * (size_t)count)));
    for (int k = 0; forces > 0 && k < count; ++k)
        CRN_TRY(crn_device_time_forces(s, device, time_of(s, t, h, k), false, device->load + (ptrdiff_t)k * forces));
    for (int k = 0; driven + timed > 0 && k < count; ++k)
    {
        crn_frame_prescribe(&s->located.frame, s->layout, time_of(s, t, h, k), h);
        crn_device_time_joints(s, device, device->time + (ptrdiff_t)k * timed);
        for (int i = 0; i < driven; ++i)
            read_drive(s, device, device->driven[i], &device->drive[k * driven + i]);
    }
    return CAIRN_OK;
}
