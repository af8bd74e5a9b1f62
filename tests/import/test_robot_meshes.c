/* Meshes of robots in formats beside OBJ and STL: MuJoCo's own, and COLLADA through assimp where it is built in and installed. */
#include "import/robot_bench.h"

#include "model/model.h"
#include "model/shape/mesh_library.h"

#include <stdint.h>
#include <stdio.h>

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* The corner of a cube of side a: three edges along the axes, volume a^3/6, centre at (a, a, a)/4. */
static void write_msh(const char *path, float a, int32_t last)
{
    struct
    {
        int32_t count[4];
        float x[4][3], normal[3], texture[2][2];
        int32_t face[4][3];
    } all = {{4, 1, 2, 4},
             {{0, 0, 0}, {a, 0, 0}, {0, a, 0}, {0, 0, a}},
             {0, 0, 1},
             {{0, 0}, {1, 1}},
             {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, last}}};
    write_bytes(path, &all, sizeof all);
}

static cairn_status read_file(const char *path, cairn_scene **scene, cairn_import_notes **notes, char *said,
                              size_t size)
{
    cairn_context *context = cairn_context_create();
    cairn_status status = cairn_import_file(context, path, NULL, notes, scene);
    snprintf(said, size, "%s", status ? cairn_context_last_message(context) : "");
    cairn_context_destroy(context);
    return status;
}

static void msh_files_are_read(void **state)
{
    (void)state;
    char said[512];
    cairn_scene *scene;
    write_text("msh.xml",
               "<mujoco><asset><mesh file='corner.msh' scale='2 2 2'/></asset><worldbody><body name='b'><freejoint/>"
               "<geom type='mesh' mesh='corner' density='600'/></body></worldbody></mujoco>");
    write_msh("corner.msh", 0.5F, 3);
    assert_int_equal(read_file("msh.xml", &scene, NULL, said, sizeof said), CAIRN_OK);
    const crn_body *body = &cairn_scene_model(scene)->bodies[0];
    assert_near(body->traits->mass, 100, 1e-12);
    for (int k = 0; k < 3; ++k)
        assert_near(body->position[k], 0.25, 1e-14);
    cairn_scene_destroy(scene);
    write_msh("corner.msh", 0.5F, 4);
    assert_int_equal(read_file("msh.xml", &scene, NULL, said, sizeof said), CAIRN_INVALID);
    assert_non_null(strstr(said, "face 4: there is no vertex 4"));
}

/* A corner of a cube of 50 cm, in a file of centimetres whose z axis points up, moved by 1 m along x by its node. */
static const char DAE[] =
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit "
    "name='cm' "
    "meter='0.01'/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id='g'><mesh><source "
    "id='p'><float_array id='pa' "
    "count='12'>0 0 0 50 0 0 0 50 0 0 0 50</float_array><technique_common><accessor source='#pa' count='4' "
    "stride='3'><param name='X' "
    "type='float'/><param name='Y' type='float'/><param name='Z' "
    "type='float'/></accessor></technique_common></source><vertices "
    "id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='4'><input semantic='VERTEX' "
    "source='#v' "
    "offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 "
    "3</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
    "id='s'><node id='n'><matrix>1 0 0 100 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry "
    "url='#g'/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
    "url='#s'/></scene></COLLADA>";

static void collada_is_read_or_noted(void **state)
{
    (void)state;
    char said[512];
    cairn_scene *scene;
    cairn_import_notes *notes;
    crn_mesh_file probe;
    cairn_status there = crn_mesh_library_parse("probe.dae", DAE, sizeof DAE - 1, &probe);
    crn_mesh_file_free(&probe);
    write_text("part.dae", DAE);
    write_text("dae.urdf",
               "<robot name='r'><link name='b'><collision><geometry><mesh filename='part.dae'/></geometry></collision>"
               "<collision><geometry><sphere radius='0.001'/></geometry></collision></link></robot>");
    assert_int_equal(read_file("dae.urdf", &scene, &notes, said, sizeof said), CAIRN_OK);
    if (there == CAIRN_UNSUPPORTED)
    {
        assert_non_null(strstr(cairn_import_note(notes, 0).text, "the mesh is left out"));
        assert_int_equal(cairn_model_shape_count(cairn_scene_model(scene)), 1);
        cairn_import_notes_destroy(notes);
        cairn_scene_destroy(scene);
        skip();
    }
    cairn_shape_info shape =
        cairn_model_shape_info(cairn_scene_model(scene), cairn_model_shape(cairn_scene_model(scene), 0));
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    assert_int_equal(shape.vertex_count, 4);
    for (int i = 0; i < 12; ++i)
    {
        least[i % 3] = fmin(least[i % 3], shape.vertices[i]);
        most[i % 3] = fmax(most[i % 3], shape.vertices[i]);
    }
    for (int k = 0; k < 3; ++k)
    {
        assert_near(least[k] + shape.position[k], k == 0 ? 1 : 0, 1e-6);
        assert_near(most[k] + shape.position[k], k == 0 ? 1.5 : 0.5, 1e-6);
    }
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    write_text("part.dae", "<COLLADA>broken");
    assert_int_equal(read_file("dae.urdf", &scene, &notes, said, sizeof said), CAIRN_INVALID);
    assert_non_null(strstr(said, "part.dae"));
}

/* Two unit cubes, 1 m apart, in one mesh. The sum of all tetrahedra is their volume, the hull is a bar of 3 m, and the shell twice a hollow
 * cube, whose inertia is 5/18 m a^2. The absolute tetrahedra about the middle are 1/2 and 1/6 at the ends and 4/6 at the sides of each. */
static void masses_of_meshes_follow_their_rule(void **state)
{
    (void)state;
    static const struct
    {
        const char *rule;
        double mass, I_xx, I_yy;
    } CASES[] = {{" inertia='exact'", 2, 1.0 / 3, 7.0 / 3},
                 {" inertia='convex'", 3, 0.5, 2.5},
                 {" inertia='shell'", 12, 10.0 / 3, 46.0 / 3},
                 {" inertia='legacy'", 8.0 / 3, NAN, NAN},
                 {"", 8.0 / 3, NAN, NAN}};
    static const int FACES[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    char vertices[600] = "", faces[600] = "", text[2000];
    for (int i = 0; i < 16; ++i)
        snprintf(vertices + strlen(vertices), sizeof vertices - strlen(vertices), "%d %d %d ", i % 2 + i / 8 * 2,
                 i / 2 % 2, i / 4 % 2);
    for (int i = 0; i < 72; ++i)
        snprintf(faces + strlen(faces), sizeof faces - strlen(faces), "%d ", FACES[i / 3 % 12][i % 3] + i / 36 * 8);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='m' vertex='%s' face='%s'%s/></asset><worldbody><body name='b'><freejoint/>"
                 "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>",
                 vertices, faces, CASES[i].rule);
        bench b = bench_open(text, NULL, 0.01);
        double I[9];
        cairn_body body = cairn_model_find_body(b.model, "b");
        cairn_model_body_inertia(b.model, body, I);
        assert_near(cairn_model_body_mass(b.model, body), CASES[i].mass, 1e-12);
        assert_near(bench_body(&b, "b").position[0], 1.5, 1e-12);
        if (!isnan(CASES[i].I_xx))
        {
            assert_near(I[0], CASES[i].I_xx, 1e-12);
            assert_near(I[4], CASES[i].I_yy, 1e-12);
        }
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(msh_files_are_read),
        cmocka_unit_test(masses_of_meshes_follow_their_rule),
        cmocka_unit_test(collada_is_read_or_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
