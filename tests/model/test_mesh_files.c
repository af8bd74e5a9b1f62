/* Readers of OBJ, STL and heights: what they make of good files, and what they say of bad ones. */
#include "model/model.h"
#include "model/shape/mesh_file.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static crn_mesh_file read_text(const char *text)
{
    crn_mesh_file file;
    cairn_status status = crn_mesh_file_parse("part", text, strlen(text), &file);
    if (status != CAIRN_OK)
        print_error("%s\n", file.error);
    assert_int_equal(status, CAIRN_OK);
    return file;
}

/* The volume of what a text holds, which must be closed. */
static double volume_of(const char *text)
{
    crn_mesh_file file = read_text(text);
    crn_mesh_data data = {.vertices = file.vertices,
                          .vertex_count = file.vertex_count,
                          .triangles = file.triangles,
                          .triangle_count = file.triangle_count};
    crn_mesh *mesh;
    crn_mesh_report report;
    assert_int_equal(crn_mesh_create(&data, &report, &mesh), CAIRN_OK);
    assert_true(mesh->closed);
    crn_mesh_destroy(mesh);
    crn_mesh_file_free(&file);
    return report.volume;
}

/* ------------------------------------------------------------------------------------------------------------- OBJ */

static void every_way_to_write_a_face(void **state)
{
    (void)state;
    assert_near(volume_of(TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"), 1.0 / 6, 1e-16);
    assert_near(volume_of(TETRAHEDRON "f 1/1 3/2 2/3\nf 1//1 2//1 4//1\nf 1/1/1 4/1/1 3/1/1\nf -3 -2 -1"), 1.0 / 6,
                1e-16);
    assert_near(
        volume_of("\xef\xbb\xbf# a part\r\nmtllib x.mtl\r\nv 0 0 0 # corner\r\nv 1 0\\\r\n 0\r\nv 0 1 0 1.0\r\nv "
                  "0\t0 1 0.5 0.5 0.5\r\nvn 0 0 1\r\ng side\r\ns off\r\nf 1 3 2\r\nf 1 2 4\r\nf 1 \\\r\n4 3\r\nf "
                  "2 3 4"),
        1.0 / 6, 1e-16);
    /* later vertices do not change what -1 meant before */
    assert_near(volume_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -1 -2\nv 0 0 1\nf 1 2 -1\nf 1 -1 3\nf 2 3 4\n"), 1.0 / 6,
                1e-16);
}

static const char CUBE[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static void polygons_become_fans(void **state)
{
    (void)state;
    assert_near(volume_of(CUBE), 1, 1e-15);
    /* a side with a corner in the middle of an edge, and one seen only from its reflex corner */
    crn_mesh_file file = read_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nf 1 2 3 4\n");
    assert_int_equal(file.triangle_count, 2);
    assert_int_equal(file.places[1], 5);
    crn_mesh_file_free(&file);
    file = read_text("v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 1 2 3 4\n");
    assert_int_equal(file.triangle_count, 2);
    for (int t = 0; t < 2; ++t)
    {
        const int *c = file.triangles + 3 * t;
        const double *p = file.vertices + 3 * c[0], *q = file.vertices + 3 * c[1], *r = file.vertices + 3 * c[2];
        assert_true((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0.1);
    }
    crn_mesh_file_free(&file);
}

/* ------------------------------------------------------------------------------------------------------------- STL */

static const char TEXT_STL[] =
    "solid a part of # 4\n"
    " facet normal 0 0 -1\n  outer loop\n   vertex 0 0 0\n   vertex 0 1 0\n   vertex 1 0 0\n"
    "  endloop\n endfacet\n"
    " FACET NORMAL nan nan nan OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 0 1.0e0 ENDLOOP "
    "ENDFACET\r\n"
    " facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 -0 1 vertex 0 1 0 endloop endfacet\n"
    "endsolid a part\n"
    "solid\n"
    " facet normal 1 1 1 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n"
    "endsolid";

static void put_single(unsigned char *at, double value)
{
    float single = (float)value;
    memcpy(at, &single, sizeof single); /* the tests run where the least byte comes first */
}

/* A mesh as a binary STL; the caller frees it. */
static unsigned char *binary_of(const test_mesh *mesh, const char *head, size_t *length)
{
    *length = 84 + 50 * (size_t)mesh->triangle_count;
    unsigned char *bytes = calloc(1, *length);
    uint32_t count = (uint32_t)mesh->triangle_count;
    assert_non_null(bytes);
    memcpy(bytes, head, strlen(head));
    memcpy(bytes + 80, &count, sizeof count);
    for (int i = 0; i < 9 * mesh->triangle_count; ++i)
    {
        int corner = mesh->triangles[i / 3];
        put_single(bytes + 84 + 50 * (i / 9) + 12 + 4 * (i % 9), mesh->vertices[3 * corner + i % 3]);
    }
    return bytes;
}

static void text_of_stl(void **state)
{
    (void)state;
    assert_near(volume_of(TEXT_STL), 1.0 / 6, 1e-16);
    crn_mesh_file file = read_text(TEXT_STL);
    assert_int_equal(file.triangle_count, 4);
    assert_int_equal(file.places[0], 2);
    assert_int_equal(file.places[1], 9);
    assert_int_equal(file.places[3], 13);
    assert_false(file.facets);
    crn_mesh_file_free(&file);
}

/* Some programs begin the 80 bytes of anything with "solid". */
static void bytes_of_stl(void **state)
{
    (void)state;
    static test_mesh box;
    const char *heads[2] = {"made by hand", "solid made by hand"};
    test_mesh_box(&box, 1, 2, 4);
    for (int i = 0; i < 2; ++i)
    {
        size_t length;
        unsigned char *bytes = binary_of(&box, heads[i], &length);
        crn_mesh_file file;
        assert_int_equal(crn_mesh_file_parse("box.stl", bytes, length, &file), CAIRN_OK);
        assert_int_equal(file.triangle_count, 12);
        assert_int_equal(file.vertex_count, 8);
        assert_true(file.facets);
        for (int k = 0; k < 36; ++k)
            assert_memory_equal(file.vertices + 3 * file.triangles[k], box.vertices + 3 * box.triangles[k], 24);
        crn_mesh_file_free(&file);
        free(bytes);
    }
}

/* ------------------------------------------------------------------------------------------------------- bad files */

static void expect_error(const char *text, size_t length, const char *expected)
{
    crn_mesh_file file;
    assert_int_equal(crn_mesh_file_parse("part", text, length, &file), CAIRN_INVALID);
    if (strcmp(file.error, expected) != 0)
    {
        print_error("said:     %s\nexpected: %s\n", file.error, expected);
        fail();
    }
    crn_mesh_file_free(&file);
}

static void bad_texts_are_named_by_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "part: the file is empty"},
        {"v 0 0\n", "part, line 1: expected three numbers after 'v', found 2"},
        {"\n\nv 0 x 0\n", "part, line 3: expected a finite number after 'v', found 'x'"},
        {"v 0 nan 0\n", "part, line 1: expected a finite number after 'v', found 'nan'"},
        {"v 0 1e999 0\n", "part, line 1: expected a finite number after 'v', found '1e999'"},
        {"v 0 0 0\nv 1 0 0\nf 1 2 3\n", "part, line 3: there is no vertex 3, 2 are defined before this line"},
        {"v 0 0 0\nf 0 1 1\n", "part, line 2: there is no vertex 0, 1 is defined before this line"},
        {"v 0 0 0\nf -2 1 1\n", "part, line 2: there is no vertex -2, 1 is defined before this line"},
        {"v 0 0 0\nf 1 1\n", "part, line 2: expected three corners or more after 'f', found 2"},
        {"v 0 0 0\nf 1 1 1/x\n", "part, line 2: expected the number of a vertex after 'f', found '1/x'"},
        {"v 0 0 0\nf 1 1 1/2/3/4\n", "part, line 2: expected the number of a vertex after 'f', found '1/2/3/4'"},
        {"v 0 0 0\nf 1 1 99999999999999999999\n",
         "part, line 2: there is no vertex 9223372036854775807, 1 is defined before this line"},
        {"# a poem\nroses are red\n", "part, line 2: 'roses' begins no line of an OBJ file, nor an STL file"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 4\n",
         "part, line 5: a polygon of 4 corners that none of them sees all of: cut it into triangles"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0\n",
         "part, line 5: expected three numbers after 'vertex', and the file ends here"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 inf 0\n",
         "part, line 5: expected a finite number after 'vertex', found 'inf'"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop",
         "part, line 5: expected 'vertex', found 'endloop'"},
        {"solid x\nendsolidx", "part, line 2: expected 'facet' or 'endsolid', found 'endsolidx'"},
        {"solid x\n", "part, line 1: expected 'facet' or 'endsolid', and the file ends here"},
        {"solid\nendsolid\nfacet", "part, line 3: expected 'solid', found 'facet'"},
        {"solid\nfacet\n", "part, line 2: expected 'normal', and the file ends here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        expect_error(cases[i][0], strlen(cases[i][0]), cases[i][1]);
}

static void bad_bytes_are_named_by_facet(void **state)
{
    (void)state;
    static test_mesh box;
    size_t length;
    test_mesh_box(&box, 1, 1, 1);
    unsigned char *bytes = binary_of(&box, "box", &length);
    expect_error((char *)bytes, length - 1,
                 "part: a binary STL of 12 facets has 684 bytes, and this file 683: it is cut off, or no mesh");
    expect_error((char *)bytes, 83, "part: neither text nor a binary STL, which has 84 bytes before its first facet");
    crn_mesh_file none;
    memset(bytes + 80, 0, 4);
    assert_int_equal(crn_mesh_file_parse("part", bytes, 84, &none), CAIRN_OK);
    assert_int_equal(none.triangle_count, 0);
    crn_mesh_file_free(&none);
    bytes[80] = 12;
    put_single(bytes + 84 + 50 * 4 + 12 + 16, (double)NAN);
    expect_error((char *)bytes, length, "part: facet 5: corner 2 is not finite");
    free(bytes);
}

/* ---------------------------------------------------------------------------------------------------- bad surfaces */

/* What the model says of a shape on a body of a kind; "" when it takes it. */
static void expect_refusal(const cairn_shape_options *o, cairn_body_kind kind, const char *expected)
{
    world w = world_new(3);
    cairn_body_options b = cairn_body_default();
    cairn_body body;
    cairn_shape shape;
    b.name = "part";
    b.kind = kind;
    assert_int_equal(cairn_model_add_body(w.model, &b, &body), CAIRN_OK);
    cairn_status status = cairn_model_add_shape(w.model, body, o, &shape);
    const char *said = status == CAIRN_OK ? "" : cairn_context_last_message(w.context);
    if (strcmp(said, expected) != 0)
    {
        print_error("said:     %s\nexpected: %s\n", said, expected);
        fail();
    }
    world_free(&w);
}

static cairn_shape_options arrays(const double *vertices, int vertex_count, const int *triangles, int triangle_count)
{
    cairn_shape_options o = cairn_shape_default(CAIRN_MESH);
    o.vertices = vertices;
    o.vertex_count = vertex_count;
    o.triangles = triangles;
    o.triangle_count = triangle_count;
    return o;
}

static const double CORNERS[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};

static void bad_surfaces_are_explained(void **state)
{
    (void)state;
    int range[3] = {0, 1, 5}, area[3] = {0, 1, 1}, twice[6] = {0, 1, 2, 1, 2, 0}, sheet[6] = {0, 1, 2, 0, 2, 1};
    int crowd[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4}, turned[6] = {0, 1, 2, 0, 1, 3},
        inward[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    double far[9] = {0, 0, 0, 1, 0, 0, 0, 1e31, 0}, collinear[9] = {0, 0, 0, 1, 0, 0, 2, 1e-11, 0};
    int one[3] = {0, 1, 2};
    cairn_shape_options o = arrays(CORNERS, 5, range, 1);
    expect_refusal(&o, CAIRN_FIXED, "body 'part': mesh: triangles[0]: there is no vertex 5, they count from 0 to 4");
    o = arrays(CORNERS, 5, area, 1);
    const char *no_area =
        "body 'part': mesh: triangles[0] has no area: drop it, or join corners that are almost one with weld";
    expect_refusal(&o, CAIRN_FIXED, no_area);
    o = arrays(collinear, 3, one, 1);
    expect_refusal(&o, CAIRN_FIXED, no_area);
    o = arrays(far, 3, one, 1);
    expect_refusal(&o, CAIRN_FIXED, "body 'part': mesh: vertices[2]: must be finite and within 1e30 of the origin");
    o = arrays(CORNERS, 5, twice, 2);
    expect_refusal(&o, CAIRN_FIXED, "body 'part': mesh: triangles[1] has the same three corners as triangles[0]");
    o = arrays(CORNERS, 5, sheet, 2);
    expect_refusal(&o, CAIRN_FIXED, "body 'part': mesh: triangles[1] has the same three corners as triangles[0]");
    o = arrays(CORNERS, 5, crowd, 3);
    expect_refusal(
        &o, CAIRN_FIXED,
        "body 'part': mesh: 3 triangles, triangles[0] the first, share the edge from (0, 0, 0) to (1, 0, 0): "
        "two at most can");
    o = arrays(CORNERS, 5, turned, 2);
    expect_refusal(
        &o, CAIRN_FIXED,
        "body 'part': mesh: triangles[0] and triangles[1] run the same way along their common edge from (0, 0, 0) "
        "to (1, 0, 0), so that one is turned inside out");
    o = arrays(CORNERS, 5, inward, 4);
    expect_refusal(
        &o, CAIRN_FIXED,
        "body 'part': mesh: its triangles are clockwise seen from outside (its volume comes out as -0.166667 "
        "m^3): turn them round with flip");
    o.flip = true;
    expect_refusal(&o, CAIRN_FIXED, "");
    o = arrays(CORNERS, 5, one, 0);
    expect_refusal(&o, CAIRN_FIXED, "body 'part': mesh: needs three vertices and one triangle or more");
}

static void open_ones_only_where_no_mass_is_asked_for(void **state)
{
    (void)state;
    int three[9] = {0, 2, 1, 0, 1, 3, 0, 3, 2};
    cairn_shape_options o = arrays(CORNERS, 4, three, 3);
    expect_refusal(&o, CAIRN_FIXED, "");
    expect_refusal(&o, CAIRN_DRIVEN, "");
    expect_refusal(
        &o, CAIRN_DYNAMIC,
        "body 'part': mesh: it is open: 3 edges have a triangle on one side only, the first that of triangles[0] "
        "from (0, 1, 0) to (1, 0, 0); a dynamic body needs a closed one, or mass and inertia");
    o.recentre = true;
    expect_refusal(
        &o, CAIRN_FIXED,
        "body 'part': mesh: it is open: 3 edges have a triangle on one side only, the first that of triangles[0] "
        "from (0, 1, 0) to (1, 0, 0); only a closed one can be recentred");
}

/* Corners a little apart leave cracks; welded they close, and the sliver between them goes. */
static void welding_closes_cracks(void **state)
{
    (void)state;
    double v[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1e-7, 0};
    int triangles[15] = {0, 2, 1, 0, 4, 3, 0, 3, 2, 1, 2, 3, 0, 1, 4};
    cairn_shape_options o = arrays(v, 5, triangles, 5);
    o.weld = 1e-6;
    expect_refusal(&o, CAIRN_DYNAMIC, "");
    for (int i = 1; i < 10; ++i) /* wherever the corners lie against the cells that are searched */
    {
        v[12] = 1 + 1e-7 * (i - 5);
        v[14] = 1.3e-7 * (i % 3 - 1);
        v[13] = 1e-7 * (i % 2 ? 1 : -1);
        o.weld = 1e-6;
        expect_refusal(&o, CAIRN_DYNAMIC, "");
    }
    v[12] = 1, v[13] = 1e-7, v[14] = 0;
    o.weld = 1e-8;
    expect_refusal(
        &o, CAIRN_DYNAMIC,
        "body 'part': mesh: it is open: 3 edges have a triangle on one side only, the first that of triangles[1] "
        "from (1, 1e-07, 0) to (0, 0, 1); a dynamic body needs a closed one, or mass and inertia");
}

/* -------------------------------------------------------------------------------------------------- through a file */

static void save(const char *path, const void *bytes, size_t length)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static void shapes_read_files(void **state)
{
    (void)state;
    save("mesh_cube.obj", CUBE, strlen(CUBE));
    cairn_shape_options o = cairn_shape_default(CAIRN_MESH);
    o.file = "mesh_cube.obj";
    o.scale = 0.001;
    o.recentre = true;
    o.density = 1e9;
    expect_refusal(&o, CAIRN_DYNAMIC, "");
    o.scale = 0;
    expect_refusal(&o, CAIRN_DYNAMIC, "body 'part': mesh: scale: must be greater than 0");
    o = cairn_shape_default(CAIRN_HULL);
    o.file = "mesh_cube.obj";
    expect_refusal(&o, CAIRN_FIXED, "");
    o.vertices = CORNERS;
    expect_refusal(&o, CAIRN_FIXED, "body 'part': hull: either a file or arrays, not both");
    o = cairn_shape_default(CAIRN_SPHERE);
    o.file = "mesh_cube.obj";
    expect_refusal(&o, CAIRN_FIXED, "body 'part': file: only a mesh, a hull or a height field is read from one");
    o = cairn_shape_default(CAIRN_MESH);
    o.file = "no_such_mesh.obj";
    expect_refusal(&o, CAIRN_FIXED, "no_such_mesh.obj: cannot be read: No such file or directory");
    save("mesh_twice.obj", TETRAHEDRON "f 1 2 3\n\nf 3 1 2\n", strlen(TETRAHEDRON "f 1 2 3\n\nf 3 1 2\n"));
    o.file = "mesh_twice.obj";
    expect_refusal(
        &o, CAIRN_FIXED,
        "body 'part': mesh: line 7 of mesh_twice.obj has the same three corners as line 5 of mesh_twice.obj");
    save("mesh_none.obj", "v 1 2 3\n", 8);
    o.file = "mesh_none.obj";
    expect_refusal(&o, CAIRN_FIXED, "body 'part': mesh: mesh_none.obj has no triangles");
    save("mesh_bad.obj", "v 1 2\n", 6);
    o.file = "mesh_bad.obj";
    expect_refusal(&o, CAIRN_FIXED,
                   "body 'part': mesh: mesh_bad.obj, line 1: expected three numbers after 'v', found 2");
}

/* --------------------------------------------------------------------------------------------------------- heights */

/* The slope h = x/2 - y/4 over 5 x 3 points: every normal is that of the plane, every inner edge flat. */
static void heights_make_a_slope(void **state)
{
    (void)state;
    double heights[15], n[3] = {-0.5, 0.25, 1};
    for (int i = 0; i < 15; ++i)
        heights[i] = 0.5 * (i % 5) - 0.25 * (double)(i / 5);
    cairn_shape_options o = cairn_shape_default(CAIRN_HEIGHT_FIELD);
    o.heights = heights;
    o.columns = 5;
    o.rows = 3;
    o.spacing = 1;
    world w = world_new(3);
    cairn_shape shape;
    cairn_body ground = add_ground(w.model, (cairn_material){0});
    assert_int_equal(cairn_model_add_shape(w.model, ground, &o, &shape), CAIRN_OK);
    const crn_mesh *mesh = w.model->shapes[shape.id - 1].form->mesh;
    assert_int_equal(mesh->triangle_count, 16);
    assert_false(mesh->closed);
    assert_near(mesh->vertices[0], -2, 0);
    assert_near(mesh->vertices[1], -1, 0);
    for (int i = 0; i < 48; ++i)
    {
        double length = sqrt(1 + 0.25 + 0.0625);
        assert_near(mesh->normals[i], n[i % 3] / length, 1e-15);
        assert_int_equal(mesh->bend[i], mesh->neighbours[i] < 0 ? 1 : 0);
    }
    cairn_shape_info info = cairn_model_shape_info(w.model, cairn_model_shape(w.model, shape.id - 1));
    assert_int_equal(info.kind, CAIRN_HEIGHT_FIELD);
    assert_int_equal(info.face_count, 16);
    assert_int_equal(info.face_begin[16], 48);
    world_free(&w);
}

static void bad_heights_are_explained(void **state)
{
    (void)state;
    double heights[4] = {0, 0, 0, (double)NAN};
    cairn_shape_options o = cairn_shape_default(CAIRN_HEIGHT_FIELD);
    expect_refusal(&o, CAIRN_FIXED, "body 'part': height-field: needs heights in two columns and two rows or more");
    o.heights = heights;
    o.columns = o.rows = 2;
    expect_refusal(&o, CAIRN_FIXED, "body 'part': height-field: spacing: must be greater than 0");
    o.spacing = 0.5;
    expect_refusal(&o, CAIRN_FIXED, "body 'part': height-field: heights: number 2 of row 2 is not finite");
    heights[3] = 1e10;
    expect_refusal(&o, CAIRN_FIXED, "body 'part': height-field: cell 1 of row 1 is too steep for its spacing");
    heights[3] = 1;
    expect_refusal(&o, CAIRN_DYNAMIC, "body 'part': height-field: only fixed and driven bodies can have one");
    o.columns = o.rows = 1 << 15;
    expect_refusal(&o, CAIRN_FIXED,
                   "body 'part': height-field: 32768 columns and 32768 rows: at most 524288 cells are taken");
}

static void heights_from_texts(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"# hill\n0 1 2\r\n\n3 4 5 # top\n", ""},
        {"0 1 2\n3 4\n", "hill, line 2: a row of 2 heights, and the first row has 3"},
        {"0 1\n3 nan\n", "hill, line 2: expected a finite number, found 'nan'"},
        {"0 1\n", "hill: expected two rows of two heights or more, found 1 of 2"},
        {"", "hill: expected two rows of two heights or more, found 0 of 0"},
        {"0 1\n2 3,4\n", "hill, line 2: expected a finite number, found '3,4'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        crn_height_file file;
        cairn_status status = crn_height_file_parse("hill", cases[i][0], strlen(cases[i][0]), &file);
        assert_int_equal(status, i == 0 ? CAIRN_OK : CAIRN_INVALID);
        assert_string_equal(file.error, cases[i][1]);
        if (i == 0)
        {
            assert_int_equal(file.columns, 3);
            assert_int_equal(file.rows, 2);
            assert_near(file.heights[5], 5, 0);
        }
        crn_height_file_free(&file);
    }
}

/* --------------------------------------------------------------------------------------------------------- damage */

/* Cut off anywhere and with any byte changed, a file is read or refused with a sentence. */
static void damaged_files_are_refused_or_read(void **state)
{
    (void)state;
    static test_mesh box;
    size_t lengths[3] = {sizeof CUBE - 1, sizeof TEXT_STL - 1, 0};
    test_mesh_box(&box, 1, 1, 1);
    unsigned char *bytes = binary_of(&box, "box", &lengths[2]);
    const void *files[3] = {CUBE, TEXT_STL, bytes};
    uint64_t seed = 7;
    for (int i = 0; i < 6000; ++i)
    {
        size_t length = lengths[i % 3], cut = i % 2 ? length : (size_t)random_in(&seed, 0, (double)length + 1);
        unsigned char *damaged = malloc(length + 1);
        assert_non_null(damaged);
        memcpy(damaged, files[i % 3], length);
        damaged[(size_t)random_in(&seed, 0, (double)length)] = (unsigned char)random_in(&seed, 0, 256);
        crn_mesh_file file;
        crn_mesh *mesh = NULL;
        crn_mesh_report report;
        cairn_status status = crn_mesh_file_parse("damaged", damaged, cut, &file);
        assert_true((status == CAIRN_INVALID) == (file.error[0] != '\0'));
        crn_mesh_data data = {.vertices = file.vertices,
                              .vertex_count = file.vertex_count,
                              .triangles = file.triangles,
                              .triangle_count = file.triangle_count};
        assert_true(status != CAIRN_OK || (crn_mesh_create(&data, &report, &mesh) == CAIRN_OK) == (mesh != NULL));
        crn_mesh_destroy(mesh);
        crn_mesh_file_free(&file);
        free(damaged);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_write_a_face),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(text_of_stl),
        cmocka_unit_test(bytes_of_stl),
        cmocka_unit_test(bad_texts_are_named_by_line),
        cmocka_unit_test(bad_bytes_are_named_by_facet),
        cmocka_unit_test(bad_surfaces_are_explained),
        cmocka_unit_test(open_ones_only_where_no_mass_is_asked_for),
        cmocka_unit_test(welding_closes_cracks),
        cmocka_unit_test(shapes_read_files),
        cmocka_unit_test(heights_make_a_slope),
        cmocka_unit_test(bad_heights_are_explained),
        cmocka_unit_test(heights_from_texts),
        cmocka_unit_test(damaged_files_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
