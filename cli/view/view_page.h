/* The viewer's page: one HTML text with everything in it, built from viewer/ and embedded by cmake/viewer.cmake. What to
 * show is put in place of the text of its element "cairn-source". In a tool built without the viewer its size is 0. */
#ifndef CLI_VIEW_VIEW_PAGE_H
#define CLI_VIEW_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char cli_view_page[]; /* cli_view_page_size bytes and a terminating zero */
extern const size_t cli_view_page_size;

#endif
