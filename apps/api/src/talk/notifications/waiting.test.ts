import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { bringInterview, makeInterview } from '../../hiring/interviews/interviews.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import type { Engagements } from '../../platform/tables.gen.ts';
import { hireFor, makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeConversation, makeMessage } from '../messages/messages.fixtures.ts';
import { notify } from './notifications.ts';

const app = useTestApp();
let owner: Person;
let colleague: Person;
let businessId: string;
const waiting = async (person: Person) =>
  (await person.api.notifications.list({ waiting: 'true', limit: 100 })).items.map(({ topic }) => topic);

beforeAll(async () => {
  owner = await app.person();
  colleague = await app.person();
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  await makeMember(app.db, app.clock, businessId, colleague.accountId);
});

describe('what is pending for someone', () => {
  it('ends when a colleague did it, or it was done without opening the notice', async () => {
    const worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const { id: applicationId } = await worker.api.applications.submit({ jobId: job.id });
    expect(await waiting(owner)).toEqual(['application-received']);
    expect(await waiting(colleague)).toEqual(['application-received']);
    const offer = await makeOffer(app.db, app.scopeOf(owner), applicationId);
    for (const person of [owner, colleague]) expect(await waiting(person)).toEqual([]);
    expect(await waiting(worker)).toEqual(['offer-received']);
    const [asked] = (await worker.api.notifications.list({ waiting: 'true' })).items;
    const opened = await worker.api.notifications.open({ notificationId: asked?.id ?? '' });
    expect(opened).toMatchObject({ waiting: true, readAt: expect.any(String) });
    expect(await waiting(worker)).toEqual(['offer-received']);
    await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await waiting(worker)).toEqual([]);
    const { items } = await worker.api.notifications.list({});
    expect(items.find(({ topic }) => topic === 'offer-received')).toMatchObject({ waiting: false });
  });

  it.each<readonly [NotificationTopic, Engagements['status'], Engagements['status']]>([
    ['hours-submitted', 'submitted', 'approved'],
    ['hours-countered', 'counter_proposed', 'submitted'],
    ['work-delivered', 'delivered', 'changes_requested'],
    ['engagement-confirm-asked', 'booked', 'confirmed'],
  ])('of %s is pending while the work is %s', async (topic, asking, after) => {
    const worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const { id } = await hireFor(
      app.db,
      { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) },
      job.id,
    );
    const set = (status: Engagements['status']) =>
      app.db.updateTable('engagements').set({ status }).where('id', '=', id).execute();
    const publish = (dedupeKey: string) =>
      app.db.transaction().execute((tx) =>
        notify(tx, app.scopeOf(worker), {
          accountId: worker.accountId,
          topic,
          dedupeKey,
          data: { side: 'business' },
          path: `/tabs/menu/jobs/engagement/${id}`,
        }),
      );
    await set(asking);
    await publish('first');
    app.clock.forward({ seconds: 1 });
    await publish('again');
    expect(await waiting(worker)).toEqual([topic]);
    await set(after);
    expect(await waiting(worker)).toEqual([]);
  });

  describe('of an interview', () => {
    const proposed = async () => {
      const worker = await app.person();
      const job = await makeJob(app.db, app.scopeOf(owner), businessId);
      const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
      const interview = await makeInterview(app.db, app.scopeOf(owner), application.id);
      const bring = (to: Parameters<typeof bringInterview>[3]) =>
        bringInterview(app.db, { worker: app.scopeOf(worker), business: app.scopeOf(owner) }, interview, to, {
          clock: app.clock,
        });
      const ask = (person: Person, topic: NotificationTopic) =>
        app.db.transaction().execute((tx) =>
          notify(tx, app.scopeOf(person), {
            accountId: person.accountId,
            topic,
            data: {},
            path: `/interview?id=${interview.id}`,
            dedupeKey: `${topic}/${interview.id}`,
          }),
        );
      const now = () => worker.api.interviews.get({ interviewId: interview.id });
      return { worker, interview, bring, ask, now };
    };
    const ofInterviews = async (person: Person) =>
      (await waiting(person)).filter((topic) => topic.startsWith('interview'));

    it('asks for a time until one is picked, or it is cancelled', async () => {
      for (const to of ['scheduled', 'cancelled'] as const) {
        const { worker, bring } = await proposed();
        expect(await ofInterviews(worker)).toEqual(['interview-proposed']);
        await bring(to);
        expect(await ofInterviews(worker)).toEqual([]);
      }
    });

    it('asks about a reschedule request until it is answered', async () => {
      const { worker, bring, now } = await proposed();
      await bring('reschedule_requested');
      expect(await ofInterviews(owner)).toContain('interview-reschedule-asked');
      const { id, version, slots } = await now();
      const slotId = slots.find((slot) => slot.startsAt)?.id ?? '';
      await owner.api.interviews.pick({ interviewId: id, version, slotId, timeZone: 'Europe/Amsterdam' });
      expect(await ofInterviews(owner)).not.toContain('interview-reschedule-asked');
      expect(await ofInterviews(worker)).toEqual([]);
    });

    it('asks for an outcome until it is entered', async () => {
      const { interview, bring, ask } = await proposed();
      await bring('scheduled');
      await ask(colleague, 'interview-outcome-due');
      expect(await ofInterviews(colleague)).toContain('interview-outcome-due');
      await app.db
        .updateTable('interviews')
        .set({ status: 'completed' })
        .where('id', '=', interview.id)
        .execute();
      expect(await ofInterviews(colleague)).not.toContain('interview-outcome-due');
    });

    it('asks after a no-show until it is contested or opened', async () => {
      const first = await proposed();
      const second = await proposed();
      for (const { interview, ask, worker } of [first, second]) {
        await app.db
          .updateTable('interviews')
          .set({ status: 'no_show_worker', startsAt: app.clock.now() })
          .where('id', '=', interview.id)
          .execute();
        await ask(worker, 'interview-no-show');
        expect(await ofInterviews(worker)).toEqual(['interview-no-show']);
      }
      await app.db
        .updateTable('interviews')
        .set({ contest: 'I was there' })
        .where('id', '=', first.interview.id)
        .execute();
      expect(await ofInterviews(first.worker)).toEqual([]);
      const [asked] = (await second.worker.api.notifications.list({ waiting: 'true' })).items;
      await second.worker.api.notifications.open({ notificationId: asked?.id ?? '' });
      expect(await ofInterviews(second.worker)).toEqual([]);
    });
  });

  it('asks for the answer to a dispute, then for a reply to the proposal', async () => {
    const worker = await app.person();
    const people = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const options = { kind: 'task', payMinor: 12_000 } as const;
    const { id: engagementId } = await makeEngagement(app.db, people, businessId, options);
    await worker.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
    const filed = await owner.api.disputes.file({
      engagementId,
      version: 2,
      reason: 'Half is unpainted.',
      amountMinor: 4_000,
    });
    const disputeId = filed.dispute?.id ?? '';
    expect(await waiting(worker)).toEqual(['dispute-opened']);
    const answered = await worker.api.disputes.answer({
      disputeId,
      version: filed.dispute?.version ?? 0,
      note: 'It rained.',
      amountMinor: 9_000,
    });
    expect(await waiting(worker)).toEqual([]);
    const proposed = await owner.api.disputes.propose({
      disputeId,
      version: answered.dispute?.version ?? 0,
      note: '',
      amountMinor: 6_000,
    });
    expect(await waiting(worker)).toEqual(['dispute-proposal']);
    await worker.api.disputes.acceptProposal({ disputeId, version: proposed.dispute?.version ?? 0 });
    expect(await waiting(worker)).toEqual([]);
  });

  it('asks for a payment until the bank confirmed, and for owed pay until it is paid', async () => {
    const payer = await app.person();
    const { id } = await makeBusiness(app.db, app.scopeOf(payer), { funded: false });
    const card = await makeCard(app.db, app.scopeOf(payer), id, testCards.confirm);
    await payer.api.wallet.topUp({ businessId: id, cardId: card.id, amountMinor: 5_000, currency: 'EUR' });
    await app.runDue();
    expect(await waiting(payer)).toEqual(['payment-needs-confirmation']);
    await app.db.updateTable('charges').set({ status: 'succeeded' }).where('businessId', '=', id).execute();
    expect(await waiting(payer)).toEqual([]);

    const worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const hired = await hireFor(
      app.db,
      { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) },
      job.id,
    );
    const owed = {
      id: newId(app.clock.now()),
      engagementId: hired.id,
      kind: 'rest',
      state: 'not_funded',
    } as const;
    await app.db
      .insertInto('releases')
      .values({ ...owed, amountMinor: 1_750, currency: 'EUR', at: app.clock.now() })
      .execute();
    await app.db.transaction().execute((tx) =>
      notify(tx, app.scopeOf(payer), {
        accountId: payer.accountId,
        topic: 'payment-missing',
        data: { side: 'business' },
        dedupeKey: 'missing',
        path: `/tabs/menu/jobs/engagement/${hired.id}`,
      }),
    );
    expect(await waiting(payer)).toEqual(['payment-missing']);
    await app.db.updateTable('releases').set({ state: 'released' }).where('id', '=', owed.id).execute();
    expect(await waiting(payer)).toEqual([]);
  });

  it('is neither mailed to nor quoted for former members', async () => {
    const leaving = await app.person();
    const staying = await app.person();
    for (const person of [leaving, staying])
      await makeMember(app.db, app.clock, businessId, person.accountId);
    const worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    await makeApplication(app.db, app.scopeOf(worker), job.id);
    const { id: conversationId } = await makeConversation(app.db, app.scopeOf(worker), job.id);
    await makeMessage(app.db, app.scopeOf(worker), conversationId, 'For those who work here');
    await app.db.deleteFrom('business_members').where('accountId', '=', leaving.accountId).execute();
    app.mails.length = 0;
    app.clock.forward({ hours: 2 });
    await app.runDue();
    const quoted = app.mails.filter(({ text }) => text.includes('For those who work here'));
    expect(quoted.map(({ to }) => to).filter((to) => [leaving.email, staying.email].includes(to))).toEqual([
      staying.email,
    ]);
  });

  it('stays unchanged when no record decides, for any path', async () => {
    const person = await app.person();
    const paths = ['/withdraw', `/x/${'-'.repeat(36)}`, '/x/0000'];
    for (const [n, path] of paths.entries())
      await app.db.transaction().execute((tx) =>
        notify(tx, app.scopeOf(person), {
          accountId: person.accountId,
          topic: 'hours-to-submit',
          data: {},
          path,
          dedupeKey: `${n}`,
        }),
      );
    expect(await waiting(person)).toHaveLength(3);
    const [first] = (await person.api.notifications.list({ waiting: 'true' })).items;
    await person.api.notifications.open({ notificationId: first?.id ?? '' });
    expect(await waiting(person)).toHaveLength(2);
  });
});
