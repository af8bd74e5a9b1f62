/* Pieces of the pages that the tool writes: one style for all of them, light or dark as the reader's system says, readable at
 * the width of a phone, and nothing that is fetched from elsewhere. */
#ifndef CLI_COMMON_HTML_H
#define CLI_COMMON_HTML_H

#include <stdio.h>

/* From the doctype to the start of the body, with the title as heading. */
void cli_html_begin(FILE *stream, const char *title);
void cli_html_end(FILE *stream);

/* Text with the characters that HTML takes for itself escaped, control characters blanked. */
void cli_html_text(FILE *stream, const char *text);

#endif
