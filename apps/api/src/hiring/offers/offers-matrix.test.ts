import {
  type OfferAction,
  type OfferStatus,
  offerActions,
  offerStatuses,
} from '@nearhand/contract/hiring/offers';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededShare } from '../../../../../scripts/seeded-sample.ts';
import { type Client, failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeOffer } from './offers.fixtures.ts';
import { nextOfferStatus } from './offers.rules.ts';

const app = useTestApp();
const isTried = seededShare();
const actors = [
  'worker',
  'owner',
  'manager',
  'recruiter',
  'finance',
  'stranger',
  'unverified',
  'guest',
] as const;
type Actor = (typeof actors)[number];
const business: Actor[] = ['owner', 'manager', 'recruiter'];

let owner: Person;
let jobId: string;
const clients = new Map<Actor, Client>();
beforeAll(async () => {
  owner = await app.person();
  const { id } = await makeBusiness(app.db, app.scopeOf(owner));
  jobId = (await makeJob(app.db, app.scopeOf(owner), id, { headCount: 400 })).id;
  clients.set('owner', owner.api);
  for (const role of ['manager', 'recruiter', 'finance'] as const) {
    const person = await app.person();
    await makeMember(app.db, app.clock, id, person.accountId, role);
    clients.set(role, person.api);
  }
  clients.set('stranger', (await app.person()).api);
  clients.set('unverified', (await app.person({ verified: false })).api);
  clients.set('guest', app.apiAs(null));
});

async function offerIn(status: OfferStatus) {
  const worker = await app.person();
  const application = await makeApplication(app.db, app.scopeOf(worker), jobId);
  const offer = await makeOffer(app.db, app.scopeOf(owner), application.id);
  const offerRef = { offerId: offer.id, version: offer.version };
  if (status === 'accepted') await worker.api.offers.accept(offerRef);
  if (status === 'declined') await worker.api.offers.decline(offerRef);
  if (status === 'withdrawn') await owner.api.offers.withdraw(offerRef);
  if (status === 'funding')
    await app.db.updateTable('offers').set({ status, sentAt: null }).where('id', '=', offer.id).execute();
  if (status === 'expired') await expire(offer.id);
  return { worker, offerId: offer.id, applicationId: application.id };
}
async function expire(offerId: string) {
  await app.db.updateTable('offers').set({ expiresAt: app.clock.now() }).where('id', '=', offerId).execute();
  await app.pool.query("select graphile_worker.add_job('offers.expire', $1::json, run_at => '2020-01-01')", [
    JSON.stringify({ offerId }),
  ]);
  await app.runDue();
}
const facts = async ({ offerId, applicationId }: { offerId: string; applicationId: string }) =>
  (
    await app.pool.query(
      `select to_jsonb(offer) as offer, application.status, application.version, job.hired_count, job.offered_count,
        (select count(*) from offer_moves where offer_id = offer.id) as moves,
        (select count(*) from engagements where offer_id = offer.id) as engagements
       from offers offer join jobs job on job.id = offer.job_id join applications application on application.id = $2
       where offer.id = $1`,
      [offerId, applicationId],
    )
  ).rows[0];

describe('every state, action and actor of an offer', () => {
  it('accepts what the table allows and changes nothing otherwise', {
    timeout: 60_000,
  }, async () => {
    const count = { allowed: 0, repeated: 0, refused: 0, left: 0 };
    for (const status of offerStatuses) {
      let offer = await offerIn(status);
      for (const action of offerActions)
        for (const actor of actors) {
          const expected = expectation(status, action, actor);
          const name = `${status} ${action} ${actor}`;
          if (typeof expected === 'number' && !isTried(`${action} ${actor}`, name)) {
            count.left += 1;
            continue;
          }
          const before = await facts(offer);
          const api = actor === 'worker' ? offer.worker.api : (clients.get(actor) as Client);
          const call = api.offers[action]({ offerId: offer.offerId, version: before.offer.version });
          if (typeof expected === 'number') {
            expect({ name, status: (await failure(call)).status }).toEqual({ name, status: expected });
            expect(await facts(offer)).toEqual(before);
            count.refused += 1;
            continue;
          }
          expect({ name, status: (await call).status }).toEqual({ name, status: expected });
          if (expected === status) {
            expect(await facts(offer)).toEqual(before);
            count.repeated += 1;
          } else {
            expect((await facts(offer)).moves).toBe(before.moves + 1);
            count.allowed += 1;
            offer = await offerIn(status);
          }
        }
      const before = await facts(offer);
      await expire(offer.offerId);
      const after = await facts(offer);
      const to = status === 'funding' ? status : (nextOfferStatus(status, 'expire', 'timer') ?? status);
      expect({ status, to: after.offer.status }).toEqual({ status, to });
      expect(after.moves).toBe(to === status ? before.moves : before.moves + 1);
      count[to === status ? 'refused' : 'allowed'] += 1;
    }
    const all = count.allowed + count.repeated + count.refused + count.left;
    expect(all).toBe(offerStatuses.length * (offerActions.length * actors.length + 1));
    process.stdout.write(`offers: ${all} walks, ${JSON.stringify(count)}\n`);
  });
});

function expectation(status: OfferStatus, action: OfferAction, actor: Actor): OfferStatus | number {
  if (actor === 'guest') return 401;
  if (actor === 'unverified') return 403;
  if (actor === 'stranger') return 404;
  if (actor === 'worker' && status === 'funding') return 404;
  const side = action === 'withdraw' ? 'business' : 'worker';
  if (side === 'business' ? !business.includes(actor) : actor !== 'worker') return 403;
  return nextOfferStatus(status, action, side) ?? 409;
}
