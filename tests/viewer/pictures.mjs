// The pictures of docs/view.md: node pictures.mjs CAIRN SOURCE SCRATCH [NAME...] writes docs/images/sights-NAME.jpg, each a scene on a
// desktop and on a phone, one of them dark, in at most 60 kB. To look at after every change of the drawing; not a test.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, checkQuiet, openPage, settle, source, tool } from './harness.mjs';

const most = 60000; // bytes
const scenes = [
  { name: 'pour', scene: join(source, 'examples/pour.yaml'), options: ['--every', '10'], at: 't=0.9' },
  { name: 'chains', scene: 'brazil-nut', options: ['--until', '2'], at: 't=0.9&show=chains' },
  { name: 'arch', scene: 'arch', at: 't=0.5&show=thrust&hide=forces' },
  { name: 'shapes', scene: 'shapes', at: 't=0.6&hide=forces' },
  { name: 'heap', scene: 'sphere-heap', at: 't=1&colour=force' },
  { name: 'machine', scene: 'slider-crank', options: ['--every', '4'], at: 't=0.3' },
  { name: 'arm', scene: 'six-axis-arm', at: 't=0.5' },
  { name: 'impact', scene: 'wrecking-ball', at: 't=1.02' },
  { name: 'wall', scene: 'dry-stone-wall', at: 't=0.4' },
  { name: 'jacks', scene: 'jacks', at: 't=0.5&colour=speed&hide=forces' },
];

/** Both pictures side by side, as a JPEG of at most so many bytes. */
async function compose(blank, pngs) {
  const text = await blank.evaluate(async ([images, limit]) => {
    const parts = await Promise.all(images.map(async (data) => createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())));
    const height = 520;
    const widths = parts.map((image) => Math.round((image.width * height) / image.height));
    const canvas = new OffscreenCanvas(widths[0] + 10 + widths[1], height);
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, height);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(parts[0], 0, 0, widths[0], height);
    pen.drawImage(parts[1], widths[0] + 10, 0, widths[1], height);
    for (let quality = 0.85; ; quality -= 0.05) {
      const file = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (file.size <= limit || quality < 0.3) return btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (b) => String.fromCharCode(b)).join(''));
    }
  }, [pngs.map((png) => png.toString('base64')), most]);
  return Buffer.from(text, 'base64');
}

const wanted = process.argv.slice(5);
const chromium = await browser();
const blank = await openPage(chromium, 'about:blank');
for (const [i, { name, scene, options = [], at }] of scenes.entries()) {
  if (wanted.length && !wanted.includes(name)) continue;
  tool('run', scene, ...options, '-o', `${name}.h5`, '--quiet');
  tool('view', `${name}.h5`, '--html', `${name}.html`);
  const shots = [];
  for (const [k, [width, height]] of [[1100, 720], [390, 780]].entries()) {
    const page = await openPage(chromium, `file://${process.cwd()}/${name}.html`, { at: `#${at}`, width, height, scheme: (i + k) % 2 ? 'dark' : 'light' });
    await settle(page);
    await page.waitForTimeout(300);
    shots.push(await page.screenshot());
    checkQuiet(page);
    await page.close();
  }
  const picture = await compose(blank, shots);
  writeFileSync(join(source, `docs/images/sights-${name}.jpg`), picture);
  console.log(`${name}: ${picture.length} bytes`);
}
process.exit(0);
