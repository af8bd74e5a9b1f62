#include "support/scene_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const SCENE_VERDICT_NAMES[SCENE_VERDICTS] = {
    "fine",    "energy from nowhere", "momentum changed", "passed a wall", "not a number",
    "endless", "certificate",         "missed",           "failed",        "refused",
};

enum
{
    MOST_PROBLEMS = 2000, /* in a step of a handful of bodies */
};

typedef struct watched
{
    cairn_body_state bodies[SCENE_BODIES];
    double kinetic, potential, elastic;
    double momentum[3];
    double speed; /* m/s, largest of any surface point */
    double rate;  /* rad/s, largest rate at which anything turns or swings */
} watched;

typedef struct watch
{
    const random_scene *scene;
    cairn_simulation *simulation;
    watched before, now;
    double penetration; /* m, reported at the end of the step before */
    double joint_error;
    double projection; /* J, booked so far */
    double drift;      /* m: what unstabilised steps may have lost */
    double fastest;    /* m/s so far */
} watch;

/* --------------------------------------------------------------------------------------------- what a state holds */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double extent(const scene_body *b)
{
    double most = 0;
    for (int i = 0; i < b->cloud.count; ++i)
        most = fmax(most, sqrt(dot(b->cloud.points[i], b->cloud.points[i])));
    return most + b->cloud.radius;
}

static double spring_energy(const random_scene *s, const scene_spring *e, const cairn_body_state *bodies)
{
    double ends[2][3];
    for (int i = 0; i < 2; ++i)
    {
        int body = i ? e->b : e->a;
        const double *point = i ? e->point_b : e->point_a;
        memcpy(ends[i], point, sizeof ends[i]);
        if (body >= 0)
        {
            scene_rotate(s, bodies[body].orientation, bodies[body].angle, point, ends[i]);
            for (int k = 0; k < 3; ++k)
                ends[i][k] += bodies[body].position[k];
        }
    }
    double d[3] = {ends[1][0] - ends[0][0], ends[1][1] - ends[0][1], ends[1][2] - ends[0][2]};
    double stretch = sqrt(dot(d, d)) - e->rest;
    return 0.5 * e->stiffness * stretch * stretch;
}

static void watch_body(const random_scene *s, const scene_body *b, const cairn_body_state *state, watched *w)
{
    const double *spin = state->angular_velocity;
    double turning = sqrt(dot(spin, spin)), speed = sqrt(dot(state->velocity, state->velocity));
    w->kinetic += 0.5 * b->mass * speed * speed;
    w->potential -= b->mass * dot(s->gravity, state->position);
    for (int k = 0; k < 3; ++k)
    {
        w->kinetic += b->is_point ? 0 : 0.5 * b->inertia[k] * spin[k] * spin[k];
        w->momentum[k] += b->mass * state->velocity[k];
    }
    w->speed = fmax(w->speed, speed + turning * extent(b));
    /* what is not a point rolls and tips under gravity at sqrt(g / size) */
    w->rate = fmax(w->rate, turning + (b->is_point ? 0 : sqrt(-s->gravity[scene_up(s)] / 0.3)));
    /* joints are 0.4 m apart or more */
    w->rate = s->has_joints ? fmax(w->rate, speed / 0.4 + sqrt(9.81 / 0.4)) : w->rate;
}

static void look(watch *w)
{
    const random_scene *s = w->scene;
    const cairn_model *model = cairn_simulation_model(w->simulation);
    w->now = (watched){0};
    for (int i = 0; i < s->body_count; ++i)
    {
        w->now.bodies[i] = cairn_simulation_body(w->simulation, cairn_model_find_body(model, s->bodies[i].name));
        watch_body(s, &s->bodies[i], &w->now.bodies[i], &w->now);
    }
    for (int i = 0; i < s->spring_count; ++i)
    {
        const scene_spring *e = &s->springs[i];
        w->now.elastic += spring_energy(s, e, w->now.bodies);
        double mass = fmin(e->a < 0 ? INFINITY : s->bodies[e->a].mass, e->b < 0 ? INFINITY : s->bodies[e->b].mass);
        w->now.rate += sqrt(2 * e->stiffness / mass);
    }
    w->fastest = fmax(w->fastest, w->now.speed);
}

/* ------------------------------------------------------------------------------------- what explains more energy */

static double total_mass(const random_scene *s)
{
    double sum = 0;
    for (int i = 0; i < s->body_count; ++i)
        sum += s->bodies[i].mass;
    return sum;
}

static double drive_speed(const scene_drive *d, double t)
{
    return d->amplitude * d->frequency * cos(d->frequency * t) + (t > d->start ? d->speed : 0);
}

static double drive_way(const scene_drive *d, double t)
{
    return d->amplitude * sin(d->frequency * t) + d->speed * fmax(0, t - d->start);
}

/* The driven plate is all that touches the bodies, and moves along its normal: its impulse P is what their momentum gained
 * beyond gravity, and its work is at most P times its largest speed in the step. */
static double driven_work(const watch *w, double t, double h)
{
    const random_scene *s = w->scene;
    if (!s->drive.is_driven)
        return 0;
    const double *n = s->walls[0].normal;
    double impulse = dot(w->now.momentum, n) - dot(w->before.momentum, n) - total_mass(s) * dot(s->gravity, n) * h;
    double fastest = -INFINITY, slowest = INFINITY;
    for (int i = 0; i <= 64; ++i)
    {
        double v = drive_speed(&s->drive, t + h * (i + 1e-9) / 64);
        fastest = fmax(fastest, v);
        slowest = fmin(slowest, v);
    }
    double between = s->drive.amplitude * pow(s->drive.frequency, 3) * pow(h / 64, 2);
    return fmax(impulse * fastest, impulse * slowest) + fabs(impulse) * between;
}

/* Opening an overlap within a step moves bodies at no more than its depth by h, and lifts them by it; joints likewise. Scheme II
 * puts twice the speed on at once, as the law holds for the mean of both ends. */
static double push_out(const watch *w, double h)
{
    const random_scene *s = w->scene;
    double depth = s->stabilised ? w->penetration : 0;
    double drift =
        s->has_joints && s->stabilised ? w->joint_error + cairn_simulation_report(w->simulation)->joint_error : 0;
    double sum = total_mass(s) * (2 * pow(depth / h, 2) + 9.81 * (depth + drift));
    for (int i = 0; s->has_joints && i < cairn_model_joint_count(cairn_simulation_model(w->simulation)); ++i)
    {
        double impulse[6], most = 0;
        int rows = cairn_simulation_joint_impulse(w->simulation,
                                                  cairn_model_joint(cairn_simulation_model(w->simulation), i), impulse);
        for (int k = 0; k < rows; ++k)
            most = fmax(most, fabs(impulse[k]));
        sum += 2 * most * w->joint_error / h;
    }
    double booked = cairn_simulation_report(w->simulation)->energy.projection - w->projection;
    return sum + fmin(fmax(0, booked), total_mass(s) * 9.81 * h * w->fastest);
}

/* The local error of a scheme of order p in what turns, swings or is held on a circle: (h rate)^(p + 1) of the energy at
 * hand. trapezoid is of order 1 where constraints are not linear, and so is every scheme that takes no note of events. */
static double smooth_error(const watch *w, double h)
{
    const cairn_settings *settings = cairn_simulation_settings(w->simulation);
    double x = h * fmax(w->now.rate, w->before.rate), weight = total_mass(w->scene) * 9.81;
    double scale = fmax(w->now.kinetic + w->now.elastic, w->before.kinetic + w->before.elastic);
    bool second = settings->integrator >= CAIRN_INTEGRATOR_TRAPEZOID2 && settings->events;
    return (second ? 1 : 2) * pow(x, second ? 3 : 2) * (scale + weight * h * fmax(w->now.speed, w->before.speed));
}

/* Restitution where several points touch or friction acts on an arm can add energy by its very laws, Newton's and Poisson's:
 * never more than a share of what there was to give back. Impacts of second-order schemes are limited to what makes none. */
static double restitution(const watch *w)
{
    bool limited = w->scene->order == 2 && cairn_simulation_settings(w->simulation)->events;
    return w->scene->may_gain && !limited ? 0.25 * w->scene->restitution * w->before.kinetic : 0;
}

/* Schemes that do not look for the time of an impact turn a body round up to a step too early or too late: what gravity and
 * springs do in that time is booked on the wrong side. */
static double misdated(const watch *w, double h)
{
    const random_scene *s = w->scene;
    double force = -total_mass(s) * s->gravity[scene_up(s)];
    for (int i = 0; i < s->spring_count; ++i)
        force += sqrt(2 * s->springs[i].stiffness * fmax(w->before.elastic, w->now.elastic));
    bool dates = s->order == 2 && cairn_simulation_settings(w->simulation)->events;
    return dates || s->restitution == 0 ? 0 : force * h * fmax(w->before.speed, w->now.speed);
}

static double rounding(const watch *w)
{
    double weight = total_mass(w->scene) * 9.81,
           tolerance = cairn_simulation_settings(w->simulation)->contact_tolerance;
    /* between two events the trapezoidal schemes follow a curve, whose velocity is not quite what the forces make */
    const cairn_settings *settings = cairn_simulation_settings(w->simulation);
    bool curve = settings->integrator != CAIRN_INTEGRATOR_STIFF2 && w->scene->order == 2;
    double interpolated = curve && cairn_simulation_event_count(w->simulation) > 0 ? 1e-4 * w->before.kinetic : 0;
    return interpolated + 1e-8 * (w->before.kinetic + w->now.kinetic + w->now.elastic + 0.1 * weight) +
           2 * weight * tolerance;
}

/* ------------------------------------------------------------------------------------------------------- verdicts */

static bool is_number(const watched *w)
{
    return isfinite(w->kinetic + w->potential + w->elastic);
}

/* m: how far any body is behind any wall. */
static double behind_walls(const watch *w, double t)
{
    const random_scene *s = w->scene;
    double deepest = 0;
    for (int i = 0; i < s->wall_count; ++i)
    {
        const scene_wall *wall = &s->walls[i];
        double back[3] = {-wall->normal[0], -wall->normal[1], -wall->normal[2]};
        double way = s->drive.is_driven ? drive_way(&s->drive, t) : 0;
        for (int k = 0; k < s->body_count; ++k)
        {
            scene_body b = s->bodies[k];
            memcpy(b.orientation, w->now.bodies[k].orientation, sizeof b.orientation);
            b.angle = w->now.bodies[k].angle;
            double gap = dot(w->now.bodies[k].position, wall->normal) - dot(wall->point, wall->normal) - way -
                         scene_reach(s, &b, back);
            deepest = fmax(deepest, -gap);
        }
    }
    return deepest;
}

/* m: how far any body that is all over the table is below its top. */
static double below_table(const watch *w)
{
    const random_scene *s = w->scene;
    int up = scene_up(s);
    double ahead[3] = {1, 0, 0}, down[3] = {0, 0, 0}, deepest = 0;
    down[up] = -1;
    for (int k = 0; k < s->body_count && !isnan(s->table_end); ++k)
    {
        scene_body b = s->bodies[k];
        memcpy(b.orientation, w->now.bodies[k].orientation, sizeof b.orientation);
        b.angle = w->now.bodies[k].angle;
        const double *x = w->now.bodies[k].position;
        bool over = x[0] + scene_reach(s, &b, ahead) < s->table_end - 0.01;
        deepest = over ? fmax(deepest, scene_reach(s, &b, down) - x[up]) : deepest;
    }
    return deepest;
}

static bool is_free(const random_scene *s)
{
    bool weightless = s->gravity[scene_up(s)] == 0;
    return weightless && s->wall_count == 0 && !s->has_joints && strcmp(s->kind, "cradle") == 0;
}

static scene_judgement judge_step(watch *w, double t, double h)
{
    const random_scene *s = w->scene;
    const cairn_step_report *report = cairn_simulation_report(w->simulation);
    scene_judgement out = {.time = t + h};
    look(w);
    double gained = w->now.kinetic + w->now.potential + w->now.elastic - w->before.kinetic - w->before.potential -
                    w->before.elastic;
    double allowed =
        driven_work(w, t, h) + push_out(w, h) + smooth_error(w, h) + misdated(w, h) + restitution(w) + rounding(w);
    double change[3] = {w->now.momentum[0] - w->before.momentum[0], w->now.momentum[1] - w->before.momentum[1],
                        w->now.momentum[2] - w->before.momentum[2]};
    double depth = fmax(behind_walls(w, t + h), below_table(w));
    w->drift += s->stabilised ? 0 : h * h * (9.81 + pow(w->now.rate, 2) * 0.5) + 0.05 * h * w->now.speed;
    if (!is_number(&w->now))
    {
        out.verdict = SCENE_NAN;
    }
    else if (report->solver.outcome != CAIRN_SOLVED || !report->projection_met)
    {
        out.verdict = SCENE_MISSED;
    }
    else if (gained > allowed)
    {
        out.verdict = SCENE_ENERGY;
        out.amount = gained - allowed;
        out.scale = w->before.kinetic + w->before.elastic;
    }
    else if (report->physics.forbidden > 0)
    {
        cairn_violation worst = cairn_simulation_violation(w->simulation, 0);
        out.verdict = SCENE_CERTIFICATE;
        out.amount = worst.size;
        out.scale = worst.allowance;
        out.kind = cairn_violation_name(worst.kind);
    }
    else if (report->problems > MOST_PROBLEMS + 50 * report->parts)
    {
        out.verdict = SCENE_ENDLESS;
        out.amount = report->problems;
        out.scale = report->parts;
    }
    else if (is_free(s) && sqrt(dot(change, change)) > 1e-8 * total_mass(s) * w->fastest)
    {
        out.verdict = SCENE_MOMENTUM;
        out.amount = sqrt(dot(change, change));
        out.scale = total_mass(s) * w->fastest;
    }
    else if (depth > 1e-6 + h * w->fastest + w->drift)
    {
        out.verdict = SCENE_PASSED;
        out.amount = depth;
        out.scale = h * w->fastest;
    }
    out.events = cairn_simulation_event_count(w->simulation);
    for (int i = 0; i < out.events; ++i)
        out.storm |= cairn_simulation_event(w->simulation, i).kind == CAIRN_EVENT_STORM;
    w->penetration = report->penetration;
    w->joint_error = report->joint_error;
    w->projection = report->energy.projection;
    return out;
}

static void print_step(const watch *w, double t, const scene_judgement *j)
{
    const watched *a = &w->before, *b = &w->now;
    printf("t %.6f  energy %+.9g (change %+.3e, allowed %.3e)  kinetic %.6g  penetration %.2e  events %d%s  %s\n", t,
           b->kinetic + b->potential + b->elastic,
           b->kinetic + b->potential + b->elastic - a->kinetic - a->potential - a->elastic,
           smooth_error(w, w->scene->h) + rounding(w), b->kinetic, w->penetration, j->events, j->storm ? " storm" : "",
           SCENE_VERDICT_NAMES[j->verdict]);
    for (int i = 0; i < j->events; ++i)
    {
        cairn_event e = cairn_simulation_event(w->simulation, i);
        printf("    %s at %.9f speed %.6g impulse %.6g%s\n", cairn_event_name(e.kind), e.time, e.speed, e.impulse,
               e.energy_grew ? " energy grew" : "");
    }
    for (int i = 0; i < w->scene->body_count; ++i)
    {
        const cairn_body_state *s = &b->bodies[i];
        printf("    %s x (%.9g %.9g %.9g) v (%.9g %.9g %.9g) w (%.6g %.6g %.6g)\n", w->scene->bodies[i].name,
               s->position[0], s->position[1], s->position[2], s->velocity[0], s->velocity[1], s->velocity[2],
               s->angular_velocity[0], s->angular_velocity[1], s->angular_velocity[2]);
    }
}

static scene_judgement judge_run(watch *w, cairn_context *context, bool trace)
{
    const random_scene *s = w->scene;
    scene_judgement out = {0};
    look(w);
    for (int i = 0; i < s->steps && out.verdict == SCENE_FINE; ++i)
    {
        double t = cairn_simulation_time(w->simulation);
        w->before = w->now;
        if (cairn_simulation_step(w->simulation) != CAIRN_OK)
        {
            out = (scene_judgement){.verdict = SCENE_FAILED, .time = t};
            snprintf(out.message, sizeof out.message, "%s", cairn_context_last_message(context));
            break;
        }
        out = judge_step(w, t, s->h);
        if (trace)
            print_step(w, t + s->h, &out);
    }
    return out;
}

scene_judgement scene_judge(const random_scene *scene, bool trace)
{
    scene_judgement out = {.verdict = SCENE_REFUSED};
    cairn_context *context = cairn_context_create();
    cairn_scene *loaded = NULL;
    watch w = {.scene = scene};
    cairn_status status = cairn_scene_parse(context, scene->kind, scene->text, scene->length, NULL, 0, &loaded);
    if (status == CAIRN_OK)
    {
        cairn_settings settings = cairn_scene_settings(loaded);
        status = cairn_simulation_create(context, cairn_scene_model(loaded), &settings, &w.simulation);
    }
    if (status == CAIRN_OK)
        out = judge_run(&w, context, trace);
    else
        snprintf(out.message, sizeof out.message, "%s", cairn_context_last_message(context));
    cairn_simulation_destroy(w.simulation);
    cairn_scene_destroy(loaded);
    cairn_context_destroy(context);
    return out;
}
