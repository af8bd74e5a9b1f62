/* A hopper that drops a ball every tenth of a second, when its mouth is free, and a floor that keeps the last 30.
 *
 * Shows how a model changes while its simulation runs: add and remove between steps, keep handles, and read `added` in the
 * energies. The simulation follows at its next step; cairn_simulation_update asks for it earlier, here to learn whether the
 * hopper's mouth is free. */
#include <cairn/cairn.h>

#include <stdio.h>

enum
{
    STEPS = 2000,
    PERIOD = 20, /* steps between two attempts */
    BALLS = 31   /* one more than are kept */
};

typedef struct hopper
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    cairn_body ball[BALLS]; /* a ring: the oldest is at `first` */
    int first, count, dropped;
} hopper;

static cairn_status add_floor(cairn_model *model)
{
    cairn_body_options body = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_body floor;
    cairn_shape made;
    body.name = "floor";
    body.kind = CAIRN_FIXED;
    cairn_status status = cairn_model_add_body(model, &body, &floor);
    return status ? status : cairn_model_add_shape(model, floor, &shape, &made);
}

static cairn_status drop(hopper *h)
{
    char name[32];
    snprintf(name, sizeof name, "ball %d", h->dropped);
    cairn_body_options body = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(CAIRN_SPHERE);
    cairn_body *ball = &h->ball[(h->first + h->count) % BALLS];
    cairn_shape made;
    body.name = name;
    body.position[0] = 0.01 * (h->dropped % 7 - 3);
    body.position[1] = 0.01 * (h->dropped % 5 - 2);
    body.position[2] = 2;
    shape.radius = 0.1;
    shape.density = 1000;
    cairn_status status = cairn_model_add_body(h->model, &body, ball);
    status = status ? status : cairn_model_add_shape(h->model, *ball, &shape, &made);
    if (!status && cairn_simulation_update(h->simulation) == CAIRN_INVALID)
    {
        cairn_context_clear(h->context); /* another ball is still in the way: wait */
        return cairn_model_remove_body(h->model, *ball);
    }
    h->count += 1;
    h->dropped += 1;
    return status;
}

/* The body takes its shape with it; its handle is stale from here on. */
static cairn_status swallow(hopper *h)
{
    cairn_status status = cairn_model_remove_body(h->model, h->ball[h->first]);
    h->first = (h->first + 1) % BALLS;
    h->count -= 1;
    return status;
}

static cairn_status run(hopper *h)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    cairn_status status = cairn_model_create(h->context, 3, &h->model);
    status = status ? status : add_floor(h->model);
    status = status ? status : cairn_simulation_create(h->context, h->model, &settings, &h->simulation);
    for (int i = 0; i < STEPS && !status; ++i)
    {
        if (i % PERIOD == 0 && h->count == BALLS - 1)
            status = swallow(h);
        if (i % PERIOD == 0 && !status)
            status = drop(h);
        status = status ? status : cairn_simulation_step(h->simulation);
    }
    return status;
}

int main(void)
{
    hopper h = {.context = cairn_context_create()};
    cairn_status status = run(&h);
    if (status)
    {
        fprintf(stderr, "%s\n", cairn_context_last_message(h.context));
    }
    else
    {
        cairn_energy e = cairn_simulation_energy(h.simulation);
        printf("%d balls dropped, %d on the floor after %.1f s\n", h.dropped, h.count,
               cairn_simulation_time(h.simulation));
        printf("energy %.3f J, came and went %.3f J, balance error %.1e J\n", e.total, e.added, e.balance_error);
    }
    cairn_simulation_destroy(h.simulation);
    cairn_model_destroy(h.model);
    cairn_context_destroy(h.context);
    return status != CAIRN_OK;
}
