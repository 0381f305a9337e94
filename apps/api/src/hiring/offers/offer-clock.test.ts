import { hourMs, minuteMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { bringInterview, hoursAhead, makeInterview } from '../interviews/interviews.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeOffer } from './offers.fixtures.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person();
  // New York: clocks go back on 7 November 2027 and forward on 14 March 2027.
  const place = {
    lat: 40.7127,
    lng: -74.0059,
    address: '1 City Hall Park',
    area: 'New York',
    countryCode: 'US',
  };
  businessId = (await makeBusiness(app.db, app.scopeOf(owner), place)).id;
});
beforeEach(() => app.clock.set('2026-11-21T15:00:00Z'));
const again = async (person: Person) => app.apiAs(await signAccessToken(app.secret, app.clock, person));

async function openJob(hoursUntilStart = 400) {
  const startsAt = app.clock.now().getTime() + hoursUntilStart * hourMs;
  return makeJob(app.db, app.scopeOf(owner), businessId, {
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 8 * hourMs).toISOString(),
  });
}

async function offered(hoursUntilStart?: number) {
  const job = await openJob(hoursUntilStart);
  const worker = await app.person();
  const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const offer = await makeOffer(app.db, app.scopeOf(owner), application.id);
  return { job, worker, applicationId: application.id, offer, offerRef: { offerId: offer.id, version: 1 } };
}
const statusOf = async (offerId: string) =>
  (await app.db.selectFrom('offers').select('status').where('id', '=', offerId).executeTakeFirstOrThrow())
    .status;
const signalsTo = async (person: Person, topic: string) =>
  app.db
    .selectFrom('notifications')
    .select('topic')
    .where('accountId', '=', person.accountId)
    .where('topic', '=', topic as 'welcome')
    .execute()
    .then((rows) => rows.length);
const offeredSpots = async (jobId: string) =>
  (await app.db.selectFrom('jobs').select('offeredCount').where('id', '=', jobId).executeTakeFirstOrThrow())
    .offeredCount;

describe('the clock of an offer', () => {
  it('expires after 48 hours: one reminder 6 hours before, spot freed, both sides notified', async () => {
    const { job, worker, offer, applicationId, offerRef } = await offered();
    expect(Date.parse(offer.expiresAt) - app.clock.now().getTime()).toBe(48 * hourMs);
    app.clock.forward({ hours: 42 });
    await app.runDue();
    expect(await signalsTo(worker, 'offer-reminder')).toBe(1);
    app.clock.forward({ hours: 5, minutes: 59, seconds: 59 });
    await app.runDue();
    expect(await statusOf(offer.id)).toBe('sent');
    app.clock.forward({ seconds: 1 });
    expect(await failure((await again(worker)).offers.accept(offerRef))).toMatchObject({
      status: 409,
      code: 'offer/expired',
    });
    expect(await (await again(worker)).offers.get({ offerId: offer.id })).toMatchObject({
      actions: ['decline'],
    });
    await Promise.all([app.runDue(), app.runDue()]);
    expect(await statusOf(offer.id)).toBe('expired');
    expect(await offeredSpots(job.id)).toBe(0);
    expect(await failure((await again(worker)).offers.accept(offerRef))).toMatchObject({
      code: 'offer/expired',
    });
    expect((await (await again(worker)).applications.get({ applicationId })).status).toBe('offer_expired');
    expect([await signalsTo(worker, 'offer-expired'), await signalsTo(owner, 'offer-expired')]).toEqual([
      1, 1,
    ]);
    app.clock.forward({ days: 3 });
    await app.runDue();
    expect(await offeredSpots(job.id)).toBe(0);
  });

  it('never runs past the start of the work', async () => {
    const { offer, job } = await offered(20);
    expect(offer.expiresAt).toBe(job.startsAt);
  });

  it('counts elapsed hours across both clock changes in New York', async () => {
    for (const sent of ['2027-03-13T16:00:00Z', '2027-11-06T16:00:00Z']) {
      app.clock.set(sent);
      const { offer, worker, offerRef } = await offered();
      expect(Date.parse(offer.expiresAt) - Date.parse(sent)).toBe(48 * hourMs);
      app.clock.forward({ hours: 47, minutes: 59 });
      await app.runDue();
      expect(await (await again(worker)).offers.accept(offerRef)).toMatchObject({ status: 'accepted' });
      app.clock.set(sent);
      const late = await offered(500);
      app.clock.forward({ hours: 48 });
      expect(await failure((await again(late.worker)).offers.accept(late.offerRef))).toMatchObject({
        code: 'offer/expired',
      });
    }
  });

  it('keeps running when the clock was ahead and is corrected', async () => {
    const { offer, worker, offerRef } = await offered();
    const payload = { offerId: offer.id };
    await app.pool.query(
      "select graphile_worker.add_job('offers.expire', $1::json, run_at => '2020-01-01', job_key => $2)",
      [JSON.stringify(payload), `offers.expire/${offer.id}`],
    );
    await app.runDue();
    expect(await statusOf(offer.id)).toBe('sent');
    app.clock.forward({ hours: -5 });
    await app.runDue();
    expect(await (await again(worker)).offers.accept(offerRef)).toMatchObject({ status: 'accepted' });
    app.clock.forward({ hours: 60 });
    await app.runDue();
    expect(await statusOf(offer.id)).toBe('accepted');
    expect(await signalsTo(worker, 'offer-reminder')).toBe(0);
  });
});

it('lasts until an agreed interview is over, whether its time was picked before or after the offer', async () => {
  const job = await openJob();
  const business = app.scopeOf(owner);
  const slots = [hoursAhead(business, 96), hoursAhead(business, 100)];
  const end = new Date(Date.parse(slots[0] ?? '') + 30 * minuteMs).toISOString();
  const invited = async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker);
    const application = await makeApplication(app.db, scope, job.id);
    const interview = await makeInterview(app.db, business, application.id, { slots });
    const pick = () => bringInterview(app.db, { worker: scope, business }, interview, 'scheduled');
    return { worker, applicationId: application.id, pick };
  };
  const agreed = await invited();
  await agreed.pick();
  expect((await makeOffer(app.db, business, agreed.applicationId)).expiresAt).toBe(end);

  const later = await invited();
  const offer = await makeOffer(app.db, business, later.applicationId);
  expect(Date.parse(offer.expiresAt)).toBeLessThan(Date.parse(end));
  await later.pick();
  expect((await later.worker.api.offers.get({ offerId: offer.id })).expiresAt).toBe(end);
  app.clock.forward({ hours: 96 });
  await app.runDue();
  expect(await statusOf(offer.id)).toBe('sent');
  app.clock.forward({ minutes: 30 });
  await app.runDue();
  expect(await statusOf(offer.id)).toBe('expired');
});
