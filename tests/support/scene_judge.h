/* The motion of a random scene, judged by states alone: what the library reports of energy is not asked for. */
#ifndef TESTS_SUPPORT_SCENE_JUDGE_H
#define TESTS_SUPPORT_SCENE_JUDGE_H

#include "support/random_scene.h"

#include <cairn/cairn.h>

typedef enum scene_verdict
{
    SCENE_FINE = 0,
    SCENE_ENERGY,      /* energy from nowhere */
    SCENE_MOMENTUM,    /* momentum of a free group changed */
    SCENE_PASSED,      /* something got behind a wall, further than a step moves it */
    SCENE_NAN,         /* a state that is no number */
    SCENE_ENDLESS,     /* more problems in one step than any cascade of impacts explains */
    SCENE_CERTIFICATE, /* the physics certificate tells of a violation */
    SCENE_MISSED,      /* a step that says itself that it missed its tolerance */
    SCENE_FAILED,      /* a step that says itself that it failed */
    SCENE_REFUSED,     /* not simulated at all: the scene, its settings or its start are refused */
    SCENE_VERDICTS,
} scene_verdict;

extern const char *const SCENE_VERDICT_NAMES[SCENE_VERDICTS];

typedef struct scene_judgement
{
    scene_verdict verdict;
    double time;      /* s, of the step at fault */
    double amount;    /* J, N s or m */
    const char *kind; /* of a violation that the certificate tells of; NULL: none */
    double scale;     /* what it is to be compared with */
    bool storm;       /* the step had one */
    int events;       /* of that step */
    char message[200];
} scene_judgement;

/* Run the scene and watch it; `trace` prints a line for each step. */
scene_judgement scene_judge(const random_scene *scene, bool trace);

#endif
