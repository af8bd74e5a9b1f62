// A simulation that the tool runs while we look: frames come by WebSocket, commands go back.
import { readFrame, type Frame } from './frames.ts';

export interface LiveState {
  playing: boolean;
  time: number;
  step: number;
  h: number;
  gravity: number[];
  friction_scale: number;
  wall_per_step: number;
  bodies: number;
  error: string | null;
  log: string | null; // the last command to a drive,
  logged: number; // and how many there were
}

export type LiveCommand =
  | { type: 'play' | 'pause' | 'step' | 'reset' | 'release' }
  | { type: 'speed'; value: number }
  | { type: 'gravity'; value: number[] }
  | { type: 'friction'; value: number }
  | { type: 'grab'; body: number; point: number[]; target: number[] }
  | { type: 'drag'; target: number[] }
  | { type: 'ball' | 'box'; point: number[]; target: number[]; value: number }
  | { type: 'drive'; joint: number; coordinate: number; value: number | null };

export interface LiveListener {
  onFrame(frame: Frame): void;
  onState(state: LiveState): void;
  onSeries(names: string[], values: (number | null)[], joints: (number | null)[][]): void;
  onProblem(sentence: string): void;
  onClosed(): void;
}

export class Live {
  private readonly socket: WebSocket;
  private opened = false;

  constructor(path: string, private readonly listener: LiveListener) {
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    this.socket = new WebSocket(address);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('open', () => (this.opened = true));
    this.socket.addEventListener('message', (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data));
    this.socket.addEventListener('close', () => listener.onClosed());
  }

  get connected(): boolean {
    return this.opened && this.socket.readyState === WebSocket.OPEN;
  }

  send(command: LiveCommand): void {
    if (this.connected) this.socket.send(JSON.stringify(command));
  }

  /** The tool sends the next frame only when the one before has been taken, so that a slow page never falls behind. */
  acknowledge(frame: Frame): void {
    if (this.connected) this.socket.send(JSON.stringify({ type: 'ack', index: frame.index }));
  }

  private receive(data: string | ArrayBuffer): void {
    try {
      if (typeof data === 'string') this.receiveText(JSON.parse(data) as Record<string, unknown>);
      else this.listener.onFrame(readFrame(data, 0));
    } catch (error) {
      this.listener.onProblem((error as Error).message);
    }
  }

  private receiveText(message: Record<string, unknown>): void {
    switch (message.type) {
      case 'state':
        this.listener.onState(message as unknown as LiveState);
        break;
      case 'series':
        this.listener.onSeries(message.names as string[], message.values as (number | null)[], (message.joints ?? []) as (number | null)[][]);
        break;
      case 'error':
        this.listener.onProblem(String(message.text));
        break;
    }
  }
}
