// Joints on the page: what is drawn, coordinates from the poses, selection, and sliders for drives.
import { writeFileSync } from 'node:fs';
import { browser, check, checkQuiet, coloursAt, drawing, finish, near, openPage, scrubTo, serve, settle, test, tool } from './harness.mjs';

// A rotor that turns by itself and a cart that its drive pushes; nothing else acts.
writeFileSync('machine.yaml', `
title: A rotor and a cart
dimension: 2
gravity: [0, 0]
bodies:
  - {name: rotor, mass: 1, inertia: 0.5, position: [0.5, 0], velocity: [0, 0.4], angular_velocity: 0.8}
  - {name: cart, mass: 2, inertia: 1, position: [2, 0]}
joints:
  - {name: axle, type: revolute, bodies: [world, rotor], at: [0, 0], coordinates: {angle: {lower: -3, upper: 3}}}
  - {name: rail, type: prismatic, bodies: [world, cart], at: [2, 0], axis: [0, 1],
     coordinates: {position: {lower: -1, upper: 1, drive: {type: position, target: 0, stiffness: 4000, damping: 400}}}}
simulation: {step: 0.01, until: 1, integrator: stiff}
`);
const [axle, rail] = [0, 1];
tool('run', 'machine.yaml', '-o', 'machine.h5');
const chromium = await browser();
const { address } = await serve('machine.h5');
const page = await openPage(chromium, address);
await settle(page);
const coordinate = (joint) => page.evaluate((j) => window.cairn.coordinate(j, 0), joint);
const jointOnPage = (joint) => page.evaluate((j) => window.cairn.jointOnPage(j), joint);

await test('coordinates follow from the poses', async () => {
  for (const time of [0, 0.35, 1]) {
    await scrubTo(page, time);
    const shown = await page.evaluate(() => window.cairn.frame().time);
    near(shown, time, 0.011, 'time');
    near(await coordinate(axle), 0.8 * shown, 1e-4, `angle at ${shown}`);
    near(await coordinate(rail), 0, 1e-5, 'position');
  }
});

await test('a click selects a joint, and its numbers are shown', async () => {
  const { x, y } = await jointOnPage(axle);
  await page.mouse.click(x, y);
  const selected = await page.evaluate(() => window.cairn.selected());
  check(selected.kind === 'joint' && selected.joint === axle, `selected is ${JSON.stringify(selected)}`);
  const words = await page.locator('.selection').innerText();
  check(/axle revolute/.test(words) && /the world – rotor/.test(words) && /range\s*−3\.000 to 3\.000/.test(words), words);
  near(Number(/angle\s*(\S+)\u202frad/.exec(words)[1]), 0.8, 1e-3, 'angle');
});

await test('what was recorded of a joint is shown', async () => {
  const words = await page.locator('.selection').innerText();
  const reaction = /reaction\s*([^N]*) N/.exec(words)[1].split(',').map((x) => Number(x.trim().replace('−', '-')));
  near(Math.hypot(...reaction), 1 * 0.8 ** 2 * 0.5, 0.02, 'the force that holds the rotor, m w^2 r,');
  near(Number(/rate\s*(\S+)\u202frad\/s/.exec(words)[1]), 0.8, 1e-3, 'rate');
});

await test('pointing at a joint tells its name', async () => {
  const { x, y } = await jointOnPage(rail);
  await page.mouse.move(x, y);
  const title = await page.locator('.viewport canvas').getAttribute('title');
  check(/^rail \(prismatic\), position/.test(title), `the title is '${title}'`);
});

await test('a body without shape is a bar, pins are rings, and both vanish when they are switched off', async () => {
  await page.keyboard.press('Escape');
  await page.mouse.move(5, 5);
  await scrubTo(page, 0);
  const blank = await (await chromium.newContext()).newPage();
  const canvas = await page.locator('.viewport canvas').boundingBox();
  const place = ({ x, y }) => ({ x: Math.round(x - canvas.x), y: Math.round(y - canvas.y) });
  const [pin, body] = [place(await jointOnPage(axle)), place(await page.evaluate(() => window.cairn.onPage(0)))];
  const middle = { x: Math.round((pin.x + body.x) / 2), y: pin.y };
  const [[, , onBar], onPin] = await coloursAt(blank, await drawing(page), [middle, pin]);
  check(onBar > 180, `the bar has blue ${onBar}`);
  check(onPin.every((c) => c > 240), `the middle of the pin is ${onPin}`);
  await page.locator('label.check', { hasText: 'joints' }).click();
  await settle(page);
  const [off] = await coloursAt(blank, await drawing(page), [pin]);
  check(off.some((c) => c <= 240), `without joints the pin is still there: ${off}`);
  await page.locator('label.check', { hasText: 'joints' }).click();
});

await test('the legend explains drives and ranges', async () => {
  const words = await page.locator('.legend').textContent();
  check(/drive/.test(words) && /range and value/.test(words) && !/rope/.test(words), words);
});

const live = await serve('machine.yaml');
const second = await openPage(chromium, live.address);
await settle(second);
const until = (condition, argument) => second.waitForFunction(condition, argument, { timeout: 60000 });

await test('a slider moves a drive, within the range of its coordinate', async () => {
  const slider = second.locator('.drive input');
  check((await slider.count()) === 1, 'one drive, one slider');
  check((await slider.getAttribute('min')) === '-1' && (await slider.getAttribute('max')) === '1', 'the range of the rail');
  await slider.fill('0.6');
  await until((j) => Math.abs(window.cairn.coordinate(j, 0) - 0.6) < 1e-3, rail);
  await until(() => /rail, position to 0\.6/.test(document.querySelector('.drives .log').innerText));
  check(/0\.6000/.test(await second.locator('.drive b').textContent()), 'the target is shown');
});

await test('numbers of the drive are shown live', async () => {
  await second.evaluate((j) => window.cairn.selectJoint(j), rail);
  await until(() => /position drive\s*\S+\u202fN/.test(document.querySelector('.selection').innerText));
  check(/reaction/.test(await second.locator('.selection').innerText()), 'and the reaction');
});

await test('the scene has its own target back', async () => {
  await second.locator('.drive button').click();
  await until((j) => Math.abs(window.cairn.coordinate(j, 0)) < 1e-2, rail);
  check(await second.locator('.drive button').isDisabled(), 'there is nothing more to take back');
});

await test('is quiet', () => {
  checkQuiet(page);
  checkQuiet(second);
});

await finish();
