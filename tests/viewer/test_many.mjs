// 100,000 spheres over 100 frames: the page's memory stays below 200 MB, a picture sends no more to the graphics card than it must, and
// where pictures take too long fewer grains are drawn. How fast it draws is reported, not checked: here a processor does the work of
// a graphics card.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { atEnd, browser, check, checkQuiet, drawing, finish, glanceAt, openPage, scrubTo, settle, test, tool } from './harness.mjs';

const [bodies, frames, contacts] = [100000, 100, 60000];
const side = 50;

// The spheres stand in a lattice and sink by a known law, so that what the page holds can be checked.
const height = (body, frame) => Math.floor(body / (side * side)) - 0.002 * frame;

function header() {
  const spheres = Array.from({ length: bodies }, (_, i) => ({ name: `s${i}`, kind: 'dynamic', mass: 1 }));
  return JSON.stringify({
    format: 1, title: '100,000 spheres', scene: 'many', status: 'done', dimension: 3, gravity: [0, 0, -9.81], live: false,
    frame_count: frames, truncated: false, note: null, bodies: spheres,
    shapes: spheres.map((_, body) => ({ body, kind: 'sphere', radius: 0.5, position: [0, 0, 0], orientation: [1, 0, 0, 0] })),
    joints: [], springs: [], events: [],
    series: [{ name: 'time', unit: 's', values: Array.from({ length: frames }, (_, i) => i / 50) }],
    frames: { compression: 'none' },
  });
}

// One frame is filled; in the others only the heights differ.
const bytes = Buffer.alloc(32 + 40 * bodies + 64 * contacts);
const reals = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
for (let b = 0; b < bodies; ++b) {
  reals.set([b % side, Math.floor(b / side) % side], 8 + 3 * b);
  reals[8 + 3 * bodies + 4 * b] = 1;
  reals[8 + 7 * bodies + 3 * b + 2] = -0.1;
}
for (let c = 0; c < contacts; ++c) {
  const at = 8 + 10 * bodies + 16 * c;
  words.set([c, c + 1], at);
  reals.set([c % side, Math.floor(c / side) % side, 0, 0, 0, 1, 0, 0, 1, 0, 0.5, 0], at + 2);
  words[at + 14] = 1;
  reals[at + 15] = 1e-8;
}

function frame(index) {
  [0x4d465243, bytes.length, index, bodies, contacts, 0].forEach((word, i) => bytes.writeUInt32LE(word, 4 * i));
  bytes.writeDoubleLE(index / 50, 24);
  for (let b = 0; b < bodies; ++b) reals[8 + 3 * b + 2] = height(b, index);
  for (let c = 0; c < contacts; ++c) reals[8 + 10 * bodies + 16 * c + 4] = height(c, index) + 0.5;
  return Buffer.from(bytes);
}

tool('run', 'pendulum', '--until', '0.1', '-o', 'any.h5');
tool('view', 'any.h5', '--html', 'any.html');
// The policy of a page that stands alone would keep it from fetching.
const html = readFileSync('any.html', 'utf8')
  .replace('{"kind":"embedded"}', '{"kind":"served","base":"./"}')
  .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
const answers = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
  if (pathname === '/') return response.end(html);
  if (pathname === '/run.json') return response.end(header());
  if (pathname !== '/frames.bin') return response.writeHead(404).end();
  const from = Number(searchParams.get('from'));
  const count = Math.min(Number(searchParams.get('count')), frames - from);
  return response.end(Buffer.concat(Array.from({ length: count }, (_, i) => frame(from + i))));
});
await new Promise((ready) => answers.listen(0, '127.0.0.1', ready));
atEnd(() => answers.close());

const chromium = await browser();
const page = await openPage(chromium, `http://127.0.0.1:${answers.address().port}/`, { width: 740, height: 400, prepare: (fresh) => fresh.addInitScript(() => {
  window.sent = 0; // bytes to the graphics card
  const { bufferSubData } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.bufferSubData = function (target, offset, data, from, count) {
    window.sent += count ? count * data.BYTES_PER_ELEMENT : data.byteLength;
    return bufferSubData.call(this, target, offset, data, from, count);
  };
}) });
const megabytes = (bytes) => bytes / 1048576;

const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const scriptTime = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;

/** Objects of the page after a collection, and the frames it keeps, which lie outside of them. */
async function memory() {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  return { heap: megabytes(usedSize), buffers: megabytes(backingStorageSize), cache: megabytes(await page.evaluate(() => window.cairn.cacheBytes())) };
}

await test('loads', () => settle(page));

await test('shows every sphere where it is', async () => {
  for (const index of [0, 37, 99]) {
    await glanceAt(page, index / 50 + 1e-6);
    for (const body of [0, 12345, 99999]) {
      const [x, y, z] = await page.evaluate((b) => window.cairn.position(b), body);
      check(x === body % side && y === Math.floor(body / side) % side && Math.abs(z - height(body, index)) < 1e-5, `sphere ${body} is at ${x}, ${y}, ${z}`);
    }
  }
});

/** Frames that are there already, each another one than that before; what each took and sent. A slow machine may draw one again, without sending it. */
const play = async (count) => {
  const before = await scriptTime();
  const played = await playAll(count);
  return { ...played, script: ((await scriptTime()) - before) / count };
};
const playAll = (count) => page.evaluate(async (pictures) => {
  const [start, before, sent] = [performance.now(), window.cairn.framesDrawn(), window.sent];
  for (let i = 0; i < pictures; ++i) {
    window.played = ((window.played ?? 0) + 1) % 4;
    window.cairn.scrub(window.played / 50 + 1e-6);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  }
  const drawn = window.cairn.framesDrawn() - before;
  return { rate: (1000 * drawn) / (performance.now() - start), sent: (window.sent - sent) / pictures, share: window.cairn.share() };
}, count);

await test('a picture costs twelve bytes a sphere', async () => {
  for (const index of [1, 2, 3, 0]) await glanceAt(page, index / 50 + 1e-6);
  await page.evaluate(() => window.cairn.share(1e9)); // all are drawn, however long it takes
  await play(1);
  const { rate, script, sent, share } = await play(6);
  console.log(`100,000 spheres: ${rate.toFixed(1)} pictures a second, drawn by software; each ${script.toFixed(1)} ms of script (processor time) and ${(sent / 1e6).toFixed(2)} MB to the graphics card`);
  check(rate > 0 && share === 1, `nothing is drawn, or a share of ${share}`);
  check(sent >= 12 * bodies && sent < 12.5 * bodies, `${sent} bytes a picture`);
});

await test('pictures that take too long show fewer grains, say so, and show all when they stand still', async () => {
  await scrubTo(page, 1e-6);
  const whole = await drawing(page);
  await page.evaluate(() => window.cairn.share(0)); // every picture takes too long
  const { share, sent, rate } = await play(20);
  console.log(`100,000 spheres: ${rate.toFixed(1)} pictures a second with 1 of ${1 / share} grains`);
  check(share < 1 && sent < 6 * bodies, `a share of ${share}, ${sent} bytes a picture`);
  check((await page.locator('.legend').textContent()).includes(`1 of ${1 / share} grains`), 'the legend does not say so');
  await scrubTo(page, 1e-6);
  check((await drawing(page)).equals(whole), 'not all grains are drawn at rest');
});

await test('plays through in less than 200 MB', async () => {
  await page.evaluate(async (count) => {
    for (let index = 0; index < count; index += 3) {
      window.cairn.scrub(index / 50 + 1e-6);
      while (!window.cairn.shown()) await new Promise((done) => requestAnimationFrame(done));
    }
  }, frames);
  const { heap, buffers, cache } = await memory();
  console.log(`100,000 spheres: ${heap.toFixed(0)} MB of objects, ${buffers.toFixed(0)} MB of buffers, of them ${cache.toFixed(0)} MB of frames`);
  check(cache > 10 && cache <= 96, `${cache.toFixed(0)} MB of frames are kept`);
  check(heap + buffers < 200, `the page takes ${(heap + buffers).toFixed(0)} MB`);
});

await test('is quiet', () => checkQuiet(page));
await finish();
