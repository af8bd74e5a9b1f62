/* A YAML (or JSON) text as a tree of nodes with their lines and columns.
 *
 * Nodes live in the document's arena. An alias (*name) becomes a copy of the anchored node that shares its children,
 * so the tree is never larger in memory than the text; `weight` counts the nodes as if every alias were written out,
 * and a document whose weight exceeds the limit is refused before it is traversed.
 */
#ifndef CRN_SCENE_DOCUMENT_H
#define CRN_SCENE_DOCUMENT_H

#include "base/context.h"

enum
{
    CRN_DOCUMENT_BYTES = 64 * 1024 * 1024, /* largest text */
    CRN_DOCUMENT_DEPTH = 64,               /* deepest nesting */
    CRN_DOCUMENT_NODES = 4 * 1000 * 1000,  /* most nodes, aliases written out */
    CRN_DOCUMENT_KEYS = 1000,              /* most fields of one mapping, and anchors */
    CRN_DOCUMENT_DIRECTIVES = 16           /* most lines with directives in a row */
};

typedef enum crn_node_kind
{
    CRN_SCALAR = 0,
    CRN_LIST,
    CRN_MAPPING,
} crn_node_kind;

typedef struct crn_node crn_node;
struct crn_node
{
    crn_node_kind kind;
    bool plain;             /* scalar: not quoted */
    bool flow;              /* mapping: written in braces */
    bool exact;             /* scalar: plain and on one line, so that text[i] is at column + i */
    int repeated;           /* value of a mapping: the line of the same field before it; 0: none */
    int line, column;       /* from 1 */
    int count;              /* list: elements; mapping: pairs */
    int height;             /* levels below */
    int weight;             /* nodes of the subtree, aliases written out */
    const char *text;       /* scalar: UTF-8 without NUL, ends with NUL */
    const crn_node *key;    /* of a value in a mapping */
    crn_node *first, *last; /* children: elements, or the values of a mapping */
    crn_node *next;
};

typedef struct crn_document crn_document;

/* Zeroed memory that lives as long as the document; NULL when memory ran out. */
void *crn_document_memory(crn_document *document, size_t size);

/* Read a text. CAIRN_INVALID with messages that carry file, line and column. */
cairn_status crn_document_parse(cairn_context *context, const char *file, const char *text, size_t length,
                                crn_document **out);
void crn_document_destroy(crn_document *document);
const crn_node *crn_document_root(const crn_document *document);

/* The value of a field of a mapping; NULL when it is not there. */
const crn_node *crn_node_field(const crn_node *mapping, const char *name);

#endif
