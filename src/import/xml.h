/* XML files as trees whose elements know their place, for the importers.
 *
 * Every element and attribute is marked when an importer reads it. What is not marked in the end had no counterpart, and is listed:
 * nothing can be dropped in silence, whatever a file contains.
 *
 * Expat does the parsing. Files of strangers are bounded: in size, depth and number of elements, and entity declarations, with which
 * a few lines expand to gigabytes, are refused.
 */
#ifndef CRN_IMPORT_XML_H
#define CRN_IMPORT_XML_H

#include "base/context.h"
#include "base/memory.h"

#include <stdbool.h>

enum
{
    CRN_XML_BYTES = 1 << 26,
    CRN_XML_DEPTH = 128,
    CRN_XML_ELEMENTS = 1 << 20
};

typedef struct crn_xml_attribute
{
    const char *name, *value;
    bool used;
    struct crn_xml_attribute *next;
} crn_xml_attribute;

typedef struct crn_xml
{
    const char *name;
    const char *file;
    int line, column; /* from 1 */
    int depth;        /* 1: the root */
    bool used;
    crn_xml_attribute *attributes;
    struct crn_xml *parent, *first, *last, *next;
} crn_xml;

/* Parse a text; all of the tree belongs to the arena. `file` must live as long as the tree. CAIRN_INVALID with a message that says where,
 * or CAIRN_NO_MEMORY. */
cairn_status crn_xml_parse(cairn_context *context, crn_arena *memory, const char *file, const char *text, size_t length,
                           crn_xml **root);

/* The value of an attribute, which is marked as used; NULL: it is not there. */
const char *crn_xml_get(crn_xml *element, const char *name);
/* The same without the mark. */
const char *crn_xml_peek(const crn_xml *element, const char *name);

/* The first child with this name, and the next sibling with it, both marked as used; NULL: none. */
crn_xml *crn_xml_child(crn_xml *element, const char *name);
crn_xml *crn_xml_again(crn_xml *element);

/* Mark an element with all that is in it. */
void crn_xml_use_all(crn_xml *element);

#endif
