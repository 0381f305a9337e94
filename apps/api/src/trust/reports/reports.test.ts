import { ownReportPath } from '@nearhand/contract/app-paths';
import { reportLimits } from '@nearhand/contract/trust/reports.rules';
import { sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReport } from './reports.fixtures.ts';

const app = useTestApp();
let operator: Person;
let nadia: Person;
let leila: Person;
let businessId: string;
let jobId: string;

beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  nadia = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, app.scopeOf(nadia), { verified: true })).id;
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  jobId = (await makeJob(app.db, app.scopeOf(nadia), businessId)).id;
});

const scam = { kind: 'job', reason: 'scam', note: 'They asked me to pay.' } as const;
const facts = 'The job asks applicants to pay for a uniform.';
const hide = { measure: 'hidden', rule: 'no-fees', facts } as const;
const casesOf = async ({ api }: Person) => (await api.cases.list({ kind: 'report', limit: 100 })).items;
async function caseOf(subjectId: string): Promise<string> {
  for (const { subjectId: caseId } of await casesOf(operator)) {
    const caseRef = { kind: 'report', subjectId: caseId } as const;
    const { facts: found } = await operator.api.cases.get(caseRef);
    if (found.kind !== 'report' || found.reported.subject.id !== subjectId) continue;
    await operator.api.cases.claim(caseRef);
    return caseId;
  }
  throw new Error(`no open case about ${subjectId}`);
}
const reportedOf = async (subjectId: string) => {
  const { facts: found } = await operator.api.cases.get({ kind: 'report', subjectId });
  return found.kind === 'report' ? found.reported : null;
};
const noticesOf = async ({ api }: Person, topic: string) =>
  (await api.notifications.list({})).items.filter((notice) => notice.topic === topic);

describe('reports.create', () => {
  it('reports a job, a business and an applicant, with files that operators can read', async () => {
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'report' });
    const report = await leila.api.reports.create({ ...scam, subjectId: jobId, fileIds: [file.id] });
    expect(report).toMatchObject({ subject: { kind: 'job', id: jobId }, reason: 'scam', outcome: null });
    await leila.api.reports.create({ kind: 'business', subjectId: businessId, reason: 'unpaid' });
    await makeApplication(app.db, app.scopeOf(leila), jobId);
    const worker = { kind: 'worker', subjectId: leila.accountId, reason: 'fake' } as const;
    expect(await nadia.api.reports.create(worker)).toMatchObject({ subject: { name: 'Leila Haddad' } });
    expect(await operator.api.files.details({ fileId: file.id })).toMatchObject({ id: file.id });
    expect(await failure(nadia.api.files.details({ fileId: file.id }))).toMatchObject({ status: 404 });
  });

  it("merges several people's reports into one case, and a repeat updates the reporter's own", async () => {
    const otherPerson = await app.person();
    const first = await leila.api.reports.create({ ...scam, subjectId: jobId });
    await otherPerson.api.reports.create({ ...scam, subjectId: jobId, reason: 'fake' });
    const again = await leila.api.reports.create({ ...scam, subjectId: jobId, reason: 'unsafe' });
    expect(again).toMatchObject({ id: first.id, reason: 'unsafe' });
    expect(await reportedOf(await caseOf(jobId))).toMatchObject({ reporters: 2, status: 'open' });
  });

  it('merges concurrent reports', async () => {
    const people = await Promise.all([app.person(), app.person(), app.person(), app.person()]);
    await Promise.all(people.map(({ api }) => api.reports.create({ ...scam, subjectId: jobId })));
    expect(await reportedOf(await caseOf(jobId))).toMatchObject({ reporters: 4 });
  });

  it.each([
    ['a reason of another kind', { reason: 'unpaid' as const }],
    ['an unknown reason', { reason: 'gossip' as 'scam' }],
    ['a text that is too long', { note: 'x'.repeat(reportLimits.noteMax + 1) }],
    ['too many files', { fileIds: Array(6).fill('019aa000-0000-7000-8000-000000000001') }],
  ])('rejects %s', async (_what, wrong) => {
    expect(await failure(leila.api.reports.create({ ...scam, subjectId: jobId, ...wrong }))).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
  });

  it("rejects one's own records, hidden ones, foreign files and too many a day", async () => {
    const draft = await makeJob(app.db, app.scopeOf(nadia), businessId, { status: 'draft' });
    const none = '019aa000-0000-7000-8000-000000000001';
    const file = await makeFile(app.db, app.scopeOf(nadia), { purpose: 'report' });
    const cases = [
      [nadia, { ...scam, subjectId: jobId }, 'report/own'],
      [nadia, { kind: 'business', subjectId: businessId, reason: 'scam' }, 'report/own'],
      [leila, { kind: 'worker', subjectId: leila.accountId, reason: 'fake' }, 'report/own'],
      [leila, { ...scam, subjectId: draft.id }, 'job/not-found'],
      [leila, { kind: 'business', subjectId: none, reason: 'scam' }, 'business/not-found'],
      [leila, { kind: 'worker', subjectId: nadia.accountId, reason: 'fake' }, 'profile/not-found'],
      [leila, { ...scam, subjectId: jobId, fileIds: [file.id] }, 'file/not-found'],
    ] as const;
    for (const [who, input, code] of cases)
      expect(await failure(who.api.reports.create(input as never)), code).toMatchObject({ code });
    for (let count = 0; count < reportLimits.perDay; count += 1)
      await makeReport(
        app.db,
        app.scopeOf(leila),
        (await makeJob(app.db, app.scopeOf(nadia), businessId)).id,
      );
    expect(await failure(leila.api.reports.create({ ...scam, subjectId: jobId }))).toMatchObject({
      status: 429,
      code: 'report/too-many',
      data: { limit: reportLimits.perDay },
    });
    app.clock.forward({ hours: 25 });
    const later = await makeJob(app.db, app.scopeOf(nadia), businessId);
    await leila.api.reports.create({ ...scam, subjectId: later.id });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.reports.create({ ...scam, subjectId: later.id }))).toMatchObject({
      status: 403,
    });
  });
});

describe('reports.mine', () => {
  it("lists only the caller's reports, in pages", async () => {
    await leila.api.reports.create({ ...scam, subjectId: jobId });
    await leila.api.reports.create({ kind: 'business', subjectId: businessId, reason: 'fake' });
    const first = await leila.api.reports.mine({ limit: 1 });
    expect(first.items).toMatchObject([{ subject: { kind: 'business' } }]);
    const second = await leila.api.reports.mine({ limit: 1, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ subject: { id: jobId } }], nextCursor: null });
    expect((await operator.api.reports.mine({})).items).toEqual([]);
    expect(await failure(leila.api.reports.mine({ cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});

describe('a case of the queue', () => {
  it('is hidden from operators who are involved', async () => {
    const insider = await app.person();
    await makeOperator(app.db, app, insider);
    await makeMember(app.db, app.clock, businessId, insider.accountId, 'finance');
    await leila.api.reports.create({ ...scam, subjectId: jobId });
    const subjectId = await caseOf(jobId);
    const caseRef = { kind: 'report', subjectId } as const;
    const has = async (who: Person) => (await casesOf(who)).some((item) => item.subjectId === subjectId);
    expect([await has(operator), await has(insider)]).toEqual([true, false]);
    expect(await failure(app.working(insider).api.cases.get(caseRef))).toMatchObject({
      code: 'operator/own-record',
    });
    await operator.api.reports.create({ ...scam, subjectId: jobId });
    expect(await has(operator)).toBe(false);
    expect(await failure(operator.api.cases.get(caseRef))).toMatchObject({ code: 'operator/own-record' });
  });

  it('shows the reports, the reporters and earlier decisions', async () => {
    await leila.api.reports.create({ ...scam, subjectId: jobId });
    expect(await reportedOf(await caseOf(jobId))).toMatchObject({
      subject: { id: jobId, status: 'open', text: 'Make coffee, serve guests, keep the bar clean.' },
      business: { id: businessId },
      reports: [{ by: { accountId: leila.accountId, name: 'Leila Haddad' }, note: scam.note, files: [] }],
      earlier: [],
      outcome: null,
    });
  });
});

describe('reports.decide', () => {
  it('hides a job with a statement of reasons, and replies to every reporter', async () => {
    const otherPerson = await app.person();
    for (const { api } of [leila, otherPerson]) await api.reports.create({ ...scam, subjectId: jobId });
    const reportCaseId = await caseOf(jobId);
    const decision = { reportCaseId, answer: 'Thank you. We hid the job.', action: hide };
    const decided = await operator.api.reports.decide(decision);
    expect(decided).toMatchObject({
      status: 'actioned',
      outcome: { answer: decision.answer, sanction: { measure: 'hidden' } },
    });
    expect(await operator.api.reports.decide(decision)).toEqual(decided);
    const missing = { ...decision, reportCaseId: '019aa000-0000-7000-8000-000000000001' };
    expect(await failure(operator.api.reports.decide(missing))).toMatchObject({ code: 'report/not-found' });
    expect(await failure(leila.api.jobs.get({ jobId }))).toMatchObject({ code: 'job/not-found' });
    expect(await nadia.api.jobs.get({ jobId })).toMatchObject({ status: 'suspended' });
    for (const person of [leila, otherPerson]) {
      expect((await person.api.reports.mine({})).items).toMatchObject([{ outcome: 'actioned' }]);
      expect(await noticesOf(person, 'report-answered')).toHaveLength(1);
    }
    expect(await noticesOf(nadia, 'sanction-imposed')).toMatchObject([{ data: { reason: hide.facts } }]);
    expect(await failure(operator.api.reports.decide({ ...decision, action: null }))).toMatchObject({
      code: 'report/decided',
    });
  });

  it('dismisses a case without notifying the reported side, and a later report opens another', async () => {
    await leila.api.reports.create({ ...scam, subjectId: jobId });
    const reportCaseId = await caseOf(jobId);
    const before = (await nadia.api.notifications.list({ limit: 100 })).items;
    await operator.api.reports.decide({ reportCaseId, answer: 'The uniform is free.', action: null });
    expect((await nadia.api.notifications.list({ limit: 100 })).items).toEqual(before);
    expect((await leila.api.reports.mine({})).items).toMatchObject([{ outcome: 'dismissed' }]);
    await leila.api.reports.create({ ...scam, subjectId: jobId });
    expect(await caseOf(jobId)).not.toBe(reportCaseId);
  });

  it('suspends the business of a job, and a reported worker', async () => {
    const owner = await app.person();
    const { id: shady } = await makeBusiness(app.db, app.scopeOf(owner));
    const job = await makeJob(app.db, app.scopeOf(owner), shady);
    await leila.api.reports.create({ ...scam, subjectId: job.id });
    const reportCaseId = await caseOf(job.id);
    const suspension = { ...hide, measure: 'suspension', scope: 'hiring' } as const;
    await operator.api.reports.decide({ reportCaseId, answer: 'Done.', action: suspension });
    expect(await owner.api.businesses.get({ businessId: shady })).toMatchObject({ status: 'suspended' });
    const { item } = await operator.api.cases.decided({ kind: 'report', subjectId: reportCaseId });
    const { rule, facts } = hide;
    expect(item).toMatchObject({
      decision: 'suspension',
      reason: 'Done.',
      terms: { rule, statement: facts, scope: 'hiring', endsAt: null, pay: null },
    });
    await app.runDue();
    expect(await owner.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'suspended' });
    const hiding = { ...hide, measure: 'suspension' } as const;
    expect(
      await failure(operator.api.reports.decide({ reportCaseId, answer: 'x', action: hiding })),
    ).toMatchObject({ code: 'report/decided' });
  });
});

describe('reports.contest', () => {
  let colleague: Person;
  const words = 'They still ask for 50 euros, see their new text.';

  beforeAll(async () => {
    const person = await app.person({ name: 'Ines Moreau' });
    await makeOperator(app.db, app, person);
    colleague = app.working(person);
  });

  async function dismissedReport(also?: Person): Promise<{ reportId: string; reportCaseId: string }> {
    await also?.api.reports.create({ ...scam, subjectId: jobId });
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'report' });
    const { id: reportId } = await leila.api.reports.create({
      ...scam,
      subjectId: jobId,
      fileIds: [file.id],
    });
    const reportCaseId = await caseOf(jobId);
    await operator.api.reports.decide({ reportCaseId, answer: 'The uniform is free.', action: null });
    return { reportId, reportCaseId };
  }
  async function contestCase(): Promise<string> {
    for (const { subjectId, tag } of await casesOf(colleague)) {
      const { facts } = await colleague.api.cases.get({ kind: 'report', subjectId });
      if (tag !== 'contested-dismissal' || facts.kind !== 'report') continue;
      if (facts.reported.subject.id === jobId) return subjectId;
    }
    throw new Error('no contest');
  }

  it('opens a case with the evidence, which the first decider neither sees nor decides', async () => {
    const otherPerson = await app.person();
    const { reportId, reportCaseId } = await dismissedReport(otherPerson);
    expect((await leila.api.reports.mine({})).items).toMatchObject([{ contest: null }]);
    const contested = await leila.api.reports.contest({ reportId, words });
    expect(contested).toMatchObject({ id: reportId, contestUntil: null, contest: { words, outcome: null } });
    const subjectId = await contestCase();
    const caseRef = { kind: 'report', subjectId } as const;
    expect((await casesOf(operator)).some((item) => item.subjectId === subjectId)).toBe(false);
    for (const attempt of [operator.api.cases.get, operator.api.cases.claim])
      expect(await failure(attempt(caseRef))).toMatchObject({ code: 'operator/own-record' });
    const { facts: shown, people } = await colleague.api.cases.get(caseRef);
    expect(people.map(({ accountId, side }) => [accountId, side]).sort()).toEqual(
      [
        [leila.accountId, 'reporter'],
        [nadia.accountId, 'business'],
        [otherPerson.accountId, 'reporter'],
      ].sort(),
    );
    expect(shown).toMatchObject({
      reported: {
        job: { payUnit: 'hour', currency: 'EUR', headCount: 2, hiredCount: 0, payMinor: expect.any(Number) },
        company: { owners: ['Nadia Brandt'], openJobs: expect.any(Number), countryCode: 'NL' },
        reports: [{ note: words, by: { accountId: leila.accountId } }],
        contested: {
          caseId: reportCaseId,
          answer: 'The uniform is free.',
          by: 'Jonas Weber',
          reports: [{ files: [] }, { note: scam.note, files: [{}] }],
        },
      },
    });
    await colleague.api.cases.claim(caseRef);
    await colleague.api.reports.decide({ reportCaseId: subjectId, answer: 'You are right.', action: hide });
    expect((await leila.api.reports.mine({})).items).toMatchObject([
      {
        outcome: 'dismissed',
        contestUntil: null,
        contest: { outcome: 'actioned', answer: 'You are right.' },
      },
    ]);
    expect(await noticesOf(leila, 'report-answered')).toMatchObject([
      { data: { mode: 'contest' }, path: ownReportPath(reportId) },
      { data: { mode: 'reporter' }, path: ownReportPath(reportId) },
    ]);
    expect((await otherPerson.api.reports.mine({})).items).toMatchObject([
      { outcome: 'actioned', answer: 'You are right.', contestUntil: null, contest: null },
    ]);
    expect(await noticesOf(otherPerson, 'report-answered')).toHaveLength(2);
    const disguised = app.db.updateTable('report_cases').set({ decidedBy: operator.accountId });
    await expect(disguised.where('id', '=', subjectId).execute()).rejects.toThrow('report_cases_by_another');
  });

  it('leaves an appeal against its outcome to others than the first decider', async () => {
    const { reportId } = await dismissedReport();
    await leila.api.reports.contest({ reportId, words });
    const reportCaseId = await contestCase();
    await colleague.api.cases.claim({ kind: 'report', subjectId: reportCaseId });
    const { outcome } = await colleague.api.reports.decide({
      reportCaseId,
      answer: 'You are right.',
      action: hide,
    });
    const appeal = { sanctionId: outcome?.sanction?.id ?? '', words: 'The uniform is free.' };
    const appealId = (await nadia.api.appeals.create(appeal)).appeal?.id ?? '';
    const person = await app.person();
    await makeOperator(app.db, app, person);
    const isQueued = async ({ api }: Person) =>
      (await api.cases.list({ kind: 'appeal', limit: 100 })).items.some(
        ({ subjectId }) => subjectId === appealId,
      );
    expect(await Promise.all([app.working(person), operator, colleague].map(isQueued))).toEqual([
      true,
      false,
      false,
    ]);
    const decision = { appealId, outcome: 'overturned', reason: 'It is free.' } as const;
    expect(await failure(operator.api.appeals.decide(decision))).toMatchObject({
      code: 'operator/own-decision',
    });
    const { items } = await colleague.api.staffSearch.timeline({ kind: 'person', id: leila.accountId });
    expect(items.filter(({ kind }) => kind === 'report-made').map(({ code }) => code)).toEqual([
      'contested-dismissal',
      'scam',
    ]);
  });

  it("doesn't count as a report of the day", async () => {
    const { reportId } = await dismissedReport();
    await leila.api.reports.contest({ reportId, words });
    const makeAnother = async () =>
      makeReport(app.db, app.scopeOf(leila), (await makeJob(app.db, app.scopeOf(nadia), businessId)).id);
    for (let count = 1; count < reportLimits.perDay; count += 1) await makeAnother();
    await expect(makeAnother()).rejects.toThrow('report/too-many');
  });

  it('is possible once, for the reporter of a dismissed report, within six months', async () => {
    const { id: open } = await leila.api.reports.create({ ...scam, subjectId: jobId });
    expect(await failure(leila.api.reports.contest({ reportId: open, words }))).toMatchObject({
      status: 409,
      code: 'report/not-dismissed',
    });
    const reportCaseId = await caseOf(jobId);
    const otherPerson = await app.person();
    const { id: late } = await otherPerson.api.reports.create({ ...scam, subjectId: jobId });
    await operator.api.reports.decide({ reportCaseId, answer: 'The uniform is free.', action: null });
    for (const wrong of ['', ' ', 'x'.repeat(reportLimits.noteMax + 1)])
      expect(await failure(leila.api.reports.contest({ reportId: open, words: wrong }))).toMatchObject({
        status: 400,
        data: { issues: [{ path: 'words' }] },
      });
    expect(await failure(nadia.api.reports.contest({ reportId: open, words }))).toMatchObject({
      status: 404,
      code: 'report/not-found',
    });
    const both = await Promise.all(
      [words, 'Again.'].map((text) =>
        leila.api.reports.contest({ reportId: open, words: text }).catch(() => null),
      ),
    );
    expect(both.filter((report) => report !== null)).toHaveLength(1);
    expect(await failure(leila.api.reports.contest({ reportId: open, words }))).toMatchObject({
      code: 'report/contested',
    });
    const contestId = await contestCase();
    await colleague.api.cases.claim({ kind: 'report', subjectId: contestId });
    await colleague.api.reports.decide({ reportCaseId: contestId, answer: 'It stays.', action: null });
    expect((await otherPerson.api.reports.mine({})).items).toMatchObject([
      { contestUntil: null, contest: null },
    ]);
    expect(await failure(otherPerson.api.reports.contest({ reportId: late, words }))).toMatchObject({
      code: 'report/contested',
    });
    jobId = (await makeJob(app.db, app.scopeOf(nadia), businessId)).id;
    const { reportId } = await dismissedReport();
    app.clock.forward({ days: sanctionLimits.appealDays });
    expect(await failure(leila.api.reports.contest({ reportId, words }))).toMatchObject({
      code: 'report/too-late',
    });
  });
});

describe('reports of chats', () => {
  it('appear for both sides with the decision', async () => {
    await makeApplication(app.db, app.scopeOf(leila), jobId);
    const { id: conversationId } = await makeConversation(app.db, app.scopeOf(leila), jobId);
    const message = { conversationId, clientId: crypto.randomUUID(), body: 'Come to the back door' };
    const { seq } = await nadia.api.messages.send(message);
    const { id: reportId } = await leila.api.chatReports.create({
      conversationId,
      seq,
      reason: 'off-platform',
      note: '',
    });
    await nadia.api.chatReports.create({ conversationId, reason: 'spam', note: '' });
    const listed = { reason: 'off-platform', outcome: null, answer: null };
    const subject = { kind: 'message', id: conversationId };
    expect((await leila.api.reports.mine({})).items).toMatchObject([{ ...listed, id: reportId, subject }]);
    expect((await nadia.api.reports.mine({})).items).toContainEqual(
      expect.objectContaining({
        subject: { kind: 'conversation', id: conversationId, name: 'Leila Haddad' },
      }),
    );
    await operator.api.cases.claim({ kind: 'chat_report', subjectId: reportId });
    const decision = { reportId, decision: 'dismiss', reason: 'A harmless request.', rule: null } as const;
    await operator.api.operators.decideReport(decision);
    expect((await leila.api.reports.mine({})).items).toMatchObject([
      { outcome: 'dismissed', answer: decision.reason },
    ]);
    const contested = await leila.api.reports.contest({ reportId, words: 'It was a threat.' });
    expect(contested).toMatchObject({ id: reportId, contest: { words: 'It was a threat.' } });
    expect(
      await failure(leila.api.reports.contest({ reportId, words: 'It was a threat, again.' })),
    ).toMatchObject({ code: 'report/contested' });
    expect(
      (await operator.api.cases.list({ kind: 'chat_report' })).items.map(({ tag }) => tag),
    ).not.toContain('contested-dismissal');
    const person = await app.person();
    await makeOperator(app.db, app, person);
    const colleague = app.working(person);
    const { items } = await colleague.api.cases.list({ kind: 'chat_report' });
    const contest = items.find(({ tag }) => tag === 'contested-dismissal');
    const subjectId = contest?.subjectId ?? '';
    const opened = await colleague.api.cases.get({ kind: 'chat_report', subjectId });
    expect(opened.people).toContainEqual(
      expect.objectContaining({ accountId: leila.accountId, side: 'reporter' }),
    );
    expect(opened.facts).toMatchObject({
      report: {
        note: 'It was a threat.',
        contested: { caseId: reportId, answer: decision.reason, note: '' },
      },
    });
    await colleague.api.cases.claim({ kind: 'chat_report', subjectId });
    const redact = { reportId: subjectId, decision: 'redact', reason: 'A threat.', rule: 'respect' } as const;
    await colleague.api.operators.decideReport(redact);
    expect((await leila.api.reports.mine({})).items).toMatchObject([
      { id: reportId, outcome: 'dismissed', contest: { outcome: 'actioned', answer: 'A threat.' } },
    ]);
  });
});
