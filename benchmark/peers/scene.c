#include "scene.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(peer_state) == 13 * sizeof(double), "frame files hold 13 doubles per body");

enum
{
    LONGEST_LINE = 4096
};

/* One more element at the end of an array of `count`, zeroed; its capacity is the next power of two. */
static void *append(void *array, int *count, size_t size)
{
    char **items = array;
    if ((*count & (*count - 1)) == 0)
    {
        *items = realloc(*items, (*count ? 2 * (size_t)*count : 1) * size);
        if (!*items)
        {
            fprintf(stderr, "out of memory\n");
            exit(1);
        }
    }
    assert(*count >= 0 && size > 0);
    char *item = *items + (size_t)(*count)++ * size;
    memset(item, 0, size);
    return item;
}

/* Read exactly `count` numbers; false when there are fewer. */
static bool read_numbers(char **text, double *out, int count)
{
    for (int i = 0; i < count; ++i)
    {
        char *end;
        out[i] = strtod(*text, &end);
        if (end == *text)
            return false;
        *text = end;
    }
    return true;
}

static bool read_word(char **text, char *out, size_t size)
{
    *text += strspn(*text, " \t");
    size_t length = strcspn(*text, " \t\r\n");
    if (length == 0 || length >= size)
        return false;
    memcpy(out, *text, length);
    out[length] = '\0';
    *text += length;
    return true;
}

/* The index of the next word among `words`; -1 when it is none of them. */
static int read_choice(char **text, const char *const *words, int count)
{
    char word[32];
    if (!read_word(text, word, sizeof word))
        return -1;
    for (int i = 0; i < count; ++i)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

static bool read_body(peer_scene *scene, char *text)
{
    static const char *const SHAPES[] = {"sphere", "box", "capsule"};
    int shape = read_choice(&text, SHAPES, 3);
    peer_body *body = append(&scene->bodies, &scene->body_count, sizeof *scene->bodies);
    body->shape = (peer_shape)shape;
    return shape >= 0 && read_numbers(&text, body->size, 3) && read_numbers(&text, &body->mass, 1) &&
           read_numbers(&text, body->inertia, 3) && read_numbers(&text, (double *)&body->start, 13) && body->mass > 0;
}

static bool read_plane(peer_scene *scene, char *text)
{
    peer_plane *plane = append(&scene->planes, &scene->plane_count, sizeof *scene->planes);
    return read_numbers(&text, plane->normal, 3) && read_numbers(&text, &plane->offset, 1);
}

static bool read_hinge(peer_scene *scene, char *text)
{
    double ends[2];
    peer_hinge *hinge = append(&scene->hinges, &scene->hinge_count, sizeof *scene->hinges);
    if (!read_numbers(&text, ends, 2) || !read_numbers(&text, hinge->point, 3) || !read_numbers(&text, hinge->axis, 3))
        return false;
    hinge->parent = (int)ends[0];
    hinge->child = (int)ends[1];
    return hinge->parent >= -1 && hinge->parent < hinge->child && hinge->child < scene->body_count;
}

static bool read_samples(peer_scene *scene, char *text)
{
    double step;
    while (read_numbers(&text, &step, 1))
    {
        int *sample = append(&scene->samples, &scene->sample_count, sizeof *scene->samples);
        *sample = (int)step;
        if (scene->sample_count > 1 && sample[0] <= sample[-1])
            return false;
    }
    return scene->sample_count > 0;
}

static bool read_contacts(peer_scene *scene, char *text)
{
    static const char *const WORDS[] = {"all", "ground", "none"};
    int contacts = read_choice(&text, WORDS, 3);
    scene->contacts = (peer_contacts)contacts;
    return contacts >= 0;
}

static bool read_line(peer_scene *scene, char *text)
{
    char key[32];
    double steps;
    if (!read_word(&text, key, sizeof key) || key[0] == '#')
        return true;
    if (strcmp(key, "scene") == 0)
        return read_word(&text, scene->name, sizeof scene->name);
    if (strcmp(key, "step") == 0)
        return read_numbers(&text, &scene->step, 1) && scene->step > 0;
    if (strcmp(key, "steps") == 0)
    {
        bool read = read_numbers(&text, &steps, 1);
        scene->steps = read ? (int)steps : 0;
        return scene->steps > 0;
    }
    if (strcmp(key, "size") == 0)
        return read_numbers(&text, &scene->size, 1) && scene->size > 0;
    if (strcmp(key, "friction") == 0)
        return read_numbers(&text, &scene->friction, 1);
    if (strcmp(key, "gravity") == 0)
        return read_numbers(&text, scene->gravity, 3);
    if (strcmp(key, "planar") == 0)
        return scene->planar = true;
    if (strcmp(key, "contacts") == 0)
        return read_contacts(scene, text);
    if (strcmp(key, "samples") == 0)
        return read_samples(scene, text);
    if (strcmp(key, "body") == 0)
        return read_body(scene, text);
    if (strcmp(key, "plane") == 0)
        return read_plane(scene, text);
    return strcmp(key, "hinge") == 0 && read_hinge(scene, text);
}

bool peer_scene_read(const char *path, peer_scene *out)
{
    char line[LONGEST_LINE];
    bool good = true;
    int number = 0;
    *out = (peer_scene){0};
    FILE *file = fopen(path, "r");
    if (!file)
    {
        fprintf(stderr, "%s cannot be opened\n", path);
        return false;
    }
    while (good && fgets(line, sizeof line, file))
    {
        ++number;
        good = read_line(out, line);
    }
    fclose(file);
    if (!good)
        fprintf(stderr, "%s: line %d is not a line of a scene\n", path, number);
    else if (out->body_count == 0 || out->steps == 0 || out->step <= 0 || out->size <= 0 || out->sample_count == 0)
    {
        fprintf(stderr, "%s: a scene needs a step, steps, a size, samples and a body\n", path);
        good = false;
    }
    if (!good)
        peer_scene_free(out);
    return good;
}

void peer_scene_free(peer_scene *scene)
{
    free(scene->bodies);
    free(scene->planes);
    free(scene->hinges);
    free(scene->samples);
    *scene = (peer_scene){0};
}

bool peer_frame_read(void *stream, int body_count, int *step, peer_state *states)
{
    int64_t number;
    if (fread(&number, sizeof number, 1, stream) != 1)
        return false;
    *step = (int)number;
    assert(body_count > 0 && number >= 0);
    return fread(states, sizeof *states, (size_t)body_count, stream) == (size_t)body_count;
}
