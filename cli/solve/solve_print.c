/* How `cairn solve` shows its results. */
#include "cli/solve/solve.h"

#include <stdio.h>

const char *cli_solve_outcome(const cli_solve_try *t)
{
    static const char *const NAMES[] = {
        [CAIRN_SOLVED] = "solved", [CAIRN_MISSED] = "missed", [CAIRN_FAILED] = "failed"};
    if (t->status == CAIRN_UNSUPPORTED || t->status == CAIRN_INVALID)
        return "cannot";
    return t->status ? "error" : NAMES[t->report.outcome];
}

/* Items of the problem that are no contacts. */
static int count_bounded(const cairn_problem *problem)
{
    int count = 0;
    for (int j = 0; problem->bound && j < problem->contact_count; ++j)
        count += problem->bound[j].is_row;
    return count;
}

static void print_head(const cli_solve_case *c)
{
    const cairn_problem *p = c->problem;
    int bounded = count_bounded(p);
    printf("%s: %d contacts in %s, %d unknowns, %d joint rows, ", c->file, p->contact_count - bounded,
           p->dim == 2 ? "the plane" : "space", p->n, p->joint_rows);
    if (bounded > 0)
        printf("%d bounded rows, ", bounded);
    printf("law %s\n", c->law);
}

static void print_certificate(const cairn_certificate *s)
{
    printf("  certificate            %.3g relative\n", s->relative);
    printf("    natural map          %.3g m/s", s->natural_map);
    printf(s->worst_contact >= 0 ? ", contact %d\n" : "\n", s->worst_contact);
    printf("    impulse outside      %.3g N s\n", s->impulse_outside);
    printf("    penetration speed    %.3g m/s\n", s->penetration_speed);
    printf("    complementarity      %.3g J\n", s->complementarity);
    printf("    joint                %.3g m/s\n", s->joint);
    printf("    dynamics             %.3g m/s\n", s->dynamics);
    printf("    scale                %.3g m/s\n", s->scale);
}

/* What the cause of a failure shows at: "joint row", "contact", or "item" for a contact or a bounded row. */
static const char *culprit_kind(const cairn_solver_report *report)
{
    return report->cause == CAIRN_CAUSE_JOINTS ? "joint row" : report->cause == CAIRN_CAUSE_BOUNDS ? "item" : "contact";
}

static void print_cause(const cairn_solver_report *report)
{
    if (report->outcome == CAIRN_FAILED)
    {
        printf("  cause                  %s", cairn_cause_text(report->cause));
        printf(report->culprit >= 0 ? "; see %s %d\n" : "\n", culprit_kind(report), report->culprit);
    }
}

static void print_one(const cli_solve_case *c, const cli_solve_try *t)
{
    printf("  solver                 %s", t->solver);
    if (t->status)
    {
        printf("\n  outcome                %s: %s\n", cli_solve_outcome(t), t->reason);
        return;
    }
    printf(", method %s\n", t->report.method ? t->report.method : "none");
    printf("  outcome                %s, tolerance %g%s\n", cli_solve_outcome(t), c->tolerance,
           t->report.out_of_time ? ", time limit reached" : "");
    print_cause(&t->report);
    printf("  iterations             %d, %d fallbacks\n", t->report.iterations, t->report.fallbacks);
    printf("  islands                %d, the largest of %d contacts\n", t->report.islands, t->report.largest_island);
    printf("  time                   %.4g s\n", t->seconds);
    print_certificate(&t->certificate);
    printf("  Siconos' error         %.3g\n", t->siconos);
}

static void print_row(const cli_solve_try *t)
{
    const cairn_certificate *s = &t->certificate;
    printf("  %-16s %-8s", t->solver, cli_solve_outcome(t));
    if (t->status)
    {
        printf(" %s\n", t->reason);
        return;
    }
    bool failed = t->report.outcome == CAIRN_FAILED;
    printf(" %10d %10.4g %9.2e %9.2e %9.2e %9.2e %9.2e %9.2e %9.2e %9.2e  %s\n", t->report.iterations, t->seconds,
           s->relative, s->natural_map, s->impulse_outside, s->penetration_speed, s->complementarity, s->joint,
           s->dynamics, t->siconos, failed ? cairn_cause_text(t->report.cause) : t->report.method);
}

static void print_table(const cli_solve_case *c)
{
    printf("  %-16s %-8s %10s %10s %9s %9s %9s %9s %9s %9s %9s %9s  %s\n", "solver", "outcome", "iterations", "time",
           "relative", "natural", "outside", "approach", "u_n r_n", "joint", "dynamics", "Siconos", "method or cause");
    printf("  %-16s %-8s %10s %10s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "", "", "[s]", "", "[m/s]", "[N s]", "[m/s]",
           "[J]", "[m/s]", "[m/s]", "error");
    for (int i = 0; i < c->count; ++i)
        print_row(&c->tries[i]);
}

void cli_solve_print_text(const cli_solve_case *c)
{
    print_head(c);
    if (c->count == 1)
        print_one(c, &c->tries[0]);
    else
        print_table(c);
}

static void put_certificate(cli_json *json, const cairn_certificate *s)
{
    cli_json_open(json, "certificate", '{');
    cli_json_number(json, "relative", s->relative);
    cli_json_number(json, "natural_map", s->natural_map);
    cli_json_number(json, "impulse_outside", s->impulse_outside);
    cli_json_number(json, "penetration_speed", s->penetration_speed);
    cli_json_number(json, "complementarity", s->complementarity);
    cli_json_number(json, "joint", s->joint);
    cli_json_number(json, "dynamics", s->dynamics);
    cli_json_number(json, "scale", s->scale);
    cli_json_integer(json, "worst_contact", s->worst_contact);
    cli_json_close(json, '}');
}

static void put_try(cli_json *json, const cli_solve_try *t)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "solver", t->solver);
    cli_json_text(json, "outcome", cli_solve_outcome(t));
    if (t->status)
    {
        cli_json_text(json, "reason", t->reason);
    }
    else
    {
        cli_json_text(json, "method", t->report.method ? t->report.method : "none");
        if (t->report.outcome == CAIRN_FAILED)
        {
            cli_json_text(json, "cause", cairn_cause_text(t->report.cause));
            cli_json_integer(json, culprit_kind(&t->report)[0] == 'j' ? "joint_row" : "contact", t->report.culprit);
        }
        cli_json_bool(json, "out_of_time", t->report.out_of_time);
        cli_json_integer(json, "iterations", t->report.iterations);
        cli_json_integer(json, "fallbacks", t->report.fallbacks);
        cli_json_open(json, "islands", '{');
        cli_json_integer(json, "count", t->report.islands);
        cli_json_integer(json, "largest", t->report.largest_island);
        cli_json_close(json, '}');
        cli_json_number(json, "time_s", t->seconds);
        put_certificate(json, &t->certificate);
        cli_json_number(json, "siconos_error", t->siconos);
    }
    cli_json_close(json, '}');
}

void cli_solve_put_json(cli_json *json, const cli_solve_case *c)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "file", c->file);
    int bounded = count_bounded(c->problem);
    cli_json_integer(json, "contacts", c->problem->contact_count - bounded);
    cli_json_integer(json, "bounded_rows", bounded);
    cli_json_integer(json, "dim", c->problem->dim);
    cli_json_integer(json, "unknowns", c->problem->n);
    cli_json_integer(json, "joint_rows", c->problem->joint_rows);
    cli_json_text(json, "law", c->law);
    cli_json_number(json, "tolerance", c->tolerance);
    cli_json_open(json, "results", '[');
    for (int i = 0; i < c->count; ++i)
        put_try(json, &c->tries[i]);
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}
