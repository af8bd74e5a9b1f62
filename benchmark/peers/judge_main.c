/* peer-judge SCENE FRAMES: the accuracy of every frame, as a JSON list on standard output. Drift counts from the first frame after a
 * sixth of the scene's steps; energies are changes since the start over the scene's weight times its height. */
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON has no infinity and no NaN. */
static void print_number(const char *name, double value)
{
    if (isfinite(value))
        printf(", \"%s\": %.6g", name, value);
    else
        printf(", \"%s\": null", name);
}

static void print_frames(peer_judge *judge, FILE *frames, peer_state *states, peer_state *reference)
{
    const peer_scene *scene = judge->scene;
    double scale = peer_energy_scale(scene);
    bool settled = false, first = true;
    int step;
    for (int i = 0; i < scene->body_count; ++i)
        states[i] = scene->bodies[i].start;
    double energy = peer_judge_frame(judge, states).energy;
    printf("[");
    while (peer_frame_read(frames, scene->body_count, &step, states))
    {
        peer_accuracy found = peer_judge_frame(judge, states);
        if (!settled && step >= scene->steps / 6)
        {
            memcpy(reference, states, (size_t)scene->body_count * sizeof *states);
            settled = true;
        }
        printf("%s\n{\"step\": %d, \"contacts\": %d", first ? "" : ",", step, found.contacts);
        print_number("mean", found.mean);
        print_number("worst", found.worst);
        print_number("joint", found.joint);
        print_number("energy", scale > 0 ? (found.energy - energy) / scale : NAN);
        print_number("drift", settled ? peer_drift(scene, reference, states) : NAN);
        printf("}");
        first = false;
    }
    printf("\n]\n");
}

int main(int argument_count, char **arguments)
{
    peer_scene scene;
    peer_judge judge;
    if (argument_count != 3)
    {
        fprintf(stderr, "usage: %s SCENE FRAMES\n", arguments[0]);
        return 2;
    }
    FILE *frames = fopen(arguments[2], "rb");
    if (!frames)
    {
        fprintf(stderr, "%s cannot be opened\n", arguments[2]);
        return 1;
    }
    if (!peer_scene_read(arguments[1], &scene) || !peer_judge_create(&scene, &judge))
        return 1;
    peer_state *states = calloc(2 * (size_t)scene.body_count, sizeof *states);
    if (!states)
    {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    print_frames(&judge, frames, states, states + scene.body_count);
    free(states);
    fclose(frames);
    peer_judge_destroy(&judge);
    peer_scene_free(&scene);
    return 0;
}
