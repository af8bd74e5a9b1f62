// The page of ./demo: four moving pictures, from disk, each of the run that it says.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, cairn, check, checkQuiet, finish, openPage, source, test } from './harness.mjs';

execFileSync(join(source, 'tools/demo_page.sh'), [cairn, source, 'page'], { stdio: 'ignore' });
const chromium = await browser();

await test('the order that the page tells is that of the errors', async () => {
  const words = readFileSync('page/index.html', 'utf8');
  const order = Number(/measured order is (\d\.\d+)/.exec(words)?.[1]);
  check(Math.abs(order - 2) < 0.15, `the page says order ${order}`);
});

const page = await openPage(chromium, `file://${process.cwd()}/page/index.html`, { at: '', width: 1300, height: 1700 });

await test('four pictures move', async () => {
  check((await page.locator('iframe').count()) === 4, 'not four pictures');
  for (const name of ['impact', 'arch', 'machine', 'pour']) {
    const frame = page.frames().find((one) => one.url().includes(`${name}.html`)) ?? null;
    check(frame !== null, `${name} is not there`);
    await frame.waitForFunction(() => window.cairn?.playing() && window.cairn.frame(), null, { timeout: 90000 });
    const { time } = await frame.evaluate(() => window.cairn.frame());
    await frame.waitForFunction((t) => window.cairn.frame().time !== t, time, { timeout: 90000 });
    check(!(await frame.locator('.side').isVisible()), `${name} is not bare`);
  }
});

await test('the thrust line of the shaken arch stays within its stones', async () => {
  const arch = await openPage(chromium, `file://${process.cwd()}/page/arch.html`, { at: '#t=0.6&show=thrust' });
  await arch.waitForFunction(() => window.cairn?.settled());
  const ends = await arch.evaluate(() => window.cairn.thrust());
  check(ends.length === 15 * 6, `${ends.length / 6} lines in 15 stones`);
  const sway = 0.05 * (Math.cos(5 * 0.6) - 1);
  for (let i = 0; i < ends.length; i += 3) {
    const r = Math.hypot(ends[i] - sway, ends[i + 1]);
    check(r > 0.88 && r < 1.12, `the line is at radius ${r}; the stones reach from 0.9 to 1.1 at their edges`);
  }
  await arch.close();
});

await test('is quiet', () => checkQuiet(page));
await finish();
