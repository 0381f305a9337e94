import { minuteMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Evidence } from '@nearhand/contract/work/attendance';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { applyForJob } from '../../hiring/applications/applications.ts';
import { publishJob } from '../../hiring/jobs/job-lifecycle.ts';
import { jobInput } from '../../hiring/jobs/jobs.fixtures.ts';
import { createJob } from '../../hiring/jobs/jobs.ts';
import { acceptOffer, makeOffer } from '../../hiring/offers/offers.ts';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { checkIn, checkOut } from '../attendance/attendance.ts';
import { approveWork } from '../timesheets/approval.ts';
import { submitHours } from '../timesheets/hours.ts';
import { viewEngagement } from './engagement-views.ts';
import { confirmEngagement } from './engagements.ts';

export type BothSides = { worker: Scope; recruiter: Scope };

/** Hires a worker through the services; by default for eight hours the day after tomorrow. */
export async function makeEngagement(
  db: Db,
  { worker, recruiter }: BothSides,
  businessId: string,
  overrides: Partial<JobDraft> = {},
): Promise<Engagement> {
  const jobId = await inTransaction(db, async (tx) => {
    const draft = await createJob(tx, recruiter, { businessId, ...jobInput(recruiter.clock, overrides) });
    await publishJob(tx, recruiter, { jobId: draft.id });
    return draft.id;
  });
  return hireFor(db, { worker, recruiter }, jobId);
}

export async function hireFor(db: Db, { worker, recruiter }: BothSides, jobId: string): Promise<Engagement> {
  const input = { jobId, coverNote: 'I live around the corner.', answers: [], cvFileId: null };
  const application = await inTransaction(db, (tx) => applyForJob(tx, worker, input));
  const offer = await inTransaction(db, (tx) =>
    makeOffer(tx, recruiter, { applicationId: application.id, message: '' }),
  );
  const accepted = await inTransaction(db, (tx) =>
    acceptOffer(tx, worker, { offerId: offer.id, version: offer.version }),
  );
  return viewEngagement(db, worker, accepted.engagementId ?? '');
}

/** Evidence of a device at the site. `overrides` changes its position or its clock. */
export const evidenceAt = (
  engagement: Pick<Engagement, 'id' | 'terms'>,
  at: Date,
  overrides: Partial<Omit<Evidence, 'engagementId'>> = {},
): Evidence => ({
  engagementId: engagement.id,
  at: at.toISOString(),
  sentAt: at.toISOString(),
  position: { lat: engagement.terms.place.lat, lng: engagement.terms.place.lng, accuracyM: 12 },
  code: null,
  ...overrides,
});

const workSteps = ['confirmed', 'checked_in', 'checked_out', 'submitted', 'completed'] as const;
export type WorkStep = (typeof workSteps)[number];

/**
 * Works a shift as planned up to a step, through the services.
 * @param at the scope of a side at a given time
 */
export async function workThrough(
  db: Db,
  at: (side: 'worker' | 'recruiter', moment: Date) => Scope,
  engagement: Engagement,
  until: WorkStep,
): Promise<Engagement> {
  const { startsAt, endsAt, breakMinutes } = engagement.terms;
  if (startsAt === null || endsAt === null) throw new Error('only a shift can be worked through');
  const moment = (from: string, minutes: number) => new Date(Date.parse(from) + minutes * minuteMs);
  const steps: Record<WorkStep, (last: Engagement) => Promise<Engagement>> = {
    confirmed: (last) =>
      inTransaction(db, (tx) => confirmEngagement(tx, at('worker', moment(startsAt, -24 * 60)), refOf(last))),
    checked_in: () => {
      const come = moment(startsAt, -5);
      return inTransaction(db, (tx) => checkIn(tx, at('worker', come), evidenceAt(engagement, come)));
    },
    checked_out: () => {
      const leave = moment(endsAt, 5);
      return inTransaction(db, (tx) => checkOut(tx, at('worker', leave), evidenceAt(engagement, leave)));
    },
    submitted: (last) =>
      inTransaction(db, (tx) =>
        submitHours(tx, at('worker', moment(endsAt, 30)), {
          ...refOf(last),
          startsAt,
          endsAt,
          breakMinutes,
          note: '',
        }),
      ),
    completed: (last) =>
      inTransaction(db, (tx) => approveWork(tx, at('recruiter', moment(endsAt, 20 * 60)), refOf(last))),
  };
  let last = engagement;
  for (const step of workSteps.slice(0, workSteps.indexOf(until) + 1)) last = await steps[step](last);
  return last;
}

const refOf = ({ id, version }: Engagement) => ({ engagementId: id, version });
