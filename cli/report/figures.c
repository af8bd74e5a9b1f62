/* `cairn figures`: first the runs, each once, and the studies; then the plots of the runs. */
#include "cli/report/figures.h"

#include "cli/common/cli.h"
#include "cli/common/job_processes.h"
#include "cli/common/options.h"
#include "cli/common/out_file.h"
#include "cli/common/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    MOST_WORDS = 40,
};

typedef struct figures_options
{
    const char *output;
    cli_text_list only;
    int jobs;
    bool list, quick, quiet;
} figures_options;

typedef struct gallery
{
    const figures_options *options;
    char runs[32];    /* directory of the run files */
    bool *run_wanted; /* per run */
    bool *wanted;     /* per figure */
    int *work;        /* per job: the index of a run, or -1 - the index of a figure */
} gallery;

/* Split a text into words in place; '...' keeps blanks. Returns their number. */
static int split(char *text, char **words)
{
    int count = 0;
    while (*text && count < MOST_WORDS)
    {
        text += strspn(text, " ");
        char stop = *text == '\'' ? '\'' : ' ';
        text += stop == '\'';
        if (*text)
            words[count++] = text;
        text += strcspn(text, (char[]){stop, '\0'});
        if (*text)
            *text++ = '\0';
    }
    return count;
}

static bool is_study(const cli_figure *figure)
{
    return !strncmp(figure->arguments, "study ", 6);
}

/* The words of a command line, with what we add to them; each is a copy, left to the end of the child process. */
typedef struct command_line
{
    char *words[MOST_WORDS + 8];
    int count;
} command_line;

static void add_word(command_line *line, const char *word)
{
    line->words[line->count++] = cli_text("%s", word);
}

static void add_words(command_line *line, const gallery *g, const char *arguments)
{
    char *text = cli_text("%s", arguments), *words[MOST_WORDS];
    int count = split(text, words);
    for (int i = 0; i < count; ++i)
        line->words[line->count++] =
            words[i][0] == '@' ? cli_text("%s/%s.h5", g->runs, words[i] + 1) : cli_text("%s", words[i]);
    free(text);
}

static void add_output(command_line *line, const char *directory, const char *name, const char *ending)
{
    add_word(line, "-o");
    line->words[line->count++] = cli_text("%s/%s%s", directory, name, ending);
}

/* An explicit integrator beyond its stability limit ends with status 1, which its figure is meant to show. */
static int make_run(const gallery *g, int index)
{
    const cli_figure_run *run = &cli_figure_runs[index];
    command_line line = {0};
    add_word(&line, "run");
    add_words(&line, g, run->arguments);
    add_word(&line, "--quiet");
    add_output(&line, g->runs, run->name, ".h5");
    const char *file = line.words[line.count - 1];
    int status = cli_command_run(line.count, line.words);
    return status == CLI_EXIT_FAILED && !access(file, F_OK) ? CLI_EXIT_DONE : status;
}

static int make_figure(const gallery *g, int index)
{
    const cli_figure *figure = &cli_figures[index];
    command_line line = {0};
    bool study = is_study(figure);
    add_words(&line, g, figure->arguments);
    if (study)
        add_word(&line, "--quiet");
    if (study && g->options->quick && strstr(figure->arguments, "--until"))
        add_words(&line, g, "--until 4");
    add_output(&line, g->options->output, figure->name, ".svg");
    return (study ? cli_command_study : cli_command_plot)(line.count, line.words);
}

static int do_job(void *data, int index)
{
    const gallery *g = data;
    int what = g->work[index];
    return what >= 0 ? make_run(g, what) : make_figure(g, -1 - what);
}

/* Do the jobs of g->work. The exit status, after the messages of those that failed. */
static int do_jobs(gallery *g, int count, const char *what)
{
    cli_jobs_work work = {.count = count, .job = do_job, .data = g, .what = what, .messages = g->runs};
    int *status = cli_allocate((size_t)count + 1, sizeof *status);
    bool good = cli_jobs_run(&work, g->options->jobs, g->options->quiet, status);
    for (int i = 0; i < count && good; ++i)
    {
        if (status[i] != CLI_EXIT_DONE)
        {
            int made = g->work[i];
            cli_error("'%s' failed:", made >= 0 ? cli_figure_runs[made].name : cli_figures[-1 - made].name);
            cli_jobs_tell(&work, i);
            good = false;
        }
    }
    free(status);
    return good ? CLI_EXIT_DONE : cli_signals_status(CLI_EXIT_FAILED);
}

static void mark_runs(gallery *g, const cli_figure *figure)
{
    for (const char *at = strchr(figure->arguments, '@'); at; at = strchr(at + 1, '@'))
    {
        size_t length = strcspn(at + 1, " ");
        for (int i = 0; i < cli_figure_run_count; ++i)
        {
            const char *name = cli_figure_runs[i].name;
            g->run_wanted[i] = g->run_wanted[i] || (strlen(name) == length && !strncmp(name, at + 1, length));
        }
    }
}

/* A figure is meant by its name, or by how it begins: potra means all of Potra et al. 2006. */
static bool choose(gallery *g)
{
    const cli_text_list *only = &g->options->only;
    for (int k = 0; k < only->count; ++k)
    {
        bool found = false;
        for (int i = 0; i < cli_figure_count; ++i)
        {
            bool meant = !strncmp(cli_figures[i].name, only->items[k], strlen(only->items[k]));
            g->wanted[i] = g->wanted[i] || meant;
            found = found || meant;
        }
        if (!found)
        {
            return cli_error("option --only: there is no figure '%s'; 'cairn figures --list' shows them",
                             only->items[k]);
        }
    }
    for (int i = 0; i < cli_figure_count; ++i)
    {
        g->wanted[i] = g->wanted[i] || only->count == 0;
        if (g->wanted[i])
            mark_runs(g, &cli_figures[i]);
    }
    return true;
}

static int list_jobs(gallery *g, bool second)
{
    int count = 0;
    for (int i = 0; i < cli_figure_count; ++i)
        if (g->wanted[i] && is_study(&cli_figures[i]) != second)
            g->work[count++] = -1 - i;
    for (int i = 0; i < cli_figure_run_count && !second; ++i)
        if (g->run_wanted[i])
            g->work[count++] = i;
    return count;
}

static int make_all(gallery *g)
{
    if (!choose(g) || cli_out_directory(g->options->output))
        return CLI_EXIT_WRONG;
    int result = do_jobs(g, list_jobs(g, false), "runs and studies");
    result = result ? result : do_jobs(g, list_jobs(g, true), "figures");
    for (int i = 0; i < cli_figure_count && !result; ++i)
        if (g->wanted[i])
            printf("%s.svg\n", cli_figures[i].name);
    return result;
}

static int list(void)
{
    for (int i = 0; i < cli_figure_count; ++i)
        printf("%-22s %s\n", cli_figures[i].name, cli_figures[i].caption);
    return CLI_EXIT_DONE;
}

/* Run files and messages of the jobs, and the directory. */
static void clean_up(const gallery *g)
{
    int jobs = cli_figure_count + cli_figure_run_count;
    for (int i = 0; i < cli_figure_run_count + jobs; ++i)
    {
        char *path = i < cli_figure_run_count ? cli_text("%s/%s.h5", g->runs, cli_figure_runs[i].name)
                                              : cli_text("%s/%d.messages", g->runs, i - cli_figure_run_count);
        unlink(path);
        free(path);
    }
    rmdir(g->runs);
}

static int make_figures(void *data, int count, char **arguments)
{
    (void)count;
    (void)arguments;
    const figures_options *options = data;
    if (options->list)
        return list();
    gallery g = {.options = options, .runs = "/tmp/cairn-figures-XXXXXX"};
    int jobs = cli_figure_count + cli_figure_run_count, result = CLI_EXIT_FAILED;
    g.run_wanted = cli_allocate((size_t)cli_figure_run_count, sizeof *g.run_wanted);
    g.wanted = cli_allocate((size_t)cli_figure_count, sizeof *g.wanted);
    g.work = cli_allocate((size_t)jobs, sizeof *g.work);
    if (!mkdtemp(g.runs))
    {
        cli_error("no directory can be made in /tmp");
    }
    else
    {
        result = make_all(&g);
        clean_up(&g);
    }
    free(g.run_wanted);
    free(g.wanted);
    free(g.work);
    return result;
}

int cli_command_figures(int argc, char **argv)
{
    figures_options o = {.output = "docs/figures"};
    const cli_option options[] = {
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "DIR", "output directory, default docs/figures")},
        {CLI_VALUE(LIST, "only", 0, &o.only, "NAME",
                   "only this figure, or every figure whose name starts with this (potra-2006); repeatable")},
        {CLI_FLAG("list", 0, &o.list, "list the figures and stop")},
        {CLI_FLAG("quick", 0, &o.quick, "shake the Brazil nut only twice; it takes most of the time")},
        {CLI_VALUE(COUNT, "jobs", 'j', &o.jobs, "N", "parallel runs; default: one per processor")},
        {CLI_FLAG("quiet", 'q', &o.quiet, "no progress bar")},
        {0},
    };
    const cli_command command = {
        .usage = "figures [options]",
        .text = "Reproduce the figures of the five papers from the built-in scenes. docs/figures.md shows them.",
        .options = options,
        .work = make_figures,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
