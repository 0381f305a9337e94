import { hourMs } from '@nearhand/contract/durations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import {
  rejectApplication,
  shortlistApplication,
  viewApplication,
} from '../hiring/applicants/applicant-lifecycle.ts';
import { withdrawApplication } from '../hiring/applications/applications.ts';
import { bringInterview, makeInterview } from '../hiring/interviews/interviews.fixtures.ts';
import { declineOffer, makeOffer } from '../hiring/offers/offers.ts';
import { addNote } from '../hiring/pipeline/notes.ts';
import { setTags } from '../hiring/pipeline/tags.ts';
import type { ClockScope, Scope } from '../platform/http/scope.ts';
import { applyAs } from './seed-applications.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import type { TownPeople } from './seed-people.ts';
import { postJob } from './seed-work.ts';
import type { Person, Town } from './town/town.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

const halfHourAfter = (scope: ClockScope, hours: number): string =>
  new Date(
    Math.round((scope.clock.now().getTime() + hours * hourMs) / (hourMs / 2)) * (hourMs / 2),
  ).toISOString();

/** Two thirds are in the trade, the rest are not, to make the ranking meaningful. */
const applicantCount = 24;

type Pipeline = {
  town: Town;
  /** The ids, in the order in which they were sent. */
  ids: readonly string[];
  leilas: string;
  nadia(hoursAgo: number): Scope;
  worker(nth: number, hoursAgo: number): Scope;
};

export async function seedPipeline(town: Town, opened: OpenedBusiness, people: TownPeople): Promise<Job> {
  const job = await postFestivalJob(town, opened);
  const pipeline = await applyInTurn(town, opened, people, job);
  await viewAndShortlist(pipeline);
  await seedInterviews(pipeline);
  await seedAnswers(pipeline);
  await seedTagsAndNotes(pipeline);
  return job;
}

const postFestivalJob = (town: Town, opened: OpenedBusiness): Promise<Job> => {
  const day = dayAfter(town.now, 8);
  return postJob(town, opened, town.hoursAgo(130), {
    kind: 'shift',
    title: 'Barista for the light festival',
    category: 'hospitality',
    description:
      'The busiest evening of the year on our street. Two espresso machines, one of them in the window, plus soup.\n\nYou work with two people who have done it before. We eat together at ten.',
    requirements: ['You’ve made coffee for a long queue', 'Friendly when it’s loud'],
    skills: ['barista', 'waiter'],
    questions: [
      { prompt: 'Can you stay until midnight?', kind: 'yes_no', choices: [], required: true },
      { prompt: 'How many years of experience do you have?', kind: 'number', choices: [], required: true },
    ],
    startsAt: instantAt(day, '16:00').toISOString(),
    endsAt: instantAt(day, '23:30').toISOString(),
    breakMinutes: 30,
    payMinor: 1_850,
    headCount: 3,
    relation: 'self_employed',
  });
};

async function applyInTurn(
  town: Town,
  opened: OpenedBusiness,
  people: TownPeople,
  job: Job,
): Promise<Pipeline> {
  const { chance, hoursAgo: ago } = town;
  const able = people.workers.filter(
    (worker) => worker !== people.leila && worker.trades.includes('hospitality'),
  );
  const otherTrades = people.workers.filter((worker) => !worker.trades.includes('hospitality'));
  const crowd = [...chance.some(able, 16), ...chance.some(otherTrades, applicantCount - 16)];
  // Mixed, so that no lane holds only one kind.
  const applicants = crowd.map((_, nth) => crowd[(nth * 7) % crowd.length] as Person);
  const ids: string[] = [];
  for (const [nth, worker] of applicants.entries())
    ids.push(await applyAs(town, worker, job, ago(nth < 17 ? 120 - 2 * nth : 30 - 4 * (nth - 17))));
  return {
    town,
    ids,
    leilas: await applyAs(town, people.leila, job, ago(100)),
    nadia: (hours) => town.scopeOf(opened.owner.accountId, ago(hours)),
    worker: (nth, hours) => town.scopeOf((applicants[nth] as Person).accountId, ago(hours)),
  };
}

async function viewAndShortlist({ town: { tx }, ids, leilas, nadia }: Pipeline): Promise<void> {
  for (const [nth, applicationId] of ids.slice(0, 17).entries())
    await viewApplication(tx, nadia(80 - nth), { applicationId });
  await viewApplication(tx, nadia(62), { applicationId: leilas });
  for (const nth of [3, 5, 8, 0, 1])
    await shortlistApplication(tx, nadia(60 - nth), { applicationId: ids[nth] as string });
}

async function seedInterviews({ town: { tx }, ids, leilas, nadia, worker }: Pipeline): Promise<void> {
  const idOf = (nth: number) => ids[nth] as string;
  const scopesAt = (nth: number, hours: number) => ({ worker: worker(nth, hours), business: nadia(hours) });
  const byVideo = {
    mode: 'video' as const,
    where: 'https://meet.example.org/zilverlinde',
    message: 'Twenty minutes, just to say hello.',
    minutes: 20,
  };
  const first = await makeInterview(tx, nadia(50), idOf(0), {
    ...byVideo,
    slots: [halfHourAfter(nadia(50), 50 + 43), halfHourAfter(nadia(50), 50 + 67)],
  });
  await bringInterview(tx, scopesAt(0, 44), first, 'scheduled');
  const second = await makeInterview(tx, nadia(49), idOf(1), {
    slots: [halfHourAfter(nadia(49), 49 + 20), halfHourAfter(nadia(49), 49 + 44)],
    message: 'Come by before lunch and have a look at the machine.',
  });
  await bringInterview(tx, scopesAt(1, 40), second, 'scheduled');
  const rescheduled = await makeInterview(tx, nadia(48), idOf(2), {
    ...byVideo,
    slots: [halfHourAfter(nadia(48), 48 + 46)],
  });
  await bringInterview(tx, scopesAt(2, 7), rescheduled, 'reschedule_requested');
  const interview = await makeInterview(tx, nadia(58), idOf(4), {
    slots: [halfHourAfter(nadia(58), 58 - 4)],
    message: 'Come by for a coffee.',
  });
  await bringInterview(tx, scopesAt(4, 52), interview, 'scheduled');
  await makeInterview(tx, nadia(9), leilas, {
    ...byVideo,
    slots: [26, 50, 73].map((hours) => halfHourAfter(nadia(9), 9 + hours)),
    message: 'We already know you. Which of these times works for you?',
  });
}

async function seedAnswers({ town: { tx }, ids, nadia, worker }: Pipeline): Promise<void> {
  const idOf = (nth: number) => ids[nth] as string;
  await makeOffer(tx, nadia(6), { applicationId: idOf(6), message: 'We’d love to have you on the team.' });
  const refused = await makeOffer(tx, nadia(30), { applicationId: idOf(7), message: '' });
  const target = { offerId: refused.id, version: refused.version };
  await declineOffer(tx, worker(7, 22), {
    ...target,
    reason: 'I’ve found other work for that evening.',
  });
  for (const [nth, reason] of [
    [9, 'experience'],
    [10, 'distance'],
    [11, 'availability'],
  ] as const)
    await rejectApplication(tx, nadia(34), { applicationId: idOf(nth), reason, note: '' });
  await withdrawApplication(tx, worker(12, 20), { applicationId: idOf(12) });
}

async function seedTagsAndNotes({ town: { tx }, ids, nadia }: Pipeline): Promise<void> {
  const idOf = (nth: number) => ids[nth] as string;
  for (const [nth, tags] of [
    [0, ['latte art', 'speaks French']],
    [1, ['has worked here']],
    [3, ['latte art']],
    [5, ['evenings only']],
    [6, ['has worked here', 'speaks French']],
    [8, ['evenings only']],
  ] as const)
    await setTags(tx, nadia(28), { applicationId: idOf(nth), tags: [...tags] });
  for (const [nth, text] of [
    [0, 'Called their last employer, who would take them back right away.'],
    [4, 'Calm and quick on the machine. Wants to bring a colleague next time.'],
    [6, 'Knows our till from the summer. Hire.'],
  ] as const)
    await addNote(tx, nadia(26), { applicationId: idOf(nth), text });
}
