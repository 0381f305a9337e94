import { addMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { offerGiveaway } from '../hiring/giveaways/giveaways.ts';
import { joinWaitlist } from '../hiring/waitlist/waitlist.ts';
import { defaultCardOf } from '../money/cards/cards.ts';
import { prepareUpload, uploadFile } from '../people/files/files.ts';
import { startBreak } from '../work/attendance/attendance.ts';
import { fileDispute } from '../work/disputes/disputes.ts';
import { evidenceAt } from '../work/engagements/engagements.fixtures.ts';
import {
  confirmEngagement,
  contestNoShow,
  reportNoShow,
  startEngagement,
} from '../work/engagements/engagements.ts';
import { deliverWork } from '../work/timesheets/deliveries.ts';
import { counterHours } from '../work/timesheets/hours.ts';
import { uploadTaskPhotos } from './pictures/tasks.ts';
import { applyAs } from './seed-applications.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import { drawnPhoto } from './seed-conversations.ts';
import type { TownPeople } from './seed-people.ts';
import { type Diary, type Hired, hireApplicant, postJob, workShift } from './seed-work.ts';
import { type Person, someMinutes, type Town } from './town/town.ts';
import { dayAfter, instantAt, isWaking } from './town/town-time.ts';

const halfHourMs = 30 * minuteMs;

export type Waiting = { applicationId: string; worker: Person }[];

export async function seedNadia(
  town: Town,
  businesses: readonly [house: OpenedBusiness, dinner: OpenedBusiness],
  people: TownPeople,
  diary: Diary,
): Promise<Waiting> {
  const desk = createDesk(town, businesses, people, diary);
  await seedTomorrow(town, desk);
  await seedToday(town, desk);
  await seedGoingOn(town, desk);
  await seedHoursToApprove(town, desk);
  await seedDispute(town, desk);
  await seedNoShow(town, desk);
  await seedTasks(town, desk, people);
  await seedInstantHire(town, desk);
  return seedFullJob(town, desk);
}

type Desk = ReturnType<typeof createDesk>;

function createDesk(
  town: Town,
  [house, dinner]: readonly [OpenedBusiness, OpenedBusiness],
  people: TownPeople,
  diary: Diary,
) {
  const { now, tx, uneven } = town;
  const { leila } = people;
  const crew = people.workers.filter((worker) => worker !== leila && worker.trades.includes('hospitality'));
  const free = (from: Date, until: Date, except: readonly Person[] = []): Person => {
    const freeWorker = crew.find((worker) => !except.includes(worker) && diary.isFree(worker, from, until));
    if (!freeWorker) throw new Error('the demo town has too few workers');
    crew.push(...crew.splice(crew.indexOf(freeWorker), 1));
    return freeWorker;
  };
  const shift = async (
    opened: OpenedBusiness,
    [startsAt, endsAt]: readonly [Date, Date],
    publishedHoursBefore: number,
    draft: Partial<JobDraft> & Pick<JobDraft, 'title' | 'description'>,
  ): Promise<Job> =>
    postJob(
      town,
      opened,
      subtractMs(startsAt < now ? startsAt : now, publishedHoursBefore * hourMs + someMinutes(uneven)),
      {
        kind: 'shift',
        category: 'hospitality',
        skills: ['waiter'],
        requirements: ['Experience as a waiter'],
        startsAt: startsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        breakMinutes: 30,
        payMinor: 1_700,
        headCount: 1,
        ...draft,
      },
    );
  const hire = async (opened: OpenedBusiness, job: Job, worker: Person, byCard = false): Promise<Hired> => {
    const published = new Date(job.publishedAt ?? 0).getTime();
    const at = (hours: number) => new Date(published + hours * hourMs + someMinutes(uneven));
    const applicationId = await applyAs(town, worker, job, at(20));
    const times = { offeredAt: at(30), acceptedAt: at(33) };
    const card = byCard ? await defaultCardOf(tx, opened.business.id) : null;
    const hired = await hireApplicant(town, { applicationId, worker, owner: opened.owner }, times, card?.id);
    if (job.startsAt && job.endsAt) diary.book(worker, new Date(job.startsAt), new Date(job.endsAt));
    return hired;
  };
  const confirm = async ({ engagement, worker }: Hired, at: Date) => {
    const target = { engagementId: engagement.id, version: engagement.version };
    await confirmEngagement(tx, town.scopeOf(worker.accountId, at), target);
  };
  return {
    house,
    dinner,
    leila,
    diary,
    free,
    shift,
    hire,
    confirm,
    nadia: (at: Date) => town.scopeOf(house.owner.accountId, at),
    halfHour: (hours: number) =>
      new Date(Math.floor((now.getTime() + hours * hourMs) / halfHourMs) * halfHourMs),
    /** The latest day's shift with these hours that ended at least `endedHoursAgo` hours ago. */
    latest: (from: string, until: string, endedHoursAgo: number): readonly [Date, Date] => {
      for (let days = 0; ; days += 1) {
        const day = dayAfter(now, -days);
        const end = instantAt(day, until);
        if (end <= town.hoursAgo(endedHoursAgo)) return [instantAt(day, from), end];
      }
    },
  };
}

async function seedTomorrow(
  { now, hoursAgo }: Town,
  { house, leila, free, shift, hire, confirm }: Desk,
): Promise<void> {
  const morning = [instantAt(dayAfter(now, 1), '08:00'), instantAt(dayAfter(now, 1), '14:00')] as const;
  const tomorrow = await shift(house, morning, 96, {
    title: 'Breakfast service',
    description: 'Coffee, eggs and the first cakes of the day. You work in a pair.',
    skills: ['barista', 'waiter'],
    headCount: 2,
  });
  await confirm(await hire(house, tomorrow, free(...morning), true), hoursAgo(5));
  await hire(house, tomorrow, leila);
}

async function seedToday(
  { hoursAgo }: Town,
  { dinner, leila, halfHour, shift, hire, confirm }: Desk,
): Promise<void> {
  // Starts in 15 to 45 minutes, so that check-in is open.
  const soon = [halfHour(0.75), halfHour(5.75)] as const;
  const later = await shift(dinner, soon, 90, {
    ...(isWaking(soon[0])
      ? {
          title: 'Extra waiter today',
          description: 'We have a large group coming in. You serve, pour and keep the pass clear.',
        }
      : {
          title: 'Deep clean of the kitchen',
          description: 'The kitchen is cleaned at night, when it is empty. You work in a team of three.',
        }),
  });
  await confirm(await hire(dinner, later, leila), hoursAgo(20));
}

/** A booked evening whose worker gives it away once the past has made colleagues (`offerEvening`). */
export async function seedEvening(
  town: Town,
  businesses: readonly [house: OpenedBusiness, dinner: OpenedBusiness],
  people: TownPeople,
  diary: Diary,
): Promise<Hired> {
  const { house, free, shift, hire, leila } = createDesk(town, businesses, people, diary);
  const from = instantAt(dayAfter(town.now, 4), '17:00');
  const until = instantAt(dayAfter(town.now, 4), '22:00');
  const evening = await shift(house, [from, until], 100, {
    title: 'Evening service',
    description: 'Drinks and small plates until ten. You close the terrace together.',
  });
  return hire(house, evening, free(from, until, [leila]));
}

export async function offerEvening(town: Town, { engagement, worker }: Hired): Promise<void> {
  const giver = town.scopeOf(worker.accountId, town.hoursAgo(2));
  await offerGiveaway(town.tx, giver, { engagementId: engagement.id, audience: 'colleagues' });
}

async function seedGoingOn(town: Town, { house, halfHour, free, shift, hire, confirm }: Desk): Promise<void> {
  const present = [halfHour(-2), halfHour(4)] as const;
  const going = await shift(house, present, 100, {
    ...(isWaking(present[0])
      ? {
          title: 'Counter and terrace',
          description: 'One of you runs the counter and the others the terrace. Swap whenever you like.',
        }
      : {
          title: 'Night bake',
          description: 'Bread and cakes for the morning. Two of you bake, and one packs the orders.',
        }),
    headCount: 3,
  });
  const early = await hire(house, going, free(...present));
  const working = await workShift(town, early, 'checked_in');
  const pause = subtractMs(town.now, 8 * minuteMs);
  await startBreak(town.tx, town.scopeOf(early.worker.accountId, pause), evidenceAt(working, pause));
  await workShift(town, await hire(house, going, free(...present)), 'checked_in', { arrived: 24 });
  await confirm(await hire(house, going, free(...present)), town.hoursAgo(26));
}

async function seedHoursToApprove(
  town: Town,
  { house, latest, free, shift, hire, nadia }: Desk,
): Promise<void> {
  const past = latest('15:00', '22:00', 14);
  const evening = await shift(house, past, 100, {
    title: 'Waiting staff for a full evening',
    description: 'We are fully booked. The three of you share the floor and close up together.',
    headCount: 3,
  });
  await workShift(town, await hire(house, evening, free(...past)), 'submitted');
  await workShift(town, await hire(house, evening, free(...past)), 'submitted', {
    arrived: 21,
    claimed: 30,
    note: 'I stayed to close up with the kitchen team.',
  });
  const countered = await hire(house, evening, free(...past));
  const longer = await workShift(town, countered, 'submitted', { arrived: 12, claimed: 45 });
  await counterHours(town.tx, nadia(town.hoursAgo(12)), {
    engagementId: longer.id,
    version: longer.version,
    startsAt: addMs(past[0], 12 * minuteMs).toISOString(),
    endsAt: past[1].toISOString(),
    breakMinutes: 30,
    note: 'You checked in twelve minutes late, and we closed on time.',
  });
}

async function seedDispute(town: Town, { dinner, latest, free, shift, hire, nadia }: Desk): Promise<void> {
  const argued = latest('16:00', '23:00', 54);
  const party = await shift(dinner, argued, 100, {
    title: 'Wedding dinner service',
    description: 'Forty guests, four courses, and speeches between courses.',
  });
  const unhappy = await hire(dinner, party, free(...argued));
  const claimed = await workShift(town, unhappy, 'submitted', {
    claimed: 90,
    note: 'The guests stayed late.',
  });
  const answered = await counterHours(town.tx, nadia(town.hoursAgo(50)), {
    engagementId: claimed.id,
    version: claimed.version,
    startsAt: argued[0].toISOString(),
    endsAt: argued[1].toISOString(),
    breakMinutes: 30,
    note: 'We didn’t ask anyone to stay on.',
  });
  await fileDispute(town.tx, town.scopeOf(unhappy.worker.accountId, town.hoursAgo(28)), {
    engagementId: answered.id,
    version: answered.version,
    reason: 'Your floor manager asked me to stay until the last guest left. Two colleagues heard it.',
    amountMinor: claimed.amountMinor,
  });
}

async function seedNoShow(town: Town, { dinner, latest, free, shift, hire, nadia }: Desk): Promise<void> {
  const missed = latest('11:00', '17:00', 40);
  const lunch = await shift(dinner, missed, 100, {
    title: 'Lunch service for offices',
    description: 'The lunch menu for nearby offices. A short, busy shift.',
  });
  const absent = await hire(dinner, lunch, free(...missed));
  const noShow = await reportNoShow(town.tx, nadia(addMs(missed[0], 75 * minuteMs)), {
    engagementId: absent.engagement.id,
    version: absent.engagement.version,
  });
  await contestNoShow(town.tx, town.scopeOf(absent.worker.accountId, addMs(missed[0], 5 * hourMs)), {
    engagementId: noShow.id,
    version: noShow.version,
    note: 'I was at the locked door from the start and called twice. My phone couldn’t get a location.',
  });
}

async function seedInstantHire(town: Town, { house, diary, free, shift }: Desk): Promise<void> {
  const open = [
    instantAt(dayAfter(town.now, 3), '10:00'),
    instantAt(dayAfter(town.now, 3), '16:00'),
  ] as const;
  const instant = await shift(house, open, 22, {
    title: 'Market stall barista',
    description:
      'Serve coffee from the cart out front. If you’ve done it before, you can start without an interview.',
    skills: ['barista', 'waiter'],
    headCount: 3,
    instantHire: true,
  });
  const quick = free(...open);
  await applyAs(town, quick, instant, town.hoursAgo(15));
  diary.book(quick, ...open);
}

async function seedFullJob(town: Town, { dinner, leila, free, shift, hire }: Desk): Promise<Waiting> {
  const full = [
    instantAt(dayAfter(town.now, 5), '17:00'),
    instantAt(dayAfter(town.now, 5), '22:00'),
  ] as const;
  const table = await shift(dinner, full, 80, {
    title: 'Waiter for the tasting menu',
    description: 'Seven small courses for twenty guests. The kitchen walks you through the menu at four.',
  });
  const booked = free(...full);
  const waiting: Waiting = [];
  for (const worker of [free(...full, [booked]), leila, free(...full, [booked])])
    waiting.push({
      worker,
      applicationId: await applyAs(town, worker, table, town.hoursAgo(70 - waiting.length)),
    });
  await hire(dinner, table, booked);
  return waiting;
}

async function seedTasks(town: Town, { house, hire }: Desk, people: TownPeople): Promise<void> {
  const { tx, now, hoursAgo } = town;
  const painters = people.workers.filter(({ trades }) => trades.includes('trades'));
  const posted = hoursAgo(9 * 24);
  const post = async (title: string, description: string, payMinor: number) =>
    postJob(town, house, posted, {
      kind: 'task',
      title,
      photoIds: await uploadTaskPhotos(town, house.owner.accountId, posted, title),
      description,
      category: 'trades',
      skills: ['painter', 'handyperson'],
      requirements: ['Your own tools'],
      payMinor,
      headCount: 1,
      dueOn: dayAfter(now, 6),
    });
  const first = painters[0] as Person;
  const second = painters[1] as Person;
  const wall = await post(
    'Paint the wall behind the bar',
    'Four by three metres, dark green. We have the paint.',
    24_000,
  );
  const painted = await hire(house, wall, first);
  const delivered = town.scopeOf(first.accountId, hoursAgo(17));
  const input = { purpose: 'work' as const, file: new File([await drawnPhoto()], 'wall.jpg') };
  const photo = await uploadFile(tx, delivered, input, await prepareUpload(delivered, input, tx));
  await deliverWork(tx, delivered, {
    engagementId: painted.engagement.id,
    version: painted.engagement.version,
    note: 'Two coats. The corner by the window may need a third in the spring.',
    fileIds: [photo.id],
  });
  const shelves = await post(
    'Put up twelve shelves',
    'In the storeroom, on a solid wall. The wood is already cut.',
    18_000,
  );
  const started = await hire(house, shelves, second);
  await startEngagement(tx, town.scopeOf(second.accountId, hoursAgo(26)), {
    engagementId: started.engagement.id,
    version: started.engagement.version,
  });
}

/** Seeds the waitlist, after the applicants were notified. */
export async function seedWaitlist(town: Town, waiting: Waiting): Promise<void> {
  for (const [nth, { applicationId, worker }] of waiting.slice(0, 2).entries())
    await joinWaitlist(town.tx, town.scopeOf(worker.accountId, town.hoursAgo(22 - nth)), {
      applicationId,
    });
}
