/* Problem files: what is saved comes back bit by bit, others can read it, and nothing in a file is trusted. */
#include "cairn/problem.h"

#include <dirent.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SEAL         16 /* bytes behind the HDF5 file proper */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ------------------------------------------------------------------------------------------- the scene */

/* Three bodies, a spring between the first two, one joint of two rows, three contacts, two of them one compliant patch.
 * Values that a careless writer loses are among them: -0.0, the smallest subnormal, 17 digits. */
static int block_start[] = {0, 2, 5, 8};
static int a_row_start[] = {0, 2, 4, 5};
static int a_column[] = {0, 1, 0, 1, 2};
static int a_value_start[] = {0, 4, 10, 16, 25, 34};
static double a_value[] = {2, 0.1, -0.1, 2, -0.0, 1e-300, 0.1, 0, 0, 0, 0, 0, 0, 0,   0, 4.9e-324, 0.3,
                           3, 0,   0,    0, 3,    0,      0,   0, 3, 1, 0, 0, 0, 1e8, 0, 0,        1};
static double p[] = {0.1, -0.2, 0.30000000000000004, 1e-17, -0.0, 5, 6, 7};
static int g_row_start[] = {0, 2};
static int g_entry_start[] = {0, 2};
static int g_block[] = {0, 2};
static int g_value_start[] = {0, 4, 10};
static double g_value[] = {1, 0, 0, 1, -1, 0, 0.5, 0, -1, 0.25};
static double r_c[] = {0, 1e-9};
static double b[] = {0, -0.125};
static int h_row_start[] = {0, 2, 4, 6};
static int h_entry_start[] = {0, 1, 2, 4};
static int h_block[] = {0, 1, 1, 2};
static int h_value_start[] = {0, 4, 10, 16, 22};
static double h_value[] = {0, 1, 1, 0, 0, 1, -0.5, 1, 0, 0.5, 0, 1, 0.5, 1, 0, 0.5, 0, -1, 0, -1, 0, 0};
static double w[] = {0.01, 0, 0, 0, -0.02, 0};
static double mu[] = {0, 0.5, 2};
static uint64_t identity[] = {1, UINT64_MAX, 42};
static int patch_start[] = {1, 3};
static int r_start[] = {0, 16};
static double r[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0.25, 0, 0, 0.125, 2};

static cairn_problem example(void)
{
    return (cairn_problem){.block_count = 3,
                           .block_start = block_start,
                           .n = 8,
                           .dim = 2,
                           .law = {CAIRN_LAW_PYRAMID, 8},
                           .A = {3, block_start, a_row_start, a_column, a_value_start, a_value},
                           .p = p,
                           .joint_rows = 2,
                           .G = {1, g_row_start, g_entry_start, g_block, g_value_start, g_value},
                           .R_c = r_c,
                           .b = b,
                           .contact_count = 3,
                           .H = {3, h_row_start, h_entry_start, h_block, h_value_start, h_value},
                           .w = w,
                           .mu = mu,
                           .identity = identity,
                           .patch_count = 1,
                           .patch_start = patch_start,
                           .R_start = r_start,
                           .R = r};
}

/* The same with a bounded row in the place of the first contact, whose bounds are multiples of the second one's impulse. */
static double h_value_bounded[] = {0, 1, 0, 0, 0, 1, -0.5, 1, 0, 0.5, 0, 1, 0.5, 1, 0, 0.5, 0, -1, 0, -1, 0, 0};
static cairn_bound bound[] = {{true, 1, -0.25, 0.30000000000000004}, {.by = -1}, {.by = -1}};

static cairn_problem bounded_example(void)
{
    cairn_problem problem = example();
    problem.H.value = h_value_bounded;
    problem.bound = bound;
    return problem;
}

typedef struct fixture
{
    cairn_context *context;
    char directory[256];
    char path[300];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    const char *base = getenv("TMPDIR");
    snprintf(f->directory, sizeof f->directory, "%s/cairn-problem-XXXXXX", base ? base : P_tmpdir);
    f->context = cairn_context_create();
    *state = f;
    if (!f->context || !mkdtemp(f->directory))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/problem.h5", f->directory);
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(f->path);
    int left = rmdir(f->directory); /* fails when a test left something behind */
    cairn_context_destroy(f->context);
    free(f);
    return left;
}

static int files_in(const char *directory)
{
    DIR *handle = opendir(directory);
    int count = 0;
    for (struct dirent *entry; handle && (entry = readdir(handle));)
        count += entry->d_name[0] != '.';
    closedir(handle);
    return count;
}

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
    unlink(path); /* some file systems write a truncated file to disk at once */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_same(const void *a, const void *c, int count, size_t size)
{
    if (count)
        assert_memory_equal(a, c, (size_t)count * size);
}

static void assert_same_rows(const cairn_block_rows *x, const cairn_block_rows *y)
{
    assert_int_equal(x->item_count, y->item_count);
    if (x->item_count == 0)
        return;
    int entries = x->entry_start[x->item_count];
    assert_same(x->row_start, y->row_start, x->item_count + 1, sizeof(int));
    assert_same(x->entry_start, y->entry_start, x->item_count + 1, sizeof(int));
    assert_same(x->block, y->block, entries, sizeof(int));
    assert_same(x->value_start, y->value_start, entries + 1, sizeof(int));
    assert_same(x->value, y->value, x->value_start[entries], sizeof(double));
}

static void assert_same_matrix(const cairn_block_matrix *x, const cairn_block_matrix *y)
{
    assert_int_equal(x->block_count, y->block_count);
    if (x->block_count == 0)
        return;
    int entries = x->row_start[x->block_count];
    assert_same(x->row_start, y->row_start, x->block_count + 1, sizeof(int));
    assert_same(x->column, y->column, entries, sizeof(int));
    assert_same(x->value_start, y->value_start, entries + 1, sizeof(int));
    assert_same(x->value, y->value, x->value_start[entries], sizeof(double));
}

/* Missing in both, or the same. */
static void assert_same_optional(const double *x, const double *y, int count)
{
    assert_true(!x == !y);
    if (x)
        assert_same(x, y, count, sizeof(double));
}

/* Bit by bit, written out field by field on purpose: the library's own table is what is under test. */
static void assert_same_problem(const cairn_problem *x, const cairn_problem *y)
{
    assert_int_equal(x->block_count, y->block_count);
    assert_int_equal(x->n, y->n);
    assert_int_equal(x->dim, y->dim);
    assert_int_equal(x->law.kind, y->law.kind);
    assert_int_equal(x->law.directions, y->law.directions);
    assert_same(x->block_start, y->block_start, x->block_count ? x->block_count + 1 : 0, sizeof(int));
    assert_same_matrix(&x->A, &y->A);
    assert_same(x->p, y->p, x->n, sizeof(double));
    assert_int_equal(x->joint_rows, y->joint_rows);
    assert_same_rows(&x->G, &y->G);
    assert_same(x->R_c, y->R_c, x->joint_rows, sizeof(double));
    assert_same(x->b, y->b, x->joint_rows, sizeof(double));
    assert_int_equal(x->contact_count, y->contact_count);
    assert_same_rows(&x->H, &y->H);
    assert_same(x->w, y->w, x->contact_count * x->dim, sizeof(double));
    assert_same(x->mu, y->mu, x->contact_count, sizeof(double));
    assert_same(x->identity, y->identity, x->contact_count, sizeof(uint64_t));
    assert_same_optional(x->length, y->length, x->n);
    assert_same_optional(x->joint_length, y->joint_length, x->joint_rows);
    assert_same_optional(x->weight, y->weight, x->contact_count);
    assert_same_optional(x->joint_weight, y->joint_weight, x->joint_rows);
    assert_true(!x->bound == !y->bound);
    for (int j = 0; x->bound && j < x->contact_count; ++j)
    {
        assert_int_equal(x->bound[j].is_row, y->bound[j].is_row);
        assert_int_equal(x->bound[j].by, y->bound[j].by);
        assert_same(&x->bound[j].lo, &y->bound[j].lo, 1, sizeof(double));
        assert_same(&x->bound[j].hi, &y->bound[j].hi, 1, sizeof(double));
    }
    assert_int_equal(x->patch_count, y->patch_count);
    for (int k = 0; k < x->patch_count; ++k)
    {
        int rows = (x->patch_start[k + 1] - x->patch_start[k]) * x->dim;
        assert_int_equal(x->patch_start[k], y->patch_start[k]);
        assert_int_equal(x->patch_start[k + 1], y->patch_start[k + 1]);
        assert_int_equal(x->R_start[k], y->R_start[k]);
        assert_same(x->R + x->R_start[k], y->R + y->R_start[k], rows * rows, sizeof(double));
    }
}

static void round_trip(fixture *f, const cairn_problem *problem)
{
    cairn_problem *back = NULL;
    assert_int_equal(cairn_problem_save(f->context, problem, f->path), CAIRN_OK);
    cairn_status status = cairn_problem_load(f->context, f->path, &back);
    if (status)
        fail_msg("load: %s", cairn_context_last_message(f->context));
    assert_same_problem(problem, back);
    assert_ptr_equal(back->A.block_start, back->block_start);
    assert_int_equal(cairn_context_message_count(f->context), 0);
    cairn_problem_destroy(back);
}

/* -------------------------------------------------------------------------------------------- the tests */

static void test_round_trip_is_bitwise(void **state)
{
    cairn_problem problem = example();
    round_trip(*state, &problem);
    double length[] = {1, 1, 0.1, 1, 1, 0.2, 1, 0.3}, joint_length[] = {1, 0.25};
    double weight[] = {1, 2, 3}, joint_weight[] = {4, 5};
    problem.length = length;
    problem.joint_length = joint_length;
    problem.weight = weight;
    problem.joint_weight = joint_weight;
    round_trip(*state, &problem);
    problem.law = (cairn_law){CAIRN_LAW_BOX, 4};
    round_trip(*state, &problem);
    problem.law = (cairn_law){CAIRN_LAW_FRICTIONLESS, 4};
    round_trip(*state, &problem);
    problem.law = (cairn_law){CAIRN_LAW_CONE, 0};
    round_trip(*state, &problem);
    problem.law = (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 6};
    round_trip(*state, &problem);
    problem.law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
    round_trip(*state, &problem);
}

static int version_of(const char *path)
{
    int version = 0;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), attribute = H5Aopen(file, "version", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT, &version) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    return version;
}

/* Bounds of all kinds, infinite ones too. A problem without any is written as before they were known: as version 1. */
static void test_bounded_rows_come_back(void **state)
{
    fixture *f = *state;
    const cairn_bound kinds[] = {bound[0],
                                 {true, -1, 0, INFINITY},
                                 {true, -1, -INFINITY, INFINITY},
                                 {true, -1, 1e-300, 1e-300},
                                 {true, 2, -0.0, INFINITY}};
    cairn_problem problem = bounded_example();
    for (int i = 0; i < COUNT(kinds); ++i)
    {
        cairn_bound one[] = {kinds[i], bound[1], bound[2]};
        problem.bound = one;
        round_trip(f, &problem);
        assert_int_equal(version_of(f->path), 2);
    }
    problem.bound = NULL;
    round_trip(f, &problem);
    assert_int_equal(version_of(f->path), 1);
}

static void test_parts_may_be_absent(void **state)
{
    cairn_problem problem = example();
    problem.patch_count = 0;
    problem.patch_start = problem.R_start = NULL;
    problem.R = NULL;
    round_trip(*state, &problem);
    problem.joint_rows = 0;
    problem.G = (cairn_block_rows){0};
    problem.R_c = problem.b = NULL;
    round_trip(*state, &problem);
    problem.contact_count = 0;
    problem.H = (cairn_block_rows){0};
    problem.w = problem.mu = NULL;
    problem.identity = NULL;
    round_trip(*state, &problem);
}

/* A problem given by its contacts' matrix alone: no bodies, H without entries, R = W in one patch. */
static void test_problem_without_bodies(void **state)
{
    double W[36] = {0}, bias[6] = {-1, 0, 0, -1, 0.5, 0}, friction[2] = {0.3, 0.7};
    int rows[] = {0, 3, 6}, none[] = {0, 0, 0}, patch[] = {0, 2}, starts[] = {0, 36};
    uint64_t names[] = {7, 8};
    for (int i = 0; i < 6; ++i)
        W[7 * i] = 1 + 0.1 * i;
    W[1] = 0.25; /* not symmetric */
    cairn_problem problem = {.dim = 3,
                             .law = {CAIRN_LAW_PYRAMID, 4},
                             .block_start = none,
                             .A = {0, none, none, none, none, W},
                             .contact_count = 2,
                             .H = {2, rows, none, none, none, W},
                             .w = bias,
                             .mu = friction,
                             .identity = names,
                             .patch_count = 1,
                             .patch_start = patch,
                             .R_start = starts,
                             .R = W};
    round_trip(*state, &problem);
}

static void test_same_problem_same_bytes(void **state)
{
    fixture *f = *state;
    cairn_problem problem = example();
    size_t first_size, second_size;
    assert_int_equal(cairn_problem_save(f->context, &problem, f->path), CAIRN_OK);
    char *first = slurp(f->path, &first_size);
    assert_int_equal(cairn_problem_save(f->context, &problem, f->path), CAIRN_OK);
    char *second = slurp(f->path, &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
}

/* Someone with nothing but HDF5 and the layout page finds the numbers and what they are. */
static void test_file_describes_itself(void **state)
{
    fixture *f = *state;
    cairn_problem problem = example();
    assert_int_equal(cairn_problem_save(f->context, &problem, f->path), CAIRN_OK);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const char *const names[] = {"format", "units", "law"};
    const char *const texts[] = {"cairn-problem", "SI: m, kg, s, N, rad", "pyramid"};
    for (int i = 0; i < COUNT(names); ++i)
    {
        char text[64] = {0};
        hid_t attribute = H5Aopen(file, names[i], H5P_DEFAULT);
        hid_t type = H5Aget_type(attribute);
        assert_true(H5Tget_size(type) < sizeof text);
        assert_true(H5Aread(attribute, type, text) >= 0);
        assert_string_equal(text, texts[i]);
        H5Tclose(type);
        H5Aclose(attribute);
    }
    double found[3];
    hid_t set = H5Dopen2(file, "H/mu", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
    assert_memory_equal(found, mu, sizeof mu);
    assert_true(H5Aexists(set, "unit") > 0);
    H5Dclose(set);
    H5Fclose(file);
}

/* A load of whatever stands in the file: a status, a message with every failure, and no half-made problem. */
static cairn_status try_load(fixture *f)
{
    cairn_problem *problem = NULL;
    cairn_context_clear(f->context);
    cairn_status status = cairn_problem_load(f->context, f->path, &problem);
    if (status)
    {
        assert_null(problem);
        assert_true(cairn_context_message_count(f->context) > 0);
    }
    else
    {
        assert_true(cairn_problem_is_valid(f->context, problem));
        cairn_problem_destroy(problem);
    }
    return status;
}

static char *saved_example(fixture *f, size_t *size)
{
    cairn_problem problem = bounded_example();
    assert_int_equal(cairn_problem_save(f->context, &problem, f->path), CAIRN_OK);
    return slurp(f->path, size);
}

static void test_truncated_files_are_refused(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    for (size_t length = 0; length < size - SEAL; length += length < 1024 ? 13 : 61)
    {
        spill(f->path, bytes, length);
        assert_int_equal(try_load(f), CAIRN_INVALID);
    }
    free(bytes);
}

/* Flip `count` random bits of the first `range` bytes, one at a time, load, and count what was refused. */
static int flip_bits(fixture *f, char *bytes, size_t size, size_t range, int count)
{
    int refused = 0;
    uint64_t random = 1;
    for (int i = 0; i < count; ++i)
    {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t place = (size_t)(random >> 33) % range;
        char mask = (char)(1 << (random >> 29 & 7));
        bytes[place] = (char)(bytes[place] ^ mask);
        spill(f->path, bytes, size);
        refused += try_load(f) == CAIRN_INVALID;
        bytes[place] = (char)(bytes[place] ^ mask);
    }
    return refused;
}

static void test_every_flipped_bit_is_found(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    assert_int_equal(flip_bits(f, bytes, size, size - SEAL, 1000), 1000);
    free(bytes);
}

/* Without the seal HDF5 itself meets the damage. It is refused, or it changed a number and the problem is still a valid
 * one: both happen, and neither ends the process. In a process of its own, since HDF5 1.10 complains at its exit after
 * damaged metadata. */
static void test_flipped_bits_without_seal_do_no_harm(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
    {
        int refused = flip_bits(f, bytes, size - SEAL, size - SEAL, 4000);
        _exit(refused > 100 && refused < 3900 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    free(bytes);
}

/* Replace a dataset of the file by another one. */
static void put(const char *path, const char *name, hid_t type, hid_t memory, hsize_t length, const void *data)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    hid_t space = H5Screate_simple(1, &length, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    if (data)
        assert_true(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
}

typedef struct lie
{
    const char *name;
    int length;
    int values[6];
} lie;

/* Well-formed HDF5, each with one array of indices that lies. */
static void test_lying_indices_are_refused(void **state)
{
    static const lie LIES[] = {
        {"block_start", 4, {0, 2, 5, 9}},
        {"block_start", 4, {0, 2, 5, 2147483647}},
        {"block_start", 4, {0, 5, 2, 8}},
        {"block_start", 4, {1, 2, 5, 8}},
        {"block_start", 4, {0, -2147483647, 5, 8}},
        {"block_start", 0, {0}},
        {"A/row_start", 3, {0, 2, 5}},
        {"A/row_start", 4, {0, 2, 4, -1}},
        {"A/row_start", 4, {0, 2, 4, 2000000000}},
        {"A/column", 5, {0, 3, 0, 1, 2}},
        {"A/column", 5, {0, -1, 0, 1, 2}},
        {"A/column", 5, {1, 0, 0, 1, 2}},
        {"A/value_start", 6, {0, 4, 10, 16, 25, 35}},
        {"A/value_start", 6, {0, 4, 9, 16, 25, 34}},
        {"G/row_start", 2, {0, 3}},
        {"G/row_start", 2, {0, 2147483647}},
        {"G/entry_start", 2, {0, 1}},
        {"G/block", 2, {0, 99}},
        {"G/block", 2, {-5, 2}},
        {"G/value_start", 3, {0, 4, 9}},
        {"H/row_start", 4, {0, 2, 4, 7}},
        {"H/row_start", 4, {0, 1, 4, 6}},
        {"H/row_start", 5, {0, 2, 4, 6, 6}},
        {"H/entry_start", 4, {0, 1, 2, 5}},
        {"H/block", 4, {0, 1, 1, 3}},
        {"H/value_start", 5, {0, 4, 10, 16, 1000000}},
        {"R/patch_start", 2, {1, 4}},
        {"R/patch_start", 2, {-1, 3}},
        {"R/patch_start", 2, {3, 1}},
        {"R/patch_start", 0, {0}},
        {"R/value_start", 1, {1}},
        {"R/value_start", 1, {-1}},
        {"R/value_start", 2, {0, 0}},
        {"H/bounded", 3, {2, 0, 0}},
        {"H/bounded", 3, {1, -1, 0}},
        {"H/bounded", 3, {1, 1, 0}}, /* a row with friction */
        {"H/bounded", 2, {1, 0}},
        {"H/bounded", 0, {0}},
        {"H/bound_by", 3, {0, -1, -1}},
        {"H/bound_by", 3, {3, -1, -1}},
        {"H/bound_by", 3, {-2, -1, -1}},
        {"H/bound_by", 4, {1, -1, -1, -1}},
    };
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    for (int i = 0; i < COUNT(LIES); ++i)
    {
        spill(f->path, bytes, size);
        put(f->path, LIES[i].name, H5T_STD_I32LE, H5T_NATIVE_INT, (hsize_t)LIES[i].length,
            LIES[i].length ? LIES[i].values : NULL);
        if (try_load(f) != CAIRN_INVALID)
            fail_msg("lie %d about %s was believed", i, LIES[i].name);
    }
    free(bytes);
}

static void test_wrong_numbers_and_types_are_refused(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    const double values[8] = {1, 2, 3, 4, 5, 6, 7, NAN};
    const double negative[3] = {0, -0.5, 2};
    spill(f->path, bytes, size);
    put(f->path, "p", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 8, values);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    spill(f->path, bytes, size);
    put(f->path, "p", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 8, p);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    spill(f->path, bytes, size);
    put(f->path, "H/mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, negative);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    const double above[3] = {0.4, 0, 0}, unknown[3] = {NAN, 0, 0};
    spill(f->path, bytes, size);
    put(f->path, "H/bound_lo", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, above);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    spill(f->path, bytes, size);
    put(f->path, "H/bound_hi", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, unknown);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    spill(f->path, bytes, size);
    put(f->path, "H/bound_hi", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, above);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    /* Two thousand million numbers that were never stored: refused before memory is asked for. */
    spill(f->path, bytes, size);
    put(f->path, "R/value", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2000000000, NULL);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    free(bytes);
}

/* Bounds are there whole or not at all. */
static void test_half_of_the_bounds_is_refused(void **state)
{
    static const char *const NAMES[] = {"H/bounded", "H/bound_by", "H/bound_lo", "H/bound_hi"};
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    for (int i = 0; i < COUNT(NAMES); ++i)
    {
        spill(f->path, bytes, size);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(file, NAMES[i], H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_int_equal(try_load(f), CAIRN_INVALID);
        if (!strstr(cairn_context_message(f->context, 0).text, NAMES[i]))
            fail_msg("'%s' does not name %s", cairn_context_message(f->context, 0).text, NAMES[i]);
    }
    free(bytes);
}

/* Links that lead out of the file, or around in it, are not followed. */
static void test_links_are_refused(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    char other[320];
    snprintf(other, sizeof other, "%s.other", f->path);
    spill(other, bytes, size);
    const char *const names[] = {"p", "H", "R/value"};
    for (int i = 0; i < 2 * COUNT(names); ++i)
    {
        const char *name = names[i / 2];
        spill(f->path, bytes, size);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Lmove(file, name, file, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        herr_t made = i % 2 ? H5Lcreate_external(other, name, file, name, H5P_DEFAULT, H5P_DEFAULT)
                            : H5Lcreate_soft("/moved", file, name, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(made >= 0);
        H5Fclose(file);
        assert_int_equal(try_load(f), CAIRN_INVALID);
    }
    unlink(other);
    free(bytes);
}

static void write_attribute(const char *path, const char *name, hid_t type, const void *value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    assert_true(H5Adelete(file, name) >= 0);
    if (value)
    {
        hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(attribute, type, value) >= 0);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Fclose(file);
}

static void test_wrong_heads_are_refused(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 8);
    const int four = 4, odd = 7;
    const struct
    {
        const char *name;
        hid_t type;
        const void *value;
    } heads[] = {
        {"format", text, "fclib\0\0"},      {"format", 0, NULL},
        {"version", H5T_NATIVE_INT, &four}, {"version", text, "1\0\0\0\0\0\0"},
        {"dim", H5T_NATIVE_INT, &four},     {"dim", 0, NULL},
        {"law", text, "cones\0\0"},         {"directions", H5T_NATIVE_INT, &odd},
    };
    for (int i = 0; i < COUNT(heads); ++i)
    {
        spill(f->path, bytes, size);
        write_attribute(f->path, heads[i].name, heads[i].type, heads[i].value);
        assert_int_equal(try_load(f), CAIRN_INVALID);
    }
    H5Tclose(text);
    free(bytes);
}

static void test_unreadable_paths(void **state)
{
    fixture *f = *state;
    cairn_problem *problem = NULL;
    assert_int_equal(cairn_problem_load(f->context, f->path, &problem), CAIRN_IO);
    assert_non_null(strstr(cairn_context_last_message(f->context), f->path));
    assert_int_equal(cairn_problem_load(f->context, f->directory, &problem), CAIRN_IO);
    assert_int_equal(cairn_problem_load(f->context, "/dev/zero", &problem), CAIRN_IO);
    assert_null(problem);
}

static void test_unwritable_paths(void **state)
{
    fixture *f = *state;
    cairn_problem problem = example();
    char nowhere[400];
    snprintf(nowhere, sizeof nowhere, "%s/none/problem.h5", f->directory);
    assert_int_equal(cairn_problem_save(f->context, &problem, nowhere), CAIRN_IO);
    assert_non_null(strstr(cairn_context_last_message(f->context), nowhere));
    assert_int_equal(cairn_problem_save(f->context, &problem, f->directory), CAIRN_IO);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    assert_int_equal(cairn_problem_save(f->context, &problem, f->path), CAIRN_IO);
    struct stat about;
    assert_int_equal(stat(f->path, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
}

static void test_invalid_problems_are_not_saved(void **state)
{
    fixture *f = *state;
    cairn_problem problem = example();
    problem.n = 7;
    assert_int_equal(cairn_problem_save(f->context, &problem, f->path), CAIRN_INVALID);
    assert_true(cairn_context_message_count(f->context) > 0);
    assert_int_equal(files_in(f->directory), 0);
}

/* A limit on the size of files fails a write half-way just as a full disk does. */
static void test_full_disk_leaves_nothing(void **state)
{
    fixture *f = *state;
    cairn_problem problem = example();
    struct rlimit before, tight;
    size_t size, size_after;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){1000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    cairn_status status = cairn_problem_save(f->context, &problem, f->path);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, CAIRN_IO);
    assert_int_equal(files_in(f->directory), 0);

    char *good = saved_example(f, &size);
    problem.p = (double[8]){0};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    status = cairn_problem_save(f->context, &problem, f->path);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, CAIRN_IO);
    assert_int_equal(files_in(f->directory), 1);
    char *after = slurp(f->path, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(good, after, size);
    free(good);
    free(after);
}

static herr_t count_call(hid_t stack, void *data)
{
    (void)stack;
    *(int *)data += 1;
    return 0;
}

/* The caller's way of reporting HDF5 errors is silent during our calls and itself again after them. */
static void test_error_reporting_is_given_back(void **state)
{
    fixture *f = *state;
    int calls = 0;
    H5E_auto2_t before, now;
    void *before_data, *now_data;
    H5Eget_auto2(H5E_DEFAULT, &before, &before_data);
    H5Eset_auto2(H5E_DEFAULT, count_call, &calls);
    spill(f->path, "not HDF5 at all", 15);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    assert_int_equal(calls, 0);
    H5Eget_auto2(H5E_DEFAULT, &now, &now_data);
    assert_true(now == count_call && now_data == &calls);
    H5Dopen2(-1, "nothing", H5P_DEFAULT);
    assert_true(calls > 0);
    H5Eset_auto2(H5E_DEFAULT, before, before_data);
}

/* Nothing stays open in HDF5, whether a load succeeds or fails. */
static void test_no_handles_leak(void **state)
{
    fixture *f = *state;
    size_t size;
    char *bytes = saved_example(f, &size);
    assert_int_equal(try_load(f), CAIRN_OK);
    put(f->path, "A/column", H5T_STD_I32LE, H5T_NATIVE_INT, 5, (int[5]){9, 9, 9, 9, 9});
    assert_int_equal(try_load(f), CAIRN_INVALID);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    free(bytes);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_round_trip_is_bitwise),
        CASE(test_bounded_rows_come_back),
        CASE(test_half_of_the_bounds_is_refused),
        CASE(test_parts_may_be_absent),
        CASE(test_problem_without_bodies),
        CASE(test_same_problem_same_bytes),
        CASE(test_file_describes_itself),
        CASE(test_truncated_files_are_refused),
        CASE(test_every_flipped_bit_is_found),
        CASE(test_flipped_bits_without_seal_do_no_harm),
        CASE(test_lying_indices_are_refused),
        CASE(test_wrong_numbers_and_types_are_refused),
        CASE(test_links_are_refused),
        CASE(test_wrong_heads_are_refused),
        CASE(test_unreadable_paths),
        CASE(test_unwritable_paths),
        CASE(test_invalid_problems_are_not_saved),
        CASE(test_full_disk_leaves_nothing),
        CASE(test_error_reporting_is_given_back),
        CASE(test_no_handles_leak),
    };
    return cmocka_run_group_tests_name("problem_file", tests, NULL, NULL);
}
