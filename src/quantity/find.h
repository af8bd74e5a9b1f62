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
/* Whether the joint or statistic of `thing` has the quantity of a row: couplings, which act on any number of bodies, have no reaction;
 * stress needs a region, and flow a plane. */
bool crn_quantity_is_offered(const cairn_model *model, const crn_quantity_row *row, const cairn_quantity *thing);
/* The statistic of a quantity; the null handle stands for that of all bodies. */
crn_statistic crn_quantity_statistic(const cairn_model *model, cairn_statistic statistic);
/* Whether `name` stands for the statistic of all bodies: it is "grains", and nothing in the model is called so. */
bool crn_quantity_is_of_all(const cairn_model *model, const char *name);
/* Whether a statistic has the region or the plane that a row needs. */
bool crn_quantity_suits(const cairn_model *model, const crn_quantity_row *row, cairn_statistic statistic);
/* The part of a tensor of this name; CRN_PART_ALL when there is none. */
int crn_quantity_tensor_part(int dimension, const char *name);
/* What number `index` of the `count` numbers of a row is called. */
const char *crn_quantity_number_name(const crn_quantity_row *row, int count, int index);
/* Fill in what all quantities of a row have; `turns` selects the unit of angles. */
void crn_quantity_begin(int dimension, int row, int part, bool turns, cairn_quantity *out);
/* The same for a thing that is filled in already. */
void crn_quantity_make(const cairn_model *model, int row, int part, bool turns, cairn_quantity *thing);
void crn_quantity_found(crn_quantity_search *search, crn_owner owner, const cairn_quantity *quantity);

/* Write the name of a quantity, in the form that means it alone, into *text, which grows. The fields are "angle" and "rate", or
 * empty. False when memory ran out. */
bool crn_quantity_write_name(const cairn_model *model, crn_owner owner, const char *name, const char *first,
                             const char *second, char **text, size_t *capacity);

/* "body", as names begin that several things have: body:arm.angle. */
const char *crn_owner_name(crn_owner owner);

#endif
