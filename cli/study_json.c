/* A study as one JSON object. */
#include "json.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const EVENTS[] = {"scene", "on", "off"};

static void put_paper(const crn_study *study, const crn_study_run *run, crn_json *json)
{
    if (!run->paper)
    {
        crn_json_null(json, "paper");
        return;
    }
    crn_json_open(json, "paper", '{');
    crn_json_number(json, "error", run->paper->values[0]);
    crn_json_number(json, "ratio", run->paper_ratios[0]);
    crn_json_open(json, "quantities", '{');
    for (int q = 0; q < study->quantity_count && q < 3; ++q)
    {
        crn_json_number(json, study->quantities[q].text, run->paper->values[q]);
    }
    crn_json_close(json, '}');
    crn_json_close(json, '}');
}

static void put_quantities(const crn_study *study, const crn_study_run *run, crn_json *json)
{
    bool known = run->end.bodies && strcmp(run->status, "failed") != 0;
    crn_json_open(json, "quantities", '{');
    for (int q = 0; q < study->quantity_count; ++q)
    {
        const crn_study_quantity *quantity = &study->quantities[q];
        crn_json_open(json, quantity->text, '{');
        if (quantity->kind > CRN_MEASURE_ORIENTATION)
        {
            const cairn_model *model = cairn_scene_model(study->scene);
            crn_json_number(json, "value", known ? crn_study_quantity_value(quantity, model, &run->end) : NAN);
        }
        crn_json_number(json, "error", run->errors[q]);
        crn_json_number(json, "ratio", run->ratios[q]);
        crn_json_close(json, '}');
    }
    crn_json_close(json, '}');
}

/* The final positions of the dynamic bodies, so that others can compute with them. */
static void put_positions(const crn_study *study, const crn_study_run *run, crn_json *json)
{
    const cairn_model *model = cairn_scene_model(study->scene);
    crn_json_open(json, "positions", '{');
    for (int i = 0; run->end.bodies && i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        if (cairn_model_body_kind(model, body) == CAIRN_DYNAMIC)
        {
            crn_json_numbers(json, cairn_model_body_name(model, body), run->end.bodies[i].position,
                             cairn_model_dimension(model));
        }
    }
    crn_json_close(json, '}');
}

static void put_row(const crn_study *study, const crn_study_run *run, crn_json *json)
{
    crn_json_open(json, NULL, '{');
    crn_json_text(json, "integrator", cairn_integrator_name(run->integrator));
    crn_json_text(json, "events", EVENTS[run->events]);
    if (run->value >= 0)
    {
        crn_json_text(json, "value", study->assignments[run->value] + strlen(study->parameter) + 1);
    }
    crn_json_number(json, "h", run->h);
    crn_json_number(json, "error", run->errors[0]);
    crn_json_number(json, "ratio", run->ratios[0]);
    put_quantities(study, run, json);
    put_positions(study, run, json);
    crn_json_number(json, "joint_error", run->joint_error);
    crn_json_number(json, "penetration", run->penetration);
    crn_json_number(json, "residual", run->residual);
    crn_json_integer(json, "steps", run->steps);
    crn_json_integer(json, "lcps", run->lcps);
    crn_json_integer(json, "event_count", run->event_count);
    crn_json_integer(json, "iterations", run->iterations);
    crn_json_number(json, "wall_s", run->wall);
    crn_json_text(json, "status", run->status);
    if (*run->message)
    {
        crn_json_text(json, "message", run->message);
    }
    put_paper(study, run, json);
    crn_json_close(json, '}');
}

static void put_block(const crn_study *study, const crn_study_block *block, crn_json *json)
{
    const crn_study_run *rows = &study->runs[block->first];
    crn_json_open(json, NULL, '{');
    crn_json_text(json, "integrator", cairn_integrator_name(block->integrator));
    crn_json_text(json, "events", EVENTS[block->events]);
    if (block->value >= 0)
    {
        crn_json_text(json, "value", study->assignments[block->value] + strlen(study->parameter) + 1);
    }
    for (int q = 0; q < study->quantity_count; ++q)
    {
        const crn_study_fit *fit = &block->fits[q];
        bool known = !isnan(fit->order);
        crn_json_open(json, study->quantities[q].text, '{');
        crn_json_number(json, "order", fit->order);
        crn_json_number(json, "from", known ? rows[fit->first].h : NAN);
        crn_json_number(json, "to", known ? rows[fit->last].h : NAN);
        crn_json_text(json, "fit", !known ? "none" : fit->rough ? "rough" : "clean");
        crn_json_close(json, '}');
    }
    if (!isnan(study->options->at_error))
    {
        crn_json_open(json, "cost", '{');
        crn_json_number(json, "at_error", study->options->at_error);
        crn_json_number(json, "lcps", block->cost_lcps);
        crn_json_number(json, "wall_s", block->cost_wall);
        crn_json_text(json, "by", block->cost_extrapolated ? "extrapolation" : "interpolation");
        crn_json_close(json, '}');
    }
    crn_json_close(json, '}');
}

static void put_reference(const crn_study *study, crn_json *json)
{
    static const char *const KINDS[] = {"fine", "truth", "file"};
    char text[512];
    crn_study_reference_text(study, text, sizeof text);
    crn_json_open(json, "reference", '{');
    crn_json_text(json, "kind", KINDS[study->reference_kind]);
    crn_json_text(json, "text", text);
    crn_json_close(json, '}');
}

static void put_head(const crn_study *study, crn_json *json)
{
    if (study->entry)
    {
        crn_json_text(json, "study", study->entry->name);
    }
    else
    {
        crn_json_null(json, "study");
    }
    crn_json_text(json, "scene", study->scene_name);
    crn_json_text(json, "title", cairn_scene_title(study->scene));
    crn_json_number(json, "until", study->until);
    put_reference(study, json);
    if (study->parameter)
    {
        crn_json_text(json, "parameter", study->parameter);
    }
    crn_json_text(json, "quantity", study->quantities[0].text);
}

void crn_study_print_json(const crn_study *study)
{
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    put_head(study, &json);
    crn_json_open(&json, "rows", '[');
    for (int i = 0; i < study->row_count; ++i)
    {
        put_row(study, &study->runs[i], &json);
    }
    crn_json_close(&json, ']');
    crn_json_number(&json, "order", study->blocks[0].fits[0].order);
    crn_json_open(&json, "orders", '[');
    for (int i = 0; i < study->block_count; ++i)
    {
        put_block(study, &study->blocks[i], &json);
    }
    crn_json_close(&json, ']');
    crn_json_integer(&json, "jobs", study->jobs);
    crn_json_number(&json, "wall_s", study->wall);
    if (study->options->output)
    {
        crn_json_text(&json, "output", study->options->output);
    }
    crn_json_close(&json, '}');
    putchar('\n');
}
