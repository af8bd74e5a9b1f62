/* Grains that are not in the model's arrays: those of the last populations, where they follow from a recipe (populate/recipe.h).
 *
 * Their handles, numbers and names are those that they will have. Whoever needs them in the arrays has them made first: everything but what is prepared for this (step/device/device_grains.h) does, and finding the
 * place of a body or a shape (crn_body_index) is among it. So they are there for whoever looks. */
#ifndef CRN_MODEL_UNMADE_H
#define CRN_MODEL_UNMADE_H

#include "cairn/model.h"

typedef struct crn_follower crn_follower;

/* Somebody who goes on from the recipe, and has to know when grains are in the arrays. The list is the model's, its members are not. */
struct crn_follower
{
    void (*made)(void *data);
    void *data;
    crn_follower *next;
};

typedef struct crn_grain_name
{
    int body;
    char *text;
} crn_grain_name;

typedef struct crn_unmade
{
    int count;       /* 0: all grains are in the arrays */
    int populations; /* that have them: the last ones */
    void *recipe;    /* stays for followers once they are */
    cairn_status (*make)(cairn_model *model, const void *recipe);
    void (*release)(void *recipe);
    crn_follower *followers;
    crn_grain_name *names; /* that somebody has asked for */
    size_t name_count, name_capacity;
} crn_unmade;

/* Let the last population, which has none yet, have `count` grains of a sphere each. The recipe is of them and of all others that are not made, and the model owns it from now on. */
void crn_unmade_add(cairn_model *model, int count, void *recipe, cairn_status (*make)(cairn_model *, const void *),
                    void (*release)(void *));
/* Have them in the arrays. What the model means stays as it is, and so does its revision. CAIRN_NO_MEMORY, after which they are not. */
cairn_status crn_make_grains(const cairn_model *model);
void crn_unmade_release(cairn_model *model);

void crn_follow(const cairn_model *model, crn_follower *follower);
void crn_unfollow(const cairn_model *model, crn_follower *follower); /* one that does not follow is allowed */

/* Bytes of the longest name, with the 0 behind it. */
size_t crn_unmade_name_size(const cairn_model *model);
/* Write its name; returns the length. */
size_t crn_unmade_write_name(const cairn_model *model, int body, char *text, size_t size);
/* The name of such a body. It lasts as long as the model. */
const char *crn_unmade_name(const cairn_model *model, int body);

#endif
