/* Scenes made to be slow, to block or to command a terminal: each is read in a time that grows with its length, or refused
 * with a sentence. No clock is read: what was quadratic would here take hours, and what blocked would never end. */
#include "base/expression.h"
#include "cairn/scene.h"
#include "support/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A text that grows. */
typedef struct text
{
    char *bytes;
    size_t length, room;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof line);
    if (t->length + (size_t)length + 1 > t->room)
    {
        t->room = 2 * t->room + sizeof line;
        t->bytes = realloc(t->bytes, t->room);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->length, line, (size_t)length + 1);
    t->length += (size_t)length;
}

/* The scene is refused, and its first message is this one. */
static void refused(text *t, int line, const char *sentence)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    assert_int_equal(cairn_scene_parse(context, "s", t->bytes, t->length, NULL, 0, &scene), CAIRN_INVALID);
    assert_null(scene);
    cairn_message message = cairn_context_message(context, 0);
    assert_string_equal(message.text, sentence);
    assert_int_equal(message.line, line);
    cairn_context_destroy(context);
    free(t->bytes);
}

static void accepted(text *t)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    if (cairn_scene_parse(context, "s", t->bytes, t->length, NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    free(t->bytes);
}

static void directives_are_few(void **state)
{
    (void)state;
    static const char *const BREAKS[] = {"\n", "\r", "\r\n", "\n# comment\n \n", "\xc2\x85", "\xe2\x80\xa8"};
    for (size_t k = 0; k < sizeof BREAKS / sizeof BREAKS[0]; ++k)
    {
        text few = {0}, many = {0};
        for (int i = 0; i < 400000; ++i)
            put(&many, "%%TAG !a%d! b%s", i, BREAKS[k]);
        put(&many, "---\ndimension: 2\n");
        int line = k == 0 || k == 2 ? 17 : k == 3 ? 49 : 1; /* lines are counted by their LF */
        refused(&many, line, "more than 16 directives ('%...')");
        for (int i = 0; i < 16; ++i)
            put(&few, "%%TAG !a%d! b%s", i, BREAKS[k]);
        put(&few, "---\ndimension: 2\n");
        accepted(&few);
    }
    /* A percent sign at the beginning of a line within a text is none. */
    text quoted = {0};
    put(&quoted, "dimension: 2\ntitle: \"a\n");
    for (int i = 0; i < 40; ++i)
        put(&quoted, " %%TAG\nb\n");
    put(&quoted, " c\"\n");
    accepted(&quoted);
}

static void pairs_without_number_are_ignored(void **state)
{
    (void)state;
    enum
    {
        BODIES = 2500 /* 3,123,750 pairs */
    };
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
    assert_non_null(model);
    cairn_body *bodies = malloc(BODIES * sizeof *bodies);
    assert_non_null(bodies);
    for (int i = 0; i < BODIES; ++i)
    {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        cairn_body_options options = cairn_body_default();
        options.name = name;
        options.mass = 1;
        options.point = true;
        assert_int_equal(cairn_model_add_body(model, &options, &bodies[i]), CAIRN_OK);
    }
    /* Downwards: each pair would be put before all others of a sorted list. */
    for (int i = BODIES - 1; i >= 0; --i)
    {
        for (int j = BODIES - 1; j > i; --j)
            if (cairn_model_ignore_contact(model, bodies[j], bodies[i]))
                fail_msg("%s", cairn_context_last_message(context));
    }
    assert_int_equal(cairn_model_ignore_contact(model, bodies[3], bodies[3]), CAIRN_INVALID);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    free(bodies);
}

static void heights_cost_a_limited_time(void **state)
{
    (void)state;
    static const char HEAD[] =
        "dimension: 3\nbodies: [{name: a, kind: fixed, shapes: [{type: height-field, heights: \"";
    text slow = {0}, quick = {0};
    put(&slow, "%s", HEAD);
    for (int i = 0; i < 20000; ++i)
        put(&slow, "sin(x)+");
    put(&slow, "y\", points: [1024, 1024], spacing: 1}]}]\n");
    refused(
        &slow, 2,
        "body 'a', shape 1: heights: an expression of 60001 operations at 1024 x 1024 points takes too long: a scene's "
        "height fields may take 2e+08 operations in all; write the heights into a file");
    put(&quick, "%ssin(x)+y\", points: [64, 64], spacing: 1}]}]\n", HEAD);
    accepted(&quick);
    /* The bound is on the scene, not on each of its fields. */
    text sum = {0};
    put(&sum, "dimension: 3\nbodies: [{name: a, kind: fixed, shapes: [");
    for (int i = 0; i < 2; ++i)
    {
        put(&sum, "{type: height-field, heights: \"");
        for (int k = 0; k < 700; ++k)
            put(&sum, "x+");
        put(&sum, "y\", points: [300, 300], spacing: 1},");
    }
    put(&sum, "]}]\n");
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    assert_int_equal(cairn_scene_parse(context, "s", sum.bytes, sum.length, NULL, 0, &scene), CAIRN_INVALID);
    assert_int_equal(cairn_context_message_count(context), 1);
    assert_non_null(strstr(cairn_context_last_message(context), "shape 2: heights: an expression of 1401 operations"));
    cairn_context_destroy(context);
    free(sum.bytes);
}

/* The names p0 ... p199, in an order of their own, are found among the sorted ones, and others are not. */
static void constants_are_found_by_name(void **state)
{
    (void)state;
    char names[200][16];
    crn_constant constants[200];
    int count = 0;
    for (int i = 0; i < 200; ++i)
    {
        snprintf(names[i], sizeof names[i], "p%d", i);
        int at = count++;
        for (; at > 0 && strcmp(constants[at - 1].name, names[i]) > 0; --at)
            constants[at] = constants[at - 1];
        constants[at] = (crn_constant){names[i], i};
    }
    for (int i = 0; i < 200; ++i)
    {
        char behind[24];
        snprintf(behind, sizeof behind, "p%d+x", i); /* names in expressions do not end with their text */
        const crn_constant *found = crn_constant_find(constants, 200, behind, strlen(names[i]));
        assert_non_null(found);
        assert_true(found->value == i);
    }
    static const char *const OTHERS[] = {"", "p", "p200", "o", "q", "p01", "P1", "p1999"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; ++i)
        assert_null(crn_constant_find(constants, 200, OTHERS[i], strlen(OTHERS[i])));
    assert_null(crn_constant_find(NULL, 0, "p1", 2));
}

static void parameters_keep_their_values_in_any_order(void **state)
{
    (void)state;
    text t = {0};
    put(&t, "dimension: 2\nparameters: {zeta: 3, alpha: 2*zeta, mid: alpha + zeta}\n"
            "bodies: [{name: b, point: true, mass: 100*alpha + 10*zeta + mid}]\n");
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    assert_int_equal(cairn_scene_parse(context, "s", t.bytes, t.length, NULL, 0, &scene), CAIRN_OK);
    const cairn_model *model = cairn_scene_model(scene);
    assert_true(cairn_model_body_mass(model, cairn_model_body(model, 0)) == 639.0);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    free(t.bytes);
}

/* Each wrong name is compared with all that are known: of very many wrong ones, most are not looked at. */
static void very_many_problems_end_the_reading(void **state)
{
    (void)state;
    text names = {0}, files = {0}, numbers = {0};
    put(&names, "dimension: 2\nparameters:\n");
    put(&numbers, "dimension: 3\nparameters:\n");
    for (int i = 0; i < 900; ++i)
    {
        put(&names, "  parameter_name_of_some_length_%d: 1\n", i);
        put(&numbers, "  parameter_name_of_some_length_%d: 1\n", i);
    }
    put(&names, "bodies:\n");
    put(&numbers, "bodies: [{name: a, kind: fixed, shapes: [{type: hull, vertices: [");
    put(&files, "dimension: 3\nbodies:\n");
    for (int i = 0; i < (IS_SANITIZED ? 30000 : 100000); ++i)
    {
        put(&names, "- {name: b%d, point: true, mass: parameter_nam_of_some_length_%d}\n", i, i);
        put(&files, "- {name: b%d, kind: fixed, shapes: [{type: mesh, file: f%d.obj}]}\n", i, i);
        put(&numbers, "[parameter_nam_of_some_length_%d, 0, 1],", i);
    }
    put(&numbers, "]}]}]\n");
    text *all[] = {&names, &files, &numbers};
    for (int k = 0; k < 3; ++k)
    {
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        assert_int_equal(cairn_scene_parse(context, "s", all[k]->bytes, all[k]->length, NULL, 0, &scene),
                         CAIRN_INVALID);
        assert_int_equal(cairn_context_message_count(context), 101);
        assert_string_equal(cairn_context_last_message(context),
                            "s: 1000 more problems are not listed, and the rest was not read");
        cairn_context_destroy(context);
        free(all[k]->bytes);
    }
}

/* A pipe without writer and a device: neither is waited for. */
static void meshes_come_from_regular_files(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"pipe", "/dev/zero", "folder"};
    static const char *const WHY[] = {"./pipe: cannot be read: it is not a regular file",
                                      "/dev/zero: cannot be read: it is not a regular file",
                                      "./folder: cannot be read: Is a directory"};
    unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    mkdir("folder", 0700);
    for (int i = 0; i < 3; ++i)
    {
        for (int field = 0; field < 2; ++field)
        {
            FILE *file = fopen("mesh.yaml", "w");
            assert_non_null(file);
            fprintf(file, "dimension: 3\nbodies: [{name: a, kind: fixed, shapes: [{type: %s, file: %s%s}]}]\n",
                    field ? "height-field" : "mesh", NAMES[i], field ? ", spacing: 1" : "");
            fclose(file);
            cairn_context *context = cairn_context_create();
            cairn_scene *scene;
            assert_int_equal(cairn_scene_load(context, "mesh.yaml", NULL, 0, &scene), CAIRN_INVALID);
            const char *message = cairn_context_last_message(context);
            if (!strstr(message, WHY[i]))
                fail_msg("expected '%s' in: %s", WHY[i], message);
            cairn_context_destroy(context);
        }
    }
    unlink("pipe");
}

static void names_do_not_command_terminals(void **state)
{
    (void)state;
    static const char *const WRONG[] = {"\\u001b[2J", "a\\u0007", "a\\u007f", "\\u009b2J", "a\\tb", "a\\nb"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; ++i)
    {
        text t = {0};
        put(&t, "dimension: 2\nbodies: [{name: \"%s\", point: true, mass: 1}]\n", WRONG[i]);
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        assert_int_equal(cairn_scene_parse(context, "s", t.bytes, t.length, NULL, 0, &scene), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(context), "without control characters"));
        assert_null(strpbrk(cairn_context_last_message(context), "\x1b\a\x7f\t\n"));
        cairn_context_destroy(context);
        free(t.bytes);
    }
    text title = {0}, lines = {0};
    put(&title, "dimension: 2\ntitle: \"\\u001b[31mred\"\n");
    refused(&title, 2, "title: expected a text without control characters, found ' [31mred'");
    put(&lines,
        "dimension: 2\ntitle: |\n  two\n  lines\nbodies: [{name: \"K\xc3\xb6rper \xe2\x82\xac\", point: true, mass: "
        "1}]\n");
    accepted(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directives_are_few),
        cmocka_unit_test(pairs_without_number_are_ignored),
        cmocka_unit_test(heights_cost_a_limited_time),
        cmocka_unit_test(constants_are_found_by_name),
        cmocka_unit_test(parameters_keep_their_values_in_any_order),
        cmocka_unit_test(very_many_problems_end_the_reading),
        cmocka_unit_test(meshes_come_from_regular_files),
        cmocka_unit_test(names_do_not_command_terminals),
    };
    alarm(500);
    return cmocka_run_group_tests_name("limits of scenes", tests, NULL, NULL);
}
