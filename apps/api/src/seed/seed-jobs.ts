import { addMs, dayMs, hourMs, minuteMs, subtractMs, weekdayOf } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { archiveJob, closeJob, pauseJob, publishJob } from '../hiring/jobs/job-lifecycle.ts';
import { createJob } from '../hiring/jobs/jobs.ts';
import { uploadTaskPhotos } from './pictures/tasks.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import { type Chance, someMinutes, type Town } from './town/town.ts';
import { type JobText, townTables } from './town/town-tables.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

/** An expired job only has to be old; its timer does the rest. */
type Ending = 'draft' | 'open' | 'paused' | 'expired' | 'closed' | 'archived';
export type PostedJob = {
  job: Job;
  business: OpenedBusiness;
  trade: string;
  ending: Ending;
  publishedAt: Date;
  questions: Job['questions'];
};

export async function seedJobs(
  town: Town,
  businesses: readonly OpenedBusiness[],
  count: number,
): Promise<PostedJob[]> {
  const plans = businesses.map((opened, index) => endingsOf(town, opened, index));
  for (let index = 0; plans.flat().length < count; index = (index + 1) % plans.length)
    if (businesses[index]?.facts.verified !== false) plans[index]?.push('open');
  const posted: PostedJob[] = [];
  for (const [index, of] of businesses.entries()) {
    const notifiedIds = new Set<string>();
    for (const ending of plans[index] ?? []) {
      posted.push(await post(town, of, ending, notifiedIds));
      town.progress('jobs', posted.length, count);
    }
  }
  return posted;
}

function endingsOf({ chance }: Town, { facts }: OpenedBusiness, index: number): Ending[] {
  // An unverified business may have three open jobs (product.md, States).
  if (facts.verified === false) return ['open', 'open', 'open', 'draft'];
  const isNadias = facts.owner === 'nadia';
  const otherJobs = (
    [
      ['draft', 60],
      ['paused', 35],
      ['expired', 40],
      ['closed', 45],
      ['archived', 15],
    ] as const
  ).flatMap(([ending, share]) => (isNadias || chance.percent(share) ? [ending] : []));
  return [...otherJobs, ...Array<Ending>(index % 3 === 0 ? 8 : 7).fill('open')];
}

async function post(
  town: Town,
  opened: OpenedBusiness,
  ending: Ending,
  notifiedIds: Set<string>,
): Promise<PostedJob> {
  const { chance, tx, now } = town;
  const { text, title } = drawText(chance, opened, notifiedIds);
  const publishedAt = subtractMs(now, publishedBefore(chance, ending));
  const scope = town.scopeOf(opened.owner.accountId, publishedAt);
  const draft = await createJob(tx, scope, {
    businessId: opened.business.id,
    ...wordsOf(chance, text, title),
    photoIds: text.hours ? [] : await uploadTaskPhotos(town, opened.owner.accountId, publishedAt, title),
    ...whenOf(town, text, title, ending, publishedAt),
    ...whereOf(chance, text),
    payMinor: payOf(chance, text),
    headCount: text.spots ? chance.between(...text.spots) : 1,
  });
  const job = ending === 'draft' ? draft : await publishJob(tx, scope, { jobId: draft.id });
  return { job, business: opened, trade: text.trade, ending, publishedAt, questions: job.questions };
}

function publishedBefore(chance: Chance, ending: Ending): number {
  const hours = {
    draft: [2, 90],
    open: [1, 24 * 22],
    paused: [24 * 3, 24 * 15],
    expired: [24 * 31, 24 * 38],
    closed: [24 * 12, 24 * 20],
    archived: [24 * 22, 24 * 29],
  } as const;
  const [min, max] = hours[ending];
  return chance.between(min, max) * hourMs + chance.between(0, 59) * minuteMs;
}

export function drawText(
  chance: Chance,
  { facts }: OpenedBusiness,
  notifiedIds: Set<string>,
): { text: JobText; title: string } {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const trade = facts.also && chance.percent(35) ? chance.pick(facts.also) : facts.category;
    const fitting = townTables().jobTexts.filter(
      (jobText) => jobText.trade === trade && (!jobText.tag || facts.tags?.includes(jobText.tag)),
    );
    if (fitting.length === 0) continue;
    const text = chance.pick(fitting);
    const title = chance.pick(text.titles);
    if (notifiedIds.has(title) && attempt < 20) continue;
    notifiedIds.add(title);
    return { text, title };
  }
  throw new Error(`the demo town has no job texts for ${facts.name}`);
}

export const wordsOf = (chance: Chance, text: JobText, title: string) =>
  ({
    kind: text.hours ? 'shift' : 'task',
    title,
    category: text.trade,
    description: `${leadOf(chance, text, title)}\n\n${chance.some(text.details, chance.between(2, 3)).join(' ')}`,
    requirements: chance.some(text.requirements, chance.between(2, 3)),
    skills: [...text.skills],
    questions: [...(text.questions ?? [])],
  }) satisfies Partial<JobDraft>;

const leadOf = (chance: Chance, { titles, leads }: JobText, title: string): string =>
  titles.length === leads.length ? (leads[titles.indexOf(title)] ?? '') : chance.pick(leads);

/** Picks a date in the next three weeks, or soon after publishing for a job that has ended. */
function whenOf(
  { chance, now }: Town,
  text: JobText,
  title: string,
  ending: Ending,
  publishedAt: Date,
): Partial<JobDraft> {
  const from = ending === 'open' || ending === 'paused' || ending === 'draft' ? now : publishedAt;
  const ahead = chance.between(from === now ? 1 : 2, from === now ? 20 : 9);
  if (!text.hours) return chance.percent(75) ? { dueOn: dayAfter(from, ahead + 4) } : { dueOn: null };
  let day = dayAfter(from, ahead);
  const days = daysOf(text, title);
  for (let later = ahead; !days.includes(weekdayOf(day)); later += 1) day = dayAfter(from, later);
  const [start, end] = chance.pick(hoursOf(text.hours, title));
  const startsAt = instantAt(day, start);
  const endDay = end > start ? day : dayAfter(instantAt(day, '12:00'), 1);
  return {
    startsAt: startsAt.toISOString(),
    endsAt: instantAt(endDay, end).toISOString(),
    breakMinutes: text.breakMinutes ?? 0,
  };
}

export function daysOf(text: JobText, title: string): readonly number[] {
  if (/Friday/.test(title)) return [5];
  if (/Saturday/.test(title)) return [6];
  if (/Sunday/.test(title)) return [0];
  if (/weekend/i.test(title) || text.days === 'weekend') return [0, 6];
  return text.days === 'weekdays' ? [1, 2, 3, 4, 5] : [0, 1, 2, 3, 4, 5, 6];
}

type Hours = NonNullable<JobText['hours']>;

/** Matches hours to the title: a late shift does not start at seven. */
export function hoursOf(hours: Hours, title: string): Hours {
  const starts = hours.map(([start]) => start).sort();
  const starting = (start: string | undefined) => hours.filter(([startsAt]) => startsAt === start);
  const byNight = hours.filter(([start, end]) => end < start || start < '05:00');
  if (/night/i.test(title) && byNight.length > 0) return byNight;
  if (/early|morning|opening/i.test(title)) return starting(starts[0]);
  if (/late|evening|dinner|night/i.test(title)) return starting(starts.at(-1));
  if (/lunch/i.test(title)) return starting(starts.find((start) => start >= '10:00') ?? starts[0]);
  return hours;
}

function whereOf(chance: Chance, text: JobText): Pick<JobDraft, 'place'> {
  if (!text.atHome) return {};
  const { name, quarter, lat, lng } = chance.pick(townTables().streets);
  const jitter = () => chance.between(-9, 9) / 10_000;
  return {
    place: {
      address: `${name} ${chance.between(2, 240)}`,
      area: `${quarter}, Amsterdam`,
      lat: Number((lat + jitter()).toFixed(5)),
      lng: Number((lng + jitter()).toFixed(5)),
      privateAddress: true,
    },
  };
}

export function payOf(chance: Chance, { pay: [min, max], hours }: JobText): number {
  const step = hours ? 25 : 500;
  return min + step * chance.between(0, Math.floor((max - min) / step));
}

export async function seedEndings(town: Town, posted: readonly PostedJob[]): Promise<void> {
  for (const { job, business: of, ending, publishedAt } of posted) {
    const end = job.endsAt ? new Date(job.endsAt) : addMs(publishedAt, 8 * dayMs);
    const scope = town.scopeOf(
      of.owner.accountId,
      ending === 'paused' ? pausedAt(town) : closedAt(town, publishedAt, end),
    );
    if (ending === 'paused') await pauseJob(town.tx, scope, { jobId: job.id });
    if (ending === 'closed' || ending === 'archived') await closeJob(town.tx, scope, { jobId: job.id });
    if (ending === 'archived') await archiveJob(town.tx, scope, { jobId: job.id });
  }
}

const pausedAt = ({ now, uneven }: Town) => subtractMs(now, uneven.between(60, 300) * minuteMs);

function closedAt({ now, uneven }: Town, publishedAt: Date, end: Date): Date {
  const after = end.getTime() + hourMs + someMinutes(uneven);
  if (after < now.getTime() - hourMs) return new Date(after);
  const from = publishedAt.getTime() + 8 * dayMs;
  return new Date(from + (now.getTime() - hourMs - from) * (uneven.between(10, 95) / 100));
}
