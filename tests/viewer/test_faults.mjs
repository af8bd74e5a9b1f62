// What goes wrong is said in a sentence; and the page at the width of a phone.
import { readFileSync, writeFileSync } from 'node:fs';
import { browser, check, checkQuiet, finish, openPage, scrubTo, serve, settle, test, tool } from './harness.mjs';

tool('run', 'pendulum', '--until', '0.5', '-o', 'run.h5'); // planar: drawn quickly by software
tool('view', 'run.h5', '--html', 'run.html');
const html = readFileSync('run.html', 'utf8');
const chromium = await browser();
const { address } = await serve('run.h5');
const file = (name) => `file://${process.cwd()}/${name}`;

/** Open the served run with some answers of the tool changed on their way. */
function withAnswer(pattern, change) {
  return openPage(chromium, address, {
    prepare: (page) => page.route(pattern, async (route) => route.fulfill(await change(await route.fetch(), route.request().url()))),
  });
}

const words = async (page, selector) => {
  await page.locator(selector).first().waitFor({ timeout: 60000 });
  return page.locator(selector).first().innerText();
};

await test('a damaged frame is named, those before it are shown', async () => {
  const page = await withAnswer('**/frames.bin*', async (response, url) => {
    const body = await response.body();
    const { searchParams } = new URL(url);
    // The samples are left whole; in ranges the fourth frame is damaged.
    if (Number(searchParams.get('count')) > 4) body.writeUInt32LE(7, 3 * body.readUInt32LE(4));
    return { response, body };
  });
  check(/Frame 3: .*damaged/.test(await words(page, '.notices .problem')), 'it does not say so');
  await scrubTo(page, 0);
  check((await page.evaluate(() => window.cairn.frame().index)) === 0, 'the first frame is not shown');
  await page.close();
});

await test('data that end early are told', async () => {
  const page = await withAnswer('**/frames.bin*', async (response, url) => {
    const body = await response.body();
    return { response, body: Number(new URL(url).searchParams.get('count')) > 4 ? body.subarray(0, body.length - 100) : body };
  });
  check(/data end in the middle of a frame/.test(await words(page, '.notices .problem')), 'it does not say so');
  await page.close();
});

await test('a description of a newer format is refused', async () => {
  const page = await withAnswer('**/run.json*', async (response) => ({ response, json: { ...(await response.json()), format: 99 } }));
  check(/format 99/.test(await words(page, '.only')), 'it does not say so');
  await page.close();
});

await test('a note of the tool is shown, and the tool that is gone', async () => {
  const page = await withAnswer('**/run.json*', async (response) => ({ response, json: { ...(await response.json()), note: 'The run was cut short.' } }));
  check(/cut short/.test(await words(page, '.notices .note')), 'no note');
  await page.close();
  const gone = await openPage(chromium, address, { prepare: (p) => p.route('**/run.json*', (route) => route.abort()) });
  check(/does not answer/.test(await words(gone, '.only')), 'it does not say so');
  await gone.close();
});

await test('a run of one frame works', async () => {
  const page = await withAnswer('**/run.json*', async (response) => {
    const header = await response.json();
    for (const series of header.series) series.values.length = 1;
    return { response, json: { ...header, frame_count: 1, events: [] } };
  });
  await settle(page);
  await page.keyboard.press('Space');
  await page.keyboard.press('End');
  await settle(page);
  check((await page.evaluate(() => window.cairn.frame().index)) === 0, 'another frame is shown');
  checkQuiet(page);
  await page.close();
});

await test('a run that is still being written grows', async () => {
  let grown = false;
  const page = await withAnswer('**/run.json*', async (response) => {
    const header = await response.json();
    if (grown) return { response, json: header };
    for (const series of header.series) series.values.length = 50;
    return { response, json: { ...header, frame_count: 50, status: 'running' } };
  });
  await settle(page);
  await page.keyboard.press('End');
  await settle(page);
  check((await page.evaluate(() => window.cairn.frame().index)) === 49, 'not the last frame so far');
  grown = true;
  // Who is at the end stays at the end: 250 steps of 0.002 s.
  await page.waitForFunction(() => window.cairn.frame().index === 250 && Math.abs(window.cairn.frame().time - 0.5) < 1e-9);
  checkQuiet(page);
  await page.close();
});

await test('a page that stands alone fetches nothing', async () => {
  const page = await openPage(chromium, file('run.html'));
  const blocked = await page.evaluate(
    () =>
      new Promise((done) => {
        document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));
        fetch('http://127.0.0.1:9/').catch(() => setTimeout(() => done('nothing'), 5000));
      })
  );
  check(blocked === 'connect-src', `the policy blocked ${blocked}`);
  check(html.indexOf('Content-Security-Policy') < html.indexOf('<script'), 'the policy comes after a script');
  await page.close();
});

await test('the bare page says what it is for', async () => {
  writeFileSync('bare.html', html.replace('{"kind":"embedded"}', '{"kind":"none"}'));
  const page = await openPage(chromium, file('bare.html'));
  check(/cairn view/.test(await words(page, '.only')), 'it does not say so');
  await page.close();
});

await test('without WebGL there are a sentence, charts and time line', async () => {
  const blind = await browser('--disable-3d-apis');
  const page = await openPage(blind, file('run.html'));
  check(/WebGL is missing/.test(await words(page, '.viewport .only')), 'it does not say so');
  await page.keyboard.press('End');
  await settle(page);
  check((await page.evaluate(() => window.cairn.frame().time)) > 0.4, 'the time line is dead');
  check((await page.locator('.chart').count()) >= 2, 'no charts');
  await page.close();
});

await test('at the width of a phone nothing sticks out, and all can be reached', async () => {
  const page = await openPage(chromium, file('run.html'), { width: 360, height: 740, touch: true });
  await settle(page);
  check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, 'the page is wider than the phone');
  for (const selector of ['.viewport canvas', 'button.primary', '.track', '.tools button:last-child']) {
    const box = await page.locator(selector).boundingBox();
    check(box && box.x >= 0 && box.x + box.width <= 360 && box.y + box.height <= 740, `${selector} is out of sight`);
  }
  await page.locator('button.primary').tap();
  await page.waitForFunction(() => window.cairn.frame().index > 3);
  await page.locator('.charts select').scrollIntoViewIfNeeded();
  check(await page.locator('.charts select').isVisible(), 'the charts cannot be reached');
  checkQuiet(page);
  await page.close();
});

await finish();
