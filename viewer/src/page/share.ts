// The run on this page as one file that needs neither Cairn nor a network: the page itself with header and frames put in, as
// `cairn view RUN --html` writes it. Of a live simulation, what was seen of it.
import type { Frame } from '../data/frames.ts';
import type { Header } from '../data/header.ts';
import type { Source } from '../data/source.ts';

const chunkBytes = 4 << 20;
const mostBytes = 256 << 20; // of frames: larger files no browser opens
const mostFrames = 1500; // of a live simulation that are remembered
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; ` +
  `img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'" />`;

/** What was seen of a live simulation: when there are too many frames, every second one is let go. */
export class Memory {
  frames: Frame[] = [];
  private every = 1;
  private count = 0;

  add(frame: Frame): void {
    const last = this.frames[this.frames.length - 1];
    if (last && frame.time < last.time) this.frames = []; // a restart
    if (this.count++ % this.every !== 0 || frame.time === last?.time) return;
    this.frames.push(frame);
    if (this.frames.length <= mostFrames && this.frames.length * frame.bytes <= mostBytes) return;
    this.frames = this.frames.filter((_, i) => i % 2 === 0);
    this.every *= 2;
  }

  /** A header for these frames. */
  header(header: Header): Header {
    const series = [
      { name: 'time', label: 'time', unit: 's', values: this.frames.map((frame) => frame.time) },
      { name: 'contacts/count', label: 'number of contacts', unit: '1', values: this.frames.map((frame) => frame.contacts.count) },
    ];
    return { ...header, live: false, status: 'seen live', frame_count: this.frames.length, series, events: [] };
  }

  async *chunks(): AsyncGenerator<ArrayBuffer> {
    for (const frame of this.frames) yield (frame.position.buffer as ArrayBuffer).slice(0, frame.bytes);
  }
}

/** The frames of a recorded run, some at a time. */
export async function* framesOf(source: Source, count: number, frameBytes: number): AsyncGenerator<ArrayBuffer> {
  if (count * frameBytes > mostBytes) throw new Error(`The run is too large for one page (${Math.round((count * frameBytes) / 1e6)} MB of frames); record fewer frames.`);
  for (let from = 0; from < count; ) {
    const bytes = await source.frames(from, Math.max(1, Math.floor(chunkBytes / frameBytes)));
    if (bytes.byteLength === 0) return;
    yield bytes;
    for (let at = 0; at < bytes.byteLength; at += new DataView(bytes).getUint32(at + 4, true)) ++from;
  }
}

/** The page as text, with the data in it. */
export async function writePage(page: string, header: Header, chunks: AsyncIterable<ArrayBuffer>): Promise<Blob> {
  const parts = [`<script type="application/json" id="cairn-header">${JSON.stringify({ ...header, frames: { compression: 'deflate' } }).replaceAll('<', '\\u003c')}</script>`];
  let raw: ArrayBuffer[] = [];
  const close = async (): Promise<void> => {
    if (raw.length) parts.push(`<script type="application/octet-stream" id="cairn-frames-${parts.length - 1}">${await packed(raw)}</script>`);
    raw = [];
  };
  for await (const chunk of chunks) {
    raw.push(chunk);
    if (raw.reduce((sum, one) => sum + one.byteLength, 0) >= chunkBytes) await close();
  }
  await close();
  const mark = page.indexOf('id="cairn-source">');
  const end = page.indexOf('</script>', mark) + '</script>'.length;
  if (mark < 0) throw new Error('This page has no place for data.');
  const before = page.slice(0, mark).replace('<head>', `<head>\n    ${policy}`);
  return new Blob([before, 'id="cairn-source">{"kind":"embedded"}</script>\n', parts.join('\n'), page.slice(end)], { type: 'text/html' });
}

async function packed(raw: ArrayBuffer[]): Promise<string> {
  const stream = new Blob(raw).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = await new Response(stream).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(new Error('The frames cannot be packed.'));
    reader.readAsDataURL(bytes);
  });
}

/** Hand a file to the reader. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** The text of this page as the tool served it. */
export async function ownText(): Promise<string> {
  return (await fetch(location.href.split('#')[0])).text();
}
