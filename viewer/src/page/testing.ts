// What the tests of the page may ask it, as window.cairn.
import * as THREE from 'three';
import type { App } from './app.ts';
import type { ColourMode } from '../draw/colouring.ts';
import { coordinateOf } from '../data/coordinates.ts';
import type { LiveRun } from './live_run.ts';
import type { RecordedRun } from './recorded.ts';
import { Look } from '../draw/looks.ts';
import { nothing } from './selection.ts';
import type { Display } from '../draw/view.ts';

export interface TestInterface {
  frame(): { index: number; time: number; bodies: number; contacts: number } | null;
  /** The frame at the play head is drawn, as well as it can be. */
  settled(): boolean;
  /** The frame at the play head is shown, if perhaps in a coarse picture. */
  shown(): boolean;
  playing(): boolean;
  position(body: number): number[];
  orientation(body: number): number[];
  selected(): { kind: string; body?: number; joint?: number };
  selectJoint(joint: number): void;
  /** Where a joint is on the page, in pixels. */
  jointOnPage(joint: number): { x: number; y: number };
  /** A coordinate of a joint as computed from the poses. */
  coordinate(joint: number, index: number): number | null;
  select(body: number | null): void;
  colourMode(): ColourMode;
  display(): Display;
  /** How a body is drawn: 0 solid, 1 seen through, 2 not at all. */
  look(body: number): number;
  /** The body that the camera follows; -1: none. */
  following(): number;
  loops(): boolean;
  speed(): number;
  setColourMode(mode: ColourMode): void;
  scrub(time: number): void;
  cacheBytes(): number;
  framesDrawn(): number;
  /** ms that the last picture took. */
  drawTime(): number;
  /** Of many grains, drawn while something moves; with an argument, all of them again, and the ms that a picture may take from now on. */
  share(budget?: number): number;
  /** How many arrows and rods of chains are drawn, and the ends of thrust lines. */
  arrows(): number;
  chains(): number;
  longestChain(): number;
  thrust(): number[];
  /** How many bodies are not hidden. */
  drawnBodies(): number;
  ground(): { panes: number; floors: number };
  /** Whether the camera goes by itself. */
  tracking(): boolean;
  /** Where the middle of a body is on the page, in pixels. */
  onPage(body: number): { x: number; y: number };
}

export function exposeTests(app: App, run: RecordedRun | LiveRun): void {
  const recorded = 'playback' in run ? run : null;
  const live = 'live' in run ? run : null;
  const slice = (array: Float32Array | undefined, body: number, width: number): number[] =>
    Array.from(array?.subarray(width * body, width * body + width) ?? []);
  const tests: TestInterface = {
    frame: () => app.frame && { index: app.frame.index, time: app.frame.time, bodies: app.frame.bodyCount, contacts: app.frame.contacts.count },
    settled: () => (recorded ? recorded.settled && (app.view?.stage.settled ?? true) : app.frame !== null),
    shown: () => (recorded ? recorded.settled && !app.view?.stage.dirty : app.frame !== null),
    playing: () => recorded?.playback.playing ?? live?.state?.playing ?? false,
    position: (body) => slice(app.frame?.position, body, 3),
    orientation: (body) => slice(app.frame?.orientation, body, 4),
    selected: () => ({ ...app.selection }),
    selectJoint: (joint) => app.select({ kind: 'joint', joint }),
    jointOnPage: (joint) => app.view!.stage.toPage(new THREE.Vector3(...app.view!.jointPlace(joint)!)),
    coordinate: (joint, index) => (app.frame ? coordinateOf(app.frame, app.header.joints[joint], app.header.joints[joint].coordinates![index]) : null),
    select: (body) => app.select(body === null ? nothing : { kind: 'body', body }),
    colourMode: () => app.display.mode,
    display: () => structuredClone(app.display),
    look: (body) => app.view?.looks.chosen[body] ?? Look.solid,
    following: () => app.view?.following ?? -1,
    loops: () => recorded?.playback.loop ?? false,
    speed: () => recorded?.playback.speed ?? 1,
    setColourMode: (mode) => app.controls.setMode(mode),
    scrub: (time) => recorded?.scrub(time),
    cacheBytes: () => recorded?.cache.bytes ?? 0,
    framesDrawn: () => app.view?.stage.framesDrawn ?? 0,
    drawTime: () => app.view?.stage.drawMilliseconds ?? 0,
    share: (budget) => {
      if (app.view && budget !== undefined) Object.assign(app.view.pace, { budget, share: 1 });
      return app.view?.share ?? 1;
    },
    arrows: () => app.view?.contacts.arrowCount ?? 0,
    chains: () => app.view?.chains.count ?? 0,
    longestChain: () => app.view?.chains.longest ?? 0,
    thrust: () => app.view?.chains.thrustEnds ?? [],
    drawnBodies: () => (app.frame && app.view ? app.view.looks.of(app.frame, false).filter((look) => look !== Look.hidden).length : 0),
    ground: () => app.view!.ground.counts,
    tracking: () => app.view?.tracker.tracking ?? false,
    onPage: (body) => app.view!.stage.toPage(new THREE.Vector3(...(slice(app.frame?.position, body, 3) as [number, number, number]))),
  };
  Object.assign(window, { cairn: tests });
}
