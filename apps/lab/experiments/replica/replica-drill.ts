import { setTimeout as wait } from 'node:timers/promises';
import { jobInput } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { startCluster, stopCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { positionHeader } from '@nearhand/contract/read-position';
import { serverProcess } from '../money/server-process.ts';
import { openServices, type Services, secret } from '../money/services.ts';
import { onThrowAwayDatabase, stopAtOnce } from '../throw-away-database.ts';
import { askCluster, changeSettings, makeStandby, primarySettings } from './standby.ts';

type ReplicaPart = {
  written: number;
  stale: number;
  failed: number;
  /** Limits statements that a replica may answer. */
  byReplica: number;
  byPrimary: number;
  ready: boolean;
};

export type ReplicaDrill = Record<
  'steady' | 'lagging' | 'forgetful' | 'away' | 'back' | 'promoted',
  ReplicaPart
>;

const authors = 4;
/** A guest has no writes, so nothing keeps a guest off the replica. */
const guestPauseMs = 20;

/**
 * Authors who missed their own job, failed calls, and wrong replica reads. The control (`forgetful`) must
 * miss some.
 */
export function replicaFaults({ forgetful, ...parts }: ReplicaDrill): string[] {
  const faults = Object.entries(parts).flatMap(([name, { written, stale, failed, ready }]) => [
    ...(written === 0 ? [`${name}: nothing was written`] : []),
    ...(stale > 0 ? [`${name}: ${stale} own writes were missing`] : []),
    ...(failed > 0 ? [`${name}: ${failed} calls failed`] : []),
    ...(ready ? [] : [`${name}: the server was not ready`]),
  ]);
  for (const name of ['steady', 'lagging', 'back'] as const)
    if (parts[name].byReplica === 0) faults.push(`${name}: the replica answered nothing`);
  for (const name of ['away', 'promoted'] as const)
    if (parts[name].byReplica > 0) faults.push(`${name}: a replica that must not be used answered`);
  if (forgetful.stale === 0) faults.push('the control missed no write');
  return faults;
}

/** Authors publish jobs and search for them while the replica is up to date, behind, away, back and promoted. */
export async function replicaDrill({
  partMs,
  lagMs,
}: {
  partMs: number;
  lagMs: number;
}): Promise<ReplicaDrill> {
  let drill: ReplicaDrill | undefined;
  await onThrowAwayDatabase(async (url, own) => {
    const standby = await makeStandby(own);
    const readUrl = new URL(url);
    readUrl.port = String(standby.port);
    const services = openServices(url);
    const server = await serverProcess({
      databaseUrl: url,
      settings: {
        DATABASE_READ_URL: readUrl.href,
        DATABASE_READ_LAG_SECONDS: '30',
        JOB_SCREENING: '0',
        METRICS_TOKEN: secret,
      },
    });
    try {
      await server.start();
      const people = await Promise.all(Array.from({ length: authors }, (_, at) => makeAuthor(services, at)));
      const part = (remembers = true) => runPart(server.url, people, partMs, remembers);
      const steady = await part();
      await changeSettings(standby, { recovery_min_apply_delay: `${lagMs}ms` });
      const lagging = await part();
      const forgetful = await part(false);
      await changeSettings(standby, { recovery_min_apply_delay: '0' });
      await stopAtOnce(standby);
      // Its loss is noticed by the first read.
      await runPart(server.url, people, 1_500, true);
      const away = await part();
      standby.port = await startCluster(standby.cluster, standby.port);
      await wait(1_000);
      const back = await part();
      await askCluster(standby, 'select pg_promote()');
      await wait(1_000);
      const promoted = await part();
      drill = { steady, lagging, forgetful, away, back, promoted };
    } finally {
      await server.kill();
      await services.close();
      await stopCluster(standby.cluster);
    }
  }, primarySettings);
  if (!drill) throw new Error('the drill did not finish');
  return drill;
}

type Author = { token: string; businessId: string; lat: number; lng: number };

async function makeAuthor({ db, clock, scopeOf }: Services, at: number): Promise<Author> {
  const owner = await makeAccount(db, clock, secret, { name: `Owner ${at}` });
  const place = { lat: 50 + at, lng: 5 };
  const { id: businessId } = await makeBusiness(db, scopeOf(owner.accountId), place);
  return { token: await signAccessToken(secret, systemClock, owner), businessId, ...place };
}

async function runPart(
  url: string,
  people: readonly Author[],
  forMs: number,
  remembers: boolean,
): Promise<ReplicaPart> {
  const until = performance.now() + forMs;
  const before = await countsOf(url);
  const part = { written: 0, stale: 0, failed: 0, ready: true };
  const call = async (path: string, options: RequestInit = {}) => {
    const answer = await fetch(`${url}/api${path}`, options);
    const body = (await answer.json()) as { id: string; items: { id: string }[] };
    if (!answer.ok) part.failed += 1;
    return { body, position: answer.headers.get(positionHeader) };
  };
  const search = (place: { lat: number; lng: number }, headers: Record<string, string> = {}) =>
    call(`/jobs/nearby?lat=${place.lat}&lng=${place.lng}&radiusKm=5&sort=newest&widen=false&limit=1`, {
      headers,
    });
  const author = async ({ token, businessId, ...place }: Author) => {
    while (performance.now() < until) {
      const write = (path: string, body?: unknown) =>
        call(path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'idempotency-key': crypto.randomUUID(),
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
      const { id } = (await write(`/businesses/${businessId}/jobs`, jobInput(systemClock, {}))).body;
      const { position } = await write(`/jobs/${id}/publish`);
      part.written += 1;
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await search(place, {
        ...headers,
        ...(remembers && position ? { [positionHeader]: position } : {}),
      });
      if (body.items?.[0]?.id !== id) part.stale += 1;
      await wait(50);
    }
  };
  const guest = async (place: Author) => {
    while (performance.now() < until) {
      await search(place);
      await wait(guestPauseMs);
    }
  };
  const watch = async () => {
    while (performance.now() < until) {
      const answer = await fetch(`${url}/health/ready`);
      await answer.body?.cancel();
      part.ready &&= answer.ok;
      await wait(200);
    }
  };
  await Promise.all([...people.map(author), ...people.slice(0, 2).map(guest), watch()]);
  const after = await countsOf(url);
  return { ...part, byReplica: after.replica - before.replica, byPrimary: after.primary - before.primary };
}

async function countsOf(url: string): Promise<{ replica: number; primary: number }> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secret}` } });
  const counts = { replica: 0, primary: 0 };
  for (const [, by, value] of (await answer.text()).matchAll(
    /^database_recent_reads_total\{by="(replica|primary)",[^}]*\} (\d+)$/gm,
  ))
    counts[by as 'replica' | 'primary'] += Number(value);
  return counts;
}
