#include "cli/common/html.h"
#include "cli/common/cli.h"
#include "cli/draw/draw.h"

#include <cairn/cairn.h>
#include <stdlib.h>
#include <string.h>

static const char STYLE[] =
    ":root{color-scheme:light "
    "dark;--ink:#1c2530;--soft:#5b6773;--paper:#fbfbfa;--card:#fff;--line:#dfe3e6;--mark:#0072b2;"
    "--bad:#b3401a}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa6b2;--paper:#14181d;--card:#1d232a;--line:#"
    "333c45;"
    "--mark:#56b4e9;--bad:#f0a070}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:80rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);"
    "background:var(--paper)}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:0 0 .3rem}h2{font-size:1.15rem;margin:2.2rem 0 .6rem}\n"
    "p{margin:.4rem "
    "0;max-width:46rem}.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}a{color:var(--mark)}\n"
    "code{font:0.86em ui-monospace,monospace;overflow-wrap:anywhere}\n"
    ".tables{display:flex;flex-wrap:wrap;gap:1rem 4rem;align-items:flex-start}.tables>*{max-width:100%}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.28rem .8rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
    "th{font-weight:600;color:var(--soft)}.n{text-align:right}\n"
    ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,29rem),1fr));gap:1rem}\n"
    ".thumbs{grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr))}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;overflow:hidden;padding:.8rem}\n"
    ".card h3{font-size:1rem;margin:.5rem 0 .1rem}.card p{margin:.2rem 0;font-size:.9rem}\n"
    "img{display:block;width:100%;height:auto;background:#fff;border-radius:.3rem}\n"
    /* Cards of different heights, column by column. */
    ".columns{columns:2 29rem;column-gap:1rem}.columns>.card{break-inside:avoid;margin-bottom:1rem}\n"
    "summary{cursor:pointer;color:var(--soft);margin:.8rem 0}.settings table{columns:3 "
    "17rem;column-gap:3rem;display:block}"
    ".settings tbody{display:block}.settings "
    "tr{display:flex;justify-content:space-between;break-inside:avoid;border-bottom:1px solid var(--line)}.settings "
    ":is(th,td){border:0;padding-right:0}\n"
    /* Plots are drawn on white; in the dark they are turned around, and keep their hues; the card shines through what was white. */
    "@media(prefers-color-scheme:dark){img[src$=\".svg\"]{filter:invert(1) "
    "hue-rotate(180deg);mix-blend-mode:screen}}\n"
    "iframe{display:block;width:100%;height:min(34rem,80vh);border:1px solid var(--line);border-radius:.5rem}\n";

void cli_html_text(FILE *stream, const char *text)
{
    size_t size = strlen(text) + 1;
    char *clean = cli_allocate(size, 1);
    cli_text_clean(text, clean, size);
    for (const char *c = clean; *c != '\0'; ++c)
        if (*c == '<')
            fputs("&lt;", stream);
        else if (*c == '>')
            fputs("&gt;", stream);
        else if (*c == '&')
            fputs("&amp;", stream);
        else if (*c == '"')
            fputs("&quot;", stream);
        else
            fputc(*c, stream);
    free(clean);
}

void cli_html_begin(FILE *stream, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          stream);
    cli_html_text(stream, title);
    fprintf(stream, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", STYLE);
    cli_html_text(stream, title);
    fputs("</h1>\n", stream);
}

void cli_html_end(FILE *stream)
{
    fprintf(stream, "<p class=\"soft\">Written by cairn %s.</p>\n</body>\n</html>\n", cairn_version());
}
