/* Parts of the HTML pages that the tool writes. They share one style: light or dark by the reader's system, readable on a
 * phone, and self-contained. */
#ifndef CLI_COMMON_HTML_H
#define CLI_COMMON_HTML_H

#include <stdio.h>

/* From the doctype to the start of the body, with the title as heading. */
void cli_html_begin(FILE *stream, const char *title);
void cli_html_end(FILE *stream);

/* Text with HTML's special characters escaped and control characters blanked. */
void cli_html_text(FILE *stream, const char *text);

#endif
