import { makeOffer } from '../features/offers/offers.service.ts';
import { inviteWorker } from '../features/pipeline/invitations.service.ts';
import { applyAs } from './seed-applications.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import type { TownPeople } from './seed-people.ts';
import { postJob } from './seed-work.ts';
import type { Town } from './town.ts';
import { dayAfter, instantAt } from './town-time.ts';

/** What waits for an answer of Leila's: an offer of a hotel, and an invitation of a kitchen where she has worked. */
export async function seedLeila(
  town: Town,
  { dinner, hotel }: { dinner: OpenedBusiness; hotel: OpenedBusiness },
  { leila }: TownPeople,
): Promise<void> {
  const { tx, now, hoursAgo: ago } = town;
  const shift = (of: OpenedBusiness, days: number, title: string, description: string, payMinor: number) =>
    postJob(town, of, ago(60), {
      kind: 'shift',
      title,
      description,
      category: 'hospitality',
      skills: ['barista', 'waiter'],
      requirements: ['You have worked behind a machine'],
      startsAt: instantAt(dayAfter(now, days), '07:00').toISOString(),
      endsAt: instantAt(dayAfter(now, days), '15:00').toISOString(),
      breakMinutes: 30,
      payMinor,
      headCount: 2,
    });
  const lobby = await shift(
    hotel,
    4,
    'Coffee bar in the lobby',
    'A conference of two hundred people, all of whom want coffee at ten past ten.',
    1_800,
  );
  const applicationId = await applyAs(town, leila, lobby, ago(44));
  await makeOffer(tx, town.scopeOf(hotel.owner.accountId, ago(5)), {
    applicationId,
    message: 'You were with us in the autumn and everybody asked who made that coffee.',
    payMinor: 1_875,
  });
  const tasting = await shift(
    dinner,
    9,
    'Coffee after the tasting, two mornings in one',
    'The suppliers come to taste, and they stay. You make the coffee and keep the table.',
    1_825,
  );
  await inviteWorker(tx, town.scopeOf(dinner.owner.accountId, ago(7)), {
    jobId: tasting.id,
    workerId: leila.accountId,
    message: 'Would you do this one? You know the house.',
  });
}
