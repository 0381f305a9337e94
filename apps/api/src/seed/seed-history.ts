import { addMs, dayMs, hourMs, minuteMs, subtractMs, weekdayOf } from '@nearhand/contract/durations';
import { selfBillingDate, selfBillingVersion } from '@nearhand/contract/money/worker-invoices.rules';
import type { Side } from '@nearhand/contract/sides';
import { tagsFor } from '@nearhand/contract/trust/reviews.rules';
import { rejectApplication } from '../hiring/applicants/applicant-lifecycle.ts';
import { archiveJob, closeJob } from '../hiring/jobs/job-lifecycle.ts';
import { agreeToSelfBilling, saveTaxDetails } from '../money/worker-invoices/tax-details.ts';
import { taxDetailsSample } from '../money/worker-invoices/worker-invoices.fixtures.ts';
import { writeReview } from '../trust/reviews/reviews.ts';
import { cancelEngagement, reportNoShow } from '../work/engagements/engagements.ts';
import { applyAs } from './seed-applications.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import { daysOf, drawText, hoursOf, payOf, wordsOf } from './seed-jobs.ts';
import { tip } from './seed-money.ts';
import type { TownPeople } from './seed-people.ts';
import { type Diary, type Hired, hireApplicant, postJob, workShift } from './seed-work.ts';
import { type Chance, createChance, type Person, someMinutes, type Town } from './town/town.ts';
import { townTables } from './town/town-tables.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

const shifts = { nadia: 5, others: 2 };
/** Long enough ago that all timers have run. */
const latestDaysAgo = 7;
const earliestDaysAgo = 46;

export async function seedHistory(
  town: Town,
  businesses: readonly OpenedBusiness[],
  people: TownPeople,
  diary: Diary,
): Promise<void> {
  const voices = createChance(12_05);
  const verified = businesses.filter(({ facts }) => facts.verified !== false);
  for (const [index, of] of verified.entries()) {
    const count = of.owner === people.nadia ? shifts.nadia : shifts.others;
    const notifiedIds = new Set<string>();
    const step = Math.floor((earliestDaysAgo - latestDaysAgo) / count);
    for (let nth = 0; nth < count; nth += 1) {
      const daysAgo = latestDaysAgo + nth * step + town.chance.between(0, step - 1);
      const regular = index < 4 && of.facts.category === 'hospitality' && nth < 2 ? people.leila : null;
      await pastShift(town, of, people, diary, { daysAgo, notified: notifiedIds, regular, voices });
    }
    town.progress('businesses with past work', index + 1, verified.length);
  }
}

async function pastShift(
  town: Town,
  opened: OpenedBusiness,
  people: TownPeople,
  diary: Diary,
  {
    daysAgo,
    notified,
    regular,
    voices,
  }: { daysAgo: number; notified: Set<string>; regular: Person | null; voices: Chance },
): Promise<void> {
  const { chance, now } = town;
  let { text, title } = drawText(chance, opened, notified);
  for (let attempt = 0; !text.hours && attempt < 40; attempt += 1)
    ({ text, title } = drawText(chance, opened, notified));
  if (!text.hours) return;
  let days = daysAgo;
  while (!daysOf(text, title).includes(weekdayOf(dayAfter(now, -days)))) days += 1;
  const day = dayAfter(now, -days);
  const [start, end] = chance.pick(hoursOf(text.hours, title));
  const startsAt = instantAt(day, start);
  const endsAt = instantAt(end > start ? day : dayAfter(instantAt(day, '12:00'), 1), end);
  const free = people.workers.filter(
    (worker) =>
      worker !== people.leila && worker.trades.includes(text.trade) && diary.isFree(worker, startsAt, endsAt),
  );
  const colleagues = chance.some(free, chance.between(2, 3) - (regular ? 1 : 0));
  const crew = regular && diary.isFree(regular, startsAt, endsAt) ? [regular, ...colleagues] : colleagues;
  if (crew.length === 0) return;
  const postedAt = new Date(startsAt.getTime() - 96 * hourMs - chance.between(0, 180) * minuteMs);
  const job = await postJob(town, opened, postedAt, {
    ...wordsOf(chance, text, title),
    questions: [],
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    breakMinutes: text.breakMinutes ?? 0,
    payMinor: payOf(chance, text),
    headCount: crew.length,
  });
  const applications: { applicationId: string; worker: Person }[] = [];
  const after = (hours: number) => addMs(postedAt, hours * hourMs + chance.between(0, 59) * minuteMs);
  for (const worker of crew)
    applications.push({
      worker,
      applicationId: await applyAs(town, worker, job, after(chance.between(1, 9))),
    });
  const unlucky = chance.percent(30) ? chance.pick(free) : undefined;
  if (unlucky && !crew.includes(unlucky)) {
    const applicationId = await applyAs(town, unlucky, job, after(9));
    const scope = town.scopeOf(opened.owner.accountId, after(12));
    await rejectApplication(town.tx, scope, { applicationId, reason: 'others', note: '' });
  }
  for (const application of applications) {
    const offeredAt = after(14);
    const acceptedAt = addMs(offeredAt, chance.between(1, 20) * hourMs);
    const hired = await hireApplicant(
      town,
      { ...application, owner: opened.owner },
      { offeredAt, acceptedAt },
    );
    diary.book(application.worker, startsAt, endsAt);
    await liveThrough(town, hired, application.worker === regular, voices);
  }
  if (days < 21 || chance.percent(30)) return;
  const scope = town.scopeOf(opened.owner.accountId, addMs(endsAt, 5 * dayMs + someMinutes(town.uneven)));
  await closeJob(town.tx, scope, { jobId: job.id });
  if (chance.percent(50)) await archiveJob(town.tx, scope, { jobId: job.id });
}

/**
 * Self-employed work in a month that has ended, for Leila, who agreed to self-billing, and for a worker who
 * did not. It has its own random generator, so that the rest of the town stays the same.
 */
export async function seedSelfEmployed(
  town: Town,
  businesses: readonly OpenedBusiness[],
  people: TownPeople,
  diary: Diary,
): Promise<void> {
  const { leila } = people;
  const sideTown: Town = { ...town, chance: createChance(29_11) };
  const details = town.scopeOf(leila.accountId, subtractMs(town.now, 60 * dayMs));
  await saveTaxDetails(town.tx, details, taxDetailsSample);
  const isOlder = dayAfter(details.clock.now(), 0) < selfBillingDate;
  await agreeToSelfBilling(town.tx, details, {
    version: isOlder ? selfBillingVersion - 1 : selfBillingVersion,
  });
  for (const [index, opened] of businesses.entries()) {
    const span = (days: number) =>
      [instantAt(dayAfter(town.now, -days), '09:00'), instantAt(dayAfter(town.now, -days), '15:00')] as const;
    const days = Array.from({ length: 12 }, (_, at) => 33 + at).find((day) =>
      diary.isFree(leila, ...span(day)),
    );
    if (days === undefined) continue;
    const [startsAt, endsAt] = span(days);
    const colleague = people.workers.find(
      (worker) =>
        worker !== leila && worker.trades.includes('hospitality') && diary.isFree(worker, startsAt, endsAt),
    );
    const crew = index === 0 && colleague ? [leila, colleague] : [leila];
    const postedAt = subtractMs(startsAt, 96 * hourMs);
    const job = await postJob(town, opened, postedAt, {
      kind: 'shift',
      title: 'Freelance barista, private breakfast',
      category: 'hospitality',
      description:
        'A private breakfast for forty guests. You run the coffee bar on your own and bring your own apron.',
      requirements: ['You’ve run a coffee bar alone'],
      skills: ['barista'],
      questions: [],
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      breakMinutes: 30,
      payMinor: 2_400,
      headCount: crew.length,
      relation: 'self_employed',
    });
    for (const worker of crew) {
      const applicationId = await applyAs(sideTown, worker, job, addMs(postedAt, 3 * hourMs));
      const hired = await hireApplicant(
        town,
        { applicationId, worker, owner: opened.owner },
        {
          offeredAt: addMs(postedAt, 14 * hourMs),
          acceptedAt: addMs(postedAt, 18 * hourMs),
        },
      );
      diary.book(worker, startsAt, endsAt);
      await workShift(town, hired, 'completed');
    }
  }
}

/** One in eight workers is unreliable. */
async function liveThrough(town: Town, hired: Hired, well: boolean, voices: Chance): Promise<void> {
  const { chance, tx, scopeOf } = town;
  const { engagement, worker, owner } = hired;
  const { id: engagementId, version } = engagement;
  const startsAt = new Date(engagement.terms.startsAt ?? 0);
  const isUnreliable = worker.years % 8 === 5;
  const roll = well ? 100 : chance.between(1, 100);
  const share = isUnreliable ? 4 : 1;
  if (roll <= 5 * share) {
    const reason = chance.pick(['I’m ill.', 'My child is ill.', 'I found a longer job.']);
    const hoursBefore = chance.pick([4, 9, 20, 40]);
    const scope = scopeOf(
      worker.accountId,
      subtractMs(startsAt, hoursBefore * hourMs + someMinutes(town.uneven)),
    );
    await cancelEngagement(tx, scope, { engagementId, version, reason });
    return;
  }
  if (roll <= 8 * share) {
    const scope = scopeOf(owner.accountId, addMs(startsAt, 70 * minuteMs + someMinutes(town.uneven)));
    await reportNoShow(tx, scope, { engagementId, version });
    return;
  }
  if (roll <= 8 * share + 2) {
    const scope = scopeOf(
      owner.accountId,
      subtractMs(startsAt, chance.pick([10, 30]) * hourMs + someMinutes(town.uneven)),
    );
    await cancelEngagement(tx, scope, { engagementId, version, reason: 'We have to close that day.' });
    return;
  }
  const arrived = chance.percent(isUnreliable ? 50 : 8) ? chance.between(7, 35) : chance.between(-20, 1);
  const minutesAfterEnd = chance.between(0, 12);
  const confirms = chance.percent(15);
  // Some leave submitting and approving to the timers.
  const until = chance.percent(6) ? 'checked_out' : 'completed';
  const last = await workShift(town, hired, until, { arrived, left: minutesAfterEnd, confirms });
  if (last.status === 'completed') await seedReviews(town, voices, hired);
  if (last.status === 'completed' && (well || worker.years % 7 === 3))
    await tip(town, hired, {
      kind: worker.years % 2 === 0 ? 'tip' : 'bonus',
      amountMinor: 500 + 250 * ((worker.years + startsAt.getUTCDate()) % 7),
      note: well ? 'The guests asked for you.' : '',
    });
}

/** Percentages; a one-sided review is published when the deadline passes. */
const writes = { worker: 70, business: 60 } as const;
/** Percentages of 5 and 4 stars; the rest have 3 and 2. */
const shares = [
  { upTo: 58, stars: 5, tone: 'good' },
  { upTo: 88, stars: 4, tone: 'good' },
  { upTo: 97, stars: 3, tone: 'fair' },
  { upTo: 100, stars: 2, tone: 'poor' },
] as const;

/** `chance` is separate, so that the rest of the town stays the same. */
async function seedReviews(town: Town, chance: Chance, { engagement, worker, owner }: Hired): Promise<void> {
  const endsAt = new Date(engagement.terms.endsAt ?? 0);
  const from = { worker: worker.accountId, business: owner.accountId };
  for (const side of ['worker', 'business'] as const satisfies Side[]) {
    if (!chance.percent(writes[side])) continue;
    const at = addMs(endsAt, 24 * hourMs + chance.between(0, 40 * 60) * minuteMs);
    await writeReview(town.tx, town.scopeOf(from[side], at), {
      engagementId: engagement.id,
      ...words(chance, side),
    });
  }
}

function words(chance: Chance, side: Side) {
  const roll = chance.between(1, 100);
  const { stars, tone } = shares.find(({ upTo }) => roll <= upTo) ?? shares[0];
  const tags = tone === 'good' ? chance.some(tagsFor(side), chance.between(1, 3)) : [];
  return {
    stars,
    tags,
    body: chance.pick(townTables().reviews[side][tone]),
    again: tone !== 'poor',
  };
}
