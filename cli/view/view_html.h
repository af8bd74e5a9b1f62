/* The viewer's page with the data to show. An element of the page names the source,
 *
 *     <script type="application/json" id="cairn-source">{"kind":"none"}</script>
 *
 * whose text is replaced, and after which further elements are inserted. */
#ifndef CLI_VIEW_VIEW_HTML_H
#define CLI_VIEW_VIEW_HTML_H

#include "cli/view/view_run.h"

/* False after a sentence where the tool was built without the viewer. */
bool cli_view_page_there(void);

/* The page with another source, e.g. {"kind":"served","base":"./"}, and with the data of a run in it, or NULL. */
cairn_status cli_view_page_write(FILE *stream, const char *source, cli_view_run *data);

/* One self-contained page. Exit status. */
int cli_view_write_html(cli_view_run *view, const char *path);

#endif
