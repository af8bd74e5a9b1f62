// Every control of the page does what it says. The tables below list the controls by their names, as a reader who cannot see them
// hears them, with what happens; a control on the page that no table has, or a row without its control, is a failure. So are the keys
// of the help.
import { writeFileSync } from 'node:fs';
import { browser, check, checkQuiet, finish, glanceAt, openPage, serve, settle, test, tool } from './harness.mjs';

writeFileSync('machine.yaml', `
title: A rotor, a cart, and a ball on a floor
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: ball, position: [0, 0, 0.6], shapes: [{type: sphere, radius: 0.4, density: 10}]}
  - {name: cart, position: [2, 0, 1], shapes: [{type: box, size: [0.6, 0.6, 0.6], density: 5}]}
joints:
  - {name: rail, type: prismatic, bodies: [world, cart], at: [2, 0, 1], axis: [0, 1, 0],
     coordinates: {position: {lower: -1, upper: 1, drive: {type: position, target: 0, stiffness: 4000, damping: 400}}}}
simulation: {step: 0.01, until: 0.6, integrator: stiff}
`);
tool('run', 'machine.yaml', '-o', 'machine.h5');
const chromium = await browser();
const small = { width: 740, height: 420 };

/** Names of all controls, in their order, without numbers that change. */
const controlsOf = (page) => page.evaluate(() => {
  const nameOf = (node) => node.getAttribute('aria-label') || node.title || node.closest('label')?.textContent || node.textContent;
  return [...document.querySelectorAll('button, select, input, summary, a[href], [role=slider], [tabindex="0"]')].map((node) => nameOf(node).trim());
});

/** Try every row of a table: the control's name, what to do with it, what must become true, and an argument of that. */
async function tryAll(page, title, rows) {
  for (const [name, act, then, argument] of rows)
    await test(`${title}: ${name}`, async () => {
      await act(control(page, name));
      await page.waitForFunction(then, argument, { timeout: 60000 });
    });
}

const control = (page, name) => page.locator(`:is([aria-label="${name}"], summary:text-is("${name}"), label.check:text-is("${name}") > input, button.link:text-is("${name}"))`).first();
const click = (node) => node.click();
const choose = (value) => (node) => node.selectOption(value);
const fill = (value) => (node) => node.fill(value);

/** A table has every control of the page, and no other. */
async function complete(page, title, tables, also = []) {
  await test(`${title}: no control is left out`, async () => {
    const there = new Set(await controlsOf(page));
    const known = new Set([...tables.flat().map(([name]) => name), ...also]);
    const untested = [...there].filter((name) => !known.has(name));
    check(untested.length === 0, `nothing tests: ${untested.join('; ')}`);
    check(there.size >= tables.flat().length / 2, `only ${there.size} controls are there`);
  });
}

/** The keys that the help tells of, each pressed. */
async function tryKeys(page, title, rows) {
  await test(`${title}: every key of the help is tried`, async () => {
    const told = (await page.locator('dialog.help dt').allTextContents()).flatMap((keys) => keys.split(/,\s*|\s+(?=→)/));
    const tried = new Set(rows.map(([key]) => key));
    check(told.every((key) => tried.has(key)) && told.length === tried.size, `the help tells of ${told.join(' ')}; tried are ${[...tried].join(' ')}`);
  });
  const press = { space: ' ', '←': 'ArrowLeft', '→': 'ArrowRight', Esc: 'Escape' };
  for (const [key, before, then, argument] of rows)
    await test(`${title}: key ${key}`, async () => {
      if (before) await page.evaluate(before);
      await page.keyboard.press(press[key] ?? key);
      await page.waitForFunction(then, argument, { timeout: 60000 });
    });
}

// ----------------------------------------------------------------------------------------------------- what all runs have

const display = (on) => [
  ['Colour by', choose('speed'), () => window.cairn.colourMode() === 'speed'],
  ...[['contact forces', 'forces'], ['contact points', 'points'], ['thrust lines', 'thrust'], ['normals', 'normals'], ['friction cones', 'cones'],
    ['joints and springs', 'links'], ['edges', 'edges'], ['see through bodies', 'through']].flatMap(([label, key]) => {
    const first = on.includes(key);
    return [[label, click, ([k, was]) => window.cairn.display()[k] === !was, [key, first]], [label, click, ([k, was]) => window.cairn.display()[k] === was, [key, first]]];
  }),
  ['force chains', click, () => window.cairn.display().chains && window.cairn.display().through],
  ['force chains', click, () => !window.cairn.display().chains && !window.cairn.display().through],
  ['Length of force arrows', fill('1'), () => Math.abs(window.cairn.display().forceFactor - 10) < 1e-9],
  ['Cut', choose('z'), () => window.cairn.display().cut.axis === 'z' && !document.querySelector('[aria-label="Place of the cut"]').disabled],
  ['Place of the cut', fill('0.3'), () => Math.abs(window.cairn.display().cut.share - 0.3) < 1e-9],
  ['Cut', choose(''), () => document.querySelector('[aria-label="Place of the cut"]').disabled],
];

const tools = [
  ['Dark or light (t)', click, () => document.documentElement.dataset.theme === 'dark'],
  ['Dark or light (t)', click, () => document.documentElement.dataset.theme === 'light'],
  ['Help (?)', click, () => document.querySelector('dialog.help').open],
  ['Close', click, () => !document.querySelector('dialog.help').open],
  ['Follow the selected body (g)', async (node) => {
    await node.page().evaluate(() => window.cairn.select(1));
    await node.click();
  }, () => window.cairn.following() === 1],
  ['Fit all into view (f)', click, () => window.cairn.following() < 0 && window.cairn.tracking()],
];

const body = [
  ['See through this body', click, () => window.cairn.look(1) === 1],
  ['Draw this body solid', click, () => window.cairn.look(1) === 0],
  ['Hide this body (h)', click, () => window.cairn.look(1) === 2 && window.cairn.selected().kind === 'none'],
  ['Bodies as they were at first', click, () => window.cairn.look(1) === 0],
];

const folds = (names) => names.flatMap((name) => [false, true].map((open) =>
  [name, click, ([title, wanted]) => [...document.querySelectorAll('summary')].find((node) => node.textContent === title).parentElement.open === wanted, [name, open]]));

const keys = [
  ['f', () => window.cairn.select(1), () => window.cairn.tracking()],
  ['g', () => window.cairn.select(1), () => window.cairn.following() === 1],
  ['h', () => window.cairn.select(1), () => window.cairn.look(1) === 2],
  ['x', null, () => window.cairn.display().through],
  ['c', () => window.cairn.setColourMode('body'), () => window.cairn.colourMode() === 'state'],
  ['t', null, () => document.documentElement.dataset.theme === 'dark'],
  ['Esc', () => window.cairn.select(2), () => window.cairn.selected().kind === 'none'],
  ['?', null, () => document.querySelector('dialog.help').open],
];

// ---------------------------------------------------------------------------------------------------------- a recorded run

const { address } = await serve('machine.h5');
const page = await openPage(chromium, address, small);
await settle(page);
const last = 60;

const timeline = [
  ['Play (space)', click, () => window.cairn.playing() && window.cairn.frame().index > 1],
  ['Pause (space)', click, () => !window.cairn.playing()],
  ['To the start (Home)', click, () => window.cairn.frame().index === 0],
  ['One frame on (→)', click, () => window.cairn.frame().index === 1],
  ['One frame back (←)', click, () => window.cairn.frame().index === 0],
  ['Play over and over (l)', click, () => !window.cairn.loops()],
  ['Play over and over (l)', click, () => window.cairn.loops()],
  ['Speed: simulated seconds per second', choose('0.5'), () => window.cairn.speed() === 0.5],
  ['Time', async (node) => {
    const box = await node.boundingBox();
    await node.page().mouse.click(box.x + box.width - 1, box.y + box.height / 2);
  }, (end) => window.cairn.frame().index >= end - 1, last],
];

const contact = [['The contact with floor', async (node) => {
  await node.page().evaluate(() => window.cairn.select(1));
  await node.click();
}, () => window.cairn.selected().kind === 'contact']];

const charts = [
  ['Add a chart', choose('contacts/count'), () => [...document.querySelectorAll('.chart h3')].filter((node) => /^Number of contacts/.test(node.textContent)).length === 2],
  ['Remove the chart Number of contacts', click, () => [...document.querySelectorAll('.chart h3')].filter((node) => /^Number of contacts/.test(node.textContent)).length === 1],
  ['Remove the chart Energy', click, () => ![...document.querySelectorAll('.chart h3')].some((node) => /^Energy/.test(node.textContent))],
];
const otherCharts = ['Relative residual', 'Penetration'].map((title) => `Remove the chart ${title}`);

const saving = ['Save as a page that works everywhere', async (node) => {
  const waiting = node.page().waitForEvent('download');
  await node.click();
  check((await (await waiting).suggestedFilename()).endsWith('.html'), 'no page is saved');
}, () => true];

const recorded = [timeline, display(['forces', 'links']), tools, contact, charts, folds(['Selection', 'Display', 'Charts']), [saving]];
await complete(page, 'recorded', recorded, [...otherCharts, ...body.map(([name]) => name)]);
for (const rows of recorded) await tryAll(page, 'recorded', rows);
await page.evaluate(() => window.cairn.select(1));
await tryAll(page, 'recorded', body);
await page.evaluate(() => window.cairn.select(1));
await complete(page, 'recorded, with a selected body', [...recorded, body], otherCharts);

await glanceAt(page, 0);
await tryKeys(page, 'recorded', [
  ['space', () => window.cairn.scrub(0), () => window.cairn.playing()],
  ['→', () => document.querySelector('[aria-label="To the start (Home)"]').click(), () => !window.cairn.playing() && window.cairn.frame().index === 1],
  ['←', null, () => window.cairn.frame().index === 0],
  ['End', null, (end) => window.cairn.frame().index === end, last],
  ['Home', null, () => window.cairn.frame().index === 0],
  ['l', null, () => !window.cairn.loops()],
  ...keys,
]);
await test('recorded: is quiet', () => checkQuiet(page));
await page.close();

// ------------------------------------------------------------------------------------------------------------ a live run

const live = await openPage(chromium, (await serve('machine.yaml')).address, small);
await settle(live);
const drive = 'rail, position';

const simulation = [
  ['Pause or go on (space)', click, () => !window.cairn.playing()],
  ['Back to the start (Home)', click, () => window.cairn.frame().time === 0],
  ['One step (→)', click, () => Math.abs(window.cairn.frame().time - 0.01) < 1e-9],
  ['Speed: simulated seconds per second', choose('2'), () => true],
  ['Pause or go on (space)', click, () => window.cairn.playing() && window.cairn.frame().time > 0.1],
  ['Gravity', fill('-3'), () => window.cairn.position(1)[2] > 0.9],
  ['Gravity', fill('9.8'), () => window.cairn.position(1)[2] < 0.5],
  ['Friction', fill('0.2'), () => /0\.2/.test(document.querySelector('[aria-label="Friction"]').parentElement.textContent)],
  [drive, fill('0.5'), () => Math.abs(window.cairn.coordinate(0, 0) - 0.5) < 1e-2],
  [`${drive}: as in the scene`, click, () => Math.abs(window.cairn.coordinate(0, 0)) < 1e-2],
  [drive, fill('-0.5'), () => Math.abs(window.cairn.coordinate(0, 0) + 0.5) < 1e-2],
  ['Let all drives follow the targets of the scene again', click, () => Math.abs(window.cairn.coordinate(0, 0)) < 1e-2],
  ['Throw a ball at the pointer (b)', click, () => window.cairn.frame().bodies === 4],
  ['Drop a box at the pointer (v)', click, () => window.cairn.frame().bodies === 5],
  ['Back to the start (Home)', click, () => window.cairn.frame().bodies === 3],
];

const lively = [simulation, display(['forces', 'links']), tools, folds(['Live', 'Drives', 'Selection', 'Display', 'Charts']), [saving]];
const liveCharts = ['Energy', 'Number of contacts', 'Relative residual', 'Penetration'].map((title) => `Remove the chart ${title}`);
await complete(live, 'live', lively, [...liveCharts, 'Add a chart', ...body.map(([name]) => name)]);
for (const rows of lively) await tryAll(live, 'live', rows);
await tryKeys(live, 'live', [
  ['space', null, () => !window.cairn.playing()],
  ['Home', null, () => window.cairn.frame().time === 0],
  ['→', null, () => Math.abs(window.cairn.frame().time - 0.01) < 1e-9],
  ['b', null, () => window.cairn.frame().bodies === 4],
  ['v', () => document.querySelector('button.primary').click(), () => window.cairn.frame().bodies === 5],
  ...keys,
]);
await test('live: is quiet', () => checkQuiet(live));
await live.close();

// ---------------------------------------------------------------------------------------------------------- the start page

const start = await openPage(chromium, (await serve()).address, { at: '', ...small });
await start.locator('.scene').first().waitFor();
const scenes = (await controlsOf(start)).slice(2);
const cards = [
  ['Find a scene', fill('card-house'), () => document.querySelectorAll('.scene:not([hidden])').length === 1],
  ['Dark or light', click, () => document.documentElement.dataset.theme === 'dark'],
];
await complete(start, 'start', [cards, [[scenes.find((name) => /House of cards/.test(name)) ?? 'House of cards']]], scenes);
await tryAll(start, 'start', cards);
await test('start: a scene, and the way back', async () => {
  check(scenes.length >= 100, `${scenes.length} scenes`);
  await start.locator('.scene:visible').click();
  await start.waitForFunction(() => window.cairn?.frame()?.time > 0);
  await start.locator('[aria-label="All scenes"]').click();
  await start.locator('.scene').first().waitFor();
});
await test('start: is quiet', () => checkQuiet(start));

await finish();
