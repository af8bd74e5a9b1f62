/* The journal of run files, byte by byte: files made by hand with a journal that is whole, cut, lied about or damaged, the
 * commit that makes one and cuts it off, and a limit on the size of files. The hash is computed here from its definition
 * (FNV-1a, 64 bits). */
#include "run/run_store.h"
#include "support/recording.h"

#include <errno.h>
#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

enum
{
    BODY = 100, /* bytes of the file without its journal: 0, 1, 2, ... */
    ROOM = 512,
};

typedef struct bytes
{
    unsigned char at[ROOM];
    size_t size;
} bytes;

static void put_number(bytes *b, uint64_t value)
{
    for (int i = 0; i < 8; ++i)
        b->at[b->size++] = (unsigned char)(value >> 8 * i);
}

static uint64_t fnv1a(const unsigned char *text, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; ++i)
    {
        h ^= text[i];
        h *= 0x100000001b3u;
    }
    return h;
}

static bytes body(void)
{
    bytes b = {.size = BODY};
    for (int i = 0; i < BODY; ++i)
        b.at[i] = (unsigned char)i;
    return b;
}

static void put_change(bytes *b, uint64_t address, uint64_t said, const char *text)
{
    put_number(b, address);
    put_number(b, said);
    memcpy(b->at + b->size, text, strlen(text));
    b->size += strlen(text);
}

static void put_footer(bytes *b, const char *magic, uint64_t size, uint64_t hash)
{
    memcpy(b->at + b->size, magic, 8);
    b->size += 8;
    put_number(b, size);
    put_number(b, hash);
}

/* "ABCD" over bytes 10 to 13, then "xy" over 12 and 13: the later change wins. */
static bytes two_changes(void)
{
    bytes b = body();
    put_change(&b, 10, 4, "ABCD");
    put_change(&b, 12, 2, "xy");
    put_footer(&b, "cairnlog", b.size - BODY, fnv1a(b.at + BODY, b.size - BODY));
    return b;
}

/* The first bytes of the file as a reader sees them. */
static void read_body(const bytes *b, unsigned char seen[BODY])
{
    write_whole("store.bin", (const char *)b->at, b->size);
    crn_run_store *store = crn_run_store_open("store.bin", false);
    assert_non_null(store);
    assert_true(crn_run_store_read(store, 0, BODY, seen));
    crn_run_store_close(store);
}

static void is_seen(const bytes *b, const char *at_ten)
{
    unsigned char seen[BODY];
    bytes plain = body();
    read_body(b, seen);
    memcpy(plain.at + 10, at_ten, strlen(at_ten));
    assert_memory_equal(seen, plain.at, BODY);
}

static void is_not_seen(const bytes *b)
{
    is_seen(b, "");
}

static void a_whole_journal_is_seen(void **state)
{
    (void)state;
    bytes b = two_changes();
    is_seen(&b, "ABxy");
    /* from any address, in any length */
    write_whole("store.bin", (const char *)b.at, b.size);
    crn_run_store *store = crn_run_store_open("store.bin", false);
    unsigned char seen[3];
    assert_true(crn_run_store_read(store, 11, 3, seen));
    assert_memory_equal(seen, "Bxy", 3);
    assert_true(crn_run_store_read(store, 8, 3, seen));
    assert_memory_equal(seen,
                        "\x08\x09"
                        "A",
                        3);
    assert_true(crn_run_store_read(store, 14, 1, seen));
    assert_int_equal(seen[0], 14);
    crn_run_store_close(store);
}

static void a_part_of_a_journal_is_not_seen(void **state)
{
    (void)state;
    for (bytes b = two_changes(); b.size > BODY;)
    {
        --b.size;
        is_not_seen(&b);
    }
}

/* Each bit of changes and footer flipped: the magic, the size and the hash are all looked at. */
static void a_damaged_journal_is_not_seen(void **state)
{
    (void)state;
    const bytes whole = two_changes();
    for (size_t i = 8 * BODY; i < 8 * whole.size; ++i)
    {
        bytes b = whole;
        b.at[i / 8] ^= (unsigned char)(1 << i % 8);
        is_not_seen(&b);
    }
}

/* Journals whose hash is right and whose sizes are not. */
static void a_journal_that_contradicts_itself_is_not_seen(void **state)
{
    (void)state;
    static const uint64_t SAID[] = {3, 5, 100, UINT64_MAX, UINT64_MAX - 15, (uint64_t)1 << 63};
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; ++i)
    {
        bytes b = body();
        put_change(&b, 10, 2, "AB"); /* right; but it must not count alone */
        put_change(&b, 12, SAID[i], "CDEF");
        put_footer(&b, "cairnlog", b.size - BODY, fnv1a(b.at + BODY, b.size - BODY));
        is_not_seen(&b);
    }
    static const uint64_t LENGTH[] = {UINT64_MAX, UINT64_MAX - 24, 1000, BODY + 21};
    for (size_t i = 0; i < sizeof LENGTH / sizeof LENGTH[0]; ++i)
    {
        bytes b = body();
        put_change(&b, 10, 4, "ABCD");
        put_footer(&b, "cairnlog", LENGTH[i], fnv1a(b.at + BODY, b.size - BODY));
        is_not_seen(&b);
    }
    /* A change far behind the end, or one that would run round the end of all addresses, harms nothing. */
    bytes far = body();
    put_change(&far, UINT64_MAX - 1, 4, "ABCD");
    put_footer(&far, "cairnlog", far.size - BODY, fnv1a(far.at + BODY, far.size - BODY));
    is_not_seen(&far);
}

/* ------------------------------------------------------------------------------------------------------------ commits */

static crn_run_store *open_body(void)
{
    bytes b = body();
    write_whole("store.bin", (const char *)b.at, b.size);
    crn_run_store *store = crn_run_store_open("store.bin", true);
    assert_non_null(store);
    return store;
}

static void file_is(const char *wanted, size_t size)
{
    size_t found;
    char *whole = read_whole("store.bin", &found);
    assert_int_equal(found, size);
    assert_memory_equal(whole, wanted, size);
    free(whole);
}

static void change_some(crn_run_store *store)
{
    crn_run_store_write(store, false, 10, 4, "ABCD");
    crn_run_store_write(store, true, BODY, 5, "rows!");
    store->end = BODY + 5;
}

static void a_commit_leaves_the_changes_and_no_journal(void **state)
{
    (void)state;
    crn_run_store *store = open_body();
    change_some(store);
    bytes now = body();
    memcpy(now.at + BODY, "rows!", 5);
    file_is((const char *)now.at, BODY + 5); /* what lies before the old end waits */
    assert_true(crn_run_store_commit(store));
    crn_run_store_close(store);
    memcpy(now.at + 10, "ABCD", 4);
    file_is((const char *)now.at, BODY + 5);
}

/* The journal takes 16 + 4 + 24 bytes behind the rows: a limit of just that is kept, and with one byte less the file is as it
 * was, without its rows and without a signal. */
static void a_limit_on_files_undoes_a_commit(void **state)
{
    (void)state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int less = 0; less < 3; ++less)
    {
        crn_run_store *store = open_body();
        limit = before;
        limit.rlim_cur = BODY + 5 + 16 + 4 + 24 - (rlim_t)less;
        limit.rlim_cur = less == 2 ? BODY + 4 : limit.rlim_cur; /* not even the rows */
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        change_some(store);
        errno = 0;
        bool done = crn_run_store_commit(store);
        int error = errno;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        crn_run_store_close(store);
        bytes now = body();
        memcpy(now.at + (less ? 0 : 10), less ? "\0" : "ABCD", less ? 1 : 4);
        memcpy(now.at + BODY, "rows!", 5);
        assert_int_equal(done, less == 0);
        assert_int_equal(less ? error : EFBIG, EFBIG);
        file_is((const char *)now.at, less ? BODY : BODY + 5);
    }
}

/* -------------------------------------------------------------------------------------------------- names and values */

static void put_texts(hid_t file, const char *path, int count)
{
    static const char TEXT[3][2] = {"1", "2", "3"};
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, (hsize_t[]){(hsize_t)count}, NULL);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    assert_true(H5Tset_size(type, 2) >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0);
    hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, TEXT) >= 0);
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
}

static void parameters_have_as_many_names_as_values(void **state)
{
    (void)state;
    for (int names = 1; names <= 3; ++names)
    {
        for (int values = 1; values <= 3; ++values)
        {
            recording w = recording_start();
            assert_int_equal(cairn_recorder_close(recording_record(&w, "pairs.h5", 1, 1), "done"), CAIRN_OK);
            recording_free(&w);
            hid_t file = H5Fopen("pairs.h5", H5F_ACC_RDWR, H5P_DEFAULT);
            put_texts(file, "/parameters/names", names);
            put_texts(file, "/parameters/values", values);
            H5Fclose(file);
            cairn_context *context = cairn_context_create();
            cairn_run *run = NULL;
            cairn_status status = cairn_run_open(context, "pairs.h5", &run);
            assert_int_equal(status, names == values ? CAIRN_OK : CAIRN_INVALID);
            assert_string_equal(cairn_context_last_message(context),
                                status ? "run file 'pairs.h5' is damaged: its description cannot be read" : "");
            assert_int_equal(run ? cairn_run_parameter_count(run) : names, names);
            cairn_run_close(run);
            cairn_context_destroy(context);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_journal_is_seen),
        cmocka_unit_test(a_part_of_a_journal_is_not_seen),
        cmocka_unit_test(a_damaged_journal_is_not_seen),
        cmocka_unit_test(a_journal_that_contradicts_itself_is_not_seen),
        cmocka_unit_test(a_commit_leaves_the_changes_and_no_journal),
        cmocka_unit_test(a_limit_on_files_undoes_a_commit),
        cmocka_unit_test(parameters_have_as_many_names_as_values),
    };
    return cmocka_run_group_tests_name("the journal of run files", tests, NULL, NULL);
}
