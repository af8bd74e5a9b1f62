// Writes the built page as a C source: node embed.mjs PAGE.html OUTPUT.c
import { readFileSync, writeFileSync } from 'node:fs';

const [, , page, output] = process.argv;
const bytes = readFileSync(page);
// Bytes rather than string literals: C promises only 4095 characters in one.
const lines = [];
for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(',') + ',');
writeFileSync(output, `/* Made by viewer/embed.mjs from the page of the viewer. */
#include "cli/view/view_page.h"

const unsigned char cli_view_page[] = {
${lines.join('\n')}
0};

const size_t cli_view_page_size = ${bytes.length};
`);
