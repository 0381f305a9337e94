import { addMs, subtractMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { eraseAuthorityReports } from './authority-reports.ts';

const app = useTestApp();
let jonas: Person;
let ines: Person;
let nadia: Person;
let leila: Person;
let caseRef: { kind: 'report'; subjectId: string };

const operator = async (name: string, roles?: Parameters<typeof makeOperator>[3]) => {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person);
};

beforeAll(async () => {
  jonas = await operator('Jonas Weber', ['trust']);
  ines = await operator('Ines Moreau', ['owner']);
  nadia = await app.person({ name: 'Nadia Brandt' });
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  const business = await makeBusiness(app.db, app.scopeOf(nadia));
  const job = await makeJob(app.db, app.scopeOf(nadia), business.id);
  await leila.api.reports.create({ kind: 'job', subjectId: job.id, reason: 'unsafe' });
  const { rows } = await app.pool.query('select id from report_cases where job_id = $1', [job.id]);
  caseRef = { kind: 'report', subjectId: rows[0]?.id as string };
  await jonas.api.cases.claim(caseRef);
});

const authority = 'Politie Amsterdam, Netherlands';
const reason = 'The job asks people to work on a roof without any protection.';
const passedOn = {
  authority,
  reference: 'PL-2026-77',
  facts: ['name' as const, 'content' as const],
  passedOn: 'Nadia Brandt lets people work on the roof of Lindengracht 4.',
  reason,
};
const input = () => ({ ...caseRef, ...passedOn, reportedAt: app.clock.now().toISOString() });
const caseOf = (subjectId: string) => ({ kind: 'authority_report' as const, subjectId });
const noticesOf = async ({ api }: Person) => (await api.notifications.list({ limit: 100 })).items;

describe('cases.reportToAuthority', () => {
  it('is recorded with what was passed on, and confirmed by another operator', async () => {
    const before = [await noticesOf(nadia), await noticesOf(leila)];
    const recorded = await jonas.api.cases.reportToAuthority(input());
    expect(recorded).toMatchObject({ ...passedOn, state: 'waiting', recordedBy: { name: 'Jonas Weber' } });
    const report = caseOf(recorded.id);
    const queueOf = async ({ api }: Person) => (await api.cases.list({ kind: 'authority_report' })).items;
    expect((await queueOf(jonas)).map(({ subjectId }) => subjectId)).not.toContain(recorded.id);
    expect(await queueOf(ines)).toContainEqual(
      expect.objectContaining({ ...report, title: authority, priority: 'urgent' }),
    );
    const day = app.clock.now().toISOString().slice(0, 10);
    const counted = async () =>
      (await ines.api.transparency.report({ from: day, until: day })).authorityReports;
    const countBefore = await counted();
    await ines.api.cases.claim(report);
    expect((await ines.api.cases.get(report)).facts).toMatchObject({ report: { case: caseRef } });
    const decision = { authorityReportId: recorded.id, decision: 'confirm' as const };
    const confirmed = await ines.api.cases.decideAuthorityReport(decision);
    expect(confirmed).toMatchObject({ state: 'confirmed', decidedBy: { name: 'Ines Moreau' } });
    expect(await ines.api.cases.decideAuthorityReport(decision)).toEqual(confirmed);
    expect(await counted()).toBe(countBefore + 1);
    expect((await jonas.api.cases.get(caseRef)).authorityReports).toEqual([confirmed]);
    await app.runDue();
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual(before);
  });

  it('loses the name of someone who left the business before their account was removed', async () => {
    const name = 'Quirina Vandersloot';
    const texts = {
      authority: `Police, c/o ${name}`,
      passedOn: `Ask ${name}.`,
      reason: `${name} works there.`,
      reference: name,
    };
    const { id } = await jonas.api.cases.reportToAuthority({ ...input(), ...texts });
    const former = { accountId: crypto.randomUUID(), words: [name] };
    await app.db.transaction().execute((tx) => eraseAuthorityReports(tx, former));
    const { rows } = await app.pool.query('select * from authority_reports where id = $1', [id]);
    expect(JSON.stringify(rows)).toContain('works there');
    expect(JSON.stringify(rows)).not.toContain(name);
  });

  it('may be confirmed by the operator whose dismissal the case contests', async () => {
    await jonas.api.reports.decide({ reportCaseId: caseRef.subjectId, answer: 'Safe.', action: null });
    const { items } = await leila.api.reports.mine({});
    await leila.api.reports.contest({ reportId: items[0]?.id ?? '', words: 'It is not safe.' });
    const { rows } = await app.pool.query('select id from report_cases where contested_id = $1', [
      caseRef.subjectId,
    ]);
    const contest = { kind: 'report' as const, subjectId: rows[0]?.id as string };
    await ines.api.cases.claim(contest);
    const { id } = await ines.api.cases.reportToAuthority({ ...input(), ...contest });
    await jonas.api.cases.claim(caseOf(id));
    const decision = { authorityReportId: id, decision: 'confirm' as const };
    expect(await jonas.api.cases.decideAuthorityReport(decision)).toMatchObject({ state: 'confirmed' });
  });

  it('needs a second factor confirmed within ten minutes', async () => {
    const at = app.clock.now();
    const setConfirmed = (minutes: number) =>
      app.pool.query(
        `update second_factor_checks set confirmed_at = $2 from sessions
         where sessions.id = session_id and sessions.account_id = $1 returning confirmed_at`,
        [jonas.accountId, subtractMs(at, minutes * 60_000)],
      );
    await setConfirmed(11);
    expect(await failure(jonas.api.cases.reportToAuthority(input()))).toMatchObject({
      status: 403,
      code: 'operator/confirm-again',
    });
    await setConfirmed(9);
    expect(await jonas.api.cases.reportToAuthority(input())).toMatchObject({ state: 'waiting' });
    await setConfirmed(-60 * 24 * 365);
  });

  it('refuses what is incomplete, times ahead and other roles', async () => {
    const ahead = addMs(app.clock.now(), 60_000).toISOString();
    for (const [wrong, path] of [
      [{ authority: ' ' }, 'authority'],
      [{ facts: [] }, 'facts'],
      [{ facts: ['diary'] }, 'facts'],
      [{ reason: 'Danger' }, 'reason'],
      [{ passedOn: 'Danger' }, 'passedOn'],
      [{ reportedAt: ahead }, 'reportedAt'],
      [{ reference: 'x'.repeat(81) }, 'reference'],
    ] as const) {
      expect(
        await failure(jonas.api.cases.reportToAuthority({ ...input(), ...wrong } as never)),
        path,
      ).toMatchObject({
        code: 'request/invalid',
        data: { issues: [{ path: expect.stringContaining(path) }] },
      });
    }
    const support = await operator('Sven Berg', ['support']);
    expect(await failure(support.api.cases.reportToAuthority(input()))).toMatchObject({
      code: 'operator/role-required',
    });
  });
});

describe('cases.decideAuthorityReport', () => {
  it('is for another operator, once, and needs a note to refuse', async () => {
    const { id } = await jonas.api.cases.reportToAuthority(input());
    expect(await failure(jonas.api.cases.claim(caseOf(id)))).toMatchObject({ code: 'operator/own-record' });
    const own = app.db.updateTable('authority_reports').where('id', '=', id);
    await expect(
      own.set({ state: 'confirmed', decidedBy: jonas.accountId, decidedAt: app.clock.now() }).execute(),
    ).rejects.toThrow('authority_reports_by_another');
    await ines.api.cases.claim(caseOf(id));
    const refuse = { authorityReportId: id, decision: 'refuse' as const };
    expect(await failure(ines.api.cases.decideAuthorityReport(refuse))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'note' }] },
    });
    const note = 'Nothing shows a danger to life.';
    expect(await ines.api.cases.decideAuthorityReport({ ...refuse, note })).toMatchObject({
      state: 'refused',
      note,
    });
    const confirm = { authorityReportId: id, decision: 'confirm' as const };
    expect(await failure(ines.api.cases.decideAuthorityReport(confirm))).toMatchObject({ status: 409 });
    await app.runDue();
    const mail = app.mails.findLast(({ to }) => to === jonas.email);
    expect(mail).toMatchObject({ subject: 'Your report to an authority was refused' });
    expect(mail?.text).toContain(`/operator/cases/report/${caseRef.subjectId}`);
    expect(mail?.text).not.toContain(note);
  });
});

describe('cases.setAuthorityReference', () => {
  it('adds a reference after the case is closed, and notes each one', async () => {
    const { id } = await jonas.api.cases.reportToAuthority({ ...input(), reference: null });
    await jonas.api.reports.decide({ reportCaseId: caseRef.subjectId, answer: 'Safe.', action: null });
    const set = (reference: string, { api } = jonas, authorityReportId = id) =>
      api.cases.setAuthorityReference({ ...caseRef, authorityReportId, reference });
    expect(await set('PL-1')).toMatchObject({ id, reference: 'PL-1' });
    expect(await set('PL-1')).toMatchObject({ reference: 'PL-1' });
    expect(await set('PL-2', ines)).toMatchObject({ reference: 'PL-2' });
    const { entries, authorityReports } = await jonas.api.cases.decided(caseRef);
    expect(authorityReports).toMatchObject([{ reference: 'PL-2' }]);
    expect(entries.filter(({ what }) => what === 'note').map(({ by, body }) => [by.name, body])).toEqual([
      ['Ines Moreau', `${authority}: reference PL-2 instead of PL-1`],
      ['Jonas Weber', `${authority}: reference PL-1`],
    ]);
  });

  it('needs the case or a reason, the role, a reference and a report of the case', async () => {
    const { id: authorityReportId } = await jonas.api.cases.reportToAuthority(input());
    const wanted = { ...caseRef, authorityReportId, reference: 'PL-1' };
    expect(await failure(app.apiAs(ines.token).cases.setAuthorityReference(wanted))).toMatchObject({
      code: 'operator/reason-required',
    });
    const support = await operator('Sven Berg', ['support']);
    expect(await failure(support.api.cases.setAuthorityReference(wanted))).toMatchObject({
      code: 'operator/role-required',
    });
    for (const reference of ['', 'x'.repeat(81)])
      expect(await failure(jonas.api.cases.setAuthorityReference({ ...wanted, reference }))).toMatchObject({
        code: 'request/invalid',
      });
    const wrong = { ...wanted, authorityReportId: crypto.randomUUID() };
    expect(await failure(jonas.api.cases.setAuthorityReference(wrong))).toMatchObject({
      code: 'case/not-found',
    });
  });
});
