import type { EngagementCard } from '@nearhand/contract/work/engagements';

export type JobGroup = { jobId: string; title: string; first: EngagementCard; work: EngagementCard[] };
export type ShiftDay = { day: string; jobs: JobGroup[] };

export function groupWork(
  work: readonly EngagementCard[],
  dayOf: (card: EngagementCard) => string,
): ShiftDay[] {
  const days: ShiftDay[] = [];
  for (const card of work) {
    const name = dayOf(card);
    let day = days.find((day) => day.day === name);
    if (!day) {
      day = { day: name, jobs: [] };
      days.push(day);
    }
    const job = day.jobs.find(({ jobId }) => jobId === card.jobId);
    if (job) job.work.push(card);
    else day.jobs.push({ jobId: card.jobId, title: card.terms.title, first: card, work: [card] });
  }
  return days;
}
