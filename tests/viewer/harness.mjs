// What the browser tests share: the tool, Chromium, checks, pictures.
//
// Each test_*.mjs is run as: node test_x.mjs CAIRN SOURCE SCRATCH. It ends as a cmocka program does, so that its tests are
// counted one by one; with status 77 and a sentence where Chromium is missing.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const [, , cairn, source, scratch] = process.argv;
mkdirSync(scratch, { recursive: true });
process.chdir(scratch);
process.setMaxListeners(0); // each tool that is served has one

const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');
const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!chromiumPath) {
  console.log('Chromium is not installed (tools/install_packages.sh test): the page is not tested.');
  process.exit(77);
}

// ------------------------------------------------------------------------------------------------------------- checks

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const failed = [];
let passed = 0;
const cleanups = [];

export async function test(name, body) {
  const start = Date.now();
  try {
    await body();
    ++passed;
    console.log(`[       OK ] ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    failed.push(name);
    console.log(`[  FAILED  ] ${name}: ${error.message}`);
  }
}

/** What must be undone at the end, whatever happens. */
export function atEnd(undo) {
  cleanups.push(undo);
}

export async function finish() {
  for (const undo of cleanups.reverse()) await undo();
  console.log(`[  PASSED  ] ${passed} test(s).`);
  if (failed.length) console.log(`[  FAILED  ] ${failed.length} test(s), listed below:\n${failed.join('\n')}`);
  process.exit(failed.length ? 1 : 0);
}

export function check(condition, sentence) {
  if (!condition) throw new Error(sentence);
}

export function near(found, wanted, tolerance, what) {
  const list = [found].flat();
  [wanted].flat().forEach((value, i) =>
    check(Math.abs(list[i] - value) <= tolerance * (1 + Math.abs(value)), `${what}: ${list[i]} instead of ${value} (entry ${i})`));
}

// --------------------------------------------------------------------------------------------------------------- tool

export function tool(...words) {
  return execFileSync(cairn, words, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();
}

/** Start `cairn view` and wait for the address it prints. */
export async function serve(...words) {
  const child = spawn(cairn, ['view', ...words, '--no-open', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill()); // also after an error outside of the tests
  let text = '';
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.includes('}')) resolve(JSON.parse(text).address);
    });
    child.on('exit', (status) => reject(new Error(`cairn view ended with status ${status}`)));
  });
  return { address, child };
}

/** Read a run file by h5py, which shares no code with the tool: times, positions, orientations, total energies. */
export function readRun(path) {
  const script = `
import h5py, json, sys
f = h5py.File(sys.argv[1], "r")
print(json.dumps({"time": f["time"][:].tolist(), "position": f["bodies/position"][:].tolist(),
    "orientation": f["bodies/orientation"][:].tolist(), "velocity": f["bodies/velocity"][:].tolist(),
    "energy": f["energy/total"][:].tolist(), "contacts": f["contacts/count"][:].tolist(),
    "names": [n.decode() if isinstance(n, bytes) else n for n in f["bodies/names"][:]]}))`;
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', script, path], { maxBuffer: 1 << 30 }).toString());
}

// ------------------------------------------------------------------------------------------------------------ browser

const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--js-flags=--expose-gc', '--enable-precise-memory-info'];

export async function browser(...more) {
  const started = await chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] });
  atEnd(() => started.close());
  return started;
}

/** A page that remembers errors and every address it asked for; a run stands still at its start unless `at` says otherwise. */
export async function openPage(from, address, { at = '#t=0', width = 900, height = 600, scheme = 'light', touch = false, prepare } = {}) {
  const context = await from.newContext({ viewport: { width, height }, colorScheme: scheme, hasTouch: touch });
  const page = await context.newPage();
  page.setDefaultTimeout(60000); // drawing by software takes its time on a busy machine
  page.errors = [];
  page.requests = [];
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('request', (request) => page.requests.push(request.url()));
  page.on('websocket', (socket) => page.requests.push(socket.url()));
  if (prepare) await prepare(page);
  await page.goto(address === 'about:blank' ? address : address + at);
  return page;
}

export async function settle(page) {
  await page.waitForFunction(() => window.cairn?.settled(), null, { timeout: 60000 });
  // Two frames of the screen, so that what was set is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function scrubTo(page, time) {
  await page.evaluate((t) => window.cairn.scrub(t), time);
  await settle(page);
}

/** As scrubTo, without the time that software takes for a fine picture. */
export async function glanceAt(page, time) {
  await page.evaluate((t) => window.cairn.scrub(t), time);
  await page.waitForFunction(() => window.cairn.shown(), null, { timeout: 60000, polling: 'raf' });
}

/** No error was logged and nothing outside this machine was asked for. */
export function checkQuiet(page) {
  check(page.errors.length === 0, `the console says: ${page.errors.join('; ')}`);
  const strangers = page.requests.filter((url) => !/^(file:|data:|blob:|about:|(http|ws):\/\/127\.0\.0\.1[:/])/.test(url));
  check(strangers.length === 0, `requests leave the machine: ${strangers.join(' ')}`);
}

// ----------------------------------------------------------------------------------------------------------- pictures

// Pictures are decoded by the browser itself; each is a PNG as bytes.
const decode = `async (data) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, image.width, image.height);
}`;

/** The colours, red, green and blue, at some places of a picture. */
export async function coloursAt(blank, png, places) {
  return blank.evaluate(async ([decoder, data, points]) => {
    const image = await (0, eval)(decoder)(data);
    return points.map(({ x, y }) => [...image.data.subarray(4 * (y * image.width + x), 4 * (y * image.width + x) + 3)]);
  }, [decode, png.toString('base64'), places]);
}

/** The share of two pictures that differs by more than can be seen; 1 when their sizes differ. */
async function difference(blank, ...pngs) {
  return blank.evaluate(async ([decoder, first, second]) => {
    const [a, b] = [await (0, eval)(decoder)(first), await (0, eval)(decoder)(second)];
    if (a.width !== b.width || a.height !== b.height) return 1;
    let different = 0;
    for (let i = 0; i < a.data.length; i += 4)
      if ([0, 1, 2].some((k) => Math.abs(a.data[i + k] - b.data[i + k]) > 48)) ++different;
    return different / (a.width * a.height);
  }, [decode, ...pngs.map((png) => png.toString('base64'))]);
}

/** The drawing alone, without texts, whose fonts differ from machine to machine. */
export async function drawing(page) {
  await page.addStyleTag({ content: '.legend, .notices { visibility: hidden !important; }' });
  return page.locator('.viewport canvas').screenshot();
}

/** Compare with the picture in reference/; CAIRN_REFERENCE=1 writes it instead. */
export async function checkPicture(blank, png, name) {
  const path = join(source, 'tests/viewer/reference', `${name}.png`);
  writeFileSync(`${name}.png`, png);
  if (process.env.CAIRN_REFERENCE) return writeFileSync(path, png);
  const share = await difference(blank, png, readFileSync(path));
  check(share < 0.02, `${name}: ${(100 * share).toFixed(2)} % of the picture differs (see ${scratch}/${name}.png)`);
}
