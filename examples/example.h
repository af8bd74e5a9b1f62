/* What the examples share: end with a sentence when something went wrong or the physics is off. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call of Cairn that can fail returns a status and leaves a message in its context. */
static inline void must(cairn_context *context, cairn_status status)
{
    if (status != CAIRN_OK)
    {
        fprintf(stderr, "%s\n%s\n", cairn_status_text(status), cairn_context_last_message(context));
        exit(1);
    }
}

/* A number that theory knows. */
static inline void expect(const char *what, double found, double expected, double tolerance)
{
    printf("%-40s %12.6g   theory %12.6g\n", what, found, expected);
    if (!(fabs(found - expected) <= tolerance))
    {
        fprintf(stderr, "%s: off by %g, more than %g\n", what, found - expected, tolerance);
        exit(1);
    }
}

/* A box of stone, a cube of edge 1 m and mass 2 kg, at a height above the ground. */
static inline cairn_body add_cube(cairn_context *context, cairn_model *model, const char *name, double x, double height)
{
    cairn_body_options body = cairn_body_default();
    body.name = name;
    body.mass = 2;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 2.0 / 6.0;
    body.position[0] = x;
    body.position[2] = 0.5 + height;
    cairn_body out;
    must(context, cairn_model_add_body(model, &body, &out));
    cairn_shape_options shape = cairn_shape_default(CAIRN_BOX);
    shape.size[0] = shape.size[1] = shape.size[2] = 1;
    cairn_shape handle;
    must(context, cairn_model_add_shape(model, out, &shape, &handle));
    return out;
}

/* The half-space below z = 0. */
static inline cairn_body add_floor(cairn_context *context, cairn_model *model)
{
    cairn_body_options body = cairn_body_default();
    body.name = "floor";
    body.kind = CAIRN_FIXED;
    cairn_body out;
    must(context, cairn_model_add_body(model, &body, &out));
    cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_shape handle;
    must(context, cairn_model_add_shape(model, out, &shape, &handle));
    return out;
}

#endif
