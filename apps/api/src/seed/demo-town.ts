import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { hashPassword } from 'better-auth/crypto';
import { sql } from 'kysely';
import { inviteWorker } from '../hiring/invitations/invitations.ts';
import { makeOffer } from '../hiring/offers/offers.ts';
import { findAccountByEmail } from '../people/sign-in/sign-in.sql.ts';
import type { Db, Tx } from '../platform/db.ts';
import { listNotifications, markNotificationsRead } from '../talk/notifications/notifications.ts';
import { applyAs, seedApplications } from './seed-applications.ts';
import { countOwners, type OpenedBusiness, seedBusinesses, seedTeam } from './seed-businesses.ts';
import { seedConversations } from './seed-conversations.ts';
import { seedHistory, seedSelfEmployed } from './seed-history.ts';
import { seedEndings, seedJobs } from './seed-jobs.ts';
import { seedInvoices, seedObjection } from './seed-money.ts';
import { offerEvening, seedEvening, seedNadia, seedWaitlist } from './seed-nadia.ts';
import {
  demoAccounts,
  demoAccountsInWords,
  demoPassword,
  seedPeople,
  type TownPeople,
} from './seed-people.ts';
import { seedPipeline } from './seed-pipeline.ts';
import { type Parts, runPast, type Tasks, timersOf } from './seed-timers.ts';
import { seedMoneyUnderWay, seedWithdrawals } from './seed-withdrawals.ts';
import { createDiary, postJob } from './seed-work.ts';
import { beginTown, finishTown, requireCompleteTown, withTownLock } from './town/half-town.ts';
import { createChance, createTown, type Town } from './town/town.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

const people = 153;
const jobs = 400;
const knownCount = Object.keys(demoAccounts).length;

/**
 * An interrupted start leaves a mark to start over (ADR 28).
 * @returns whether the town was created
 */
export const seedDemoTown = (parts: Parts, tasks: Tasks, say: (message: string) => void): Promise<boolean> =>
  withTownLock(parts.pool, { info: say, warn: say }, async () => {
    if (await isEmpty(parts.db)) return makeTown(parts, tasks, say);
    await requireCompleteTown(parts.db);
    return false;
  });

async function makeTown(parts: Parts, tasks: Tasks, say: (message: string) => void): Promise<boolean> {
  const started = performance.now();
  const passwordHash = await hashPassword(demoPassword);
  const result = await parts.db.transaction().execute(async (tx) => {
    await beginTown(tx);
    say('Creating the demo town, once: people, businesses, jobs and applications in Amsterdam.');
    const town = createTown(parts, tx, createChance(20_261_121), say);
    const owners = countOwners();
    const residents = await seedPeople(town, passwordHash, { owners, workers: people - owners - knownCount });
    const businesses = await seedBusinesses(town, residents);
    await refreshPlans(tx);
    const posted = await seedJobs(town, businesses, jobs);
    await refreshPlans(tx);
    await seedApplications(town, residents, posted);
    say('  closed jobs and current work');
    await seedEndings(town, posted);
    await refreshPlans(tx);
    const diary = createDiary();
    const [house, dinner, , hotel] = businesses;
    if (!house || !dinner || !hotel) throw new Error('the demo town has too few businesses');
    await seedTeam(town, house, residents);
    // Seeds the present before the past, because the busiest hours choose their people first.
    const waiting = await seedNadia(town, [house, dinner], residents, diary);
    await seedPipeline(town, house, residents);
    await seedHistory(town, businesses, residents, diary);
    await seedSelfEmployed(town, [house, dinner], residents, diary);
    const evening = await seedEvening(town, [house, dinner], residents, diary);
    await refreshPlans(tx);
    await seedLeila(town, { dinner, hotel }, residents);
    return { town, residents, waiting, evening, houseId: house.business.id };
  });
  const { now, chance } = result.town;
  const { leila } = result.residents;
  const yesterday = subtractMs(now, 26 * hourMs);
  let notifiedAt = subtractMs(now, 62 * dayMs);
  // Runs jobs and deadlines of the town's past at their own times.
  const notifyUntil = async (at: Date, taskNames: Tasks) => {
    await runPast(parts, taskNames, notifiedAt, at);
    notifiedAt = at;
  };
  say('  timers of the last weeks: deadlines, payments and notifications');
  await seedWithdrawals(parts, leila, (at) => notifyUntil(at, timersOf(tasks)));
  await notifyUntil(yesterday, timersOf(tasks));
  await notifyUntil(yesterday, tasks);
  await parts.db.transaction().execute(async (tx) => {
    const town = createTown(parts, tx, chance, say);
    await seedWaitlist(town, result.waiting);
    await offerEvening(town, result.evening);
  });
  await seedMoneyUnderWay(parts, leila, (at) => notifyUntil(at, tasks));
  await seedInvoices(parts);
  await parts.db
    .transaction()
    .execute((tx) => seedObjection(createTown(parts, tx, chance, say), leila, result.houseId));
  await notifyUntil(now, tasks);
  say('  conversations and notifications');
  await parts.db.transaction().execute(async (tx) => {
    const town = createTown(parts, tx, chance, say);
    await seedConversations(town, result.residents);
    await seedNotices(town, result.residents);
    await finishTown(tx);
  });
  say(`The demo town is ready (${((performance.now() - started) / 1_000).toFixed(0)} s).`);
  return true;
}

/** Autovacuum can't see uncommitted rows, so the planner would scan tables that were empty at the start. */
const refreshPlans = (tx: Tx) => sql`analyze`.execute(tx);

async function isEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined;
}

export async function printDemoAccounts(db: Db, say: (message: string) => void): Promise<void> {
  if (await findAccountByEmail(db, demoAccounts.worker.email)) say(demoAccountsInWords);
}

const unread = { nadia: 6, others: 2 };

async function seedNotices(town: Town, people: TownPeople): Promise<void> {
  for (const person of [people.nadia, ...Object.values(people.team), ...people.owners, ...people.workers]) {
    const scope = town.scopeOf(person.accountId, town.now);
    let keep = person === people.nadia ? unread.nadia : unread.others;
    for (let cursor: string | undefined; ; ) {
      const page = await listNotifications(town.tx, scope, {
        limit: 100,
        cursor,
      });
      const unseen = page.items.filter(({ readAt }) => readAt === null);
      const ids = unseen.slice(keep).map(({ id }) => id);
      if (ids.length > 0) await markNotificationsRead(town.tx, scope, { ids });
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
      keep = Math.max(0, keep - unseen.length);
    }
  }
}

/** Leila can answer an offer from a hotel and an invitation from a restaurant where she has worked. */
async function seedLeila(
  town: Town,
  { dinner, hotel }: { dinner: OpenedBusiness; hotel: OpenedBusiness },
  { leila }: TownPeople,
): Promise<void> {
  const { tx, now, hoursAgo: ago } = town;
  const shift = (
    opened: OpenedBusiness,
    days: number,
    title: string,
    description: string,
    payMinor: number,
    otherDays: number[] = [],
  ) =>
    postJob(
      town,
      opened,
      ago(60),
      {
        kind: 'shift',
        title,
        description,
        category: 'hospitality',
        skills: ['barista', 'waiter'],
        requirements: ['Experience on an espresso machine'],
        startsAt: instantAt(dayAfter(now, days), '07:00').toISOString(),
        endsAt: instantAt(dayAfter(now, days), '15:00').toISOString(),
        breakMinutes: 30,
        payMinor,
        headCount: 2,
      },
      otherDays.map((day) => dayAfter(now, day)),
    );
  const lobby = await shift(
    hotel,
    4,
    'Barista, lobby coffee bar',
    'A conference for two hundred people who all want coffee at the same time.',
    1_800,
  );
  const applicationId = await applyAs(town, leila, lobby, ago(44));
  await makeOffer(tx, town.scopeOf(hotel.owner.accountId, ago(5)), {
    applicationId,
    message: 'You worked with us in the autumn, and everyone asked who made the coffee.',
    payMinor: 1_875,
  });
  const tasting = await shift(
    dinner,
    9,
    'Barista for a supplier tasting',
    'Our suppliers are coming for a tasting. You make the coffee and look after the table.',
    1_825,
  );
  await inviteWorker(tx, town.scopeOf(dinner.owner.accountId, ago(7)), {
    jobId: tasting.id,
    workerId: leila.accountId,
    message: 'Would you like to do this one? You know the place.',
  });
  await shift(
    dinner,
    13,
    'Barista for a three-day coffee fair',
    'We have a stand at the fair. Guests come back, so the same people work all three days.',
    1_900,
    [14, 15],
  );
}
