// Where a run comes from: served by the tool, or embedded in the page itself.
import { checkHeader, type Header } from './header.ts';

export type SourceDescription =
  | { kind: 'none' }
  | { kind: 'served'; base: string }
  | { kind: 'live'; socket: string }
  | { kind: 'start'; socket: string }
  | { kind: 'embedded' };

export interface Source {
  header(): Promise<Header>;
  /** The header again, of a run that may have grown; null where it cannot have. */
  refresh(): Promise<Header | null>;
  /** The bytes of frames `from` to `from + count - 1`, or of as many as there are. */
  frames(from: number, count: number): Promise<ArrayBuffer>;
}

export function describeSource(): SourceDescription {
  const text = document.getElementById('cairn-source')?.textContent ?? '';
  return JSON.parse(text || '{"kind":"none"}') as SourceDescription;
}

export class ServedSource implements Source {
  constructor(private readonly base: string) {}

  async header(): Promise<Header> {
    return checkHeader(await (await this.get('run.json')).json());
  }

  async refresh(): Promise<Header | null> {
    return checkHeader(await (await this.get('run.json?again')).json());
  }

  async frames(from: number, count: number): Promise<ArrayBuffer> {
    return (await this.get(`frames.bin?from=${from}&count=${count}`)).arrayBuffer();
  }

  async json(name: string): Promise<unknown> {
    return (await this.get(name)).json();
  }

  private async get(name: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + name);
    } catch {
      throw new Error('The tool that serves this page does not answer; start cairn view again.');
    }
    if (!response.ok) throw new Error(`The tool answered with status ${response.status} when asked for ${name}.`);
    return response;
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The frames lie in the page as base64, in one or several elements, each a whole number of frames. */
export class EmbeddedSource implements Source {
  private blocks: Promise<ArrayBuffer>[] = [];
  private starts: { block: number; offset: number }[] | null = null;
  private compression: 'none' | 'deflate' = 'none';

  async header(): Promise<Header> {
    const text = document.getElementById('cairn-header')?.textContent;
    if (!text) throw new Error('This page holds no run.');
    const header = checkHeader(JSON.parse(text));
    this.compression = header.frames.compression;
    return header;
  }

  refresh(): Promise<Header | null> {
    return Promise.resolve(null);
  }

  async frames(from: number, count: number): Promise<ArrayBuffer> {
    this.starts ??= await this.index();
    const first = this.starts[from];
    if (!first) return new ArrayBuffer(0);
    // A range that crosses blocks ends at the block's end: the reader asks again for the rest.
    const last = this.starts[from + count];
    const block = await this.block(first.block);
    return block.slice(first.offset, last?.block === first.block ? last.offset : undefined);
  }

  private block(number: number): Promise<ArrayBuffer> {
    return (this.blocks[number] ??= this.decode(number));
  }

  private async decode(number: number): Promise<ArrayBuffer> {
    const element = document.getElementById(`cairn-frames-${number}`);
    const bytes = decodeBase64((element?.textContent ?? '').trim());
    return this.compression === 'deflate' ? inflate(bytes) : bytes.buffer;
  }

  private async index(): Promise<{ block: number; offset: number }[]> {
    const starts: { block: number; offset: number }[] = [];
    for (let block = 0; document.getElementById(`cairn-frames-${block}`); ++block) {
      const bytes = await this.block(block);
      const view = new DataView(bytes);
      for (let offset = 0; offset + 8 <= bytes.byteLength; ) {
        starts.push({ block, offset });
        const length = view.getUint32(offset + 4, true);
        if (length < 32) break; // damaged: the reader of the frame says so
        offset += length;
      }
    }
    return starts;
  }
}
