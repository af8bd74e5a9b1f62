#include "cli/run/run_watch.h"
#include "cli/common/cli.h"
#include "cli/common/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_COLUMNS = 20 /* of the text summary */
};

/* Add the quantities of "a,b,force(a,b)": commas within parentheses and quotes do not separate. */
static cairn_status add_names(cairn_watch *watch, const char *text)
{
    cairn_status status = CAIRN_OK;
    while (text && !status)
    {
        int depth = 0;
        bool quoted = false;
        size_t length = 0;
        for (; text[length] && (text[length] != ',' || depth > 0 || quoted); ++length)
        {
            quoted = quoted != (text[length] == '\'');
            depth += text[length] == '(' ? 1 : text[length] == ')' ? -1 : 0;
        }
        char *name = cli_text("%.*s", (int)length, text);
        status = cairn_watch_add(watch, NULL, name, 1);
        text = text[length] ? text + length + 1 : NULL;
        free(name);
    }
    return status;
}

static void write_head(const cli_run_watch *watch)
{
    fputs("time [s]", watch->file.stream);
    for (int i = 0; i < cairn_watch_count(watch->watch); ++i)
        cli_csv_title(watch->file.stream, cairn_watch_label(watch->watch, i), cairn_watch_unit(watch->watch, i));
    fputc('\n', watch->file.stream);
}

int cli_run_watch_start(cli_run_watch *watch, cairn_context *context, const cairn_scene *scene,
                        const cairn_simulation *simulation, const cli_text_list *names, const char *path)
{
    if (names->count == 0 && cairn_scene_sensor_count(scene) == 0)
        return path
                   ? cli_wrong("option --watch-file: there is nothing to watch: --watch names quantities, 'sensors' in "
                               "the scene too")
                   : CLI_EXIT_DONE;
    cairn_status status = cairn_watch_create(context, simulation, &watch->watch);
    status = status ? status : cairn_watch_add_sensors(watch->watch, scene);
    for (int i = 0; i < names->count && !status; ++i)
        status = add_names(watch->watch, names->items[i]);
    cli_messages_print(context);
    if (status)
        return cli_exit_status(status);
    size_t count = (size_t)cairn_watch_count(watch->watch);
    watch->least = cli_allocate(count, sizeof(double));
    watch->most = cli_allocate(count, sizeof(double));
    watch->last = cli_allocate(count, sizeof(double));
    for (size_t i = 0; i < count; ++i)
        watch->least[i] = watch->most[i] = NAN;
    watch->has_file = path && cli_out_open(&watch->file, path);
    if (path && !watch->has_file)
        return CLI_EXIT_WRONG;
    if (watch->has_file)
        write_head(watch);
    return CLI_EXIT_DONE;
}

bool cli_run_watch_add(cli_run_watch *watch, const cairn_simulation *simulation)
{
    const double *values;
    int count = cairn_watch_count(watch->watch);
    if (!watch->watch)
        return true;
    if (cairn_watch_read(watch->watch, &values))
        return false;
    for (int i = 0; i < count; ++i)
    {
        watch->least[i] = fmin(watch->least[i], values[i]);
        watch->most[i] = fmax(watch->most[i], values[i]);
        watch->last[i] = values[i];
    }
    if (!watch->has_file)
        return true;
    fprintf(watch->file.stream, "%.17g", cairn_simulation_time(simulation));
    cli_csv_numbers(watch->file.stream, values, count);
    fputc('\n', watch->file.stream);
    return true;
}

bool cli_run_watch_finish(cli_run_watch *watch)
{
    bool good = !watch->has_file || cli_out_finish(&watch->file);
    watch->has_file = false;
    return good;
}

void cli_run_watch_free(cli_run_watch *watch)
{
    if (watch->has_file)
        cli_out_abandon(&watch->file);
    cairn_watch_destroy(watch->watch);
    free(watch->least);
    free(watch->most);
    free(watch->last);
}

void cli_run_watch_print(const cli_run_watch *watch)
{
    int count = cairn_watch_count(watch->watch), width = 12;
    for (int i = 0; i < count && i < MOST_COLUMNS; ++i)
    {
        int length = (int)strlen(cairn_watch_label(watch->watch, i));
        width = length > width ? length : width;
    }
    if (count > 0)
        printf("\n  %-*s %14s %14s %14s  unit\n", width, "watched", "last", "least", "most");
    for (int i = 0; i < count && i < MOST_COLUMNS; ++i)
        printf("  %-*s %14.6g %14.6g %14.6g  %s\n", width, cairn_watch_label(watch->watch, i), watch->last[i],
               watch->least[i], watch->most[i], cairn_watch_unit(watch->watch, i));
    if (count > MOST_COLUMNS)
        printf("  ... and %d more; --json prints all\n", count - MOST_COLUMNS);
}

void cli_run_watch_put(cli_json *json, const cli_run_watch *watch)
{
    if (!watch->watch)
        return;
    cli_json_open(json, "watched", '{');
    for (int i = 0; i < cairn_watch_count(watch->watch); ++i)
    {
        cli_json_open(json, cairn_watch_label(watch->watch, i), '{');
        cli_json_text(json, "unit", cairn_watch_unit(watch->watch, i));
        cli_json_number(json, "last", watch->last[i]);
        cli_json_number(json, "least", watch->least[i]);
        cli_json_number(json, "most", watch->most[i]);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}
