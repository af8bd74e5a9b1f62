// Of very many bodies a page gets some: which, where, and that it says so; recorded, live, and live on a device (its twin for the processor).
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browser, cairn, check, checkQuiet, finish, glanceAt, near, openPage, readRun, serve, settle, test, tool } from './harness.mjs';

// 300 grains on a lattice fall within five walls: until they land, z = z0 - g h^2 n (n + 1) / 2 after n steps of implicit Euler.
const [h, g, count] = [0.005, 9.81, 300];
writeFileSync('grains.yaml', `
dimension: 3
gravity: [0, 0, -${g}]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: left, kind: fixed, shapes: [{type: half-space, position: [-0.6, 0, 0], normal: [1, 0, 0]}]}
  - {name: right, kind: fixed, shapes: [{type: half-space, position: [0.6, 0, 0], normal: [-1, 0, 0]}]}
  - {name: front, kind: fixed, shapes: [{type: half-space, position: [0, -0.6, 0], normal: [0, 1, 0]}]}
  - {name: back, kind: fixed, shapes: [{type: half-space, position: [0, 0.6, 0], normal: [0, -1, 0]}]}
populations:
  - {name: grain, count: ${count}, radius: 0.04, density: 1000, packing: lattice, region: {type: box, position: [0, 0, 5.5], size: [1.2, 1.2, 1]}}
simulation: {step: ${h}, until: 1.4}
`);
const small = { width: 740, height: 400 };
const chromium = await browser();
const shown = (page) => page.waitForFunction(() => window.cairn?.shown());
const positions = (page) => page.evaluate(() => Array.from({ length: window.cairn.frame().bodies }, (_, b) => window.cairn.position(b)));

// Of the 300 that move, every sixth fits beside the five walls in 60.
const [every, most] = [6, 60];
const chosen = [0, 1, 2, 3, 4, ...Array.from({ length: count / every }, (_, i) => 5 + every * i)];

tool('run', 'grains.yaml', '--every', '20', '-o', 'grains.h5');
const run = readRun('grains.h5');

await test('a recorded run shows every sixth grain, where the file has it', async () => {
  const page = await openPage(chromium, (await serve('grains.h5', '--bodies', `${most}`)).address, small);
  await shown(page);
  for (const index of [0, 5, 14]) {
    await glanceAt(page, run.time[index] + 1e-6);
    near((await positions(page)).flat(), chosen.map((b) => run.position[index][b]).flat(), 2e-7, 'position');
  }
  check(run.contacts[14] > 0 && (await page.evaluate(() => window.cairn.frame().contacts)) === 0, 'contacts of bodies that are not there');
  check(/55 of 305 bodies/.test(await page.locator('.title').textContent()), 'the title does not tell the numbers');
  check(/One of 6 bodies that move is shown, 55 of 305/.test(await page.locator('.notices').textContent()), 'it does not say so');
  await page.evaluate(() => window.cairn.select(6));
  check((await page.locator('.selection h3').textContent()).startsWith(run.names[5 + every]), 'another name');
  checkQuiet(page);
  await page.close();
});

await test('a page that stands alone shows as many, and with enough room all are shown', async () => {
  for (const [bodies, wanted] of [[most, chosen.length], [305, 305]]) {
    tool('view', 'grains.h5', '--html', 'grains.html', '--bodies', `${bodies}`);
    const page = await openPage(chromium, `file://${process.cwd()}/grains.html`, { ...small, at: '#t=1.3' });
    await shown(page);
    const frame = await page.evaluate(() => window.cairn.frame());
    check(frame.bodies === wanted && frame.contacts > 0 === (wanted === 305), `${frame.bodies} bodies, ${frame.contacts} contacts`);
    await page.close();
  }
});

await test('numbers of bodies that make no sense are refused', () => {
  for (const wrong of ['0', '2.5', '-3']) {
    let said = '';
    try {
      tool('view', 'grains.h5', '--html', 'none.html', '--bodies', wrong);
    } catch (error) {
      said = `${error.status} ${error.stderr}`;
    }
    check(/^2 .*option --bodies: expected a whole number/.test(said), `--bodies ${wrong}: ${said}`);
  }
});

/** A live page, after some steps from the start, shows the grains where they must be. */
async function falls(page) {
  const index = 7;
  await page.waitForFunction(() => window.cairn?.playing());
  await page.keyboard.press('Space');
  await page.waitForFunction(() => !window.cairn.playing());
  await page.keyboard.press('Home');
  await page.waitForFunction(() => window.cairn.frame().time === 0);
  for (let i = 1; i <= index; ++i) {
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((step) => window.cairn.frame().index === step, i);
  }
  const drop = (g * h * h * index * (index + 1)) / 2;
  const now = await positions(page);
  check(now.length === chosen.length, `${now.length} bodies`);
  chosen.forEach((b, i) => near(now[i][2], b < 5 ? run.position[0][b][2] : run.position[0][b][2] - drop, 1e-5, `height of body ${b}`));
}

await test('live, the same grains fall, and a ball is thrown in the bin', async () => {
  const page = await openPage(chromium, (await serve('grains.yaml', '--bodies', `${most}`)).address, small);
  await falls(page);
  await page.keyboard.press('b');
  await page.waitForFunction((n) => window.cairn.frame().bodies === n, chosen.length + 1);
  const [x, y, z] = await page.evaluate((b) => window.cairn.position(b), chosen.length);
  check(Math.abs(x) < 0.6 && Math.abs(y) < 0.6 && z > 0, `the ball is outside of the bin: ${x}, ${y}, ${z}`);
  checkQuiet(page);
  await page.close();
});

const twin = join(dirname(cairn), 'libcairn_gpu_twin.so');
if (existsSync(twin))
  await test('live on a device, the same grains fall, and a box can be added', async () => {
    process.env.CAIRN_GPU_LIBRARY = twin;
    const page = await openPage(chromium, (await serve('grains.yaml', '--device', 'gpu', '--bodies', `${most}`)).address, small);
    await falls(page);
    await page.keyboard.press('b');
    await page.waitForFunction((n) => window.cairn.frame().bodies === n, chosen.length + 1);
    const [, , low] = await page.evaluate(() => window.cairn.position(20));
    await page.locator('[aria-label="Gravity"]').fill('-20');
    await page.locator('button.primary').click();
    await page.waitForFunction((z) => window.cairn.position(20)[2] > z + 0.5, low);
    checkQuiet(page);
    await page.close();
  });

writeFileSync('pulled.yaml', `
dimension: 3
gravity: [0, 0, -${g}]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: ball, position: [0, 0, 0.5], shapes: [{type: sphere, radius: 0.5, density: 10}]}
  - {name: other, position: [3, 0, 0.5], shapes: [{type: sphere, radius: 0.5, density: 10}]}
simulation: {step: 0.01, until: 1}
`);

if (existsSync(twin))
  await test('on a device, a body that is pulled goes to the pointer, the other stays, and what is released falls', async () => {
    process.env.CAIRN_GPU_LIBRARY = twin;
    const [ball, other, up] = [1, 2, 90];
    const page = await openPage(chromium, (await serve('pulled.yaml', '--device', 'gpu')).address, small);
    await settle(page);
    const onPage = () => page.evaluate((b) => window.cairn.onPage(b), ball);
    const start = await onPage();
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x, start.y - up, { steps: 6 });
    let [rest, height] = [Infinity, 0];
    for (let looks = 0; looks < 200 && !(rest < 0.35 * up && height > 0.8); ++looks) {
      await page.waitForTimeout(100);
      const held = await onPage();
      rest = Math.hypot(held.x - start.x, held.y - start.y + up);
      height = (await page.evaluate((b) => window.cairn.position(b), ball))[2];
    }
    check(rest < 0.35 * up, `the ball stays ${rest.toFixed(0)} pixels from the pointer`);
    check(height > 0.8, `the ball is not lifted: ${height}`);
    near(await page.evaluate((b) => window.cairn.position(b), other), [3, 0, 0.5], 1e-3, 'the other ball, which nobody touched,');
    await page.mouse.up();
    await page.waitForFunction((b) => window.cairn.position(b)[2] < 0.52, ball, { timeout: 60000 });
    checkQuiet(page);
    await page.close();
  });

await finish();
