import type { EngagementCard } from '@nearhand/contract/work/engagements';

export type JobGroup = { jobId: string; title: string; first: EngagementCard; work: EngagementCard[] };
export type DayGroup = { day: string; jobs: JobGroup[] };

/** Groups work by day, then by job, keeping its order. */
export function groupWork(
  work: readonly EngagementCard[],
  dayOf: (one: EngagementCard) => string,
): DayGroup[] {
  const days: DayGroup[] = [];
  for (const one of work) {
    const name = dayOf(one);
    let day = days.find((day) => day.day === name);
    if (!day) {
      day = { day: name, jobs: [] };
      days.push(day);
    }
    const job = day.jobs.find(({ jobId }) => jobId === one.jobId);
    if (job) job.work.push(one);
    else day.jobs.push({ jobId: one.jobId, title: one.terms.title, first: one, work: [one] });
  }
  return days;
}
