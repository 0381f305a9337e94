import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { publishJob } from '../hiring/jobs/job-lifecycle.ts';
import { createJob } from '../hiring/jobs/jobs.ts';
import { getOffer } from '../hiring/offers/offer-views.ts';
import { acceptOffer, makeOffer } from '../hiring/offers/offers.ts';
import { checkIn, checkOut } from '../work/attendance/attendance.ts';
import { viewEngagement } from '../work/engagements/engagement-views.ts';
import { evidenceAt } from '../work/engagements/engagements.fixtures.ts';
import { confirmEngagement } from '../work/engagements/engagements.ts';
import { approveWork } from '../work/timesheets/approval.ts';
import { submitHours } from '../work/timesheets/hours.ts';
import type { OpenedBusiness } from './seed-businesses.ts';
import { payByCard } from './seed-money.ts';
import { type Person, someMinutes, type Town } from './town/town.ts';

export type Diary = ReturnType<typeof createDiary>;

export function createDiary() {
  const spans = new Map<Person, [from: number, until: number][]>();
  const spansOf = (worker: Person) => spans.get(worker) ?? [];
  return {
    isFree: (worker: Person, from: Date, until: Date): boolean =>
      spansOf(worker).every(([begins, ends]) => until.getTime() <= begins || ends <= from.getTime()),
    book(worker: Person, from: Date, until: Date): void {
      spans.set(worker, [...spansOf(worker), [from.getTime(), until.getTime()]]);
    },
  };
}

export async function postJob(
  town: Town,
  { business, owner }: OpenedBusiness,
  at: Date,
  draft: JobDraft,
  alsoOn: string[] = [],
): Promise<Job> {
  const scope = town.scopeOf(owner.accountId, at);
  const { id: jobId } = await createJob(town.tx, scope, { businessId: business.id, ...draft });
  return publishJob(town.tx, scope, { jobId, alsoOn, asBlock: alsoOn.length > 0 });
}

export type Hired = { engagement: Engagement; worker: Person; owner: Person };

export async function hireApplicant(
  town: Town,
  people: { applicationId: string; worker: Person; owner: Person },
  times: { offeredAt: Date; acceptedAt: Date },
  cardId?: string,
): Promise<Hired> {
  const { applicationId, worker, owner } = people;
  const recruiter = town.scopeOf(owner.accountId, times.offeredAt);
  const offer = await makeOffer(town.tx, recruiter, {
    applicationId,
    message: '',
    funding: cardId ? { from: 'card', cardId } : undefined,
  });
  const chargeId = offer.hold?.charge?.id;
  if (chargeId) await payByCard(town, owner.accountId, chargeId, addMs(times.offeredAt, 20_000));
  const { id, version } = await getOffer(town.tx, recruiter, { offerId: offer.id });
  const scope = town.scopeOf(worker.accountId, times.acceptedAt);
  const { engagementId } = await acceptOffer(town.tx, scope, { offerId: id, version });
  return { engagement: await viewEngagement(town.tx, scope, engagementId ?? ''), worker, owner };
}

export const workSteps = ['confirmed', 'checked_in', 'checked_out', 'submitted', 'completed'] as const;

/** Minutes from the plan: late arrival, overtime and extra minutes claimed. */
export type WorkStory = {
  arrived?: number;
  left?: number;
  claimed?: number;
  note?: string;
  confirms?: boolean;
};

export async function workShift(
  town: Town,
  { engagement, worker, owner }: Hired,
  until: (typeof workSteps)[number],
  { arrived = -5, left = 5, claimed = 0, note = '', confirms = true }: WorkStory = {},
): Promise<Engagement> {
  const { tx } = town;
  const startsAt = new Date(engagement.terms.startsAt ?? 0);
  const endsAt = new Date(engagement.terms.endsAt ?? 0);
  const after = (from: Date, minutes: number) => addMs(from, minutes * minuteMs);
  const asWorker = (at: Date) => town.scopeOf(worker.accountId, at);
  const steps = workSteps.slice(confirms ? 0 : 1, workSteps.indexOf(until) + 1);
  let last = engagement;
  for (const step of steps) {
    const target = { engagementId: last.id, version: last.version };
    if (step === 'confirmed') last = await confirmEngagement(tx, asWorker(after(startsAt, -20 * 60)), target);
    if (step === 'checked_in') {
      const come = after(startsAt, arrived);
      last = await checkIn(tx, asWorker(come), evidenceAt(engagement, come));
    }
    if (step === 'checked_out') {
      const leave = after(endsAt, left);
      last = await checkOut(tx, asWorker(leave), evidenceAt(engagement, leave));
    }
    if (step === 'submitted')
      last = await submitHours(tx, asWorker(after(endsAt, Math.max(left, claimed) + 25)), {
        ...target,
        startsAt: startsAt.toISOString(),
        endsAt: after(endsAt, claimed).toISOString(),
        breakMinutes: engagement.terms.breakMinutes,
        note,
      });
    if (step === 'completed')
      last = await approveWork(
        tx,
        town.scopeOf(owner.accountId, addMs(endsAt, 18 * hourMs + someMinutes(town.uneven))),
        target,
      );
  }
  return last;
}
