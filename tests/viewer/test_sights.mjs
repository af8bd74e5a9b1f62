// What a reader sees without doing anything, and the controls of what is drawn: the camera, the opening, chains, thrust lines, cuts,
// hidden and transparent bodies.
import { writeFileSync } from 'node:fs';
import { browser, check, checkQuiet, coloursAt, drawing, finish, glanceAt, near, openPage as openAny, readRun, serve, settle, test, tool } from './harness.mjs';

// Small pages: software draws them in a third of the time.
const openPage = (from, address, options = {}) => openAny(from, address, { width: 740, height: 400, ...options });
const chromium = await browser();
const blank = await openPage(chromium, 'about:blank');

/** Whether the middles of all bodies (but the first ones) are on the drawing. */
async function inView(page, from = 1) {
  return page.evaluate((first) => {
    const box = document.querySelector('.viewport').getBoundingClientRect();
    return Array.from({ length: window.cairn.frame().bodies - first }, (_, i) => window.cairn.onPage(first + i))
      .every(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom);
  }, from);
}

// ---------------------------------------------------------------------------------------------------------- the camera

const throwScene = (until) => `
dimension: 2
gravity: [0, -9.81]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, position: [0, 0.5], velocity: [40, 12], shapes: [{type: circle, radius: 0.3, density: 10}]}
  - {name: stone, position: [1, 0.3], velocity: [38, 11], shapes: [{type: circle, radius: 0.2, density: 10}]}
simulation: {step: 0.01, until: ${until}}
`;

await test('a motion that fits into one picture is shown whole', async () => {
  tool('run', 'double-pendulum', '-o', 'pendulum.h5');
  const { address } = await serve('pendulum.h5');
  const page = await openPage(chromium, address);
  await settle(page);
  for (const time of [0, 0.4, 0.9, 1.6, 2.5]) {
    await glanceAt(page, time);
    check(await inView(page), `at ${time} s something is outside of the picture`);
  }
  checkQuiet(page);
  await page.close();
});

await test('the camera follows what flies far, until it is taken, and again after f', async () => {
  writeFileSync('throw.yaml', throwScene(2));
  tool('run', 'throw.yaml', '-o', 'throw.h5');
  const { address } = await serve('throw.h5');
  const page = await openPage(chromium, address);
  await settle(page);
  const arrive = async (time) => {
    await glanceAt(page, time);
    for (let looks = 0; looks < 200 && !(await inView(page)); ++looks) await page.waitForTimeout(50);
    return inView(page);
  };
  for (const time of [0.5, 1.3, 1.9]) check(await arrive(time), `at ${time} s the bodies are not followed`);
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction(() => !window.cairn.tracking());
  await glanceAt(page, 0);
  await page.waitForTimeout(800);
  check(!(await inView(page)), 'the camera moves although it was taken');
  await page.keyboard.press('f');
  check(await page.evaluate(() => window.cairn.tracking()), 'f does not give the camera back');
  await settle(page);
  check(await inView(page), 'f does not fit');
  checkQuiet(page);
  await page.close();
});

await test('live, the camera follows', async () => {
  writeFileSync('far.yaml', throwScene(2));
  const { address } = await serve('far.yaml');
  const page = await openPage(chromium, address);
  await page.waitForFunction(() => window.cairn?.frame()?.time > 1.2);
  await page.keyboard.press('Space');
  check((await page.evaluate(() => window.cairn.position(1)))[0] > 40, 'the ball has not flown');
  for (let looks = 0; looks < 100 && !(await inView(page)); ++looks) await page.waitForTimeout(100);
  check(await inView(page), 'the bodies are lost');
  checkQuiet(page);
  await page.close();
});

// --------------------------------------------------------------------------------------------------------- the opening

await test('a run opens on its first contact and plays over and over', async () => {
  writeFileSync('drop.yaml', `
dimension: 2
gravity: [0, -9.81]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, position: [0, 1.3], shapes: [{type: circle, radius: 0.3, density: 10}]}
simulation: {step: 0.01, until: 1.6}
`);
  tool('run', 'drop.yaml', '-o', 'drop.h5');
  const run = readRun('drop.h5');
  const { address } = await serve('drop.h5');
  const page = await openPage(chromium, address, { at: '', prepare: (fresh) => fresh.addInitScript(() => {
    window.seen = [];
    setInterval(() => window.cairn?.frame() && window.seen.push(window.cairn.frame().index), 10);
  }) });
  await page.waitForFunction(() => window.cairn?.playing() && window.seen.length > 0);
  const first = (await page.evaluate(() => window.seen))[0] ?? 0;
  const contact = run.contacts.findIndex((count) => count > 0);
  check(contact > 10 && first >= contact, `it opens on frame ${first}; the first contact is in frame ${contact}`);
  await page.selectOption('select[title^=Speed]', '5');
  await page.waitForFunction(() => window.seen.some((index, i) => i > 0 && index < window.seen[i - 1]));
  await page.keyboard.press('l');
  await page.waitForFunction(() => !window.cairn.playing());
  check((await page.evaluate(() => window.cairn.frame().index)) === run.time.length - 1, 'without repetition it does not stop at the end');
  checkQuiet(page);
  await page.close();
});

await test('a page may open at a time, bare, with displays', async () => {
  tool('view', 'drop.h5', '--html', 'drop.html');
  const page = await openPage(chromium, `file://${process.cwd()}/drop.html`, { at: '#t=0.5&bare&show=points&colour=speed' });
  await settle(page);
  near((await page.evaluate(() => window.cairn.frame())).time, 0.5, 1e-9, 'time');
  check(!(await page.evaluate(() => window.cairn.playing())), 'it plays');
  check(!(await page.locator('.side').isVisible()) && !(await page.locator('.bar').isVisible()), 'not bare');
  check((await page.evaluate(() => window.cairn.colourMode())) === 'speed', 'not coloured by speed');
  check(await page.locator('label', { hasText: 'contact points' }).locator('input').isChecked(), 'no contact points');
  await page.close();
});

// ------------------------------------------------------------------------------------------------------- what is drawn

// Three blocks upon each other between the floor and a weight: the middle one is blue by its number.
writeFileSync('stack.yaml', `
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: low, position: [0, 0, 0.5], shapes: [{type: box, size: [1, 1, 1], density: 10}]}
  - {name: middle, position: [0.2, 0, 1.5], shapes: [{type: box, size: [1, 1, 1], density: 10}]}
  - {name: high, position: [0, 0, 2.5], shapes: [{type: box, size: [1, 1, 1], density: 10}]}
simulation: {step: 0.01, until: 0.1}
`);
tool('run', 'stack.yaml', '-o', 'stack.h5');
const { address } = await serve('stack.h5');
const page = await openPage(chromium, address, { at: '#t=0.1' });
await settle(page);
const box = (label) => page.locator('label', { hasText: label }).locator('input');
const colourOf = async (body) => {
  await settle(page);
  const place = await page.evaluate((b) => window.cairn.onPage(b), body);
  const clip = { x: Math.round(place.x) - 1, y: Math.round(place.y) - 1, width: 3, height: 3 };
  return (await coloursAt(blank, await page.screenshot({ clip }), [{ x: 1, y: 1 }]))[0];
};
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

await test('contact points are off at first, and forces are drawn on both bodies', async () => {
  check(!(await box('contact points').isChecked()) && (await box('contact forces').isChecked()), 'wrong displays at first');
  const arrows = await page.evaluate(() => window.cairn.arrows());
  const { contacts } = await page.evaluate(() => window.cairn.frame());
  // 4 contacts with the floor, which does not move, and 4 + 4 between blocks.
  check(contacts === 12 && arrows === 4 + 2 * 8, `${arrows} arrows of ${contacts} contacts`);
  await box('contact forces').uncheck();
  check((await page.evaluate(() => window.cairn.arrows())) === 0, 'arrows stay');
});

await test('a body is hidden and comes back', async () => {
  const before = await colourOf(2);
  await page.evaluate(() => window.cairn.select(2));
  await page.keyboard.press('h');
  check(distance(await colourOf(2), before) > 40, 'the body is still seen');
  await page.locator('button', { hasText: 'show all bodies again' }).click();
  near(await colourOf(2), before, 0.05, 'colour of the body that came back');
});

await test('a body is seen through, alone and with all others', async () => {
  const before = await colourOf(2);
  await page.evaluate(() => window.cairn.select(2));
  await page.locator('button', { hasText: 'see through' }).click();
  await page.keyboard.press('Escape');
  check(distance(await colourOf(2), before) > 20, 'the body hides what is behind');
  await page.locator('button', { hasText: 'show all bodies again' }).click();
  const low = await colourOf(1);
  await page.keyboard.press('x');
  check(await box('see through bodies').isChecked(), 'x is not shown');
  check(distance(await colourOf(1), low) > 20 && distance(await colourOf(2), before) > 20, 'bodies hide what is behind');
  await page.keyboard.press('x');
  near(await colourOf(2), before, 0.05, 'colour');
});

await test('a cut takes away what is beyond it', async () => {
  const before = await colourOf(3);
  await page.selectOption('select[aria-label="Cut"]', 'z');
  await page.locator('input[aria-label="Place of the cut"]').fill('0.6');
  check(distance(await colourOf(3), before) > 40, 'the highest block is still seen');
  await page.selectOption('select[aria-label="Cut"]', '');
  near(await colourOf(3), before, 0.05, 'colour');
});

await test('force chains are as many as contacts have moving bodies', async () => {
  await box('force chains').check();
  check(await box('see through bodies').isChecked(), 'the chains are hidden by the bodies');
  check(/chains.*N or more/.test(await page.locator('.legend').textContent()), 'the legend does not tell of chains');
  check((await page.evaluate(() => window.cairn.chains())) === 4 + 2 * 8, `${await page.evaluate(() => window.cairn.chains())} chains`);
  await box('force chains').uncheck();
  check((await page.evaluate(() => window.cairn.chains())) === 0, 'chains stay');
});

await test('thrust lines pass where moments balance', async () => {
  // The middle block stands 0.2 m to the side: below it the resultant of the weights of middle and high acts at
  // x = (0.2 + 0) / 2, and over it that of high at x = 0. Low and middle press on two others each.
  await box('thrust lines').check();
  const lines = (await page.evaluate(() => window.cairn.thrust())).map((x) => Math.round(1e4 * x) / 1e4);
  check(lines.length === 12, `${lines.length / 6} lines`);
  const ends = new Map(Array.from({ length: 4 }, (_, i) => [lines[3 * i + 2].toFixed(2), lines[3 * i]]));
  near(ends.get('0.00'), 0.2 / 3, 2e-3, 'x of the resultant at the floor');
  near(ends.get('1.00'), 0.1, 2e-3, 'x of the resultant under the middle block');
  near(ends.get('2.00'), 0, 2e-3, 'x of the resultant under the highest block');
  await box('thrust lines').uncheck();
});

await test('view --forces opens with chains and arrows', async () => {
  const forces = await openPage(chromium, (await serve('stack.h5', '--forces')).address, { at: '#t=0.1' });
  await forces.waitForFunction(() => window.cairn?.shown());
  check((await forces.evaluate(() => window.cairn.chains())) === 20 && (await forces.evaluate(() => window.cairn.arrows())) === 20, 'not all forces are shown');
  checkQuiet(forces);
  await forces.close();
});

await test('charts name their series in words', async () => {
  const words = await page.locator('select[aria-label="Add a chart"] option, .chart .keys, .chart h3').allTextContents();
  check(words.some((text) => /^error of the energy balance$/.test(text)) && words.some((text) => /^Relative residual/.test(text)), words.join('; '));
  check(!words.some((text) => /[/_]/.test(text)), `code names: ${words.filter((text) => /[/_]/.test(text)).join('; ')}`);
});

await test('chains of a periodic box do not cross it', async () => {
  // Two discs that meet across the border, in a box that shears or does not: a rod is as long as a radius, at most.
  for (const shear of [0, 0.7]) {
    writeFileSync('border.yaml', `
dimension: 2
gravity: [0, 0]
periodic: {size: [4, 4], shear: ${shear}}
bodies:
  - {name: a, position: [1, 1.4], velocity: [${shear * 1.4}, 1], shapes: [{type: circle, radius: 0.5, density: 10}]}
  - {name: b, position: [${shear ? 0.9 : 1}, -1.4], velocity: [${shear * -1.4}, -1], shapes: [{type: circle, radius: 0.5, density: 10}]}
simulation: {step: 0.01, until: 0.3}
`);
    tool('run', 'border.yaml', '-o', 'border.h5');
    const across = await openPage(chromium, (await serve('border.h5', '--forces')).address);
    await across.waitForFunction(() => window.cairn?.shown());
    const seen = await across.evaluate(async () => {
      const all = [];
      for (let index = 0; index <= 30; ++index) {
        window.cairn.scrub(0.01 * index + 1e-6);
        while (!window.cairn.shown()) await new Promise((done) => requestAnimationFrame(done));
        all.push({ chains: window.cairn.chains(), longest: window.cairn.longestChain() });
      }
      return all;
    });
    seen.forEach(({ longest }, index) => check(longest < 0.51, `at ${0.01 * index} s a chain is ${longest} m long`));
    check(seen.some(({ chains }) => chains === 2), 'they do not meet');
    checkQuiet(across);
    await across.close();
  }
});

await test('walls of a bin are panes, and what encloses is seen through', async () => {
  tool('run', 'sphere-heap', '--until', '0.05', '-o', 'bin.h5');
  const bin = await openPage(chromium, (await serve('bin.h5')).address);
  await bin.waitForFunction(() => window.cairn?.shown());
  const { panes, floors } = await bin.evaluate(() => window.cairn.ground());
  check(panes === 4 && floors === 1, `${panes} panes and ${floors} floors`);
  checkQuiet(bin);
  await bin.close();
});

await test('what encloses or presses is seen through; ground, screws and grains are solid', async () => {
  const [solid, glass] = [0, 1];
  writeFileSync('press.yaml', `
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: table, kind: fixed, position: [0, 0, -0.1], shapes: [{type: box, size: [3, 3, 0.2]}]}
  - {name: hoop, kind: fixed, position: [0, 0, 0.5], shapes: [{type: box, size: [0.1, 2, 1], position: [-1, 0, 0]}, {type: box, size: [0.1, 2, 1], position: [1, 0, 0]}]}
  - {name: plate, position: [0, -1.2, 0.75], shapes: [{type: box, size: [1.6, 0.1, 1.5], density: 10}]}
  - {name: lid, position: [0, 0, 1.2], shapes: [{type: box, size: [1.6, 1.6, 0.1], density: 10}]}
populations:
  - {name: grain, count: 30, radius: 0.1, density: 100, packing: lattice, region: {type: box, position: [0, 0, 0.5], size: [1.6, 1.6, 0.9]}}
simulation: {step: 0.01, until: 0.02}
`);
  for (const [scene, looks] of [['press.yaml', { table: solid, hoop: glass, plate: glass, lid: glass, 'grain[0]': solid }], ['screw', { screw: solid, nut: solid }], ['rover', { ground: solid, frame: solid }]]) {
    tool('run', scene, '--until', '0.02', '-o', 'look.h5', '--quiet');
    tool('view', 'look.h5', '--html', 'look.html');
    const { names } = readRun('look.h5');
    const look = await openPage(chromium, `file://${process.cwd()}/look.html`);
    await look.waitForFunction(() => window.cairn?.frame());
    for (const [name, wanted] of Object.entries(looks)) {
      check(names.includes(name), `${scene} has no body ${name}: ${names.slice(0, 12)}`);
      check((await look.evaluate((b) => window.cairn.look(b), names.indexOf(name))) === wanted, `${scene}: ${name} is ${wanted === solid ? 'seen through' : 'solid'}`);
    }
    await look.close();
  }
});

await test('grains that are not there yet are not drawn, and the camera does not look for them', async () => {
  writeFileSync('rain.yaml', `
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: post, kind: fixed, position: [0, 0, 0.5], shapes: [{type: box, size: [0.2, 0.2, 1]}]}
populations:
  - {name: drop, count: 20, radius: 0.1, density: 100, region: {type: box, position: [1, 0, 2], size: [1, 1, 0.5]}, insertion: {rate: 20}}
simulation: {step: 0.01, until: 0.6}
`);
  tool('run', 'rain.yaml', '-o', 'rain.h5');
  const rain = await openPage(chromium, (await serve('rain.h5')).address, { at: '#t=0.3' });
  await rain.waitForFunction(() => window.cairn?.shown());
  const { there, drawn } = await rain.evaluate(() => {
    const all = Array.from({ length: window.cairn.frame().bodies }, (_, b) => b);
    return { there: all.filter((b) => Number.isFinite(window.cairn.position(b)[0])).length, drawn: window.cairn.drawnBodies() };
  });
  // Floor and post, and drops 0 to 5 at 0, 0.05, ... 0.25 s; a seventh is due in the step that ends here or after it.
  check(there >= 2 + 6 && there <= 2 + 7 && drawn === there, `${there} bodies are there, ${drawn} are drawn`);
  await rain.waitForTimeout(700);
  const post = await rain.evaluate(() => window.cairn.onPage(1));
  check(post.x > 0 && post.x < 408 && post.y > 0 && post.y < 400, `the post is at ${post.x}, ${post.y}`);
  await glanceAt(rain, 0.6);
  check((await rain.evaluate(() => window.cairn.drawnBodies())) >= 2 + 12, 'drops that came are not drawn');
  checkQuiet(rain);
  await rain.close();
});

await test('the drawing is the same after all of this', async () => {
  await page.keyboard.press('f');
  await settle(page);
  const last = await drawing(page);
  const again = await openPage(chromium, address, { at: '#t=0.1' });
  await settle(again);
  await again.locator('label', { hasText: 'contact forces' }).locator('input').uncheck();
  await settle(again);
  check((await drawing(again)).equals(last), 'a control leaves something behind');
  await again.close();
});

await test('is quiet', () => checkQuiet(page));
await finish();
