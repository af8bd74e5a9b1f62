/* Nothing in a file of FCLIB's layout is trusted: lies, wrong numbers, links, truncations and flipped bits. */
#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/problems/fclib_write.h"
#include "support/problems/random_problem.h"

#define SEAL         16 /* bytes behind the HDF5 file proper */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const test_recipe RECIPE = {.dim = 3,
                                   .law = {CAIRN_LAW_CONE, 0},
                                   .bodies = 5,
                                   .contacts = 3,
                                   .joints = 4,
                                   .mass_ratio = 10,
                                   .mu = 1,
                                   .skew = 0.3};

static char *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void spill(const char *path, const char *bytes, size_t size)
{
    unlink(path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

typedef struct lie
{
    const char *name;
    int length;
    int values[8];
} lie;

static void test_lies_are_refused(void **state)
{
    static const lie LIES[] = {
        {"spacedim", 1, {4}},
        {"spacedim", 2, {2, 2}},
        {"M/m", 1, {2147483647}},
        {"M/m", 1, {-3}},
        {"M/n", 1, {4}},
        {"M/nz", 1, {-3}},
        {"M/nz", 1, {6}},
        {"M/nz", 1, {2147483647}},
        {"M/nz", 1, {-1}},
        {"M/nz", 1, {-2147483647}},
        {"M/i", 5, {0, 0, 1, 1, 3}},
        {"M/i", 5, {0, 0, -1, 1, 2}},
        {"M/p", 5, {0, 1, 0, 1, 9}},
        {"M/p", 5, {0, 1, 0, 1, -9}},
        {"M/p", 0, {0}},
        {"M/i", 3, {0, 0, 1}},
        {"H/m", 1, {2}},
        {"H/n", 1, {3}},
        {"H/n", 1, {2000000000}},
        {"H/i", 3, {0, 1, 2000000000}},
        {"H/x", 3, {1, 1, 1}},
        {"vectors/f", 3, {1, 1, 1}},
        {"G/n", 1, {2}},
        {"G/n", 1, {-1}},
        {"G/m", 1, {0}},
    };
    fclib_fixture *f = *state;
    for (int i = 0; i < COUNT(LIES); ++i)
    {
        char path[64];
        snprintf(path, sizeof path, "fclib_global/%s", LIES[i].name);
        fclib_write_global(f->path, 0, FCLIB_M, true);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        fclib_put_ints(file, path, LIES[i].length, LIES[i].values);
        H5Fclose(file);
        if (fclib_try_load(f) != CAIRN_INVALID)
            fail_msg("lie %d about %s was believed", i, LIES[i].name);
    }
    /* The start lists of compressed storage. */
    static const lie STARTS[] = {{"W/p", 7, {0, 3, 6, 8, 10, 11, 13}},         {"W/p", 7, {0, 3, 2, 8, 10, 11, 12}},
                                 {"W/p", 7, {1, 3, 6, 8, 10, 11, 12}},         {"W/p", 7, {0, -3, 6, 8, 10, 11, 12}},
                                 {"W/p", 7, {0, 3, 6, 8, 2000000000, 11, 12}}, {"W/p", 6, {0, 3, 6, 8, 10, 11}}};
    for (int i = 0; i < 2 * COUNT(STARTS); ++i)
    {
        fclib_write_local(f->path, i % 2 ? -1 : -2);
        assert_int_equal(fclib_try_load(f), CAIRN_OK);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        fclib_put_ints(file, "fclib_local/W/p", STARTS[i / 2].length, STARTS[i / 2].values);
        H5Fclose(file);
        assert_int_equal(fclib_try_load(f), CAIRN_INVALID);
    }
}

static void test_wrong_numbers_are_refused(void **state)
{
    fclib_fixture *f = *state;
    const double nan[3] = {1, NAN, 1}, negative[1] = {-0.5};
    fclib_write_global(f->path, 0, FCLIB_M, false);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_reals(file, "fclib_global/vectors/f", 3, nan);
    H5Fclose(file);
    assert_int_equal(fclib_try_load(f), CAIRN_INVALID);
    fclib_write_global(f->path, 0, FCLIB_M, false);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_reals(file, "fclib_global/vectors/mu", 1, negative);
    H5Fclose(file);
    assert_int_equal(fclib_try_load(f), CAIRN_INVALID);
    /* Two thousand million numbers that were never stored: refused before memory is asked for. */
    fclib_write_global(f->path, 0, FCLIB_M, false);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_reals(file, "fclib_global/vectors/mu", 2000000000, NULL);
    H5Fclose(file);
    assert_int_equal(fclib_try_load(f), CAIRN_INVALID);
}

static void test_what_is_not_supported_is_said(void **state)
{
    fclib_fixture *f = *state;
    const int dim = 5;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fclib_put_ints(file, "fclib_global_rolling/spacedim", 1, &dim);
    H5Fclose(file);
    assert_int_equal(fclib_try_load(f), CAIRN_UNSUPPORTED);
    fclib_write_local(f->path, -2);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_matrix(file, "fclib_local/V", 0, 6, 1, (double[6]){1, 0, 0, 0, 0, 0});
    H5Fclose(file);
    assert_int_equal(fclib_try_load(f), CAIRN_UNSUPPORTED);
}

/* Links that lead out of the file, or around in it, are not followed. */
static void test_links_are_refused(void **state)
{
    fclib_fixture *f = *state;
    char other[128];
    snprintf(other, sizeof other, "%s/other.h5", f->directory);
    fclib_write_global(other, 0, FCLIB_M, false);
    const char *const names[] = {"fclib_global/M", "fclib_global/vectors/f", "fclib_global/M/x"};
    for (int i = 0; i < 2 * COUNT(names); ++i)
    {
        const char *name = names[i / 2];
        fclib_write_global(f->path, 0, FCLIB_M, false);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Lmove(file, name, file, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        herr_t made = i % 2 ? H5Lcreate_external("other.h5", name, file, name, H5P_DEFAULT, H5P_DEFAULT)
                            : H5Lcreate_soft("/moved", file, name, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(made >= 0);
        H5Fclose(file);
        assert_int_equal(fclib_try_load(f), CAIRN_INVALID);
    }
    unlink(other);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* Truncate, and flip random bits; what loads is valid (fclib_try_load). Returns how many loads were refused. */
static int damage(fclib_fixture *f, char *bytes, size_t size, int flips)
{
    int refused = 0;
    uint64_t random = 1;
    for (size_t length = 0; length < size; length += length < 512 ? 17 : 97)
    {
        spill(f->path, bytes, length);
        fclib_try_load(f);
    }
    for (int i = 0; i < flips; ++i)
    {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t place = (size_t)(random >> 33) % size;
        char mask = (char)(1 << (random >> 29 & 7));
        bytes[place] = (char)(bytes[place] ^ mask);
        spill(f->path, bytes, size);
        refused += fclib_try_load(f) != CAIRN_OK;
        bytes[place] = (char)(bytes[place] ^ mask);
    }
    return refused;
}

/* In a process of its own, since HDF5 1.10 complains at its exit after damaged metadata. */
static void survives(fclib_fixture *f, size_t behind, int flips, int least)
{
    size_t size;
    char *bytes = slurp(f->path, &size);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
    {
        int refused = damage(f, bytes, size - behind, flips);
        _exit(refused >= least && refused < flips ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    free(bytes);
}

static void test_damage_does_no_harm(void **state)
{
    fclib_fixture *f = *state;
    cairn_problem *problem = test_problem_random(&RECIPE, 3);
    cairn_fclib_options options = cairn_fclib_default();
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    survives(f, SEAL, 2000, 50);
    options.layout = CAIRN_FCLIB_LOCAL;
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    survives(f, SEAL, 2000, 50);
    test_problem_destroy(problem);
    fclib_write_global(f->path, 0, FCLIB_M, true);
    survives(f, 0, 2000, 50);
    fclib_write_local(f->path, -2);
    survives(f, 0, 2000, 50);
}

/* With the seal every flipped bit is found. */
static void test_seal_finds_damage(void **state)
{
    fclib_fixture *f = *state;
    size_t size;
    cairn_problem *problem = test_problem_random(&RECIPE, 3);
    cairn_fclib_options options = cairn_fclib_default();
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    char *bytes = slurp(f->path, &size);
    for (size_t place = 0; place < size - SEAL; place += 31)
    {
        bytes[place] ^= 4;
        spill(f->path, bytes, size);
        assert_int_equal(fclib_try_load(f), CAIRN_INVALID);
        bytes[place] ^= 4;
    }
    free(bytes);
    test_problem_destroy(problem);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, fclib_set_up, fclib_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_lies_are_refused),  CASE(test_wrong_numbers_are_refused), CASE(test_what_is_not_supported_is_said),
        CASE(test_links_are_refused), CASE(test_damage_does_no_harm),       CASE(test_seal_finds_damage),
    };
    return cmocka_run_group_tests_name("fclib_damage", tests, NULL, NULL);
}
