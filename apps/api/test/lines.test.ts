import { hourMs } from '@nearhand/contract/durations';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeApplication } from '../src/hiring/applications/applications.fixtures.ts';
import { makeInterview } from '../src/hiring/interviews/interviews.fixtures.ts';
import { makeJob } from '../src/hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../src/hiring/offers/offers.fixtures.ts';
import { makeInvitation } from '../src/hiring/pipeline/pipeline.fixtures.ts';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { evidenceAt, makeEngagement } from '../src/work/engagements/engagements.fixtures.ts';
import { type Person, useTestApp } from './harness.ts';

/** Work events appear in the conversation in order, from any slice (product.md, Conversation). */
const app = useTestApp();
let owner: Person;
let worker: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
});

const sides = () => ({ worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) });

type Line = { line: SystemLine; line_data: Record<string, string | number>; seq: number };
async function linesOf(jobId: string, workerId = worker.accountId): Promise<Line[]> {
  const { rows } = await app.pool.query<Line>(
    `select line, line_data, seq from messages join conversations on conversations.id = conversation_id
     where job_id = $1 and worker_id = $2 order by seq`,
    [jobId, workerId],
  );
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, place) => place + 1));
  return rows;
}
const namesOf = async (jobId: string, workerId?: string) =>
  (await linesOf(jobId, workerId)).map(({ line }) => line);

describe('the lines of a conversation', () => {
  it('show a shift from application to pay, in order', async () => {
    worker = await app.person({ name: 'Leila Haddad' });
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    await owner.api.applicants.shortlist({ applicationId });
    // Repeated on and off: posted once, like its notice.
    await owner.api.applicants.unshortlist({ applicationId });
    await owner.api.applicants.shortlist({ applicationId });
    const proposed = await makeInterview(app.db, app.scopeOf(owner), applicationId, {
      slots: [new Date(app.clock.now().getTime() + 20 * hourMs).toISOString()],
    });
    const [slot] = proposed.slots;
    await worker.api.interviews.pick({
      interviewId: proposed.id,
      version: proposed.version,
      slotId: slot?.id ?? '',
      timeZone: 'Europe/Paris',
    });
    const offer = await makeOffer(app.db, app.scopeOf(owner), applicationId);
    const accepted = await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    const engagementId = accepted.engagementId ?? '';
    let work = await worker.api.engagements.get({ engagementId });
    const { startsAt, endsAt, breakMinutes } = work.terms as {
      startsAt: string;
      endsAt: string;
      breakMinutes: number;
    };
    work = await worker.api.engagements.confirm({ engagementId, version: work.version });
    app.clock.set(startsAt);
    work = await worker.api.attendance.checkIn(evidenceAt(work, app.clock.now()));
    app.clock.set(endsAt);
    work = await worker.api.attendance.checkOut(evidenceAt(work, app.clock.now()));
    const claim = { engagementId, version: work.version, startsAt, endsAt, breakMinutes, note: '' };
    work = await worker.api.timesheets.submitHours(claim);
    await owner.api.timesheets.approve({ engagementId, version: work.version });
    expect(await namesOf(job.id)).toEqual([
      'applied',
      'shortlisted',
      'interview-proposed',
      'interview-scheduled',
      'offer-sent',
      'offer-accepted',
      'hired',
      'work-confirmed',
      'checked-in',
      'checked-out',
      'hours-submitted',
      'work-approved',
      'pay-released',
    ]);
    const paid = (await linesOf(job.id)).at(-1);
    expect(paid?.line_data).toEqual({
      amountMinor: work.terms.workerGetsMinor,
      currency: 'EUR',
      variant: 'rest',
    });
  });

  it('show a task that is delivered, changed, disputed and settled', async () => {
    worker = await app.person();
    const work = await makeEngagement(app.db, sides(), businessId, { kind: 'task' });
    const { id: engagementId } = work;
    const given = { note: 'Done', fileIds: [] };
    let last = await worker.api.timesheets.deliver({ engagementId, version: work.version, ...given });
    last = await owner.api.timesheets.requestChanges({
      engagementId,
      version: last.version,
      note: 'The corner too',
    });
    last = await worker.api.timesheets.deliver({ engagementId, version: last.version, ...given });
    await owner.api.disputes.file({
      engagementId,
      version: last.version,
      reason: 'Half of it',
      amountMinor: 100,
    });
    const lines = await linesOf(work.jobId);
    expect(lines.map(({ line }) => line)).toEqual([
      'applied',
      'offer-sent',
      'offer-accepted',
      'hired',
      'work-delivered',
      'changes-requested',
      'work-delivered',
      'dispute-opened',
    ]);
    expect(lines.find(({ line }) => line === 'changes-requested')?.line_data).toMatchObject({
      side: 'business',
      reason: 'The corner too',
    });
  });

  it('show why an application ended, and cancelled work', async () => {
    worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 3 });
    const first = await makeApplication(app.db, app.scopeOf(worker), job.id);
    await worker.api.applications.withdraw({ applicationId: first.id });
    const again = await makeApplication(app.db, app.scopeOf(worker), job.id);
    await owner.api.applicants.reject({ applicationId: again.id, reason: 'experience', note: '' });
    const other = await app.person();
    await makeApplication(app.db, app.scopeOf(other), job.id);
    await owner.api.jobs.close({ jobId: job.id });
    await app.runDue();
    const lines = await linesOf(job.id);
    expect(lines.map(({ line, line_data }) => [line, line_data.why])).toEqual([
      ['applied', undefined],
      ['application-ended', 'withdrawn'],
      ['applied', undefined],
      ['application-ended', 'rejected'],
    ]);
    expect((await linesOf(job.id, other.accountId)).at(-1)?.line_data).toEqual({ why: 'job-closed' });

    worker = await app.person();
    const work = await makeEngagement(app.db, sides(), businessId);
    await worker.api.engagements.cancel({ engagementId: work.id, version: work.version, reason: 'I am ill' });
    expect((await linesOf(work.jobId)).at(-1)).toMatchObject({
      line: 'work-cancelled',
      line_data: { side: 'worker', reason: 'I am ill' },
    });
  });

  it('start with an invitation, and with an offer that ends', async () => {
    worker = await app.person();
    const before = await makeJob(app.db, app.scopeOf(owner), businessId);
    const application = await makeApplication(app.db, app.scopeOf(worker), before.id);
    const offer = await makeOffer(app.db, app.scopeOf(owner), application.id);
    await owner.api.offers.withdraw({ offerId: offer.id, version: offer.version, reason: '' });
    expect(await namesOf(before.id)).toEqual(['applied', 'offer-sent', 'offer-ended']);
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const request = { jobId: job.id, workerId: worker.accountId };
    await makeInvitation(app.db, app.scopeOf(owner), { ...request, message: 'Come again' });
    await makeInvitation(app.db, app.scopeOf(owner), request);
    expect(await linesOf(job.id)).toMatchObject([{ line: 'invited', line_data: { reason: 'Come again' } }]);
  });
});
