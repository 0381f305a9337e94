import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { Answer } from '@nearhand/contract/hiring/applications';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import { viewApplication } from '../hiring/applicants/applicant-lifecycle.ts';
import { applyForJob, withdrawApplication } from '../hiring/applications/applications.ts';
import type { PostedJob } from './seed-jobs.ts';
import type { TownPeople } from './seed-people.ts';
import { type Chance, type Person, someMinutes, type Town } from './town/town.ts';
import { townTables } from './town/town-tables.ts';
import { isByDay } from './town/town-time.ts';

type Fate = 'submitted' | 'viewed' | 'withdrawn';

/** Seeds applications. The application clock ends those past their decide-by. */
export async function seedApplications(
  town: Town,
  people: TownPeople,
  posted: readonly PostedJob[],
): Promise<number> {
  const published = posted.filter(({ ending }) => ending !== 'draft');
  const leilas = leilasJobs(people, published);
  let created = 0;
  for (const [index, job] of published.entries()) {
    const fate = leilas.get(job);
    if (fate) {
      await apply(town, job, people.leila, fate);
      created += 1;
    }
    for (const worker of applicantsFor(town.chance, people, job)) {
      await apply(town, job, worker, fateOf(town.chance));
      created += 1;
    }
    town.progress('jobs with their applications', index + 1, published.length);
  }
  return created;
}

function leilasJobs(people: TownPeople, published: readonly PostedJob[]): Map<PostedJob, Fate> {
  const fitting = published.filter(({ trade }) => trade === 'hospitality');
  const open = fitting.filter(({ ending }) => ending === 'open');
  const nadias = open.filter(({ business: of }) => of.owner === people.nadia);
  const otherJobs = open.filter(({ business: of }) => of.owner !== people.nadia);
  const old = fitting.filter(({ ending, business: of }) => ending === 'expired' && of.owner !== people.nadia);
  const options: [PostedJob | undefined, Fate][] = [
    [nadias[0], 'viewed'],
    [nadias[1], 'submitted'],
    [otherJobs[0], 'submitted'],
    [otherJobs[3], 'withdrawn'],
    [otherJobs[7], 'viewed'],
    [old[0], 'submitted'],
  ];
  return new Map(options.flatMap(([job, fate]) => (job ? [[job, fate]] : [])));
}

function applicantsFor(
  chance: Chance,
  people: TownPeople,
  { trade, business: of, ending }: PostedJob,
): Person[] {
  const isAtNadias = of.owner === people.nadia;
  const count = isAtNadias
    ? chance.between(2, 5)
    : ending === 'open'
      ? chance.pick([0, 0, 1, 1, 2])
      : chance.between(0, 2);
  const fitting = people.workers.filter((worker) => worker !== people.leila && worker.trades.includes(trade));
  return chance.some(fitting, count);
}

const fateOf = (chance: Chance): Fate => {
  if (chance.percent(45)) return 'submitted';
  return chance.percent(80) ? 'viewed' : 'withdrawn';
};

async function apply(
  town: Town,
  { job, business: of, ending, publishedAt, questions }: PostedJob,
  worker: Person,
  fate: Fate,
) {
  const { chance, tx, now, uneven } = town;
  const from = publishedAt.getTime() + 40 * minuteMs;
  const until =
    ending === 'open' || ending === 'paused'
      ? now.getTime() - 6 * hourMs
      : Math.min(from + 6 * dayMs, now.getTime());
  const timeAt = (share: number) => new Date(from + Math.max(0, (until - from) * (share / 100)));
  let at = timeAt(chance.between(5, 95));
  for (let attempt = 0; attempt < 12 && !isByDay(at); attempt += 1) at = timeAt(uneven.between(5, 95));
  const applicationId = await applyAs(town, worker, { id: job.id, questions }, earlier(at, now));
  const wait = chance.between(1, 30) * hourMs - someMinutes(uneven);
  const since = Math.max(0, now.getTime() - at.getTime());
  const later = addMs(at, wait < since ? wait : since * (uneven.between(20, 95) / 100));
  if (fate === 'viewed')
    await viewApplication(tx, town.scopeOf(of.owner.accountId, later), { applicationId });
  if (fate === 'withdrawn')
    await withdrawApplication(tx, town.scopeOf(worker.accountId, later), { applicationId });
}

export async function applyAs(
  { chance, tx, scopeOf }: Town,
  worker: Person,
  job: { id: string; questions: readonly JobQuestion[] },
  at: Date,
): Promise<string> {
  const { id } = await applyForJob(tx, scopeOf(worker.accountId, at), {
    jobId: job.id,
    coverNote: noteOf(chance, worker),
    answers: job.questions
      .filter(({ required }) => required || chance.percent(60))
      .map((question) => answerTo(chance, question, worker)),
    cvFileId: null,
  });
  return id;
}

const earlier = (at: Date, now: Date): Date => (at < now ? at : subtractMs(now, 60_000));

function noteOf(chance: Chance, worker: Person): string {
  const { applicationTexts, streets } = townTables();
  const { openings, middles, closings } = applicationTexts;
  return [chance.pick(openings), ...chance.some(middles, chance.between(1, 2)), chance.pick(closings)]
    .filter((sentence) => sentence !== '')
    .join(' ')
    .replaceAll('{name}', firstNameOf(worker.name))
    .replaceAll('{quarter}', chance.pick(streets).quarter)
    .replaceAll('{years}', String(Math.max(2, worker.years)));
}

function answerTo(chance: Chance, { id, prompt, kind, choices }: JobQuestion, worker: Person): Answer {
  if (kind === 'yes_no') return { questionId: id, value: chance.percent(85) };
  if (kind === 'number')
    return { questionId: id, value: /years/.test(prompt) ? worker.years : chance.between(3, 9) };
  if (kind === 'choice') return { questionId: id, value: chance.pick(choices) };
  const fitting = townTables().applicationTexts.writtenAnswers.find(({ begins }) =>
    prompt.startsWith(begins),
  );
  return { questionId: id, value: chance.pick(fitting?.answers ?? ['']) };
}
