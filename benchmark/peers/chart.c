/* peer-chart DATA TITLE X-LABEL Y-LABEL FILE: curves over two logarithmic axes, as a picture (the kind follows the file's name). DATA
 * has a line `curve NAME` per curve, or `rings NAME` for one in the colour of the curve before it and with rings for marks, each
 * followed by lines `X Y`, all greater than 0. */
#include "cli/plot/plot_chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_CURVES = 16,
    MOST_POINTS = 64
};

typedef struct data
{
    char names[MOST_CURVES][64];
    double x[MOST_CURVES][MOST_POINTS], y[MOST_CURVES][MOST_POINTS];
    cli_curve curves[MOST_CURVES];
    int count;
} data;

static bool read_line(data *out, const char *line)
{
    double x, y;
    char name[64];
    bool rings = strncmp(line, "rings ", 6) == 0;
    if (sscanf(line, rings ? "rings %63[^\n]" : "curve %63[^\n]", name) == 1)
    {
        int k = out->count;
        if (k == MOST_CURVES)
            return false;
        memcpy(out->names[k], name, sizeof name);
        out->curves[k] = (cli_curve){.name = out->names[k], .x = out->x[k], .y = out->y[k]};
        out->curves[k].mark = rings ? CLI_MARK_RING : CLI_MARK_DISC;
        out->curves[k].colour = k == 0 ? 0 : out->curves[k - 1].colour + !rings;
        ++out->count;
        return true;
    }
    if (sscanf(line, "%lf %lf", &x, &y) != 2 || out->count == 0 || !(x > 0) || !(y > 0))
        return false;
    cli_curve *curve = &out->curves[out->count - 1];
    if (curve->count == MOST_POINTS)
        return false;
    out->x[out->count - 1][curve->count] = x;
    out->y[out->count - 1][curve->count] = y;
    ++curve->count;
    return true;
}

static bool read_data(const char *path, data *out)
{
    char line[256];
    int number = 0;
    bool good = true;
    FILE *file = fopen(path, "r");
    if (!file)
    {
        fprintf(stderr, "%s cannot be opened\n", path);
        return false;
    }
    while (good && fgets(line, sizeof line, file))
    {
        ++number;
        good = read_line(out, line);
    }
    fclose(file);
    if (!good)
        fprintf(stderr, "%s: line %d is neither a curve nor a point, or one too many\n", path, number);
    return good;
}

int main(int argument_count, char **arguments)
{
    static data all;
    if (argument_count != 6)
    {
        fprintf(stderr, "usage: %s DATA TITLE X-LABEL Y-LABEL FILE\n", arguments[0]);
        return 2;
    }
    if (!read_data(arguments[1], &all))
        return 1;
    cli_chart chart = {.title = arguments[2],
                       .x_label = arguments[3],
                       .y_label = arguments[4],
                       .curves = all.curves,
                       .curve_count = all.count,
                       .legend = true,
                       .log = true,
                       .log_x = true};
    return cli_chart_write(&chart, arguments[5], 620, 400);
}
