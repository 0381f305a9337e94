import { beforeAll, describe, expect, it } from 'vitest';
import { makeJob } from '../src/hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { evidenceAt } from '../src/work/engagements/engagements.fixtures.ts';
import { type Person, useTestApp } from './harness.ts';
import type { TestSocket } from './sockets.ts';

/** Lists, balances and badges change on every open device of both sides, and on nobody else's. */
const app = useTestApp();
let owner: Person;
let worker: Person;
let jobId: string;
let hers: TestSocket;
let phone: TestSocket;
let laptop: TestSocket;
let stranger: TestSocket;

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  worker = await app.person({ name: 'Leila Haddad' });
  const { id } = await makeBusiness(app.db, app.scopeOf(owner));
  jobId = (await makeJob(app.db, app.scopeOf(owner), id)).id;
  [phone, laptop] = [await app.socket(owner), await app.socket(owner)];
  hers = await app.socket(worker);
  stranger = await app.socket(await app.person());
});

async function bothReceive(record: string, work: () => Promise<unknown>): Promise<void> {
  for (const { signals } of [phone, laptop, hers]) signals.length = 0;
  await work();
  await Promise.all(
    [phone, laptop, hers].map((device) => device.received({ kind: 'record', record } as never)),
  );
}

describe('the devices of both sides', () => {
  it('receive each step from the application to the pay, and nobody else does', async () => {
    let applicationId = '';
    await bothReceive('application', async () => {
      const mine = await worker.api.applications.submit({
        jobId,
        coverNote: '',
        answers: [],
        cvFileId: null,
      });
      applicationId = mine.id;
    });
    await phone.received({ kind: 'notice' });
    await bothReceive('application', () => owner.api.applicants.shortlist({ applicationId }));
    await bothReceive('offer', () => owner.api.offers.make({ applicationId, message: '' }));
    const mine = await worker.api.applications.get({ applicationId });
    const offerId = mine.offer?.id ?? '';
    let engagementId = '';
    await bothReceive('engagement', async () => {
      const { version } = await worker.api.offers.get({ offerId });
      engagementId = (await worker.api.offers.accept({ offerId, version })).engagementId ?? '';
    });
    let work = await worker.api.engagements.get({ engagementId });
    const { startsAt, endsAt, breakMinutes } = work.terms as {
      startsAt: string;
      endsAt: string;
      breakMinutes: number;
    };
    app.clock.set(startsAt);
    const at = () => evidenceAt(work, app.clock.now());
    await bothReceive('engagement', () => worker.api.attendance.checkIn(at()));
    app.clock.forward({ hours: 1 });
    await bothReceive('engagement', () => worker.api.attendance.startBreak(at()));
    app.clock.forward({ minutes: 30 });
    await bothReceive('engagement', () => worker.api.attendance.endBreak(at()));
    app.clock.set(endsAt);
    await bothReceive('engagement', () => worker.api.attendance.checkOut(at()));
    work = await worker.api.engagements.get({ engagementId });
    await bothReceive('engagement', async () => {
      const claim = { engagementId, version: work.version, startsAt, endsAt, breakMinutes, note: '' };
      work = await worker.api.timesheets.submitHours(claim);
    });
    await bothReceive('engagement', () =>
      owner.api.timesheets.approve({ engagementId, version: work.version }),
    );
    // Each side's pay is private.
    await hers.received({ kind: 'record', record: 'balance' });
    await phone.received({ kind: 'record', record: 'hold' });
    expect(phone.signals).not.toContainEqual(expect.objectContaining({ record: 'balance' }));
    expect(hers.signals).not.toContainEqual(expect.objectContaining({ record: 'wallet' }));
    expect(hers.signals).not.toContainEqual(expect.objectContaining({ record: 'hold' }));
    expect(stranger.signals).toEqual([]);
  });
});
