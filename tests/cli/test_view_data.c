/* What the viewer is given: frames beside the run they come from, stick and slip of contacts made by hand, pages that hold
 * their data whatever texts are in it, commands, and who may ask. */
#include "cli/view/view_command.h"
#include "cli/view/view_frames.h"
#include "cli/view/view_guard.h"
#include "cli/view/view_html.h"
#include "cli/view/view_sample.h"
#include "support/check.h"
#include "support/recording.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
    STEPS = 25
};

static void record_to(const char *path)
{
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, path, 1, 0.5);
    recording_step(&w, recorder, STEPS);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
}

static uint32_t u32_at(const unsigned char *bytes, size_t at)
{
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
}

static double f32_at(const unsigned char *bytes, size_t at)
{
    uint32_t bits = u32_at(bytes, at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void check_single(const unsigned char *bytes, size_t at, double expected)
{
    assert_near(f32_at(bytes, at), (double)(float)expected, 0);
}

static void check_contact(const unsigned char *b, size_t at, const cairn_contact *c, double h)
{
    assert_int_equal((int32_t)u32_at(b, at), c->a.id - 1);
    assert_int_equal((int32_t)u32_at(b, at + 4), c->b.id - 1);
    for (int k = 0; k < 3; ++k)
    {
        double force =
            c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[0][k] + c->impulse[2] * c->tangent[1][k];
        check_single(b, at + 8 + 4 * (size_t)k, c->point[k]);
        check_single(b, at + 20 + 4 * (size_t)k, c->normal[k]);
        assert_near(f32_at(b, at + 32 + 4 * (size_t)k), force / h, 1e-6 * fabs(force / h) + 1e-9);
    }
    check_single(b, at + 44, c->gap);
    check_single(b, at + 48, c->friction);
}

/* Every number of every frame is that of the simulation, in single precision. */
static void test_frames(void **state)
{
    (void)state;
    record_to("frames.h5");
    recording_frame *expected = recording_frames(STEPS + 1);
    cli_view_run view;
    assert_int_equal(cli_view_run_open(&view, "frames.h5", CLI_VIEW_MOST_BODIES), 0);
    assert_int_equal(view.run.frame_count, STEPS + 1);
    int contacts = 0;
    for (int i = 0; i <= STEPS; ++i)
    {
        cli_bytes bytes = {0};
        const recording_frame *e = &expected[i];
        assert_int_equal(cli_view_run_frame(&view, i, &bytes), CAIRN_OK);
        const unsigned char *b = bytes.data;
        size_t n = RECORDING_BODIES, count = (size_t)e->contact_count;
        assert_int_equal(bytes.size, 32 + 40 * n + 64 * count);
        assert_int_equal(cli_view_run_bytes(&view, i, i + 1), bytes.size);
        const uint32_t head[] = {0x4d465243, (uint32_t)bytes.size, (uint32_t)i, (uint32_t)n, (uint32_t)count, 0};
        for (size_t k = 0; k < 6; ++k)
            assert_int_equal(u32_at(b, 4 * k), head[k]);
        for (size_t k = 0; k < n; ++k)
        {
            check_single(b, 32 + 12 * k + 4, e->bodies[k].position[1]);
            check_single(b, 32 + 12 * n + 16 * k, e->bodies[k].orientation[0]);
            check_single(b, 32 + 12 * n + 16 * k + 12, e->bodies[k].orientation[3]);
            check_single(b, 32 + 28 * n + 12 * k, e->bodies[k].velocity[0]);
        }
        for (size_t k = 0; k < count; ++k)
            check_contact(b, 32 + 40 * n + 64 * k, &e->contacts[k], e->time - expected[i - 1].time);
        contacts += e->contact_count;
        cli_bytes_free(&bytes);
    }
    assert_true(contacts > 0);
    cli_bytes none = {0};
    assert_int_not_equal(cli_view_run_frame(&view, STEPS + 1, &none), CAIRN_OK);
    assert_int_not_equal(cli_view_run_frame(&view, -1, &none), CAIRN_OK);
    cli_bytes_free(&none);
    cli_view_run_close(&view);
    free(expected);
}

/* Coulomb's law by hand: mu = 0.5. */
static void test_contact_states(void **state)
{
    (void)state;
    const cli_view_scale scale = {.velocity = 1, .impulse = 2};
    const struct
    {
        double impulse[3], velocity[3];
        cli_contact_state state;
    } cases[] = {
        {{2, 0.3, 0.1}, {0, 1e-11, 0}, CLI_CONTACT_STICK},    {{2, -1, 0}, {0, 0.2, 0}, CLI_CONTACT_SLIP},
        {{2, -0.6, -0.8}, {0, 3e-4, 4e-4}, CLI_CONTACT_SLIP}, {{2, 0, 0}, {0, 0, 0}, CLI_CONTACT_STICK},
        {{0, 0, 0}, {0.5, 0.2, 0}, CLI_CONTACT_APART},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        cairn_contact c = {.friction = 0.5};
        memcpy(c.impulse, cases[i].impulse, sizeof c.impulse);
        memcpy(c.velocity, cases[i].velocity, sizeof c.velocity);
        assert_int_equal(cli_view_contact_state(&c, &scale), cases[i].state);
        assert_near(cli_view_contact_residual(&c, &scale), 0, 1e-9);
    }
    cairn_contact wrong = {.friction = 0.5, .impulse = {2, 0, 0}, .velocity = {0, 0.25, 0}};
    assert_near(cli_view_contact_residual(&wrong, &scale), 0.25, 1e-12); /* slides without friction */
    cairn_contact smooth = {.friction = 0, .impulse = {2, 0, 0}, .velocity = {0, 0.25, 0}};
    assert_int_equal(cli_view_contact_state(&smooth, &scale), CLI_CONTACT_SLIP);
    assert_near(cli_view_contact_residual(&smooth, &scale), 0, 1e-12);
}

static int letter_value(char c)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(LETTERS, c) : NULL;
    return found ? (int)(found - LETTERS) : -1;
}

/* The bytes of base64 from `text` up to the first other letter. */
static size_t decode(const char *text, unsigned char *out)
{
    size_t used = 0;
    unsigned word = 0;
    int bits = 0;
    for (int value; (value = letter_value(*text)) >= 0; ++text)
    {
        word = word << 6 | (unsigned)value;
        bits += 6;
        if (bits >= 8)
        {
            bits -= 8;
            out[used++] = (unsigned char)(word >> bits);
        }
    }
    return used;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part)))
    {
        ++count;
        ++text;
    }
    return count;
}

/* A page holds the same frames as the run, and a title cannot break out of its element. */
static void test_page(void **state)
{
    (void)state;
    static const char MARK[] = "id=\"cairn-frames-0\">";
    record_to("page.h5");
    cli_view_run view;
    assert_int_equal(cli_view_run_open(&view, "page.h5", CLI_VIEW_MOST_BODIES), 0);
    if (!cli_view_page_there())
    {
        cli_view_run_close(&view);
        skip();
    }
    cli_bytes all = {0};
    for (int i = 0; i <= STEPS; ++i)
        assert_int_equal(cli_view_run_frame(&view, i, &all), CAIRN_OK);
    strcpy(view.run.name, "x</script><!--<script>");
    assert_int_equal(cli_view_write_html(&view, "page.html"), 0);
    size_t size;
    char *page = read_whole("page.html", &size);
    page = realloc(page, size + 1);
    page[size] = '\0';
    assert_int_equal(count_of(page, "x</script>"), 0);
    assert_non_null(strstr(page, "{\"kind\":\"embedded\"}"));
    const char *frames = strstr(page, MARK);
    assert_non_null(frames);
    unsigned char *packed = malloc(size), *raw = malloc(all.size + 1);
    uLongf length = (uLongf)all.size + 1;
    size_t packed_size = decode(frames + sizeof MARK - 1, packed);
    assert_int_equal(uncompress(raw, &length, packed, (uLong)packed_size), Z_OK);
    assert_int_equal(length, all.size);
    assert_memory_equal(raw, all.data, all.size);
    free(raw);
    free(packed);
    free(page);
    cli_bytes_free(&all);
    cli_view_run_close(&view);
}

static void test_base64(void **state)
{
    (void)state;
    static const char *const PAIRS[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xff\xfe\xfd", "//79"}}; /* RFC 4648, 10 */
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; ++i)
    {
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);
        cli_base64_write(stream, (const unsigned char *)PAIRS[i][0], strlen(PAIRS[i][0]));
        fclose(stream);
        assert_string_equal(text, PAIRS[i][1]);
        free(text);
    }
}

static bool parse(const char *text, cli_view_command *command)
{
    char error[256] = "";
    bool good = cli_view_command_parse(text, strlen(text), command, error, sizeof error);
    assert_true(good == !error[0]);
    return good;
}

static void test_commands(void **state)
{
    (void)state;
    cli_view_command c;
    assert_true(
        parse(" { \"type\" : \"grab\" , \"body\":3,\"point\":[0,-1.5,2e-1],\"target\":[1,2,3],\"x\":null}\n", &c));
    assert_int_equal(c.ask, CLI_ASK_GRAB);
    assert_int_equal(c.body, 3);
    assert_near(c.point[1], -1.5, 0);
    assert_near(c.point[2], 0.2, 0);
    assert_near(c.target[2], 3, 0);
    assert_true(parse("{\"type\":\"ack\",\"index\":9000000000}", &c));
    assert_int_equal(c.index, 9000000000);
    assert_true(parse("{\"value\":0.25,\"type\":\"friction\"}", &c));
    assert_near(c.value, 0.25, 0);
    static const char *const WRONG[] = {"{\"type\":\"speed\",\"value\":0x10}",
                                        "{\"type\":\"speed\",\"value\":inf}",
                                        "{\"type\":\"speed\",\"value\":+1}",
                                        "{\"type\":\"speed\",\"value\":1e400}",
                                        "{\"type\":\"speed\",\"value\":.5}",
                                        "{\"type\":\"speed\",\"value\":1-2}",
                                        "{\"type\":\"gravity\",\"value\":[]}",
                                        "{\"type\":\"gravity\",\"value\":[1,2,]}",
                                        "{\"type\":\"ack\",\"index\":-1}",
                                        "{\"type\":\"play\"",
                                        "{\"type\":\"pl\\u0061y\"}",
                                        "{\"type\":\"play\"} {}",
                                        "{\"type\":\"grab\",\"body\":3000000000,\"point\":[0,0,0],\"target\":[0,0,0]}"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; ++i)
        assert_false(parse(WRONG[i], &c));
}

/* All cuts and many changed letters of a command: refused or taken, never read beyond (the sanitizers watch). */
static void test_damaged_commands(void **state)
{
    (void)state;
    static const char GOOD[] = "{\"type\":\"grab\",\"body\":3,\"point\":[0,-1.5,2e-1],\"target\":[1,2,3]}";
    uint64_t seed = 3;
    for (size_t i = 0; i < 20000; ++i)
    {
        size_t length = i % sizeof GOOD;
        char *text = malloc(length + 1), error[128];
        memcpy(text, GOOD, length);
        for (int k = 0; k < 3 && length > 0; ++k)
        {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[(seed >> 40) % length] = (char)(seed >> 33);
        }
        char *exact = malloc(length ? length : 1);
        memcpy(exact, text, length);
        cli_view_command c;
        cli_view_command_parse(exact, length, &c, error, sizeof error);
        free(exact);
        free(text);
    }
}

static void test_guard(void **state)
{
    (void)state;
    cli_view_guard a = {.address = "127.0.0.1", .port = 4000}, b = a;
    assert_true(cli_view_guard_make_token(&a) && cli_view_guard_make_token(&b));
    assert_int_equal(strlen(a.token), 32);
    assert_string_not_equal(a.token, b.token);
    char path[64];
    snprintf(path, sizeof path, "/%s/run.json", a.token);
    assert_string_equal(cli_view_guard_path(&a, path), "run.json");
    assert_null(cli_view_guard_path(&b, path));
    assert_null(cli_view_guard_path(&a, path + 1));
    path[33] = '\0';
    assert_null(cli_view_guard_path(&a, path));
    cli_view_guard web = {.address = "127.0.0.1", .port = 80}; /* the port that browsers do not tell */
    assert_true(cli_view_guard_host(&web, "127.0.0.1") && cli_view_guard_host(&web, "localhost"));
    assert_true(cli_view_guard_host(&web, "127.0.0.1:80") && !cli_view_guard_host(&web, "127.0.0.1:4000"));
    assert_false(cli_view_guard_host(&web, "evil.example") || cli_view_guard_host(&web, ""));
    assert_true(cli_view_guard_host(&a, "127.0.0.1:4000") && cli_view_guard_host(&a, "LocalHost:4000"));
    static const char *const WRONG[] = {"127.0.0.1", "127.0.0.1:4001",     "192.168.0.1:4000", "evil:4000", ":4000",
                                        "",          "127.0.0.1:4000:4000"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; ++i)
        assert_false(cli_view_guard_host(&a, WRONG[i]));
    a.address = "0.0.0.0";
    assert_true(cli_view_guard_host(&a, "192.168.0.1:4000"));
    assert_false(cli_view_guard_host(&a, "rebound.example:4000"));
    assert_true(cli_view_guard_origin("http://127.0.0.1:4000", "127.0.0.1:4000"));
    assert_false(cli_view_guard_origin("https://127.0.0.1:4000", "127.0.0.1:4000"));
    assert_false(cli_view_guard_origin("http://127.0.0.1:40000", "127.0.0.1:4000"));
    assert_false(cli_view_guard_origin("null", "127.0.0.1:4000"));
}

/* Of 40 bodies, of which the first is fixed and two have a joint, the others are thinned out evenly; whatever the room is, the fixed and the
 * joined ones stay, and places and bodies are each other's inverse. */
static void test_sample(void **state)
{
    (void)state;
    enum
    {
        BODIES = 40
    };
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    cairn_body body[BODIES];
    for (int i = 0; i < BODIES; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "body %d", i);
        cairn_body_options options = cairn_body_default();
        options.name = name;
        options.kind = i == 0 ? CAIRN_FIXED : CAIRN_DYNAMIC;
        options.mass = 1;
        options.inertia[0] = options.inertia[1] = options.inertia[2] = 1;
        options.position[0] = i;
        assert_int_equal(cairn_model_add_body(model, &options, &body[i]), CAIRN_OK);
    }
    cairn_joint joint;
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_BALL);
    options.name = "pin";
    options.a.body = body[17];
    options.b.body = body[30];
    options.a.point[0] = 13;
    assert_int_equal(cairn_model_add_joint(model, &options, &joint), CAIRN_OK);
    cli_view_sample sample = {0};
    for (int most = 1; most < BODIES + 5; ++most)
    {
        cli_view_sample_open(&sample, model, NULL, BODIES, most);
        assert_true(sample.place[0] >= 0 && sample.place[17] >= 0 && sample.place[30] >= 0);
        assert_true(sample.count <= (most < 4 ? 4 : most) && sample.total == BODIES);
        assert_int_equal(sample.every == 1, most >= BODIES);
        int thinned = 0;
        for (int i = 0, shown = 0; i < BODIES; ++i)
        {
            bool stays = i == 0 || i == 17 || i == 30;
            assert_int_equal(sample.place[i], stays || thinned % sample.every == 0 ? shown : -1);
            assert_true(sample.place[i] < 0 || sample.body[shown++] == i);
            thinned += !stays;
        }
    }
    cli_view_sample_close(&sample);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames), cmocka_unit_test(test_contact_states), cmocka_unit_test(test_page),
        cmocka_unit_test(test_base64), cmocka_unit_test(test_commands),       cmocka_unit_test(test_damaged_commands),
        cmocka_unit_test(test_guard),  cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
