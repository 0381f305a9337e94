import { ownReportPath } from '@nearhand/contract/app-paths';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededSample } from '../../../../../scripts/seeded-sample.ts';
import { contractOperations } from '../../../test/contract-operations.ts';
import type { Person } from '../../../test/harness.ts';
import { useTestApp } from '../../../test/harness.ts';
import { useEndedWork } from '../../../test/use-ended-work.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReview } from '../reviews/reviews.fixtures.ts';

const app = useTestApp();
const cast = useEndedWork(app);
const note = 'only-the-operators-read-this';
let operator: Person;
let colleague: Person;
let recruiter: Person;

beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  colleague = await app.person({ name: 'Ines Moreau' });
  await makeOperator(app.db, app, colleague);
  colleague = app.working(colleague);
  recruiter = await app.person({ name: 'Omar Idrissi' });
  await makeMember(app.db, app.clock, cast.businessId, recruiter.accountId, 'recruiter');
});

const reads = contractOperations.filter(({ method, meta }) => method === 'GET' && meta.access !== 'operator');

/** Everything that these people can read by an id we know, their mails included, one line each. */
async function readable(people: readonly Person[], ids: Record<string, string>): Promise<string[]> {
  const texts: string[] = [];
  for (const person of people) {
    const authorization = `Bearer ${await signAccessToken(app.secret, app.clock, person)}`;
    for (const { name, path } of reads) {
      const filledPath = path.replace(/\{(\w+)\}/g, (whole, key) => ids[key] ?? whole);
      if (filledPath.includes('{')) continue;
      const query = new URLSearchParams({ limit: '100', ...ids });
      const answer = await app.raw({
        method: 'GET',
        url: `/api${filledPath}?${query}`,
        headers: { authorization },
      });
      if (answer.statusCode === 200) texts.push(`${person.email} ${name} ${answer.body}`);
    }
    texts.push(...app.mails.filter(({ to }) => to === person.email).map((mail) => JSON.stringify(mail)));
  }
  expect(texts.length).toBeGreaterThan(people.length * 15);
  return texts;
}

type OpenReport = {
  reporter: Person;
  others: Person[];
  dismiss(): Promise<unknown>;
  dismissAgain(): Promise<unknown>;
};

async function caseAbout(subjectId: string, by = operator): Promise<string> {
  const { items } = await by.api.cases.list({ kind: 'report', limit: 100 });
  for (const item of items) {
    const { facts } = await by.api.cases.get({ kind: 'report', subjectId: item.subjectId });
    if (facts.kind !== 'report' || facts.reported.subject.id !== subjectId) continue;
    await by.api.cases.claim({ kind: 'report', subjectId: item.subjectId });
    return item.subjectId;
  }
  throw new Error(`no open case about ${subjectId}`);
}

describe('a dismissed report', () => {
  let conversationId: string;
  let jobId: string;
  let applicationId: string;
  const business = () => [cast.nadia, recruiter];

  beforeEach(async () => {
    jobId = (await makeJob(app.db, app.scopeOf(cast.nadia), cast.businessId)).id;
    applicationId = (await makeApplication(app.db, app.scopeOf(cast.leila), jobId)).id;
    conversationId = (await makeConversation(app.db, app.scopeOf(cast.leila), jobId)).id;
  });

  const answer = 'We looked at this closely and found nothing against our rules.';
  const lastAnswer = 'A colleague read everything again and agrees.';
  const words = 'please-read-the-second-page';

  async function ofChat(reporter: Person, others: Person[], author: Person | null): Promise<OpenReport> {
    const message = { conversationId, clientId: crypto.randomUUID(), body: 'Come to the back door' };
    const sent = author && (await author.api.messages.send(message));
    const about = { conversationId, reason: 'harassment' as const, note, ...(sent && { seq: sent.seq }) };
    const { id: reportId } = await reporter.api.chatReports.create(about);
    await operator.api.cases.claim({ kind: 'chat_report', subjectId: reportId });
    const decision = { reportId, decision: 'dismiss' as const, reason: answer, rule: null };
    return {
      reporter,
      others,
      dismiss: () => operator.api.operators.decideReport(decision),
      dismissAgain: async () => {
        const { items } = await colleague.api.cases.list({ kind: 'chat_report' });
        const contestId = items.find(({ tag }) => tag === 'contested-dismissal')?.subjectId ?? '';
        await colleague.api.cases.claim({ kind: 'chat_report', subjectId: contestId });
        await colleague.api.operators.decideReport({ ...decision, reportId: contestId, reason: lastAnswer });
      },
    };
  }
  async function ofSubject(
    reporter: Person,
    others: Person[],
    kind: 'job' | 'business' | 'worker' | 'review',
    subjectId: string,
  ): Promise<OpenReport> {
    await reporter.api.reports.create({ kind, subjectId, reason: 'fake', note });
    const reportCaseId = await caseAbout(subjectId);
    return {
      reporter,
      others,
      dismiss: () => operator.api.reports.decide({ reportCaseId, answer, action: null }),
      dismissAgain: async () => {
        const contestId = await caseAbout(subjectId, colleague);
        await colleague.api.reports.decide({ reportCaseId: contestId, answer: lastAnswer, action: null });
      },
    };
  }
  const reviewBy = async (author: Person) => {
    await makeReview(app.db, app.scopeOf(cast.leila), cast.engagementId);
    await makeReview(app.db, app.scopeOf(cast.nadia), cast.engagementId);
    const { items } = await author.api.reviews.given({
      limit: 1,
      businessId: author === cast.nadia ? cast.businessId : undefined,
    });
    return items[0]?.id ?? '';
  };

  const reportKinds: [string, () => Promise<OpenReport>][] = [
    ["of a business's message", () => ofChat(cast.leila, business(), cast.nadia)],
    ["of a worker's message", () => ofChat(cast.nadia, [cast.leila], cast.leila)],
    ['of a conversation, by the worker', () => ofChat(cast.leila, business(), null)],
    ['of a conversation, by the business', () => ofChat(cast.nadia, [cast.leila], null)],
    ['of a job', () => ofSubject(cast.leila, business(), 'job', jobId)],
    ['of a business', () => ofSubject(cast.leila, business(), 'business', cast.businessId)],
    ['of a worker', () => ofSubject(cast.nadia, [cast.leila], 'worker', cast.leila.accountId)],
    [
      'of a review by the business',
      async () => ofSubject(cast.leila, business(), 'review', await reviewBy(cast.nadia)),
    ],
    [
      'of a review by the worker',
      async () => ofSubject(cast.nadia, [cast.leila], 'review', await reviewBy(cast.leila)),
    ],
  ];

  it.each(seededSample(reportKinds, 1, ([kind]) => kind))(
    '%s, also when contested, changes nothing that the other side can read',
    async (_kind, report) => {
      const { reporter, others, dismiss, dismissAgain } = await report();
      const { businessId } = cast;
      const workerId = cast.leila.accountId;
      const ids = { businessId, jobId, applicationId, workerId, conversationId };
      await app.runDue();
      const before = await readable(others, ids);
      await dismiss();
      await app.runDue();
      expect(await readable(others, ids)).toEqual(before);
      expect(before.join('\n')).not.toContain(note);
      expect((await readable([reporter], ids)).join('\n')).toContain(answer);
      const [mine] = (await reporter.api.reports.mine({})).items;
      await reporter.api.reports.contest({ reportId: mine?.id ?? '', words });
      await app.runDue();
      expect(await readable(others, ids)).toEqual(before);
      await dismissAgain();
      await app.runDue();
      expect(await readable(others, ids)).toEqual(before);
      const theirs = (await readable([reporter], ids)).join('\n');
      for (const text of [words, lastAnswer]) expect(theirs).toContain(text);
      const { items } = await reporter.api.notifications.list({ limit: 100 });
      expect(items.find(({ data }) => data.reason === lastAnswer)).toMatchObject({
        path: ownReportPath(mine?.id ?? ''),
      });
    },
  );
});

describe('a report that was acted on', () => {
  const name = 'Quirina Vandersloot';
  const facts = 'The job asks applicants to pay for a uniform.';
  const hide = { measure: 'hidden', rule: 'no-fees', facts } as const;

  it('leaves no trace of its reporter for the other side; the control finds one', async () => {
    const { nadia, leila, businessId } = cast;
    const reporter = await app.person({ name });
    const jobId = (await makeJob(app.db, app.scopeOf(nadia), businessId)).id;
    const application = await makeApplication(app.db, app.scopeOf(leila), jobId);
    await reporter.api.reports.create({ kind: 'job', reason: 'scam', subjectId: jobId, note });
    const reportCaseId = await caseAbout(jobId);
    await operator.api.reports.decide({ reportCaseId, answer: note, action: hide });
    await app.runDue();
    const { items } = await nadia.api.sanctions.mine({});
    const sanctionId = items.find(({ target }) => target.id === jobId)?.id ?? '';
    const ids = { businessId, jobId, sanctionId, applicationId: application.id, workerId: leila.accountId };
    const text = (await readable([nadia, recruiter, leila], ids)).join('\n');
    expect(text).toContain(facts);
    for (const trace of [name, reporter.accountId, reporter.email, note, reportCaseId, operator.accountId])
      expect(text.includes(trace), trace).toBe(false);
    const applied = await makeJob(app.db, app.scopeOf(nadia), businessId);
    await makeApplication(app.db, app.scopeOf(reporter), applied.id);
    expect((await readable([nadia], { ...ids, jobId: applied.id })).join('\n')).toContain(name);
  });
});
