import { addMs, dayMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { payCaseOf } from '../../trust/cases/pay-case.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let sam: Person;
let businessId: string;
let engagementId: string;

const as = async (person: Person) => app.apiAs(await signAccessToken(app.secret, app.clock, person));
const look = () => viewEngagement(app.db, app.scopeOf(leila), engagementId);
const whole = 12_000;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  sam = await app.person({ name: 'Sam Okafor' });
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
});

const hire = async (kind: 'shift' | 'task') => {
  ({ id: engagementId } = await makeEngagement(
    app.db,
    { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) },
    businessId,
    { kind, title: 'Paint the fence', payMinor: kind === 'task' ? whole : 1_750 },
  ));
  return look();
};

async function delivered() {
  const { version } = await hire('task');
  return (await as(leila)).timesheets.deliver({ engagementId, version, note: 'Done.' });
}
async function filed(amountMinor = 4_000) {
  const { version } = await delivered();
  const work = await (await as(nadia)).disputes.file({
    engagementId,
    version,
    reason: 'Half of it is unpainted.',
    amountMinor,
  });
  if (!work.dispute) throw new Error('no dispute');
  return work.dispute;
}
async function answered(amountMinor = 10_000) {
  const { id, version } = await filed();
  const work = await (await as(leila)).disputes.answer({
    disputeId: id,
    version,
    note: 'It rained.',
    amountMinor,
  });
  if (!work.dispute) throw new Error('no dispute');
  return work.dispute;
}
async function proposed(amountMinor = 7_000) {
  const { id, version } = await answered();
  const work = await (await as(nadia)).disputes.propose({ disputeId: id, version, note: '', amountMinor });
  if (!work.dispute) throw new Error('no dispute');
  return work.dispute;
}
const noticesOf = async (person: Person, topic: string) =>
  (
    await app.db
      .selectFrom('notifications')
      .selectAll()
      .where('accountId', '=', person.accountId)
      .where('topic', '=', topic)
      .execute()
  ).filter(({ path }) => path.endsWith(engagementId));
const bare = (path: string) =>
  app.raw({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'idempotency-key': crypto.randomUUID() },
    payload: {},
  });

describe('disputes.file', () => {
  it('opens with its deadlines, notifies the other side and stops the approval', async () => {
    const dispute = await filed();
    const now = app.clock.now().getTime();
    expect(dispute).toMatchObject({
      status: 'open',
      filedBy: 'business',
      workerAmountMinor: whole,
      businessAmountMinor: 4_000,
      dueAt: new Date(now + 5 * dayMs).toISOString(),
      stopAt: new Date(now + 30 * dayMs).toISOString(),
      actions: [],
      steps: [{ action: 'file', by: 'business', amountMinor: 4_000, reason: 'Half of it is unpainted.' }],
    });
    const view = await look();
    expect(view).toMatchObject({ status: 'disputed', next: { kind: 'dispute', at: dispute.dueAt } });
    expect(view.dispute?.actions).toEqual(['answer']);
    expect(await noticesOf(leila, 'dispute-opened')).toHaveLength(1);
    expect(await noticesOf(nadia, 'dispute-opened')).toHaveLength(0);
  });

  it('rejects amounts out of bounds, strangers, other states, and stale or late requests', async () => {
    const { version } = await delivered();
    const input = { engagementId, version, reason: 'No.', amountMinor: 4_000 };
    const api = await as(nadia);
    expect(await failure(api.disputes.file({ ...input, amountMinor: whole + 1 }))).toMatchObject({
      status: 422,
      code: 'dispute/amount-impossible',
      data: { minMinor: 0, maxMinor: whole },
    });
    for (const options of [{ amountMinor: -1 }, { amountMinor: 1.5 }, { amountMinor: 1e15 }, { reason: '' }])
      expect(await failure(api.disputes.file({ ...input, ...options }))).toMatchObject({ status: 400 });
    expect(await failure((await as(sam)).disputes.file(input))).toMatchObject({ status: 404 });
    expect(await failure(api.disputes.file({ ...input, version: 1 }))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    expect((await bare(`/engagements/${engagementId}/dispute`)).statusCode).toBe(401);
    app.clock.forward({ days: 7, minutes: 1 });
    expect(await failure((await as(nadia)).disputes.file(input))).toMatchObject({
      status: 422,
      code: 'dispute/too-late',
    });
    const fresh = await hire('task');
    expect(
      await failure((await as(leila)).disputes.file({ ...input, engagementId, version: fresh.version })),
    ).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
  });

  it('works while changes are pending, so money is never held forever', async () => {
    const { version } = await delivered();
    const back = await (await as(nadia)).timesheets.requestChanges({
      engagementId,
      version,
      note: 'The gate is missing.',
    });
    app.clock.forward({ days: 60 });
    await app.runDue();
    expect((await look()).actions).toContain('dispute');
    const view = await (await as(nadia)).disputes.file({
      engagementId,
      version: back.version,
      reason: 'Nobody came back.',
      amountMinor: 2_000,
    });
    expect(view.status).toBe('disputed');
    app.clock.forward({ days: 31 });
    await app.runDue();
    expect(await look()).toMatchObject({ status: 'completed' });
  });

  it('opens one dispute for repeated clicks', async () => {
    const { version } = await delivered();
    const input = { engagementId, version, reason: 'No.', amountMinor: 0 };
    const api = await as(nadia);
    const clicks = await Promise.allSettled([api.disputes.file(input), api.disputes.file(input)]);
    expect(clicks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('includes what was paid already, for a shift with countered hours', async () => {
    const work = await hire('shift');
    const startsAt = work.terms.startsAt ?? '';
    const endsAt = work.terms.endsAt ?? '';
    app.clock.set(addMs(new Date(endsAt), 600_000));
    const hours = { engagementId, startsAt, endsAt, breakMinutes: 30 };
    const claim = await (await as(leila)).timesheets.submitHours({ ...hours, version: work.version });
    const countered = await (await as(nadia)).timesheets.counter({
      ...hours,
      version: claim.version,
      breakMinutes: 90,
      note: 'A long break.',
    });
    const input = { engagementId, version: countered.version, reason: 'No.', amountMinor: 11_374 };
    const api = await as(leila);
    expect(await failure(api.disputes.file(input))).toMatchObject({
      code: 'dispute/amount-impossible',
      data: { minMinor: 11_375, maxMinor: 13_125 },
    });
    const view = await api.disputes.file({ ...input, amountMinor: 13_125 });
    expect(view.dispute).toMatchObject({ workerAmountMinor: 13_125, businessAmountMinor: 11_375 });
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect(await look()).toMatchObject({
      status: 'completed',
      amountMinor: 11_375,
      releases: [{ kind: 'undisputed', amountMinor: 11_375 }],
    });
  });
});

describe('files of a dispute', () => {
  it('are visible only to both sides and operators, by their step', async () => {
    const { version } = await delivered();
    const fileOf = async (person: Person, purpose: 'work' | 'cv' = 'work') =>
      (await makeFile(app.db, app.scopeOf(person), { purpose, name: 'Fence.pdf' })).id;
    const input = { engagementId, version, reason: 'Half of it is unpainted.', amountMinor: 4_000 };
    const owner = await as(nadia);
    const fence = await fileOf(nadia);
    const leilasFile = await fileOf(leila);
    const foreign = owner.disputes.file({ ...input, fileIds: [leilasFile] });
    expect(await failure(foreign)).toMatchObject({ status: 404, code: 'file/not-found' });
    const cv = owner.disputes.file({ ...input, fileIds: [await fileOf(nadia, 'cv')] });
    expect(await failure(cv)).toMatchObject({ status: 422, code: 'file/wrong-type' });
    for (const fileIds of [[fence, fence], Array.from({ length: 6 }, () => crypto.randomUUID())])
      expect(await failure(owner.disputes.file({ ...input, fileIds }))).toMatchObject({ status: 400 });

    const { dispute } = await owner.disputes.file({ ...input, fileIds: [fence] });
    expect(dispute?.steps[0]).toMatchObject({ action: 'file', files: [{ id: fence, name: 'Fence.pdf' }] });
    const worker = await as(leila);
    const answer = { disputeId: dispute?.id ?? '', version: dispute?.version ?? 0, note: 'It rained.' };
    const both = await worker.disputes.answer({ ...answer, amountMinor: 10_000, fileIds: [leilasFile] });
    expect(both.dispute?.steps.map(({ files }) => files.map(({ id }) => id))).toEqual([
      [fence],
      [leilasFile],
    ]);
    for (const reader of [owner, worker])
      for (const fileId of [fence, leilasFile])
        expect(await reader.files.details({ fileId })).toMatchObject({ id: fileId, purpose: 'work' });
    const stranger = (await as(sam)).files.details({ fileId: fence });
    expect(await failure(stranger)).toMatchObject({ status: 404 });
    const facts = await payCaseOf(app.db, app, { kind: 'dispute', subjectId: answer.disputeId });
    expect(facts?.shown).toMatchObject([
      { by: 'business', files: [{ id: fence }] },
      { by: 'worker', files: [{ id: leilasFile }] },
    ]);
  });
});

describe('disputes.answer', () => {
  it('allows only the other side, with its own amount', async () => {
    const { id, version } = await filed();
    const input = { disputeId: id, version, note: 'It rained.', amountMinor: 10_000 };
    expect(await failure((await as(nadia)).disputes.answer(input))).toMatchObject({
      status: 403,
      code: 'dispute/not-allowed',
    });
    expect(await failure((await as(sam)).disputes.answer(input))).toMatchObject({
      status: 404,
      code: 'dispute/not-found',
    });
    const api = await as(leila);
    expect(await failure(api.disputes.answer({ ...input, disputeId: crypto.randomUUID() }))).toMatchObject({
      status: 404,
      code: 'dispute/not-found',
    });
    expect(await failure(api.disputes.answer({ ...input, version: 7 }))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    expect(await failure(api.disputes.answer({ ...input, amountMinor: whole + 1 }))).toMatchObject({
      status: 422,
      code: 'dispute/amount-impossible',
    });
    expect((await bare(`/disputes/${id}/answer`)).statusCode).toBe(401);
    const view = await api.disputes.answer(input);
    expect(view.dispute).toMatchObject({
      status: 'answered',
      workerAmountMinor: 10_000,
      actions: ['propose'],
    });
    expect(await noticesOf(nadia, 'dispute-answered')).toHaveLength(1);
    expect(await failure(api.disputes.answer({ ...input, version: version + 1 }))).toMatchObject({
      status: 409,
      code: 'dispute/wrong-state',
    });
  });

  it('settles at once with the same amount', async () => {
    const { id, version } = await filed(4_000);
    const view = await (await as(leila)).disputes.answer({
      disputeId: id,
      version,
      note: 'Fine.',
      amountMinor: 4_000,
    });
    expect(view).toMatchObject({
      status: 'completed',
      amountMinor: 4_000,
      releases: [{ kind: 'rest', amountMinor: 4_000 }],
      dispute: { status: 'settled', settledMinor: 4_000, actions: [] },
    });
    expect(view.dispute?.steps.map(({ action }) => action)).toEqual(['file', 'answer', 'agree']);
  });

  it('escalates to an operator after 5 days without a reply', async () => {
    await filed();
    app.clock.forward({ days: 4, hours: 23 });
    await app.runDue();
    expect((await look()).dispute).toMatchObject({ status: 'open' });
    app.clock.forward({ hours: 1 });
    await app.runDue();
    await app.runDue();
    const view = await look();
    expect(view.dispute).toMatchObject({ status: 'with_operator', dueAt: null });
    expect(view.dispute?.steps.at(-1)).toMatchObject({ action: 'escalate', by: 'timer' });
    expect(view.next).toMatchObject({ kind: 'dispute', at: view.dispute?.stopAt });
    for (const person of [leila, nadia]) expect(await noticesOf(person, 'dispute-escalated')).toHaveLength(1);
  });
});

describe('disputes.propose', () => {
  it('allows either side; the newer one counts', async () => {
    const { id, version } = await answered();
    const propose = async (person: Person, amountMinor: number, of: number) =>
      (await as(person)).disputes.propose({
        disputeId: id,
        version: of,
        note: 'Let us end it.',
        amountMinor,
      });
    expect(await failure(propose(sam, 7_000, version))).toMatchObject({ status: 404 });
    expect(await failure(propose(nadia, whole + 1, version))).toMatchObject({ status: 422 });
    expect((await bare(`/disputes/${id}/proposal`)).statusCode).toBe(401);
    const first = await propose(nadia, 6_000, version);
    expect(first.dispute).toMatchObject({
      status: 'proposed',
      proposal: { by: 'business', amountMinor: 6_000 },
      dueAt: addMs(app.clock.now(), 2 * dayMs).toISOString(),
      actions: ['propose'],
    });
    expect(await failure(propose(leila, 8_000, version))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
      data: { status: 'proposed', by: 'Café Lindengracht' },
    });
    const second = await propose(leila, 8_000, version + 1);
    expect(second.dispute).toMatchObject({ proposal: { by: 'worker', amountMinor: 8_000 } });
    expect(await noticesOf(leila, 'dispute-proposal')).toHaveLength(1);
    expect(await noticesOf(nadia, 'dispute-proposal')).toHaveLength(1);
    app.clock.forward({ days: 2 });
    await app.runDue();
    expect((await look()).dispute).toMatchObject({ status: 'with_operator', actions: ['propose'] });
  });

  it('rejects before the answer', async () => {
    const { id, version } = await filed();
    expect(
      await failure((await as(nadia)).disputes.propose({ disputeId: id, version, amountMinor: 5_000 })),
    ).toMatchObject({ status: 409, code: 'dispute/wrong-state' });
  });
});

describe('disputes.acceptProposal', () => {
  it('settles: completes the engagement and releases the amount, once', async () => {
    const { id, version } = await proposed(7_000);
    const disputeRef = { disputeId: id, version };
    expect(await failure((await as(nadia)).disputes.acceptProposal(disputeRef))).toMatchObject({
      status: 403,
    });
    expect(await failure((await as(sam)).disputes.acceptProposal(disputeRef))).toMatchObject({ status: 404 });
    expect((await bare(`/disputes/${id}/accept`)).statusCode).toBe(401);
    const api = await as(leila);
    expect(await failure(api.disputes.acceptProposal({ ...disputeRef, version: 1 }))).toMatchObject({
      status: 409,
    });
    const clicks = await Promise.allSettled([
      api.disputes.acceptProposal(disputeRef),
      api.disputes.acceptProposal(disputeRef),
    ]);
    expect(clicks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await look()).toMatchObject({
      status: 'completed',
      amountMinor: 7_000,
      next: null,
      releases: [{ kind: 'rest', amountMinor: 7_000 }],
      dispute: { status: 'settled', settledMinor: 7_000, dueAt: null, actions: [] },
    });
    for (const person of [leila, nadia]) expect(await noticesOf(person, 'dispute-settled')).toHaveLength(1);
    app.clock.forward({ days: 40 });
    await app.runDue();
    expect((await look()).releases).toHaveLength(1);
  });

  it('works while an operator reviews', async () => {
    const { id, version } = await proposed(7_000);
    app.clock.forward({ days: 3 });
    await app.runDue();
    const view = await (await as(leila)).disputes.acceptProposal({ disputeId: id, version: version + 1 });
    expect(view).toMatchObject({ status: 'completed', amountMinor: 7_000 });
  });
});

describe('the hard stop of a dispute', () => {
  it('settles a task in the middle of both amounts', async () => {
    await answered(10_000);
    app.clock.forward({ days: 29 });
    await app.runDue();
    expect(await look()).toMatchObject({ status: 'disputed', dispute: { status: 'with_operator' } });
    app.clock.forward({ days: 1 });
    await Promise.all([app.runDue(), app.runDue()]);
    expect(await look()).toMatchObject({
      status: 'completed',
      amountMinor: 7_000,
      dispute: { status: 'settled', settledMinor: 7_000 },
      releases: [{ kind: 'rest', amountMinor: 7_000 }],
    });
  });

  it('pays a delivered task in full if the business never replied', async () => {
    const { version } = await delivered();
    await (await as(leila)).disputes.file({
      engagementId,
      version,
      reason: 'They are silent.',
      amountMinor: whole,
    });
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect(await look()).toMatchObject({ status: 'completed', amountMinor: whole });
  });
});
