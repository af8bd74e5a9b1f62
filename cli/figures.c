/* `cairn figures`: runs first, each once, and the studies beside them; then the plots of the runs. */
#include "figures.h"

#include "cli.h"
#include "crew.h"
#include "options.h"
#include "out_file.h"
#include "signals.h"

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
    crn_text_list only;
    int jobs;
    bool list, quick, quiet;
} figures_options;

typedef struct gallery
{
    const figures_options *options;
    char runs[32];    /* directory of the run files */
    bool *run_wanted; /* a run */
    bool *wanted;     /* a figure */
    int *work;        /* a job: a run (its index), or a figure (-1 - its index) */
} gallery;

/* Words of a text that is cut up in place; '...' keeps blanks. How many. */
static int split(char *text, char **words)
{
    int count = 0;
    while (*text && count < MOST_WORDS)
    {
        text += strspn(text, " ");
        char stop = *text == '\'' ? '\'' : ' ';
        text += stop == '\'';
        if (*text)
        {
            words[count++] = text;
        }
        text += strcspn(text, (char[]){stop, '\0'});
        if (*text)
        {
            *text++ = '\0';
        }
    }
    return count;
}

static bool is_study(const crn_figure *figure)
{
    return !strncmp(figure->arguments, "study ", 6);
}

/* The words of a command line, with what we add to them; each word is a copy. False when memory ran out. */
typedef struct command_line
{
    char *words[MOST_WORDS + 8];
    int count;
} command_line;

static bool add_word(command_line *line, char *word)
{
    line->words[line->count++] = word;
    return word;
}

static bool add_words(command_line *line, const gallery *g, const char *arguments)
{
    char *text = strdup(arguments), *words[MOST_WORDS];
    int count = text ? split(text, words) : 0;
    bool good = text;
    for (int i = 0; i < count && good; ++i)
    {
        char *word = strdup(words[i]);
        if (words[i][0] == '@')
        {
            free(word);
            word = asprintf(&word, "%s/%s.h5", g->runs, words[i] + 1) < 0 ? NULL : word;
        }
        good = add_word(line, word);
    }
    free(text);
    return good;
}

static bool add_output(command_line *line, const char *directory, const char *name, const char *ending)
{
    char *path;
    return add_word(line, strdup("-o")) && asprintf(&path, "%s/%s%s", directory, name, ending) >= 0 &&
           add_word(line, path);
}

/* Within a child: it ends soon, and so the words stay. */
static int call(int (*command)(int, char **), command_line *line, bool good)
{
    line->words[line->count] = NULL;
    return good ? command(line->count, line->words) : CRN_EXIT_FAILED;
}

/* An explicit scheme beyond its limit ends with status 1: that is what its figure shows. */
static int make_run(const gallery *g, int index)
{
    const crn_figure_run *run = &crn_figure_runs[index];
    command_line line = {0};
    bool good = add_word(&line, strdup("run")) && add_words(&line, g, run->arguments) &&
                add_word(&line, strdup("--quiet")) && add_output(&line, g->runs, run->name, ".h5");
    int status = call(crn_cli_run, &line, good);
    return status == CRN_EXIT_FAILED && !access(line.words[line.count - 1], F_OK) ? CRN_EXIT_DONE : status;
}

static int make_figure(const gallery *g, int index)
{
    const crn_figure *figure = &crn_figures[index];
    command_line line = {0};
    bool study = is_study(figure), good = add_words(&line, g, figure->arguments);
    if (study)
    {
        good = good && add_word(&line, strdup("--quiet"));
    }
    if (study && g->options->quick && strstr(figure->arguments, "--until"))
    {
        good = good && add_word(&line, strdup("--until")) && add_word(&line, strdup("4"));
    }
    good = good && add_output(&line, g->options->output, figure->name, ".svg");
    return call(study ? crn_cli_study : crn_cli_plot, &line, good);
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
    crn_crew_work work = {.count = count, .job = do_job, .data = g, .what = what, .messages = g->runs};
    int *status = calloc((size_t)count + 1, sizeof *status);
    bool good = status && crn_crew_run(&work, g->options->jobs, g->options->quiet, status);
    for (int i = 0; i < count && good; ++i)
    {
        if (status[i] != CRN_EXIT_DONE)
        {
            int made = g->work[i];
            crn_cli_error("'%s' failed:", made >= 0 ? crn_figure_runs[made].name : crn_figures[-1 - made].name);
            crn_crew_tell(&work, i);
            good = false;
        }
    }
    free(status);
    return good ? CRN_EXIT_DONE : crn_signals_status(CRN_EXIT_FAILED);
}

static void mark_runs(gallery *g, const crn_figure *figure)
{
    for (const char *at = strchr(figure->arguments, '@'); at; at = strchr(at + 1, '@'))
    {
        size_t length = strcspn(at + 1, " ");
        for (int i = 0; i < crn_figure_run_count; ++i)
        {
            const char *name = crn_figure_runs[i].name;
            g->run_wanted[i] = g->run_wanted[i] || (strlen(name) == length && !strncmp(name, at + 1, length));
        }
    }
}

/* A figure is meant by its name, or by how it begins: paper1 means all of paper 1. */
static bool choose(gallery *g)
{
    const crn_text_list *only = &g->options->only;
    for (int k = 0; k < only->count; ++k)
    {
        bool found = false;
        for (int i = 0; i < crn_figure_count; ++i)
        {
            bool meant = !strncmp(crn_figures[i].name, only->items[k], strlen(only->items[k]));
            g->wanted[i] = g->wanted[i] || meant;
            found = found || meant;
        }
        if (!found)
        {
            crn_cli_error("option --only: there is no figure '%s'; 'cairn figures --list' shows them", only->items[k]);
            return false;
        }
    }
    for (int i = 0; i < crn_figure_count; ++i)
    {
        g->wanted[i] = g->wanted[i] || only->count == 0;
        if (g->wanted[i])
        {
            mark_runs(g, &crn_figures[i]);
        }
    }
    return true;
}

static int list_jobs(gallery *g, bool second)
{
    int count = 0;
    for (int i = 0; i < crn_figure_count; ++i)
    {
        if (g->wanted[i] && is_study(&crn_figures[i]) != second)
        {
            g->work[count++] = -1 - i;
        }
    }
    for (int i = 0; i < crn_figure_run_count && !second; ++i)
    {
        if (g->run_wanted[i])
        {
            g->work[count++] = i;
        }
    }
    return count;
}

static int make_all(gallery *g)
{
    if (!choose(g) || crn_out_directory(g->options->output))
    {
        return CRN_EXIT_WRONG;
    }
    int result = do_jobs(g, list_jobs(g, false), "runs and studies");
    result = result ? result : do_jobs(g, list_jobs(g, true), "figures");
    for (int i = 0; i < crn_figure_count && !result; ++i)
    {
        if (g->wanted[i])
        {
            printf("%s.svg\n", crn_figures[i].name);
        }
    }
    return result;
}

static int list(void)
{
    for (int i = 0; i < crn_figure_count; ++i)
    {
        printf("%-22s %s\n", crn_figures[i].name, crn_figures[i].caption);
    }
    return CRN_EXIT_DONE;
}

/* Run files and messages of the jobs, and the directory. */
static void clean_up(const gallery *g)
{
    int jobs = crn_figure_count + crn_figure_run_count;
    for (int i = 0; i < crn_figure_run_count + jobs; ++i)
    {
        char *path;
        int length = i < crn_figure_run_count ? asprintf(&path, "%s/%s.h5", g->runs, crn_figure_runs[i].name)
                                              : asprintf(&path, "%s/%d.messages", g->runs, i - crn_figure_run_count);
        if (length >= 0)
        {
            unlink(path);
            free(path);
        }
    }
    rmdir(g->runs);
}

static int make_figures(const figures_options *options)
{
    gallery g = {.options = options, .runs = "/tmp/cairn-figures-XXXXXX"};
    int jobs = crn_figure_count + crn_figure_run_count, result = CRN_EXIT_FAILED;
    g.run_wanted = calloc((size_t)crn_figure_run_count, sizeof *g.run_wanted);
    g.wanted = calloc((size_t)crn_figure_count, sizeof *g.wanted);
    g.work = calloc((size_t)jobs, sizeof *g.work);
    if (!g.run_wanted || !g.wanted || !g.work || !mkdtemp(g.runs))
    {
        crn_cli_error("no directory can be made in /tmp");
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

int crn_cli_figures(int argc, char **argv)
{
    figures_options o = {.output = "docs/figures"};
    const crn_option options[] = {
        {"output", 'o', CRN_OPTION_TEXT, &o.output, "DIR", "where to, default docs/figures"},
        {"only", 0, CRN_OPTION_LIST, &o.only, "NAME",
         "this figure alone, or all whose names begin so (paper1); repeatable"},
        {"list", 0, CRN_OPTION_FLAG, &o.list, NULL, "list the figures and stop"},
        {"quick", 0, CRN_OPTION_FLAG, &o.quick, NULL, "shake the Brazil nut twice only: it takes most of the time"},
        {"jobs", 'j', CRN_OPTION_COUNT, &o.jobs, "N", "runs at the same time; default: one a processor"},
        {"quiet", 'q', CRN_OPTION_FLAG, &o.quiet, NULL, "no progress bar"},
    };
    const crn_command command = {.usage = "figures [options]",
                                 .text = "Draw the figures of the five papers again, from the built-in scenes. "
                                         "docs/figures.md shows them.",
                                 .options = options,
                                 .option_count = sizeof options / sizeof options[0]};
    int first;
    int result = crn_options_parse(&command, argc, argv, &first);
    if (result == CRN_GO_ON)
    {
        result = o.list ? list() : make_figures(&o);
    }
    free((void *)o.only.items);
    return result;
}
