/* A benchmark scene as plain data, read from the text that scenes.py writes. Every engine builds its world from this, so that all
 * simulate the same bodies from the same state. Lengths in m, masses in kg, angular velocities in the world frame, quaternions
 * (w, x, y, z). The file format is described at the head of scenes.py. */
#ifndef BENCH_PEERS_SCENE_H
#define BENCH_PEERS_SCENE_H

#include "cairn/base.h"

#include <stdbool.h>

CAIRN_BEGIN_DECLS

typedef enum peer_shape
{
    /* size[0]: radius. */
    PEER_SPHERE = 0,
    /* size: full edge lengths. */
    PEER_BOX,
    /* size[0]: radius; size[1]: length between the centres of the round ends, along z. */
    PEER_CAPSULE,
} peer_shape;

/* Which pairs may touch. */
typedef enum peer_contacts
{
    PEER_CONTACTS_ALL = 0,
    /* Bodies touch the planes only. */
    PEER_CONTACTS_GROUND,
    PEER_CONTACTS_NONE,
} peer_contacts;

/* Pose and velocity of a body: 13 doubles in this order, also in frame files. */
typedef struct peer_state
{
    double position[3];
    double orientation[4];
    double velocity[3];
    double spin[3];
} peer_state;

typedef struct peer_body
{
    peer_shape shape;
    double size[3];
    double mass;
    /* kg m^2, principal moments about the body's axes. */
    double inertia[3];
    peer_state start;
} peer_body;

/* The half-space n.x < d is solid. */
typedef struct peer_plane
{
    double normal[3];
    double offset;
} peer_plane;

/* A hinge at a world point about a world axis, both at the start. The parent is a body with a lower number, or -1: the world. */
typedef struct peer_hinge
{
    int parent, child;
    double point[3];
    double axis[3];
} peer_hinge;

typedef struct peer_scene
{
    char name[64];
    /* s */
    double step;
    int steps;
    /* m: the length that penetrations, drifts and joint errors are divided by. */
    double size;
    double friction;
    double gravity[3];
    peer_contacts contacts;
    /* All bodies lie in the plane y = 0 and turn about y alone, and so do the planes. */
    bool planar;
    peer_body *bodies;
    int body_count;
    peer_plane *planes;
    int plane_count;
    peer_hinge *hinges;
    int hinge_count;
    /* Steps after which the poses are written, ascending. */
    int *samples;
    int sample_count;
} peer_scene;

/* Read a scene. False, with a sentence on standard error that names the line, when the file cannot be read or is not a scene. */
bool peer_scene_read(const char *path, peer_scene *out);
void peer_scene_free(peer_scene *scene);

/* Read the next frame of a frame file: its step and one state per body. False at the end of the file. */
bool peer_frame_read(void *stream, int body_count, int *step, peer_state *states);

CAIRN_END_DECLS

#endif
