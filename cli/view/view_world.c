#include "cli/view/view_world.h"
#include "cli/plot/plot_words.h"
#include "cli/view/view_joints.h"

static const char *const SPRING_NAME[] = {[CAIRN_SPRING_LINEAR] = "linear", [CAIRN_SPRING_ANGULAR] = "angular"};
static const char *const BODY_NAME[] = {
    [CAIRN_DYNAMIC] = "dynamic", [CAIRN_FIXED] = "fixed", [CAIRN_DRIVEN] = "driven"};

enum
{
    SPRING_NAMES = (int)(sizeof SPRING_NAME / sizeof SPRING_NAME[0]),
    BODY_NAMES = (int)(sizeof BODY_NAME / sizeof BODY_NAME[0]),
};

static const char *name_of(const char *const *names, int count, int kind)
{
    return kind >= 0 && kind < count ? names[kind] : "unknown";
}

int cli_view_frame_body(cli_view_map map, cairn_body body)
{
    return body.id < 1 ? -1 : map.frame_body ? map.frame_body[body.id - 1] : body.id - 1;
}

static void put_size(cli_json *json, const char *key, double value)
{
    if (value > 0)
        cli_json_number(json, key, value);
}

static void put_vector(cli_json *json, const char *key, const double v[3])
{
    if (v[0] != 0 || v[1] != 0 || v[2] != 0)
        cli_json_numbers(json, key, v, 3);
}

static void put_faces(cli_json *json, const cairn_shape_info *shape)
{
    cli_json_open(json, "faces", '[');
    for (int f = 0; f < shape->face_count; ++f)
    {
        cli_json_open(json, NULL, '[');
        for (int i = shape->face_begin[f]; i < shape->face_begin[f + 1]; ++i)
            cli_json_integer(json, NULL, shape->face_vertices[i]);
        cli_json_close(json, ']');
    }
    cli_json_close(json, ']');
}

/* Sizes that a kind does not have are 0 and left out; so is a position at the body's origin. */
static void put_shape(cli_json *json, int dimension, const cairn_shape_info *shape, int body, bool link)
{
    cli_json_open(json, NULL, '{');
    cli_json_integer(json, "body", body);
    cli_json_text(json, "kind", shape->name);
    put_size(json, "radius", shape->radius);
    put_size(json, "length", shape->length);
    put_size(json, "height", shape->height);
    put_vector(json, "radii", shape->radii);
    put_vector(json, "size", shape->size);
    put_vector(json, "normal", shape->normal);
    if (shape->vertex_count > 0)
        cli_json_numbers(json, "vertices", shape->vertices, dimension * shape->vertex_count);
    if (shape->face_count > 0)
        put_faces(json, shape);
    put_vector(json, "position", shape->position);
    if (dimension == 3 && shape->orientation[0] != 1)
        cli_json_numbers(json, "orientation", shape->orientation, 4);
    if (dimension == 2 && shape->angle != 0)
        cli_json_number(json, "angle", shape->angle);
    if (link)
        cli_json_bool(json, "link", true);
    cli_json_close(json, '}');
}

static void put_shapes(cli_json *json, const cairn_model *model, const cli_mechanism *mechanism, cli_view_map map)
{
    cli_json_open(json, "shapes", '[');
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(model, cairn_model_shape(model, i));
        int body = cli_view_frame_body(map, shape.body);
        if (!shape.piece && body >= 0)
            put_shape(json, cairn_model_dimension(model), &shape, body, false);
    }
    for (int i = 0; i < mechanism->link_count; ++i)
    {
        int body = cli_view_frame_body(map, mechanism->links[i].body);
        if (body >= 0)
            put_shape(json, cairn_model_dimension(model), &mechanism->links[i], body, true);
    }
    cli_json_close(json, ']');
}

static void put_end(cli_json *json, const char *key, const cairn_attachment *end, cli_view_map map)
{
    cli_json_open(json, key, '{');
    cli_json_integer(json, "body", cli_view_frame_body(map, end->body));
    cli_json_numbers(json, "point", end->point, 3);
    cli_json_close(json, '}');
}

void cli_view_put_link(cli_json *json, const char *name, const char *kind, const cairn_attachment ends[2],
                       cli_view_map map)
{
    cli_json_text(json, "name", name);
    cli_json_text(json, "kind", kind);
    put_end(json, "a", &ends[0], map);
    put_end(json, "b", &ends[1], map);
}

static void put_springs(cli_json *json, const cairn_model *model, cli_view_map map)
{
    cli_json_open(json, "springs", '[');
    for (int i = 0; i < cairn_model_spring_count(model); ++i)
    {
        cairn_spring spring = cairn_model_spring(model, i);
        cairn_attachment ends[2];
        cairn_model_spring_attachments(model, spring, &ends[0], &ends[1]);
        cli_json_open(json, NULL, '{');
        cli_view_put_link(json, cairn_model_spring_name(model, spring),
                          name_of(SPRING_NAME, SPRING_NAMES, (int)cairn_model_spring_kind(model, spring)), ends, map);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

/* The default friction is that of the first material named by the scene, or else of the default material. */
static void put_materials(cli_json *json, const cairn_model *model)
{
    int count = cairn_model_material_count(model);
    cli_json_open(json, "materials", '[');
    for (int i = 0; i < count; ++i)
    {
        cairn_material_options material = cairn_model_material_options(model, cairn_model_material(model, i));
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", material.name);
        cli_json_number(json, "friction", material.friction);
        cli_json_number(json, "restitution", material.restitution);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "friction", '{');
    cli_json_number(json, "default",
                    cairn_model_material_options(model, cairn_model_material(model, count > 1 ? 1 : 0)).friction);
    cli_json_close(json, '}');
}

/* Where everything repeats: 0 along open axes; nothing if all are. */
static void put_periodic(cli_json *json, const cairn_model *model)
{
    double size[3], shear;
    cairn_model_periodic(model, size, &shear);
    if (!(size[0] > 0 || size[1] > 0 || size[2] > 0))
        return;
    cli_json_open(json, "periodic", '{');
    cli_json_numbers(json, "size", size, 3);
    cli_json_number(json, "shear", shear);
    cli_json_close(json, '}');
}

void cli_view_put_series_names(cli_json *json, const char *name, const char *unit)
{
    char words[256];
    cli_series_words(name, words, sizeof words);
    cli_json_text(json, "name", name);
    cli_json_text(json, "label", words);
    cli_json_text(json, "unit", unit);
}

void cli_view_put_world(cli_json *json, const cairn_model *model, const cli_mechanism *mechanism, cli_view_map map)
{
    double gravity[3];
    cairn_model_gravity(model, gravity);
    cli_json_numbers(json, "gravity", gravity, 3);
    put_periodic(json, model);
    put_shapes(json, model, mechanism, map);
    cli_view_put_joints(json, model, map);
    cli_view_put_symbols(json, mechanism, map);
    put_springs(json, model, map);
    put_materials(json, model);
}

void cli_view_put_body(cli_json *json, const cairn_model *model, cairn_body body, const char *name)
{
    bool known = model && body.id > 0;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", name);
    cli_json_text(json, "kind",
                  known ? name_of(BODY_NAME, BODY_NAMES, (int)cairn_model_body_kind(model, body)) : "dynamic");
    cli_json_number(json, "mass", known ? cairn_model_body_mass(model, body) : 0.0);
    cli_json_close(json, '}');
}
