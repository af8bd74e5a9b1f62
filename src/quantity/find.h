/* Names of quantities: what a name stands for, and the name of what there is. */
#ifndef CRN_QUANTITY_FIND_H
#define CRN_QUANTITY_FIND_H

#include "quantity/table.h"

/* What a name was found to be: how many things have it, and which of them the first two are. */
typedef struct crn_quantity_search
{
    const cairn_model *model;
    cairn_quantity quantity; /* of the first */
    int found;
    crn_owner owner[2];
    bool no_memory;
} crn_quantity_search;

void crn_quantity_search_all(crn_quantity_search *search, const char *text);
/* The function call `text`, such as distance(A,B); in functions.c. */
void crn_quantity_search_functions(crn_quantity_search *search, const char *text);

/* The row of an owner's quantity; -1: there is none. *part is that of the vector that the name asks for. */
int crn_quantity_row_named(int dimension, crn_owner owner, const char *name, int *part);
/* Whether a joint has the quantity of a row: couplings, which act on any number of bodies, have no reaction. */
bool crn_quantity_is_offered(const cairn_model *model, const crn_quantity_row *row, cairn_joint joint);
/* Fill in what all quantities of a row have; `turns` selects the unit of angles. */
void crn_quantity_begin(int dimension, int row, int part, bool turns, cairn_quantity *out);
void crn_quantity_found(crn_quantity_search *search, crn_owner owner, const cairn_quantity *quantity);

/* Write the name of a quantity, in the form that means it alone, into *text, which grows. The fields are "angle" and "rate", or
 * empty. False when memory ran out. */
bool crn_quantity_write_name(const cairn_model *model, crn_owner owner, const char *name, const char *first,
                             const char *second, char **text, size_t *capacity);

/* "body", as names begin that several things have: body:arm.angle. */
const char *crn_owner_name(crn_owner owner);

#endif
