/* A run as CSV tables whose headers give the units.
 *
 *     bodies.csv    frame, time, body, then the body's state: one line per body and frame
 *     series.csv    frame, then every scalar series: one line per frame
 *     contacts.csv  frame, time, then the contact: one line per contact and frame
 *     events.csv    time, then the event: one line per event
 *     violations.csv  likewise of violations of the physics
 *     sensors.csv   time, then every column of the sensors: one line per sample
 */
#include "cli/common/cli.h"
#include "cli/common/csv.h"
#include "cli/common/out_file.h"
#include "cli/export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cairn_status write_bodies(const cli_plot_run *source, FILE *stream)
{
    int count = cairn_run_body_count(source->run);
    bool planar = cairn_run_dimension(source->run) == 2;
    cairn_body_state *states = cli_allocate((size_t)count + 1, sizeof *states);
    cairn_status status = CAIRN_OK;
    fputs(planar ? "frame,time [s],body,x [m],y [m],angle [rad],vx [m/s],vy [m/s],omega [rad/s]\n"
                 : "frame,time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],omega1 [rad/s],"
                   "omega2 [rad/s],omega3 [rad/s]\n",
          stream);
    for (int64_t frame = 0; frame < source->frame_count && !status; ++frame)
    {
        status = cairn_run_read_frame(source->run, frame, states);
        for (int i = 0; i < count && !status; ++i)
        {
            const cairn_body_state *s = &states[i];
            fprintf(stream, "%" PRId64 ",%.17g", frame, source->time[frame]);
            cli_csv_text(stream, cairn_run_body_name(source->run, i));
            cli_csv_numbers(stream, s->position, planar ? 2 : 3);
            cli_csv_numbers(stream, planar ? &s->angle : s->orientation, planar ? 1 : 4);
            cli_csv_numbers(stream, s->velocity, planar ? 2 : 3);
            cli_csv_numbers(stream, planar ? &s->angular_velocity[2] : s->angular_velocity, planar ? 1 : 3);
            fputc('\n', stream);
        }
    }
    free(states);
    return status;
}

static void put_series_head(cairn_run *run, FILE *stream)
{
    fputs("frame", stream);
    for (int i = 0; i < cairn_run_series_count(run); ++i)
        cli_csv_title(stream, cairn_run_series_name(run, i), cairn_run_series_unit(run, i));
    fputc('\n', stream);
}

static cairn_status write_series(const cli_plot_run *source, FILE *stream)
{
    int count = cairn_run_series_count(source->run);
    size_t frames = (size_t)source->frame_count;
    double *table = cli_allocate((size_t)count * (frames + 1), sizeof *table);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && !status; ++i)
    {
        const char *name = cairn_run_series_name(source->run, i);
        status = cairn_run_read_series(source->run, name, table + (size_t)i * frames);
    }
    put_series_head(source->run, stream);
    for (size_t frame = 0; frame < frames && !status; ++frame)
    {
        fprintf(stream, "%zu", frame);
        for (int i = 0; i < count; ++i)
            cli_csv_number(stream, table[(size_t)i * frames + frame]);
        fputc('\n', stream);
    }
    free(table);
    return status;
}

static void put_contact(const cli_plot_run *source, FILE *stream, const cairn_contact *contact)
{
    fprintf(stream, ",%" PRIu64, contact->identity);
    cli_csv_text(stream, cairn_run_body_name(source->run, contact->a.id - 1));
    cli_csv_text(stream, cairn_run_body_name(source->run, contact->b.id - 1));
    cli_csv_numbers(stream, contact->point, 3);
    cli_csv_numbers(stream, contact->normal, 3);
    cli_csv_numbers(stream, contact->tangent[0], 3);
    cli_csv_numbers(stream, contact->tangent[1], 3);
    cli_csv_numbers(stream, &contact->gap, 1);
    cli_csv_numbers(stream, &contact->friction, 1);
    cli_csv_numbers(stream, contact->impulse, 3);
    cli_csv_numbers(stream, contact->velocity, 3);
    fprintf(stream, ",%" PRId32 ",%" PRId32, contact->patch, contact->element);
    cli_csv_numbers(stream, contact->offset, 2);
    cli_csv_numbers(stream, contact->deformation, 3);
    fputc('\n', stream);
}

static cairn_status write_contacts(const cli_plot_run *source, FILE *stream)
{
    fputs("frame,time [s],identity,body_a,body_b,x [m],y [m],z [m],nx,ny,nz,t1x,t1y,t1z,t2x,t2y,t2z,gap [m],friction,"
          "impulse_n [N s],impulse_t1 [N s],impulse_t2 [N s],velocity_n [m/s],velocity_t1 [m/s],velocity_t2 [m/s],"
          "patch,element,offset_t1 [m],offset_t2 [m],deformation_n [m],deformation_t1 [m],deformation_t2 [m]\n",
          stream);
    cairn_status status = CAIRN_OK;
    for (int64_t frame = 0; frame < source->frame_count && !status; ++frame)
    {
        const cairn_contact *contacts;
        int count;
        status = cairn_run_read_contacts(source->run, frame, &contacts, &count);
        for (int i = 0; i < count && !status; ++i)
        {
            fprintf(stream, "%" PRId64 ",%.17g", frame, source->time[frame]);
            put_contact(source, stream, &contacts[i]);
        }
    }
    return status;
}

/* What events and violations have in common. */
static void put_happening(const cli_plot_run *source, FILE *stream, double time, const char *kind, uint64_t contact,
                          cairn_body a, cairn_body b, double first, double second)
{
    fprintf(stream, "%.17g,%s,%" PRIu64, time, kind, contact);
    cli_csv_text(stream, cairn_run_body_name(source->run, a.id - 1));
    cli_csv_text(stream, cairn_run_body_name(source->run, b.id - 1));
    cli_csv_number(stream, first);
    cli_csv_number(stream, second);
}

static cairn_status write_events(const cli_plot_run *source, FILE *stream)
{
    const cairn_event *events;
    int64_t count;
    fputs("time [s],kind,contact,body_a,body_b,speed [m/s],impulse [N s],energy_grew\n", stream);
    cairn_status status = cairn_run_read_events(source->run, &events, &count);
    for (int64_t i = 0; i < count && !status; ++i)
    {
        const cairn_event *e = &events[i];
        put_happening(source, stream, e->time, cairn_event_name(e->kind), e->contact, e->a, e->b, e->speed, e->impulse);
        fprintf(stream, ",%d\n", e->energy_grew);
    }
    return status;
}

static cairn_status write_violations(const cli_plot_run *source, FILE *stream)
{
    const cairn_violation *violations;
    int64_t count;
    fputs("time [s],kind,contact,body_a,body_b,size,allowance,unit\n", stream);
    cairn_status status = cairn_run_read_violations(source->run, &violations, &count);
    for (int64_t i = 0; i < count && !status; ++i)
    {
        const cairn_violation *v = &violations[i];
        put_happening(source, stream, v->time, cairn_violation_name(v->kind), v->contact, v->a, v->b, v->size,
                      v->allowance);
        fprintf(stream, ",%s\n", cairn_violation_unit(v->kind));
    }
    return status;
}

static cairn_status write_sensors(const cli_plot_run *source, FILE *stream)
{
    int count = cairn_run_sensor_count(source->run);
    size_t samples = (size_t)cairn_run_sample_count(source->run);
    double *table = cli_allocate((size_t)(count + 1) * (samples + 1), sizeof *table);
    cairn_status status = CAIRN_OK;
    fputs("time [s]", stream);
    for (int i = 0; i < count; ++i)
        cli_csv_title(stream, cairn_run_sensor_name(source->run, i), cairn_run_sensor_unit(source->run, i));
    fputc('\n', stream);
    for (int i = 0; i <= count && !status; ++i) /* column 0 is the time */
        status = cairn_run_read_samples(source->run, i - 1, table + (size_t)i * samples);
    for (size_t k = 0; k < samples && !status; ++k)
    {
        fprintf(stream, "%.17g", table[k]);
        for (int i = 1; i <= count; ++i)
            cli_csv_number(stream, table[(size_t)i * samples + k]);
        fputc('\n', stream);
    }
    free(table);
    return status;
}

typedef struct export_table
{
    const char *name;
    cairn_status (*write)(const cli_plot_run *source, FILE *stream);
} export_table;

static const export_table TABLES[] = {{"bodies", write_bodies},         {"series", write_series},
                                      {"contacts", write_contacts},     {"events", write_events},
                                      {"violations", write_violations}, {"sensors", write_sensors}};
enum
{
    TABLE_COUNT = (int)(sizeof TABLES / sizeof TABLES[0])
};

static int write_table(const cli_plot_run *source, const export_table *table, const char *path)
{
    cli_out_file file;
    if (!cli_out_open(&file, path))
        return CLI_EXIT_WRONG;
    cairn_status status = table->write(source, file.stream);
    if (status)
    {
        cli_out_abandon(&file);
        cli_error("'%s' was not written: %s", path, cairn_status_text(status));
        cli_messages_print(source->context);
        return CLI_EXIT_FAILED;
    }
    return cli_out_finish(&file) ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
}

static int write_directory(const cli_plot_run *source, const char *directory)
{
    int result = cli_out_directory(directory);
    for (int i = 0; i < TABLE_COUNT && !result; ++i)
    {
        if (TABLES[i].write == write_sensors && cairn_run_sensor_count(source->run) == 0)
            continue;
        char *path = cli_text("%s/%s.csv", directory, TABLES[i].name);
        result = write_table(source, &TABLES[i], path);
        if (!result)
            printf("%s\n", path);
        free(path);
    }
    return result;
}

static const export_table *find_table(const char *name)
{
    for (int i = 0; i < TABLE_COUNT; ++i)
        if (!strcmp(TABLES[i].name, name))
            return &TABLES[i];
    cli_error("option --table: expected bodies, series, contacts, events, violations or sensors, found '%s'", name);
    return NULL;
}

static bool names_one_file(const char *output)
{
    size_t length = strlen(output);
    return !strcmp(output, "-") || (length > 4 && !strcmp(output + length - 4, ".csv"));
}

int cli_export_csv(const cli_plot_run *run, const char *output, const char *name)
{
    const export_table *table = name ? find_table(name) : &TABLES[0];
    if (!table)
        return CLI_EXIT_WRONG;
    if (output && names_one_file(output))
        return write_table(run, table, output);
    if (name)
        return cli_wrong("option --table needs -o FILE.csv, or -o - for standard output");
    char *directory = output ? cli_text("%s", output) : cli_out_beside(run->path, "-csv");
    int result = write_directory(run, directory);
    free(directory);
    return result;
}
