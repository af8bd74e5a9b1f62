/* Views. The isometric one looks from (1, -1, 1): x runs to the right and towards the eye, y to the right and away. */
#include "cli/draw/view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool cli_view_parse(const char *word, void *kind)
{
    static const char *const words[] = {"xy", "xz", "yz", "iso"};
    for (int i = 0; i < 4; ++i)
        if (strcmp(word, words[i]) == 0)
        {
            *(cli_view_kind *)kind = (cli_view_kind)(CLI_VIEW_XY + i);
            return true;
        }
    return false;
}

static cli_view isometric(void)
{
    double s2 = sqrt(0.5), s3 = sqrt(1.0 / 3.0), s6 = sqrt(1.0 / 6.0);
    return (cli_view){.right = {s2, s2, 0.0},
                      .up = {-s6, s6, 2.0 * s6},
                      .towards = {s3, -s3, s3},
                      .tilted = true,
                      .x_label = "",
                      .y_label = ""};
}

cli_view cli_view_of(cli_view_kind kind, int dimension)
{
    assert(dimension == 2 || dimension == 3);
    if (kind == CLI_VIEW_AUTO)
        kind = CLI_VIEW_ISO;
    if (dimension == 2)
        kind = CLI_VIEW_XY;
    switch (kind)
    {
    case CLI_VIEW_XZ:
        return (cli_view){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, false, "x (m)", "z (m)"};
    case CLI_VIEW_YZ:
        return (cli_view){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, false, "y (m)", "z (m)"};
    case CLI_VIEW_ISO:
        return isometric();
    default:
        return (cli_view){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, false, "x (m)", "y (m)"};
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cli_view_project(const cli_view *view, const double point[3], double out[3])
{
    double x = dot(view->right, point), y = dot(view->up, point), z = dot(view->towards, point);
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

void cli_view_lamp(const cli_view *view, double direction[3])
{
    for (int k = 0; k < 3; ++k)
        direction[k] = -0.40 * view->right[k] + 0.62 * view->up[k] + 0.68 * view->towards[k];
}

double cli_view_light(const cli_view *view, const double normal[3])
{
    double lamp[3];
    cli_view_lamp(view, lamp);
    return fmax(0.0, dot(normal, lamp));
}

void cli_polygon_normal(const double (*points)[3], const int *corners, int count, double normal[3])
{
    normal[0] = normal[1] = normal[2] = 0.0;
    for (int i = 0; i < count; ++i)
    {
        const double *a = points[corners[i]], *b = points[corners[(i + 1) % count]];
        for (int k = 0; k < 3; ++k)
            normal[k] += (a[(k + 1) % 3] - b[(k + 1) % 3]) * (a[(k + 2) % 3] + b[(k + 2) % 3]);
    }
    double length = fmax(sqrt(dot(normal, normal)), 1e-300);
    for (int k = 0; k < 3; ++k)
        normal[k] /= length;
}
