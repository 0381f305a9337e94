import type { NotificationTopic } from '@nearhand/contract/notifications';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { hireFor } from '../engagements/engagements.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeOffer } from '../offers/offers.fixtures.ts';
import { notify } from './notifications.service.ts';

const app = useTestApp();
let owner: Person;
let colleague: Person;
let businessId: string;
const scopeOf = (person: Person) => app.scopeOf(person.accountId);
const waiting = async (person: Person) =>
  (await person.api.notifications.list({ waiting: 'true', limit: 100 })).items.map(({ topic }) => topic);

beforeAll(async () => {
  owner = await app.person();
  colleague = await app.person();
  businessId = (await makeBusiness(app.db, scopeOf(owner))).id;
  await makeMember(app.db, app.clock, businessId, colleague.accountId);
});

describe('what waits for somebody', () => {
  it('waits no longer when a colleague dealt with it, or one did without opening the notice', async () => {
    const worker = await app.person();
    const job = await makeJob(app.db, scopeOf(owner), businessId);
    const { id: applicationId } = await worker.api.applications.submit({ jobId: job.id });
    expect(await waiting(owner)).toEqual(['application-received']);
    expect(await waiting(colleague)).toEqual(['application-received']);
    const offer = await makeOffer(app.db, scopeOf(owner), applicationId);
    for (const person of [owner, colleague]) expect(await waiting(person)).toEqual([]);
    expect(await waiting(worker)).toEqual(['offer-received']);
    const [asked] = (await worker.api.notifications.list({ waiting: 'true' })).items;
    // Looked at is not answered.
    const opened = await worker.api.notifications.open({ notificationId: asked?.id ?? '' });
    expect(opened).toMatchObject({ waiting: true, readAt: expect.any(String) });
    expect(await waiting(worker)).toEqual(['offer-received']);
    await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await waiting(worker)).toEqual([]);
    const { items } = await worker.api.notifications.list({});
    expect(items.find(({ topic }) => topic === 'offer-received')).toMatchObject({ waiting: false });
  });

  it.each<readonly [NotificationTopic, string, string]>([
    ['hours-submitted', 'submitted', 'approved'],
    ['hours-countered', 'counter_proposed', 'submitted'],
    ['work-delivered', 'delivered', 'changes_requested'],
    ['engagement-confirm-asked', 'booked', 'confirmed'],
  ])('of %s waits while the work is %s', async (topic, asking, after) => {
    const worker = await app.person();
    const job = await makeJob(app.db, scopeOf(owner), businessId);
    const { id } = await hireFor(app.db, { worker: scopeOf(worker), recruiter: scopeOf(owner) }, job.id);
    const set = (status: string) =>
      app.db.updateTable('engagements').set({ status }).where('id', '=', id).execute();
    const tell = (dedupeKey: string) =>
      app.db.transaction().execute((tx) =>
        notify(tx, scopeOf(worker), {
          ...{ accountId: worker.accountId, topic, dedupeKey, data: { side: 'business' } },
          path: `/tabs/menu/jobs/engagement/${id}`,
        }),
      );
    await set(asking);
    await tell('first');
    app.clock.forward({ seconds: 1 });
    await tell('again');
    expect(await waiting(worker)).toEqual([topic]);
    await set(after);
    expect(await waiting(worker)).toEqual([]);
  });

  it('is what it was where no record says otherwise, whatever the path is', async () => {
    const person = await app.person();
    const paths = ['/withdraw', `/x/${'-'.repeat(36)}`, '/x/0000'];
    for (const [n, path] of paths.entries())
      await app.db.transaction().execute((tx) =>
        notify(tx, scopeOf(person), {
          ...{ accountId: person.accountId, topic: 'hours-to-submit', data: {}, path },
          dedupeKey: `${n}`,
        }),
      );
    expect(await waiting(person)).toHaveLength(3);
    const [first] = (await person.api.notifications.list({ waiting: 'true' })).items;
    await person.api.notifications.open({ notificationId: first?.id ?? '' });
    expect(await waiting(person)).toHaveLength(2);
  });
});
