/* The viewer's page: one HTML text with everything in it, built from viewer/ and embedded by cmake/viewer.cmake. What to
 * show is put in place of the text of its element "cairn-source". In a tool built without the viewer its size is 0. */
#ifndef CAIRN_CLI_VIEW_PAGE_H
#define CAIRN_CLI_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char crn_view_page[]; /* crn_view_page_size bytes and a terminating zero */
extern const size_t crn_view_page_size;

#endif
