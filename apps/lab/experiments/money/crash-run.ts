import { setTimeout as wait } from 'node:timers/promises';
import { type Prepared, prepareWork } from './prepared-work.ts';
import { audited, type Faults, releaseFaults } from './release-faults.ts';
import { approveAll, askAgain, type Stream, tokenOf } from './release-stream.ts';
import type { ServerProcess } from './server-process.ts';
import type { Services } from './services.ts';

export type CrashOptions = {
  releases: number;
  breaks: number;
  clients: number;
  workers: number;
};

export type CrashResult = {
  faults: Faults;
  stream: Stream;
  /** Calls in progress at each break. */
  breaks: number;
  downMs: number[];
  /** First responses that were replays: the work was done and its response lost. */
  lostAnswers: number;
  entries: number;
  findings: number;
  askedAgain: number;
  preparedSeconds: number;
  seconds: number;
};

const maxAskedAgain = 1_000;

/** Approves work over HTTP while `breakIt` breaks something at random moments, then checks everything. */
export async function crashRun(
  services: Services,
  server: ServerProcess,
  options: CrashOptions,
  breakIt: () => Promise<void>,
  say: (line: string) => void,
): Promise<CrashResult> {
  const preparing = performance.now();
  const prepared: Prepared = await prepareWork(services, {
    count: options.releases,
    workers: options.workers,
    step: 'submitted',
  });
  // Prepared rows must survive: a control that commits asynchronously would lose the accounts, and clients
  // retry forever.
  await services.pool.query('begin; set local synchronous_commit = on; select pg_current_xact_id(); commit');
  const preparedSeconds = (performance.now() - preparing) / 1_000;
  await server.start();
  const started = performance.now();
  const { stream, done } = approveAll(server.url, prepared.owner, prepared.works, options);
  let over = false;
  const ended = done.finally(() => {
    over = true;
  });
  const downMs: number[] = [];
  while (downMs.length < options.breaks) {
    const due = ((downMs.length + 0.5) * options.releases) / (options.breaks + 1);
    while (stream.answers.size < due && !over) await wait(2);
    if (over) break;
    await wait(Math.random() * 40);
    const broken = performance.now();
    await breakIt();
    downMs.push(performance.now() - broken);
    if (downMs.length % 10 === 0)
      say(
        `  ${downMs.length} breaks, ${stream.answers.size} releases, ${Math.round((performance.now() - started) / 1_000)} s`,
      );
  }
  await ended;
  const seconds = (performance.now() - started) / 1_000;
  const lostAnswers = [...stream.answers.values()].filter(({ replayed }) => replayed).length;
  // A retry gets the same response, now that everything has ended.
  const step = Math.max(1, Math.floor(prepared.works.length / maxAskedAgain));
  const sample = prepared.works.filter(
    (work, index) => index % step === 0 && stream.answers.has(work.engagementId),
  );
  const token = tokenOf(prepared.owner);
  for (const work of sample) await askAgain(server.url, token, work, stream);
  await server.stop();
  const faults = await releaseFaults(services, prepared.works, stream);
  const { entries, findings } = await audited(services);
  return {
    faults,
    stream,
    breaks: downMs.length,
    downMs,
    lostAnswers,
    entries,
    findings,
    askedAgain: sample.length,
    preparedSeconds,
    seconds,
  };
}

const middle = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

export function crashFigures(
  name: string,
  label: string,
  options: CrashOptions,
  result: CrashResult,
): string[] {
  const { stream, downMs } = result;
  const retries = [...stream.retries].map(([code, times]) => `${times} ${code}`).join(', ');
  return [
    `${name}: ${stream.answers.size} of ${options.releases} releases answered to ${options.clients} clients while ${label} ${result.breaks} times, in ${result.seconds.toFixed(0)} s (prepared in ${result.preparedSeconds.toFixed(0)} s)`,
    `  ${stream.asked} calls; asked again for: ${retries || 'nothing'}; ${result.lostAnswers} answers lost after their commit came by the retry`,
    `  down ${(middle(downMs) / 1_000).toFixed(1)} s in the middle, ${(Math.max(0, ...downMs) / 1_000).toFixed(1)} s at most; ${result.askedAgain} asked once more at the end`,
    `  ledger: ${result.entries} entries, ${result.findings} findings of the auditor; ${result.faults.size} kinds of fault`,
  ];
}
