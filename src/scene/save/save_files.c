/* Large meshes, hulls and height fields, in the `files` of the scene: triangles as OBJ, heights as rows. Shapes with the same numbers share
 * a file, which has the number of the first of them. */
#include "model/shape/shape_class.h"
#include "scene/save/save.h"

#include <assert.h>
#include <string.h>

enum
{
    LARGE = 24 /* points of a shape with a file of its own */
};

const double *crn_points_given(const crn_shape *shape, int *count)
{
    *count = shape->form->mesh   ? shape->form->mesh->vertex_count
             : shape->form->hull ? shape->form->hull->vertex_count
                                 : 0;
    if (shape->form->mesh)
        return shape->form->mesh->given ? shape->form->mesh->given : shape->form->mesh->vertices;
    return !shape->form->hull         ? NULL
           : shape->form->hull->given ? shape->form->hull->given
                                      : shape->form->hull->vertices;
}

static bool is_same(const crn_shape *a, const crn_shape *b)
{
    int count, other;
    const double *first = crn_points_given(a, &count), *second = crn_points_given(b, &other);
    if (a->kind != b->kind || count != other || memcmp(first, second, (size_t)count * 3 * sizeof *first) != 0)
        return false;
    return !a->form->mesh ||
           (a->form->mesh->triangle_count == b->form->mesh->triangle_count &&
            memcmp(a->form->mesh->triangles, b->form->mesh->triangles,
                   (size_t)a->form->mesh->triangle_count * 3 * sizeof *a->form->mesh->triangles) == 0);
}

int crn_file_of_shape(const cairn_model *model, int shape)
{
    int count, first = 0;
    crn_points_given(&model->shapes[shape], &count);
    if (count <= LARGE)
        return 0;
    while (!is_same(&model->shapes[first], &model->shapes[shape]))
        ++first;
    assert(first <= shape);
    return first + 1;
}

static void write_point(FILE *out, const double *x, int count)
{
    for (int k = 0; k < count; ++k)
    {
        fputc(' ', out);
        crn_write_number(out, x[k]);
    }
}

static void write_triangles(FILE *out, const crn_shape *shape, int number)
{
    int count;
    const double *points = crn_points_given(shape, &count);
    fprintf(out, "  shape-%d.obj: |\n", number);
    for (int i = 0; i < count; ++i)
    {
        fputs("    v", out);
        write_point(out, points + (ptrdiff_t)3 * i, 3);
        fputc('\n', out);
    }
    for (int i = 0; shape->form->mesh && i < shape->form->mesh->triangle_count; ++i)
    {
        const int *corner = shape->form->mesh->triangles + (ptrdiff_t)3 * i;
        fprintf(out, "    f %d %d %d\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
    }
}

static void write_heights(FILE *out, const crn_mesh *mesh, int number)
{
    fprintf(out, "  heights-%d.txt: |\n", number);
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        bool first = i == 0 || mesh->vertices[3 * i + 1] != mesh->vertices[3 * i - 2];
        fputs(i > 0 && first ? "\n   " : first ? "   " : "", out);
        write_point(out, mesh->vertices + (ptrdiff_t)3 * i + 2, 1);
    }
    fputc('\n', out);
}

void crn_save_files(crn_saver *s)
{
    bool begun = false;
    for (int i = 0; i < (int)s->model->shape_count; ++i)
    {
        const crn_shape *shape = &s->model->shapes[i];
        if (crn_file_of_shape(s->model, i) != i + 1)
            continue;
        fputs(begun ? "" : "files:\n", s->out);
        begun = true;
        if (crn_class_of(shape->kind)->takes & CRN_TAKES_HEIGHTS)
            write_heights(s->out, shape->form->mesh, i + 1);
        else
            write_triangles(s->out, shape, i + 1);
    }
}
