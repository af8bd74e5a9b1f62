/* Broad and narrow phase, in microseconds a body, over piles of growing size, beside Bullet's collision stage on the same
 * bodies in the same places. The piles sway a little from step to step, as one does that comes to rest; what places the
 * bodies is not timed. Cairn lists all contacts with a gap of up to 0.02 m, as a step needs them; the peer lists the same of pairs
 * that its general routine takes, and of balls and boxes those that touch. So there are two ratios: of the peer's time over
 * Cairn's for what touches alone, and for all in reach. */
#include "bench.h"
#include "collide_peer.h"
#include "pile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIZES = 5,
    REPEATS = 15,
    WARM = 3
};

static const double REACH = 0.02; /* m: how far off contacts are listed; about what a step of 0.01 s needs at 1 m/s */
static const double GROWTH = 2.0; /* a body of a large pile may cost so many times what one of 1,000 does */

static const struct
{
    const char *name;
    int sizes, count[SIZES];
} PILES[PILE_KINDS] = {
    {"balls", 5, {1000, 3000, 10000, 30000, 100000}},
    {"boxes", 4, {1000, 3000, 10000, 20000}},
    {"mixed", 4, {1000, 3000, 10000, 20000}},
    {"convex", 4, {1000, 3000, 10000, 20000}},
};

typedef struct figures
{
    int bodies, contacts, touching; /* touching: those without a gap */
    int peer_touching, peer_listed;
    double own, same, peer; /* us a body: all in reach, what touches alone, the peer */
    double first;           /* us a body: of the first call, which finds everything anew */
} figures;

/* The pile as a model, on the ground. */
static cairn_model *model_of(cairn_context *context, const pile *p)
{
    cairn_model *model = NULL;
    cairn_status made = cairn_model_create(context, 3, &model);
    for (int i = 0; i <= p->count && !made; ++i)
    {
        const pile_body *from = i > 0 ? &p->bodies[i - 1] : NULL;
        char name[32];
        snprintf(name, sizeof name, "%d", i);
        cairn_body_options options = cairn_body_default();
        options.name = name;
        options.kind = from ? CAIRN_DYNAMIC : CAIRN_FIXED;
        cairn_shape_options shape = from ? from->shape : cairn_shape_default(CAIRN_HALF_SPACE);
        shape.density = from ? 1.0 : 0.0;
        cairn_body body;
        cairn_shape out;
        if (cairn_model_add_body(model, &options, &body) || cairn_model_add_shape(model, body, &shape, &out))
        {
            cairn_model_destroy(model);
            model = NULL;
        }
    }
    return model;
}

static collide_peer *peer_of(const pile *p)
{
    collide_peer *peer = collide_peer_open(p->count);
    for (int i = 0; i < p->count && peer; ++i)
        collide_peer_add(peer, &p->bodies[i].shape, p->poses[i].x, p->poses[i].R);
    return peer;
}

/* Seconds of one call of the peer with the bodies where they are. */
static double time_peer(collide_peer *peer, const pile *p)
{
    for (int i = 0; i < p->count; ++i)
        collide_peer_move(peer, i, p->poses[i].x, p->poses[i].R);
    double start = bench_now();
    collide_peer_collide(peer);
    return bench_now() - start;
}

/* One call in the pile's poses with a reach; its contacts are the collider's. Seconds, or -1 when it fails. */
static double time_own(crn_collider *collider, const cairn_model *model, const crn_pose *poses, double reach,
                       const crn_contact **contacts, int *count)
{
    size_t bodies = (size_t)cairn_model_body_count(model);
    double *margin = bench_memory(bodies, sizeof *margin);
    for (size_t i = 0; i < bodies; ++i)
        margin[i] = 0.5 * reach;
    double start = bench_now();
    bool fine = !crn_collide(collider, model, poses, &(crn_reach){.margin = margin}, contacts, count);
    double seconds = bench_now() - start;
    free(margin);
    return fine ? seconds : -1.0;
}

/* Cairn, Cairn with what touches alone, and the peer take turns, so that a busy moment of the machine meets all of them. */
static bool measure(bench_run *run, pile *p, const cairn_model *model, crn_collider *const collider[2],
                    collide_peer *peer, figures *f)
{
    crn_pose *poses = bench_memory((size_t)p->count + 1, sizeof *poses);
    double times[3][REPEATS];
    int repeats = run->quick ? 3 : REPEATS;
    const crn_contact *contacts;
    bool fine = true;
    memcpy(poses[0].R, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof poses[0].R);
    for (int step = 0; step < WARM + repeats && fine; ++step)
    {
        int slot = step < WARM ? 0 : step - WARM;
        pile_move(p, step);
        memcpy(poses + 1, p->poses, (size_t)p->count * sizeof *poses);
        times[0][slot] = time_own(collider[0], model, poses, REACH, &contacts, &f->contacts);
        times[1][slot] = time_own(collider[1], model, poses, 0.0, &contacts, &f->touching);
        times[2][slot] = peer ? time_peer(peer, p) : NAN;
        f->first = step == 0 ? 1e6 * times[0][0] / p->count : f->first;
        fine = times[0][slot] >= 0.0 && times[1][slot] >= 0.0;
    }
    f->peer_touching = peer ? collide_peer_touching(peer) : 0;
    f->peer_listed = peer ? collide_peer_listed(peer) : 0;
    f->own = 1e6 * bench_median(times[0], repeats) / p->count;
    f->same = 1e6 * bench_median(times[1], repeats) / p->count;
    f->peer = 1e6 * bench_median(times[2], repeats) / p->count;
    free(poses);
    return fine;
}

static bool measure_size(bench_run *run, const pile_tile *tile, int count, figures *f)
{
    pile p;
    *f = (figures){.bodies = count};
    pile_create(&p, tile, count);
    cairn_context *context = cairn_context_create();
    cairn_model *model = model_of(context, &p);
    crn_collider *collider[2] = {crn_collider_create(1), crn_collider_create(1)};
    collide_peer *peer = peer_of(&p);
    bool fine = model && collider[0] && collider[1] && measure(run, &p, model, collider, peer, f);
    collide_peer_close(peer);
    crn_collider_destroy(collider[0]);
    crn_collider_destroy(collider[1]);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    pile_destroy(&p);
    return fine;
}

static void print_figures(const figures *f, const figures *smallest)
{
    printf("  %8d %9d %9.3f %8.2f %9.3f %9d %9.3f", f->bodies, f->contacts, f->own, f->own / smallest->own, f->first,
           f->touching, f->same);
    if (f->peer_touching > 0)
    {
        printf(" %9.3f %9d %9d %8.2f %8.2f", f->peer, f->peer_touching, f->peer_listed, f->peer / f->same,
               f->peer / f->own);
    }
    printf("\n");
    fflush(stdout);
}

static void write_json(FILE *out, const figures *f, int count)
{
    fprintf(out, "[");
    for (int i = 0; i < count; ++i)
    {
        fprintf(out,
                "%s\n    {\"bodies\": %d, \"contacts\": %d, \"us_a_body\": %.4g, \"touching\": %d, "
                "\"touching_us_a_body\": %.4g, "
                "\"first_us_a_body\": %.4g",
                i ? "," : "", f[i].bodies, f[i].contacts, f[i].own, f[i].touching, f[i].same, f[i].first);
        if (f[i].peer_touching > 0)
        {
            fprintf(out, ", \"peer_us_a_body\": %.4g, \"peer_touching\": %d, \"peer_listed\": %d", f[i].peer,
                    f[i].peer_touching, f[i].peer_listed);
        }
        fprintf(out, "}");
    }
    fprintf(out, "\n  ]");
}

static void grow(bench_run *run, pile_kind kind)
{
    figures f[SIZES];
    int sizes = run->quick ? 1 : PILES[kind].sizes, done = 0;
    printf("\nCollision detection: a pile of %s\n  %8s %9s %9s %8s %9s %9s %9s", PILES[kind].name, "bodies", "in reach",
           "us/body", "growth", "anew", "touching", "us/body");
    printf(collide_peer_name() ? " %9s %9s %9s %8s %8s\n" : "\n", "peer us", "touching", "listed", "ratio", "in reach");
    pile_tile tile;
    bool fell = pile_make_tile(&tile, kind);
    if (!fell)
        bench_wrong(run, "a tile of a pile did not come to rest");
    for (; done < sizes && fell; ++done)
    {
        if (!measure_size(run, &tile, PILES[kind].count[done], &f[done]))
        {
            bench_wrong(run, "collision detection on a pile");
            break;
        }
        print_figures(&f[done], &f[0]);
        if (!run->quick && f[done].own > GROWTH * f[0].own)
            bench_wrong(run, "a body of a large pile costs more than it may");
        if (kind == PILE_BALLS && f[done].peer_touching > 0 &&
            abs(f[done].touching - f[done].peer_touching) > 1 + f[done].touching / 1000)
            bench_wrong(run, "the two do not find the same number of contacts between balls");
    }
    if (run->json)
        write_json(run->json, f, done);
}

void bench_collide(bench_run *run)
{
    const char *peer = collide_peer_name();
    printf("\nCollision detection beside %s\n", peer ? peer : "nothing: Bullet is not installed");
    for (int kind = 0; kind < PILE_KINDS; ++kind)
    {
        if (run->json)
            fprintf(run->json, "%s\"%s\": ", kind ? ",\n   " : "{", PILES[kind].name);
        grow(run, (pile_kind)kind);
    }
    if (run->json)
        fprintf(run->json, ",\n   \"landscape\": ");
    bench_collide_mesh(run);
    if (run->json)
        fprintf(run->json, "}");
}
