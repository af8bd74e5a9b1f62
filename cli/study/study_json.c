/* A study as one JSON object. */
#include "cli/common/json.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const EVENTS[] = {"scene", "on", "off"};

static void put_paper(const cli_study *study, const cli_study_run *run, cli_json *json)
{
    if (!run->paper)
    {
        cli_json_text(json, "paper", NULL);
        return;
    }
    cli_json_open(json, "paper", '{');
    cli_json_number(json, "error", run->paper->values[0]);
    cli_json_number(json, "ratio", run->paper_ratios[0]);
    cli_json_open(json, "quantities", '{');
    for (int q = 0; q < study->quantity_count && q < 3; ++q)
        cli_json_number(json, study->quantities[q].text, run->paper->values[q]);
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}

static void put_quantities(const cli_study *study, const cli_study_run *run, cli_json *json)
{
    bool known = run->end.bodies && strcmp(run->status, "failed") != 0;
    cli_json_open(json, "quantities", '{');
    for (int q = 0; q < study->quantity_count; ++q)
    {
        const cli_study_quantity *quantity = &study->quantities[q];
        cli_json_open(json, quantity->text, '{');
        if (quantity->kind > CLI_MEASURE_ORIENTATION)
        {
            const cairn_model *model = cairn_scene_model(study->scene);
            cli_json_number(json, "value", known ? cli_study_quantity_value(quantity, model, &run->end) : NAN);
        }
        cli_json_number(json, "error", run->errors[q]);
        cli_json_number(json, "ratio", run->ratios[q]);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

/* The final positions of the dynamic bodies, so that others can compute with them. */
static void put_positions(const cli_study *study, const cli_study_run *run, cli_json *json)
{
    const cairn_model *model = cairn_scene_model(study->scene);
    cli_json_open(json, "positions", '{');
    for (int i = 0; run->end.bodies && i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        if (cairn_model_body_kind(model, body) == CAIRN_DYNAMIC)
        {
            cli_json_numbers(json, cairn_model_body_name(model, body), run->end.bodies[i].position,
                             cairn_model_dimension(model));
        }
    }
    cli_json_close(json, '}');
}

static void put_row(const cli_study *study, const cli_study_run *run, cli_json *json)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "integrator", cairn_integrator_name(run->integrator));
    cli_json_text(json, "events", EVENTS[run->events]);
    if (run->value >= 0)
        cli_json_text(json, "value", study->assignments[run->value] + strlen(study->parameter) + 1);
    cli_json_number(json, "h", run->h);
    cli_json_number(json, "error", run->errors[0]);
    cli_json_number(json, "ratio", run->ratios[0]);
    put_quantities(study, run, json);
    put_positions(study, run, json);
    cli_json_number(json, "joint_error", run->joint_error);
    cli_json_number(json, "penetration", run->penetration);
    cli_json_number(json, "residual", run->residual);
    cli_json_integer(json, "steps", run->steps);
    cli_json_integer(json, "lcps", run->lcps);
    cli_json_integer(json, "event_count", run->event_count);
    cli_json_integer(json, "iterations", run->iterations);
    cli_json_number(json, "wall_s", run->wall);
    cli_json_text(json, "status", run->status);
    if (*run->message)
        cli_json_text(json, "message", run->message);
    put_paper(study, run, json);
    cli_json_close(json, '}');
}

static void put_block(const cli_study *study, const cli_study_block *block, cli_json *json)
{
    const cli_study_run *rows = &study->runs[block->first];
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "integrator", cairn_integrator_name(block->integrator));
    cli_json_text(json, "events", EVENTS[block->events]);
    if (block->value >= 0)
        cli_json_text(json, "value", study->assignments[block->value] + strlen(study->parameter) + 1);
    for (int q = 0; q < study->quantity_count; ++q)
    {
        const cli_study_fit *fit = &block->fits[q];
        bool known = !isnan(fit->order);
        cli_json_open(json, study->quantities[q].text, '{');
        cli_json_number(json, "order", fit->order);
        cli_json_number(json, "from", known ? rows[fit->first].h : NAN);
        cli_json_number(json, "to", known ? rows[fit->last].h : NAN);
        cli_json_text(json, "fit", !known ? "none" : fit->rough ? "rough" : "clean");
        cli_json_close(json, '}');
    }
    if (!isnan(study->options->at_error))
    {
        cli_json_open(json, "cost", '{');
        cli_json_number(json, "at_error", study->options->at_error);
        cli_json_number(json, "lcps", block->cost_lcps);
        cli_json_number(json, "wall_s", block->cost_wall);
        cli_json_text(json, "by", block->cost_extrapolated ? "extrapolation" : "interpolation");
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

static void put_reference(const cli_study *study, cli_json *json)
{
    static const char *const KINDS[] = {"fine", "truth", "file"};
    char text[512];
    cli_study_reference_text(study, text, sizeof text);
    cli_json_open(json, "reference", '{');
    cli_json_text(json, "kind", KINDS[study->reference_kind]);
    cli_json_text(json, "text", text);
    cli_json_close(json, '}');
}

static void put_head(const cli_study *study, cli_json *json)
{
    cli_json_text(json, "study", study->entry ? study->entry->name : NULL);
    cli_json_text(json, "scene", study->scene_name);
    cli_json_text(json, "title", cairn_scene_title(study->scene));
    cli_json_number(json, "until", study->until);
    put_reference(study, json);
    if (study->parameter)
        cli_json_text(json, "parameter", study->parameter);
    cli_json_text(json, "quantity", study->quantities[0].text);
}

void cli_study_print_json(const cli_study *study)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    put_head(study, &json);
    cli_json_open(&json, "rows", '[');
    for (int i = 0; i < study->row_count; ++i)
        put_row(study, &study->runs[i], &json);
    cli_json_close(&json, ']');
    cli_json_number(&json, "order", study->blocks[0].fits[0].order);
    cli_json_open(&json, "orders", '[');
    for (int i = 0; i < study->block_count; ++i)
        put_block(study, &study->blocks[i], &json);
    cli_json_close(&json, ']');
    cli_json_integer(&json, "jobs", study->jobs);
    cli_json_number(&json, "wall_s", study->wall);
    if (study->options->output)
        cli_json_text(&json, "output", study->options->output);
    cli_json_close(&json, '}');
}
