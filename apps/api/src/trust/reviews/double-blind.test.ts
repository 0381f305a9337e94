import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { publicBusinessPath, publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { nightly } from '../../../../../scripts/seeded-sample.ts';
import { makeWorld, type World } from '../../../test/all-records.fixtures.ts';
import { callInWorld } from '../../../test/call-in-world.ts';
import { contractOperations } from '../../../test/contract-operations.ts';
import { type Person, useTestApp } from '../../../test/harness.ts';
import type { TestSocket } from '../../../test/sockets.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { pageKeptMs } from '../../hiring/public-pages/public-pages.routes.ts';
import { addToBusinessRating } from '../../people/businesses/business-rating.ts';
import { exportedTables } from '../../people/data-exports/exported-tables.rules.ts';
import { addToWorkerRating } from '../../people/profiles/profiles.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeEndedWork } from './reviews.fixtures.ts';

/**
 * Checks that a hidden review changes nothing that the other side can read (ADR 171), nor what another
 * business reads about the worker, since the two may talk.
 */
// Applications are still open when reviews are published, so they are ranked again.
const app = useTestApp({ DECIDE_BY_DAYS: '28' });
// Runs every read operation for several people.
vi.setConfig({ testTimeout: 180_000 });
let world: World;
let operator: Person;
let hers: TestSocket;
let theirs: TestSocket;
let openJob: Job;
let rivalJobId: string;
let rowsOfExport: (person: Person) => Promise<unknown>;
beforeAll(async () => {
  world = await makeWorld(app);
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  const { worker, owner } = world;
  const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
  const startsAt = addMs(app.clock.now(), 3 * dayMs);
  const businessId = String(world.ids.businessId);
  const ended = await makeEndedWork(app.db, sides, businessId, startsAt);
  app.clock.set(ended.endedAt);
  world.ids.engagementId = ended.id;
  await app.runDue();
  await rateBoth();
  rowsOfExport = async ({ accountId }) => {
    const rows = async (table: string) =>
      (
        await sql`select to_jsonb(it) as row from ${sql.table(table)} it
          where ${sql.raw((exportedTables[table]?.rows ?? 'false').replaceAll('$me', `'${accountId}'::uuid`))}
          order by it.id`.execute(app.db)
      ).rows;
    return [await rows('reviews'), await rows('review_moves')];
  };
  const device = async (who: Person) => app.socket({ token: await world.tokenOf(who) });
  [hers, theirs] = [await device(worker), await device(owner)];
});

/** Creates enough reviews for averages, which one more review would change. */
async function rateBoth(): Promise<void> {
  const { owner, worker, rival, ids } = world;
  await app.db.transaction().execute(async (tx) => {
    for (const stars of [4, 5, 5]) {
      await addToBusinessRating(tx, String(ids.businessId), { stars, by: 1 });
      await addToWorkerRating(tx, worker.accountId, { stars, by: 1, at: app.clock.now() });
    }
  });
  const startsAt = addMs(app.clock.now(), 25 * dayMs);
  const shift = {
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, 4 * hourMs).toISOString(),
    breakMinutes: 0,
  };
  openJob = await makeJob(app.db, app.scopeOf(owner), String(ids.businessId), shift);
  const theirs = await makeJob(app.db, app.scopeOf(rival), world.rivalBusinessId, shift);
  rivalJobId = theirs.id;
  for (const { id } of [openJob, theirs]) await makeApplication(app.db, app.scopeOf(worker), id);
  await app.runDue();
}

const reads = contractOperations.filter(({ method }) => method === 'GET');

const withoutCall = (body: string) => body.replace(/"requestId":"[^"]*"/, '');

async function readingsOf(people: readonly Person[]): Promise<Record<string, string>> {
  const readings: Record<string, string> = {};
  await Promise.all([
    ...people.map((person) => readAll(person, readings)),
    ...[...people, world.rival].map((person) => readRanked(person, readings)),
  ]);
  for (const path of [publicJobPath(openJob), publicBusinessPath(openJob.business)])
    readings[path] = await pageNow(path);
  return readings;
}

async function readAll(person: Person, found: Record<string, string>): Promise<void> {
  for (const entry of reads) {
    const { statusCode, body } = await callInWorld(app, world, person, entry);
    found[`${person.email} ${entry.name}`] = `${statusCode} ${withoutCall(body)}`;
  }
  const businessId = String(world.ids.businessId);
  const own = person.accountId === world.worker.accountId ? {} : { businessId };
  const { toWrite, given } = person.api.reviews;
  for (const [name, list] of Object.entries({ toWrite, given }))
    found[`${person.email} ${name} of a side`] = await answerOf(list(own));
  found[`${person.email} export`] = JSON.stringify(await rowsOfExport(person));
}

async function readRanked(person: Person, found: Record<string, string>): Promise<void> {
  const jobId = person === world.rival ? rivalJobId : openJob.id;
  const { nearby, applicants } = person.api;
  found[`${person.email} cards nearby`] = await answerOf(nearby.search(openJob.place));
  found[`${person.email} applicants`] = await answerOf(applicants.ofJob({ jobId }));
}

const answerOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => JSON.stringify(answer),
    (error: { code: string }) => error.code,
  );

let looks = 0;
async function pageNow(path: string): Promise<string> {
  const now = app.clock.now();
  looks += 1;
  app.clock.set(addMs(now, looks * 2 * pageKeptMs));
  const { statusCode, body } = await app.raw({ method: 'GET', url: path });
  app.clock.set(now);
  expect([statusCode, /from \d+ reviews/.test(body)]).toEqual([200, true]);
  return body;
}

const changed = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(before).filter((name) => before[name] !== after[name]);

/** Reads until two readings agree: presence follows a new socket a moment later. */
async function settled(people: readonly Person[]): Promise<Record<string, string>> {
  let before = await readingsOf(people);
  await vi.waitFor(async () => {
    const last = before;
    before = await readingsOf(people);
    expect(changed(last, before)).toEqual([]);
  }, 60_000);
  return before;
}

const workersSide = () => [world.worker];
/** By day only the owner, who reads most: every member reads the same records. */
const businessSide = () =>
  nightly ? [world.owner, world.manager, world.recruiter, world.finance] : [world.owner];

describe('a hidden review', () => {
  it('changes nothing that the business can read when the worker writes, edits and loses it', async () => {
    const people = businessSide();
    const before = await settled(people);
    expect(Object.values(before).filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(
      people.length * 25,
    );
    theirs.signals.length = 0;
    app.mails.length = 0;

    const engagementId = String(world.ids.engagementId);
    const own = await world.worker.api.reviews.write({ engagementId, stars: 1, body: 'Never again.' });
    await app.runDue();
    expect(changed(before, await readingsOf(people))).toEqual([]);
    await world.worker.api.reviews.edit({
      reviewId: own.id,
      version: own.version,
      stars: 2,
      body: 'A shit place.',
    });
    await app.runDue();
    expect(changed(before, await readingsOf(people))).toEqual([]);
    // The author's devices are notified last, so a signal to the other side would have arrived by now.
    await hers.received({ kind: 'record', record: 'review' });
    expect(theirs.signals).toEqual([]);
    expect(app.mails).toEqual([]);
  });

  it('leaks in the control', async () => {
    const people = businessSide();
    const before = await readingsOf(people);
    const businessId = String(world.ids.businessId);
    const leak = (by: number) =>
      sql`update businesses set review_stars[2] = review_stars[2] + ${by}::integer where id = ${businessId}`.execute(
        app.db,
      );
    await leak(1);
    const changes = changed(before, await readingsOf(people));
    for (const where of [publicJobPath(openJob), publicBusinessPath(openJob.business)])
      expect(changes).toContain(where);
    for (const who of [...people, world.rival]) expect(changes).toContain(`${who.email} cards nearby`);
    await leak(-1);
    expect(changed(before, await readingsOf(people))).toEqual([]);
  });

  it('changes nothing that the worker can read when the business writes and loses it', async () => {
    // The second review would publish both, so the worker's is removed first.
    const engagementId = String(world.ids.engagementId);
    const { own } = await world.worker.api.reviews.ofEngagement({ engagementId });
    const reviewId = own?.id ?? '';
    await app.db
      .updateTable('reviews')
      .set({ flaggedAt: app.clock.now(), flaggedWords: ['shit'] })
      .where('id', '=', reviewId)
      .execute();
    await operator.api.sanctions.removeReview({
      reviewId,
      rule: 'respect',
      facts: 'It insults a person.',
    });
    await app.runDue();
    const people = workersSide();
    const before = await settled(people);
    await hers.received({ kind: 'notice' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    hers.signals.length = 0;
    theirs.signals.length = 0;
    app.mails.length = 0;

    const review = await world.owner.api.reviews.write({ engagementId, stars: 1, body: 'Late and rude.' });
    expect(review.state).toBe('submitted');
    await app.runDue();
    await theirs.received({ kind: 'record', record: 'review' });
    expect(changed(before, await readingsOf(people))).toEqual([]);
    expect(hers.signals).toEqual([]);
    expect(app.mails).toEqual([]);

    // The same reading shows the publication, so it would have shown the review.
    app.clock.set(review.closesAt);
    await app.runDue();
    const after = await readingsOf(people);
    expect(changed(before, after)).toContain(`${world.worker.email} reviews.ofWorker`);
    expect(changed(before, after)).toContain(`${world.worker.email} export`);
    const atRival = `${world.rival.email} applicants`;
    const ratingIn = (answer = '') => /"kind":"rating".*?\}/.exec(answer)?.[0];
    expect(ratingIn(before[atRival])).toContain('"tenths":47');
    expect(ratingIn(after[atRival])).toContain('"tenths":38');
  });
});
