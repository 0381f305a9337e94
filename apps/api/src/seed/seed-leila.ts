import { inviteWorker } from '../hiring/invitations/invitations.service.ts';
import { makeOffer } from '../hiring/offers/offers.service.ts';
import { applyAs } from './seed-applications.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import type { TownPeople } from './seed-people.ts';
import { postJob } from './seed-work.ts';
import type { Town } from './town/town.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

/** Leila has two things to answer: an offer from a hotel, and an invitation from a restaurant where she has worked. */
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
      requirements: ['Experience on an espresso machine'],
      startsAt: instantAt(dayAfter(now, days), '07:00').toISOString(),
      endsAt: instantAt(dayAfter(now, days), '15:00').toISOString(),
      breakMinutes: 30,
      payMinor,
      headCount: 2,
    });
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
}
