// A live simulation on the page: pause, step, drag, gravity, friction, reset, a connection that is lost.
import { writeFileSync } from 'node:fs';
import { browser, check, checkQuiet, finish, near, openPage, serve, settle, test } from './harness.mjs';

writeFileSync('live.yaml', `
title: A ball and a block on a floor
dimension: 2
gravity: [0, -9.81]
materials:
  - {name: plain, friction: 0.4}
bodies:
  - {name: floor, kind: fixed, material: plain, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, position: [0, 0.5], material: plain, shapes: [{type: circle, radius: 0.5, density: 10}]}
  - name: block
    position: [3, 0.4]
    material: plain
    shapes: [{type: polygon, vertices: [[-0.5, -0.4], [0.5, -0.4], [0.5, 0.4], [-0.5, 0.4]], density: 10}]
simulation: {step: 0.01, until: 1}
`);
const [ball, block] = [1, 2];
const chromium = await browser();
const { address, child } = await serve('live.yaml');
const page = await openPage(chromium, address);
await settle(page);

const frame = () => page.evaluate(() => window.cairn.frame());
const position = (body) => page.evaluate((b) => window.cairn.position(b), body);
const onPage = (body) => page.evaluate((b) => window.cairn.onPage(b), body);
const until = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 60000 });
const playing = (wanted) => until((w) => window.cairn.playing() === w, wanted);

await test('runs by itself', async () => {
  await playing(true);
  const { time } = await frame();
  await until((t) => window.cairn.frame().time > t + 0.3, time);
});

await test('rests where it should', async () => {
  near((await position(ball)).slice(0, 2), [0, 0.5], 1e-4, 'ball');
  near((await position(block)).slice(0, 2), [3, 0.4], 1e-4, 'block');
});

await test('pauses and steps', async () => {
  await page.keyboard.press('Space');
  await playing(false);
  // Frames that were on their way still arrive; then none does.
  let before = await frame();
  for (let quiet = 0, looks = 0; quiet < 3; ++looks) {
    await page.waitForTimeout(200);
    const now = await frame();
    quiet = now.index === before.index ? quiet + 1 : 0;
    before = now;
    check(looks < 100, 'it goes on after the pause');
  }
  await page.keyboard.press('ArrowRight');
  await until((i) => window.cairn.frame().index === i + 1, before.index);
  near((await frame()).time - before.time, 0.01, 1e-9, 'one step');
  await page.keyboard.press('Space');
  await playing(true);
});

await test('a drag moves a body to the pointer', async () => {
  const start = await onPage(ball);
  const unmoved = await onPage(block);
  const target = { x: start.x - 60, y: start.y - 110 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(target.x, target.y, { steps: 6 });
  let rest = Infinity;
  let height = 0;
  for (let looks = 0; looks < 200 && !(rest < 0.35 * Math.hypot(60, 110) && height > 0.8); ++looks) {
    await page.waitForTimeout(100);
    const held = await onPage(ball);
    rest = Math.hypot(held.x - target.x, held.y - target.y);
    height = (await position(ball))[1];
  }
  check(rest < 0.35 * Math.hypot(60, 110), `the ball stays ${rest.toFixed(0)} pixels from the pointer`);
  check(height > 0.8, 'the ball is not lifted');
  near((await position(block)).slice(0, 2), [3, 0.4], 1e-3, 'the block, which nobody touched,');
  near(Object.values(await onPage(block)), Object.values(unmoved), 1e-3, 'the place of the block on the page');
});

await test('what is released falls', async () => {
  await page.mouse.up();
  await until((b) => window.cairn.position(b)[1] < 0.52, ball);
});

await test('the friction of contacts is changed', async () => {
  await page.locator('input[aria-label="Friction"]').fill('0.15');
  await page.evaluate((b) => window.cairn.select(b), block);
  // The numbers are written anew with each frame: the click goes to whatever button is there then.
  await page.evaluate(() => document.querySelector('.selection .link').click());
  await until(() => /friction μ\s*0\.15/.test(document.querySelector('.selection').innerText));
  await page.keyboard.press('Escape');
});

await test('gravity upwards lifts everything', async () => {
  await page.locator('input[aria-label="Gravity"]').fill('-3');
  await until((b) => window.cairn.position(b)[1] > 0.8, block);
  await page.locator('input[aria-label="Gravity"]').fill('9.8');
  await page.evaluate(() => document.activeElement.blur());
});

await test('reset brings the start back', async () => {
  await page.keyboard.press('Space');
  await playing(false);
  await page.keyboard.press('Home');
  await until(() => window.cairn.frame().time === 0);
  check((await position(ball)).join() === [0, 0.5, 0].join(), `the ball is at ${await position(ball)}`);
  check((await position(block)).join() === [3, Math.fround(0.4), 0].join(), `the block is at ${await position(block)}`);
});

await test('charts grow', async () => {
  await page.keyboard.press('Space');
  await until(() => window.cairn.frame().time > 0.3);
  const value = await page.locator('.chart .key', { hasText: 'potential' }).locator('b').textContent();
  // m g y: the ball has 2.5 pi kg at 0.5 m, the block 8 kg at 0.4 m.
  near(Number(value.replace('−', '-')), 9.81 * (2.5 * Math.PI * 0.5 + 8 * 0.4), 5e-3, 'potential energy');
});

await test('fits a phone', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, 'the page is wider than the phone');
});

await test('is quiet', () => checkQuiet(page));

await test('says that the connection is lost', async () => {
  child.kill();
  await page.locator('.notices .problem').waitFor({ timeout: 60000 });
  const words = await page.locator('.notices').innerText();
  check(/connection to the tool is lost/.test(words), `it says '${words}'`);
});

await finish();
