// The page starts: find out what to show, and show it.
import './page/style.css';
import { startLive } from './page/live_run.ts';
import { leaveKeysToPage } from './page/keys.ts';
import { RecordedRun, sampleFrames } from './page/recorded.ts';
import { onlySentence } from './page/shell.ts';
import { choose, showStart } from './page/start.ts';
import { describeSource, EmbeddedSource, ServedSource } from './data/source.ts';
import { exposeTests } from './page/testing.ts';
import { Themes } from './draw/theme.ts';

async function start(): Promise<void> {
  const themes = new Themes();
  leaveKeysToPage();
  const description = describeSource();
  if (description.kind === 'none') {
    onlySentence('This page shows the runs of Cairn; it is opened by cairn view RUN.');
  } else if (description.kind === 'start' || description.kind === 'live') {
    const source = new ServedSource('./');
    if (description.kind === 'start' && (await showStart(source, themes))) return;
    startLive(source, await source.header(), description.socket, themes, (run) => {
      exposeTests(run.app, run);
      if (description.kind === 'start') run.app.shell.addHome(() => void choose(source, ''));
    }, onlySentence);
  } else {
    const source = description.kind === 'served' ? new ServedSource(description.base) : new EmbeddedSource();
    const header = await source.header();
    const samples = await sampleFrames(source, header);
    const run = new RecordedRun(source, header, samples, themes);
    exposeTests(run.app, run);
  }
}

start().catch((error: unknown) => onlySentence((error as Error).message));
