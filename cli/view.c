/* `cairn view`: a run in the browser. */
#include "cli.h"
#include "options.h"
#include "view_html.h"

typedef struct view_options
{
    const char *html;
} view_options;

static int view_run(const char *path, const view_options *options)
{
    crn_view_run view;
    int result = crn_view_run_open(&view, path);
    if (!result)
    {
        result = crn_view_write_html(&view, options->html);
        crn_view_run_close(&view);
    }
    return result;
}

int crn_cli_view(int argc, char **argv)
{
    view_options o = {0};
    const crn_option options[] = {
        {"html", 0, CRN_OPTION_TEXT, &o.html, "FILE", "write one self-contained page instead; - for standard output"},
    };
    const crn_command command = {.usage = "view RUN --html FILE",
                                 .text = "Show a run file in the browser: bodies, contacts, forces, charts.",
                                 .options = options,
                                 .option_count = sizeof options / sizeof options[0],
                                 .least = 1,
                                 .most = 1};
    int first;
    int result = crn_options_parse(&command, argc, argv, &first);
    if (result == CRN_GO_ON && !o.html)
    {
        crn_cli_error("option --html FILE is missing");
        result = CRN_EXIT_WRONG;
    }
    return result == CRN_GO_ON ? view_run(argv[first], &o) : result;
}
