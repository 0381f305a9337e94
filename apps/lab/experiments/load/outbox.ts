import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { openMailSink } from './mail-sink.ts';
import { numbersFrom } from './options.ts';

const drainMs = 10_000;
/** Without one more mail for so long, a run is over. */
const stuckMs = 60_000;
/** How long mails without an answer may take to be given up. */
const giveUpMs = 50_000;
/** The workers of a process that send mail: a kill interrupts so many at most. */
const workers = 4;

/** What became of the mails. A mail is given up when its answer was lost twice (ADR 95). */
export type OutboxRun = {
  items: number;
  kills: number;
  killed: number;
  missing: number;
  strange: number;
  /** Mails that arrived twice, more often than that, and more often than the server counted. */
  twice: number;
  oftener: number;
  uncounted: number;
  /** Mails whose answer the mail server never gave, and how many of them were given up. */
  unanswered: number;
  givenUp: number;
  /** Tasks left, without those of mails that had no answer, and when it was none. */
  left: number;
  drainedMs: number;
};

/** What is not as it must be. */
export function outboxFaults(run: OutboxRun): string[] {
  const { items, kills, killed, unanswered } = run;
  return [
    killed !== kills && `${killed} of ${kills} kills`,
    run.missing > 0 && `${run.missing} of ${items} missing`,
    run.strange > 0 && `${run.strange} with a foreign Message-ID`,
    run.oftener > 0 && `${run.oftener} more than twice`,
    run.uncounted > 0 && `${run.uncounted} more often than counted`,
    run.twice > unanswered + kills * workers && `${run.twice} twice, more than were interrupted`,
    run.givenUp < unanswered && `${run.givenUp} of ${unanswered} without an answer given up`,
    (run.left > 0 || run.drainedMs > drainMs) && `${run.left} left after ${Math.round(run.drainedMs)} ms`,
  ].filter((fault) => fault !== false);
}

/**
 * `npm run experiments -- outbox [--items 5000] [--kills 100]`: a task runner is killed and started again while it sends 5,000 mails. Each arrives, twice
 * at most and only after a kill or a lost answer, and ten seconds after the last kill nothing is left. One control never frees what a dead
 * runner had taken: mails must be left. The other forgets which mails it handed over: some must arrive more than twice.
 */
export async function outbox(say: (line: string) => void): Promise<boolean> {
  const { items, kills } = numbersFrom({ items: 5_000, kills: 100 });
  const few = { items: Math.min(items, 500), kills: Math.min(kills, 5) };
  const faults = outboxFaults(await send({ items, kills }, say));
  const stranded = await send({ ...few, without: 'rescue' }, say);
  const forgetful = await send({ ...few, without: 'memory' }, say);
  const right = faults.length === 0 && stranded.left > 0 && forgetful.oftener > 0;
  say(
    `outbox: ${right ? 'as it must be' : `NOT as it must be: ${faults.join(', ') || 'a control found nothing'}`}`,
  );
  return right;
}

type Run = { items: number; kills: number; without?: 'rescue' | 'memory' };

/** Some of the first mails are never answered: ten, or every one of very few. */
const isMute = (items: number) => (id: string) => {
  const n = numberOf(id);
  return n <= items / 10 && n % Math.max(1, Math.floor(items / 100)) === 0;
};
const numberOf = (id: string) => Number(/^<outbox-(\d+)@/.exec(id)?.[1]);

async function send({ items, kills, without }: Run, say: (line: string) => void): Promise<OutboxRun> {
  const mute = isMute(items);
  const sink = await openMailSink(mute);
  let result: OutboxRun | undefined;
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const { pool } = services;
    if (without === 'memory') await forgetHandovers(pool);
    await pool.query(
      `select count(*) from generate_series(1, $1) n, lateral graphile_worker.add_job('sign-in.send-verification',
         json_build_object('email', 'a' || n || '@example.test', 'token', 'token', 'key', 'outbox-' || n, 'language', null))`,
      [items],
    );
    const tasks = async () => {
      const { rows } = await pool.query<{ key: string; over: boolean }>(
        `select payload->>'key' as key, coalesce(last_error, '') like '%handed over twice%' as over
         from graphile_worker._private_jobs where payload->>'key' like 'outbox-%'`,
      );
      const unanswered = (key: string) => mute(`<${key}@`);
      return {
        left: rows.filter(({ key, over }) => !over && !unanswered(key)).length,
        givenUp: rows.filter(({ over }) => over).length,
      };
    };
    const start = () => startRunner(url, sink.url, without === 'rescue' ? 600 : 1);
    const started = performance.now();
    let runner = await start();
    let killed = 0;
    // Kills are spread over the mails, not over time, so that the last one comes before the last mail however fast they leave.
    for (; killed < kills; killed += 1) {
      if (!(await arrived(sink.ids, ((killed + Math.random()) / kills) * items * 0.98))) break;
      await end(runner);
      runner = await start();
    }
    const lastKill = performance.now();
    while ((await tasks()).left > 0 && performance.now() - lastKill < drainMs + 5_000) await wait(100);
    const drainedMs = performance.now() - lastKill;
    const unanswered = new Set(sink.ids.filter(mute)).size;
    // Tasks that failed are tried again after the others, and wait longer each time.
    const patient = () => performance.now() - lastKill < drainMs + giveUpMs;
    while (!without && (await tasks()).givenUp < unanswered && patient()) await wait(100);
    while (without === 'memory' && sink.ids.length <= items + 2 * unanswered && patient()) await wait(100);
    await end(runner);
    const copies = new Map<string, number>();
    for (const id of sink.ids) copies.set(id, (copies.get(id) ?? 0) + 1);
    const { rows } = await pool.query<{ id: string; unanswered: number }>(
      `select '<' || key || '@' as id, unanswered from mail_handovers`,
    );
    const counted = new Map(rows.map(({ id, unanswered }) => [numberOf(id), unanswered]));
    const times = [...copies];
    result = {
      items,
      kills,
      killed,
      drainedMs,
      missing: items - copies.size,
      strange: times.filter(([id]) => !(numberOf(id) > 0)).length,
      twice: times.filter(([, of]) => of === 2).length,
      oftener: times.filter(([, of]) => of > 2).length,
      uncounted: times.filter(([id, of]) => of > (counted.get(numberOf(id)) ?? 0)).length,
      unanswered,
      ...(await tasks()),
    };
    say(
      `outbox${without ? `, negative control without ${without}` : ''}: ${items} mails, ${killed} kills in ${((lastKill - started) / 1_000).toFixed(0)} s; ${copies.size} arrived, ${result.twice} of them twice and ${result.oftener} more often; of ${result.unanswered} never answered and those interrupted ${result.givenUp} given up; ${result.left} left ${(drainedMs / 1_000).toFixed(1)} s after the last kill`,
    );
    await services.close();
  });
  sink.close();
  if (!result) throw new Error('the run gave no result');
  return result;
}

/** Over when so many mails have arrived. @returns false if no more arrive */
async function arrived(ids: readonly string[], many: number): Promise<boolean> {
  let [before, at] = [ids.length, performance.now()];
  while (ids.length < many) {
    await wait(5);
    if (ids.length > before) [before, at] = [ids.length, performance.now()];
    else if (performance.now() - at > stuckMs) return false;
  }
  return true;
}

/** The server counts handovers in vain. */
async function forgetHandovers(pool: pg.Pool): Promise<void> {
  await pool.query(`create function forget_handover() returns trigger language plpgsql as
    $$ begin delete from mail_handovers where key = new.key; return null; end $$`);
  await pool.query(`create trigger forget_handover after insert on mail_handovers
    for each row execute function forget_handover()`);
}

async function startRunner(url: string, smtpUrl: string, leaseSeconds: number): Promise<ChildProcess> {
  const file = path.join(import.meta.dirname, 'runner-process.ts');
  const child = spawn(process.execPath, [file, url, smtpUrl, String(leaseSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the runner ended with ${code}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.kill('SIGKILL')) await ended;
}
