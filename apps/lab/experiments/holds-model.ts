import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import { sumOf } from '@nearhand/contract/arithmetic';
import { modelBreaks, serverBreaks } from './holds-model/holds-breaks.ts';
import { runLanes } from './holds-model/holds-lanes.ts';
import { DivergenceError, type Lane, openLane, type Recording, replay } from './holds-model/holds-run.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

/** Drops commands while the lane still diverges. */
async function shrink(lane: Lane, recording: Recording): Promise<Recording & { message: string }> {
  const messageOf = async (done: Recording['done']): Promise<string | null> =>
    replay(lane, { ...recording, done }).then(
      () => null,
      (error) => (error instanceof DivergenceError ? error.message : null),
    );
  let shortest = recording.done;
  let message = (await messageOf(shortest)) ?? '(it does not differ when done again)';
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = shortest.length - size; from >= 0; from -= size) {
      const fewer = shortest.toSpliced(from, size);
      const still = await messageOf(fewer);
      if (still !== null) [shortest, message] = [fewer, still];
    }
  }
  return { ...recording, done: shortest, message };
}

/**
 * `npm run experiments -- holds-model [--runs 10000] [--commands 50] [--seed N] [--lanes 2] [--break NAME]
 * [--out FILE] [--replay FILE] [--provider stripe]`
 * Random commands drive the services and a model of the money; after each, every
 * balance and money row must be equal. `--break` plants a defect that must be found.
 */
export async function holdsModel(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      runs: text,
      commands: text,
      seed: text,
      lanes: text,
      break: text,
      out: text,
      replay: text,
      provider: text,
    },
  });
  const runs = Number(values.runs ?? 10_000);
  const commands = Number(values.commands ?? 50);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
  const broken = values.break;
  const stripe = values.provider === 'stripe';
  const breaks = [...Object.keys(serverBreaks), ...modelBreaks];
  if (broken !== undefined && !breaks.includes(broken))
    throw new Error(`--break is one of ${breaks.join(', ')}`);
  if (values.replay !== undefined) return replayFile(values.replay, broken, say);
  const started = performance.now();
  let right = false;
  await onThrowAwayDatabase(async (url, { cluster, port }) => {
    const superuserUrl = clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' });
    const on = { url, superuserUrl, lanes: Math.min(Number(values.lanes ?? 2), runs) };
    const { divergence, tally } = await runLanes(on, { runs, commands, seed, broken, stripe }, say);
    const seconds = (performance.now() - started) / 1_000;
    const total = sumOf(Object.values(tally.commands));
    say(
      `holds-model: ${tally.runs} runs, ${total} commands, ${tally.tasks} tasks, ${tally.entries} entries, ${seconds.toFixed(1)} s, seed ${seed}`,
    );
    say(`by answer: ${countsText(tally.commands)}`);
    say(`at the end of the runs: ${countsText(tally.ends)}`);
    right = divergence === null;
    if (!divergence) return say('holds-model: no divergence; the auditor found nothing');
    say(`holds-model: DIVERGENCE: ${divergence.message}`);
    const options = `${broken ? ` --break ${broken}` : ''}${stripe ? ' --provider stripe' : ''}`;
    say(
      `replay: npm run experiments -- holds-model --runs 1 --seed ${divergence.seed} --commands ${commands}${options}`,
    );
    if (!divergence.recording) return;
    const lane = await openLane(url, broken, stripe);
    try {
      const shortest = await shrink(lane, divergence.recording);
      say(`the fewest commands that differ (${shortest.done.length}):`);
      for (const command of shortest.done) say(`  ${JSON.stringify(command)}`);
      say(`on ${JSON.stringify(shortest.cast)}`);
      say(`as ${shortest.message}`);
      if (values.out) writeFileSync(values.out, JSON.stringify(shortest));
    } finally {
      await lane.database.close();
    }
  });
  return right;
}

/** Repeats a run that `--out FILE` wrote. */
async function replayFile(
  file: string,
  broken: string | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  let message = 'no divergence';
  await onThrowAwayDatabase(async (url) => {
    const lane = await openLane(url, broken);
    try {
      await replay(lane, JSON.parse(readFileSync(file, 'utf8')) as Recording);
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      message = `DIVERGENCE: ${error.message}`;
    } finally {
      await lane.database.close();
    }
  });
  say(`holds-model: ${message}`);
  return message === 'no divergence';
}

const countsText = (all: Readonly<Record<string, number>>) =>
  Object.entries(all)
    .sort((a, b) => b[1] - a[1])
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
