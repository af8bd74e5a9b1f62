/* A file through a window: the same bytes and the same hash as the whole file, also across the window's ends, and nothing behind the end of the file. */
#include "base/file_window.h"

#include "base/hash.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    SIZE = 3 * CRN_WINDOW + 17
};

static unsigned char *write_file(const char *path)
{
    unsigned char *bytes = malloc(SIZE);
    uint32_t x = 12345;
    for (size_t i = 0; i < SIZE; ++i)
        bytes[i] = (unsigned char)((x = x * 1664525u + 1013904223u) >> 24);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, SIZE, file), SIZE);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static void bytes_are_those_of_the_file(void **state)
{
    (void)state;
    static const size_t PLACE[][2] = {{0, 8},        {CRN_WINDOW - 3, 8}, {5, SIZE - 5},
                                      {SIZE - 1, 1}, {SIZE, 0},           {100, 2 * CRN_WINDOW},
                                      {0, SIZE},     {2 * CRN_WINDOW, 1}, {CRN_WINDOW, CRN_WINDOW}};
    unsigned char *truth = write_file("window.bin"), *read = malloc(SIZE);
    crn_file_window window;
    assert_true(crn_window_open(&window, "window.bin"));
    assert_int_equal(window.size, SIZE);
    for (size_t i = 0; i < sizeof PLACE / sizeof PLACE[0]; ++i)
    {
        uint64_t hash = crn_hash("before", 6);
        assert_true(crn_window_read(&window, PLACE[i][0], read, PLACE[i][1]));
        assert_memory_equal(read, truth + PLACE[i][0], PLACE[i][1]);
        assert_true(crn_window_hash(&window, PLACE[i][0], PLACE[i][1], &hash));
        assert_true(hash == crn_hash_more(crn_hash("before", 6), truth + PLACE[i][0], PLACE[i][1]));
    }
    assert_false(crn_window_read(&window, SIZE - 1, read, 2));
    assert_false(crn_window_read(&window, SIZE + 5, read, 1));
    crn_window_close(&window);
    crn_window_close(&window); /* once more does no harm */
    free(truth);
    free(read);
}

/* A second window reads on when the first is closed and the name is another file's. */
static void windows_are_shared(void **state)
{
    (void)state;
    unsigned char *truth = write_file("shared.bin"), *read = malloc(SIZE);
    crn_file_window first, second;
    assert_true(crn_window_open(&first, "shared.bin"));
    assert_true(crn_window_read(&first, 0, read, 8));
    assert_true(crn_window_share(&first, &second));
    crn_window_close(&first);
    FILE *other = fopen("other.bin", "wb");
    assert_non_null(other);
    assert_int_equal(fclose(other), 0);
    assert_int_equal(rename("other.bin", "shared.bin"), 0);
    assert_int_equal(second.size, SIZE);
    assert_true(crn_window_read(&second, 0, read, SIZE));
    assert_memory_equal(read, truth, SIZE);
    crn_window_close(&second);
    free(truth);
    free(read);
}

/* A file that has become shorter is not read as if it had not. */
static void cut_files_are_noticed(void **state)
{
    (void)state;
    unsigned char *truth = write_file("cut.bin"), read[16];
    uint64_t hash = 0;
    crn_file_window window;
    assert_true(crn_window_open(&window, "cut.bin"));
    assert_int_equal(truncate("cut.bin", CRN_WINDOW), 0);
    assert_true(crn_window_read(&window, 0, read, sizeof read));
    assert_false(crn_window_read(&window, 2 * CRN_WINDOW, read, sizeof read));
    assert_false(crn_window_hash(&window, 0, SIZE, &hash));
    crn_window_close(&window);
    free(truth);
}

static void other_things_are_refused(void **state)
{
    (void)state;
    crn_file_window window;
    assert_false(crn_window_open(&window, "nowhere.bin"));
    assert_false(crn_window_open(&window, "."));
    unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_false(crn_window_open(&window, "pipe"));
    unlink("pipe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_those_of_the_file),
                                       cmocka_unit_test(windows_are_shared), cmocka_unit_test(cut_files_are_noticed),
                                       cmocka_unit_test(other_things_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
