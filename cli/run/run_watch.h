/* `--watch`: quantities read after every step, as a CSV table, in the run file, and in the summary. */
#ifndef CLI_RUN_RUN_WATCH_H
#define CLI_RUN_RUN_WATCH_H

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/out_file.h"

#include <cairn/cairn.h>

typedef struct cli_run_watch
{
    cairn_watch *watch; /* the scene's sensors, then the quantities of --watch; NULL: none */
    cli_out_file file;
    bool has_file;
    double *least, *most, *last; /* per column */
} cli_run_watch;

/* Find the quantities and open the table: `path`, or standard output for "-"; NULL: none. The exit status, after a sentence. */
int cli_run_watch_start(cli_run_watch *watch, cairn_context *context, const cairn_scene *scene,
                        const cairn_simulation *simulation, const cli_text_list *names, const char *path);
/* Read the quantities now. False when that failed. */
bool cli_run_watch_add(cli_run_watch *watch, const cairn_simulation *simulation);
/* Close the table; false after a sentence. */
bool cli_run_watch_finish(cli_run_watch *watch);
void cli_run_watch_free(cli_run_watch *watch);

/* Lines of the text summary, and the "sensors" object of the JSON one. */
void cli_run_watch_print(const cli_run_watch *watch);
void cli_run_watch_put(cli_json *json, const cli_run_watch *watch);

#endif
