// A recorded run on the page, served by the tool and from disk: what it shows is what the run file holds.
import {
  browser, check, checkPicture, checkQuiet, coloursAt, drawing, finish, near, openPage, readRun, scrubTo, serve, settle, test, tool,
} from './harness.mjs';

tool('run', 'double-pendulum', '-o', 'planar.h5');
tool('run', 'shapes', '--until', '0.3', '-o', 'spatial.h5');
const planar = readRun('planar.h5');
const spatial = readRun('spatial.h5');
const chromium = await browser();
const blank = await openPage(chromium, 'about:blank'); // decodes pictures

/** The frame of the run file that is shown at a time: the last not after it. */
const indexAt = (run, time) => run.time.findLastIndex((t) => t <= time);

async function checkState(page, run, index) {
  const shown = await page.evaluate(() => {
    const frame = window.cairn.frame();
    const all = (get) => Array.from({ length: frame.bodies }, (_, b) => get(b));
    return { ...frame, position: all(window.cairn.position), orientation: all(window.cairn.orientation) };
  });
  check(shown.index === index, `frame ${shown.index} is shown instead of ${index}`);
  near(shown.time, run.time[index], 1e-12, 'time');
  near(shown.contacts, run.contacts[index], 0, 'contacts');
  near(shown.position.flat(), run.position[index].flat(), 2e-7, 'position');
  near(shown.orientation.flat(), run.orientation[index].flat(), 2e-7, 'orientation');
}

const { address } = await serve('planar.h5');
const page = await openPage(chromium, address);
await settle(page);

await test('loads the first frame', () => checkState(page, planar, 0));

await test('scrubs to times and shows the positions of the run file', async () => {
  for (const time of [0.5453, 1.2, 2.13, 2.5]) {
    await scrubTo(page, time);
    await checkState(page, planar, indexAt(planar, time));
  }
});

await test('plays and pauses', async () => {
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.cairn.playing() && window.cairn.frame().index > 20);
  await page.keyboard.press('Space');
  await settle(page);
  const stopped = await page.evaluate(() => window.cairn.frame().index);
  await page.waitForTimeout(200);
  check((await page.evaluate(() => window.cairn.frame().index)) === stopped, 'it goes on after the pause');
});

// The time that a browser gives for a frame is when the frame began, which may be before somebody pressed play in it.
await test('shows no time before the start', async () => {
  await page.keyboard.press('Home');
  const shown = await page.evaluate(async () => {
    const real = window.requestAnimationFrame;
    const frames = (count) => new Promise((done) => { const next = (left) => (left ? real.call(window, () => next(left - 1)) : done()); next(count); });
    window.requestAnimationFrame = (draw) => real.call(window, (now) => draw(now - 300));
    await frames(3);
    document.querySelector('button.primary').click();
    const clock = [];
    for (let k = 0; k < 5; ++k) {
      await frames(1);
      clock.push(parseFloat(document.querySelector('.clock b').textContent));
    }
    window.requestAnimationFrame = real;
    document.querySelector('button.primary').click();
    return clock;
  });
  check(shown.every((time) => time >= 0), `it shows ${Math.min(...shown)} s`);
  check(shown.length === 5 && shown.every(Number.isFinite), 'the clock shows no number');
});

await test('plays in real time', async () => {
  // A busy machine draws late; a page that counts time wrong is wrong in every try.
  let played = { wall: 0, simulated: Infinity };
  for (let tries = 0; tries < 8 && !(Math.abs(played.simulated - played.wall) < 0.4); ++tries) {
    await page.keyboard.press('Home');
    played = await page.evaluate(async () => {
      const start = performance.now();
      document.querySelector('button.primary').click();
      await new Promise((done) => setTimeout(done, 1200));
      return { wall: (performance.now() - start) / 1000, simulated: window.cairn.frame().time };
    });
    await page.keyboard.press('Space');
  }
  check(Math.abs(played.simulated - played.wall) < 0.4, `${played.simulated} s were played in ${played.wall} s`);
});

await test('steps by keys', async () => {
  await page.keyboard.press('Home');
  for (const [key, index] of [['ArrowRight', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['Shift+ArrowRight', 11], ['End', planar.time.length - 1]]) {
    await page.keyboard.press(key);
    await settle(page);
    await checkState(page, planar, index);
  }
});

await test('scrubs by a click on the time line', async () => {
  const box = await page.locator('.track').boundingBox();
  await page.mouse.click(box.x + 0.403 * box.width, box.y + box.height / 2);
  await settle(page);
  await checkState(page, planar, indexAt(planar, 0.403 * 2.5));
});

await test('tells the events', async () => {
  const box = await page.locator('.track').boundingBox();
  await page.mouse.move(box.x + (0.545262307 / 2.5) * box.width, box.y + 8);
  const words = await page.locator('.tip').textContent();
  check(/collision at 0\.5453.*bob/.test(words), `the tip says '${words}'`);
});

await test('charts follow, and scrub', async () => {
  await scrubTo(page, 1.5);
  const readout = async () => Number((await page.locator('.chart .key', { hasText: 'total' }).locator('b').textContent()).replaceAll('−', '-'));
  near(await readout(), planar.energy[indexAt(planar, 1.5)], 1e-3, 'total energy');
  await page.locator('.chart .u-over').first().scrollIntoViewIfNeeded();
  const over = await page.locator('.chart .u-over').first().boundingBox();
  await page.mouse.click(over.x + 0.5 * over.width, over.y + 30);
  await settle(page);
  const { time, index } = await page.evaluate(() => window.cairn.frame());
  check(Math.abs(time - 1.25) < 0.05, `a click in the middle goes to ${time} s`);
  near(await readout(), planar.energy[index], 1e-3, 'total energy');
});

await test('picks a body and shows its numbers', async () => {
  await scrubTo(page, 2.4);
  const body = planar.names.indexOf('bob2');
  const place = await page.evaluate((b) => window.cairn.onPage(b), body);
  await page.mouse.click(place.x, place.y);
  check((await page.evaluate(() => window.cairn.selected())).body === body, 'the body is not selected');
  const panel = await page.locator('.selection').innerText();
  const x = planar.position[indexAt(planar, 2.4)][body][0].toPrecision(4).replace('-', '−');
  check(panel.includes('bob2') && panel.includes(x), `the panel says '${panel}' instead of x = ${x}`);
  await page.keyboard.press('Escape');
  check((await page.evaluate(() => window.cairn.selected())).kind === 'none', 'Escape does not deselect');
});

await test('turns dark and light, helps', async () => {
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  check((await theme()) === 'light', 'not light at first');
  await page.keyboard.press('t');
  check((await theme()) === 'dark', 'not dark after t');
  await page.keyboard.press('?');
  check(await page.locator('dialog.help').isVisible(), 'no help');
  await page.keyboard.press('Escape');
  check(!(await page.locator('dialog.help').isVisible()), 'the help stays');
  await page.keyboard.press('t');
  check((await theme()) === 'light', 'not light again');
});

await test('planar picture', async () => {
  await page.setViewportSize({ width: 740, height: 340 });
  await scrubTo(page, 0.9);
  await page.keyboard.press('f');
  await settle(page);
  await checkPicture(blank, await drawing(page), 'planar');
});

await test('is quiet while served', () => checkQuiet(page));
await page.close();

// ------------------------------------------------------------------------------------------------- one page from disk

tool('view', 'spatial.h5', '--html', 'spatial.html');
const disk = await openPage(chromium, `file://${process.cwd()}/spatial.html`, { scheme: 'dark' });
await settle(disk);

await test('from disk: every frame as in the run file', async () => {
  for (const time of [0, 0.1, 0.2999, 0.3]) {
    await scrubTo(disk, time);
    await checkState(disk, spatial, indexAt(spatial, time));
  }
});

await test('switches colours', async () => {
  await scrubTo(disk, 0.2);
  const pictures = [];
  for (const [mode, words] of [['body', 'stick'], ['state', 'free'], ['speed', 'm/s'], ['force', 'contact force']]) {
    await disk.selectOption('select[aria-label="Colour by"]', mode);
    await settle(disk);
    const legend = await disk.locator('.legend').textContent();
    check(legend.includes(words), `the legend by ${mode} says '${legend}'`);
    pictures.push((await drawing(disk)).toString('base64'));
  }
  check(new Set(pictures).size === 4, 'two colourings look the same');
  await disk.selectOption('select[aria-label="Colour by"]', 'residual');
  check((await disk.evaluate(() => window.cairn.colourMode())) === 'residual', 'not by residual');
  await disk.keyboard.press('c');
  check((await disk.evaluate(() => window.cairn.colourMode())) === 'force', 'c does not go on to force');
  await disk.evaluate(() => window.cairn.setColourMode('body'));
});

await test('picks a body in space', async () => {
  await scrubTo(disk, 0);
  // The highest body hides behind no other from above, and is the one that is hit at its middle.
  const highest = spatial.position[0].map((p, i) => [p[2], i]).sort((a, b) => b[0] - a[0])[0][1];
  const place = await disk.evaluate((b) => window.cairn.onPage(b), highest);
  for (const label of ['contact points', 'contact forces']) await disk.locator('label', { hasText: label }).locator('input').uncheck();
  await disk.mouse.click(place.x, place.y);
  const { body } = await disk.evaluate(() => window.cairn.selected());
  check(body === highest, `body ${body} is selected instead of ${highest}`);
});

await test('turns the view', async () => {
  const before = await drawing(disk);
  await disk.mouse.move(300, 300);
  await disk.mouse.down();
  await disk.mouse.move(380, 320, { steps: 4 });
  await disk.mouse.up();
  await settle(disk);
  check(!before.equals(await drawing(disk)), 'the picture stays as it was');
});

await test('spatial picture', async () => {
  const small = await openPage(chromium, `file://${process.cwd()}/spatial.html`, { width: 730, height: 290, scheme: 'dark' });
  await settle(small); // at the start, where bodies are as the scene says: a picture of the drawing, not of the motion
  await checkPicture(blank, await drawing(small), 'spatial');
  checkQuiet(small);
  await small.close();
});

// viridis at 0, 1/4, 1/2, 3/4 and 1, as published with it
const viridis = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
function viridisAt(amount) {
  const low = Math.min(Math.floor(amount * 4), 3);
  return viridis[low].map((c, k) => c + (amount * 4 - low) * (viridis[low + 1][k] - c));
}

await test('the colour of a body by speed is its speed', async () => {
  tool('run', 'brazil-nut', '--until', '1', '-o', 'disks.h5');
  tool('view', 'disks.h5', '--html', 'disks.html');
  const run = readRun('disks.h5');
  const disks = await openPage(chromium, `file://${process.cwd()}/disks.html`);
  await settle(disks);
  for (const label of ['contact points', 'contact forces', 'edges']) await disks.locator('label', { hasText: label }).locator('input').uncheck();
  await disks.evaluate(() => window.cairn.setColourMode('speed'));
  await scrubTo(disks, 1);
  const most = Number(/([\d.]+)\s*m\/s/.exec(await disks.locator('.legend').textContent())[1]);
  const last = run.time.length - 1;
  const places = await disks.evaluate(() => Array.from({ length: window.cairn.frame().bodies }, (_, b) => window.cairn.onPage(b)));
  const chosen = run.names.map((_, b) => b).filter((b) => b >= 2 && b % 7 === 0);
  const colours = await coloursAt(blank, await disks.screenshot(), chosen.map((b) => {
    // Beside the middle, away from the dark quarter of the disk.
    const angle = 2 * Math.atan2(run.orientation[last][b][3], run.orientation[last][b][0]) + 1.25 * Math.PI;
    return { x: Math.round(places[b].x + 3 * Math.cos(angle)), y: Math.round(places[b].y - 3 * Math.sin(angle)) };
  }));
  chosen.forEach((b, i) => {
    const share = Math.min(Math.hypot(...run.velocity[last][b]) / most, 1);
    viridisAt(share).forEach((c, k) => check(Math.abs(c - colours[i][k]) < 30, `${run.names[b]} at ${share} of the scale is ${colours[i]}`));
  });
  check(chosen.length > 20, 'too few bodies were compared');
  await disks.close();
});

await test('is quiet from disk', () => checkQuiet(disk));

await finish();
