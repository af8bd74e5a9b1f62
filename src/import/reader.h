/* What the importers share: problems, notes, and values of attributes. */
#ifndef CRN_IMPORT_READER_H
#define CRN_IMPORT_READER_H

#include "cairn/import.h"
#include "import/link_frame.h"
#include "import/xml.h"

#include <locale.h>

struct cairn_import_notes
{
    crn_arena memory;
    cairn_message *items;
    int count;
};

enum
{
    CRN_IMPORT_PROBLEMS = 20 /* that are told */
};

typedef struct crn_import
{
    cairn_context *context;
    cairn_context *scratch; /* of the model while it is built: its messages get a place */
    cairn_import_options options;
    crn_arena memory;
    const char *file;
    const char *folder; /* of the file; NULL: other files are not read */
    cairn_import_notes *notes;
    locale_t plain; /* numbers have a point, whatever the user's language */
    int problem_count;
    bool no_memory;
} crn_import;

/* Tell a problem at an element. Returns false. */
bool crn_import_problem(crn_import *import, const crn_xml *at, const char *format, ...) CRN_PRINTF(3, 4);
/* Note what has no counterpart. */
void crn_import_note(crn_import *import, const crn_xml *at, const char *format, ...) CRN_PRINTF(3, 4);
/* Whether a call of the model's interface succeeded; its message becomes a problem at the element. */
bool crn_import_pass(crn_import *import, const crn_xml *at, cairn_status status);
/* Note every element and attribute in the tree that was not used. */
void crn_import_note_unused(crn_import *import, crn_xml *element);

/* Memory of the import; NULL, noted, when it ran out. */
void *crn_import_allocate(crn_import *import, size_t size);
/* A text in the memory of the import; never NULL: "" when it ran out, which is noted. */
const char *crn_import_text(crn_import *import, const char *format, ...) CRN_PRINTF(2, 3);

/* Between `least` and `most` numbers of an attribute. Returns how many there are, 0 where it is not given or wrong: then out is left
 * as it was. */
int crn_import_numbers(crn_import *import, crn_xml *element, const char *name, int least, int most, double *out);
/* One number; false: not given or wrong. */
bool crn_import_number(crn_import *import, crn_xml *element, const char *name, double *out);
/* One number that must not be negative. */
bool crn_import_amount(crn_import *import, crn_xml *element, const char *name, double *out);
/* All numbers of an attribute, of any length; they belong to the import. Returns how many there are. */
int crn_import_list(crn_import *import, crn_xml *element, const char *name, double **out);
/* An attribute that must be there; NULL, with a problem, where it is not. */
const char *crn_import_required(crn_import *import, crn_xml *element, const char *name);

/* The path of a file that an attribute names, relative to the folder of the file or `folder` in it (NULL: none); package:// is looked
 * up. NULL, with a problem, where it is not found. */
const char *crn_import_find_file(crn_import *import, const crn_xml *at, const char *folder, const char *name);

#endif
