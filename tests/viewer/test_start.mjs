// The start page of cairn view, a scene chosen from it, balls and boxes thrown into it, and the page that is saved of it.
import { readFileSync } from 'node:fs';
import { browser, check, checkQuiet, finish, near, openPage, readRun, scrubTo, serve, settle, test, tool } from './harness.mjs';

const chromium = await browser();
const { address } = await serve();
const page = await openPage(chromium, address, { at: '' });
const until = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 60000 });
const names = tool('examples').trim().split('\n').length;

await test('lists all built-in scenes with pictures', async () => {
  await page.locator('.scene').first().waitFor();
  const cards = await page.locator('.scene b').allTextContents();
  const known = tool('examples');
  check(cards.every((name) => known.includes(name)) && cards.length >= 100, `${cards.length} scenes of ${names} lines`);
  await until(() => document.querySelectorAll('.scene.drawn').length >= 4);
  const colours = await page.evaluate(() => {
    const canvas = document.querySelector('.scene.drawn canvas');
    return new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  });
  check(colours > 3, 'the picture is empty');
});

await test('finds scenes by words', async () => {
  await page.locator('input[type=search]').fill('masonry 25');
  const seen = await page.locator('.scene:visible b').allTextContents();
  check(seen.join() === 'arch-25', `it finds ${seen}`);
  await page.locator('input[type=search]').fill('box-stack');
});

await test('simulates the scene that is clicked', async () => {
  await page.locator('.scene:visible').first().click();
  await until(() => window.cairn?.frame()?.time > 0.05);
  check((await page.locator('h1').textContent()).length > 0, 'no title');
});

const bodies = () => page.evaluate(() => window.cairn.frame().bodies);
const before = await bodies();

await test('a thrown ball hits what it is aimed at', async () => {
  await page.keyboard.press('f');
  const still = await page.evaluate((n) => Array.from({ length: n }, (_, b) => window.cairn.position(b)), before);
  await page.locator('button', { hasText: 'throw a ball' }).click();
  await until((n) => window.cairn.frame().bodies === n + 1, before);
  await until((old) => old.some((p, b) => Math.hypot(...window.cairn.position(b).map((x, k) => x - p[k])) > 1e-3), still);
});

await test('a box is dropped, drawn, and can be selected', async () => {
  await page.keyboard.press('v');
  await until((n) => window.cairn.frame().bodies === n + 2, before);
  await until((n) => { window.cairn.select(n); return /thrown ball 1/.test(document.querySelector('.selection').innerText); }, before);
  await until((n) => { window.cairn.select(n + 1); return /thrown box 2/.test(document.querySelector('.selection').innerText); }, before);
});

await test('what was seen is saved as a page that works from disk', async () => {
  const waiting = page.waitForEvent('download');
  await page.locator('button[title^="Save as a page"]').click();
  await (await waiting).saveAs('seen.html');
  check(!/https?:\/\/127/.test(readFileSync('seen.html', 'utf8')), 'the page names the server');
  const disk = await openPage(chromium, `file://${process.cwd()}/seen.html`);
  await settle(disk);
  check((await disk.evaluate(() => window.cairn.frame().time)) < 0.2, 'it does not begin at the start');
  await disk.keyboard.press('End');
  await settle(disk);
  check((await disk.evaluate(() => window.cairn.frame().bodies)) === before + 2, 'the thrown bodies are missing');
  checkQuiet(disk);
  await disk.close();
});

await test('a restart takes thrown bodies away', async () => {
  await page.keyboard.press('Home');
  await until((n) => window.cairn.frame().bodies === n && window.cairn.frame().time < 1, before);
});

await test('leads back to all scenes', async () => {
  await page.locator('button[title="All scenes"]').click();
  await page.locator('.scene').first().waitFor();
});

await test('fits a phone', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, 'the page is wider than the phone');
});

await test('is quiet', () => checkQuiet(page));

await test('a recorded run is saved with every frame', async () => {
  tool('run', 'double-pendulum', '-o', 'planar.h5');
  const run = readRun('planar.h5');
  const served = await openPage(chromium, (await serve('planar.h5')).address);
  await settle(served);
  const waiting = served.waitForEvent('download');
  await served.locator('button[title^="Save as a page"]').click();
  await (await waiting).saveAs('saved.html');
  const disk = await openPage(chromium, `file://${process.cwd()}/saved.html`);
  await settle(disk);
  for (const time of [0, 1.1, 2.5]) {
    await scrubTo(disk, time);
    const { index } = await disk.evaluate(() => window.cairn.frame());
    near(await disk.evaluate(() => window.cairn.position(1)), run.position[index][1], 2e-7, 'position');
    check(Math.abs(run.time[index] - time) < 0.02, `frame ${index} at ${time} s`);
  }
  checkQuiet(served);
  checkQuiet(disk);
});

await finish();
