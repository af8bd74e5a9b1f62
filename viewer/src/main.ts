// The page starts: find out what to show, and show it.
import './style.css';
import { startLive } from './live_run.ts';
import { RecordedRun, sampleFrames } from './recorded.ts';
import { onlySentence } from './shell.ts';
import { describeSource, EmbeddedSource, ServedSource } from './source.ts';
import { exposeTests } from './testing.ts';
import { Themes } from './theme.ts';

async function start(): Promise<void> {
  const themes = new Themes();
  const description = describeSource();
  if (description.kind === 'none') {
    onlySentence('This page shows the runs of Cairn; it is opened by cairn view RUN.');
  } else if (description.kind === 'live') {
    const header = await new ServedSource('./').header();
    startLive(header, description.socket, themes, (run) => exposeTests(run.app, run), onlySentence);
  } else {
    const source = description.kind === 'served' ? new ServedSource(description.base) : new EmbeddedSource();
    const header = await source.header();
    const samples = await sampleFrames(source, header);
    const run = new RecordedRun(source, header, samples, themes);
    exposeTests(run.app, run);
  }
}

start().catch((error: unknown) => onlySentence((error as Error).message));
