import { dayMs } from '@nearhand/contract/durations';
import type { Interview, InterviewMode } from '@nearhand/contract/hiring/interviews';
import { stillHires } from '@nearhand/contract/hiring/jobs';
import { limits } from '@nearhand/contract/limits';
import { hiringBusiness } from '../../people/businesses/hiring.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { makeApplicationMove, postponeDecideBy } from '../applications/application-moves.service.ts';
import { lockJob } from '../jobs/job-states.service.ts';
import { interviewOver, moveInterview, openInterview } from './interview-moves.service.ts';
import { notifyOfInterviews } from './interview-notices.service.ts';
import { readSlots } from './interview-slots.rules.ts';
import { setLapse, setScheduled } from './interview-timers.service.ts';
import { getInterview } from './interview-views.service.ts';
import { knownZone, readWhere } from './interview-where.rules.ts';
import { type InterviewRelation, interviewSide } from './interviews.policy.ts';
import { answerBy, decideAfter, otherSide } from './interviews.rules.ts';
import {
  countProposedSince,
  findProposalPlace,
  findSlot,
  insertInterview,
  insertMove,
  lockForProposal,
  replaceSlots,
} from './interviews.sql.ts';

type One = { interviewId: string; version: number };

/**
 * Proposes an interview to an applicant, by a recruiter: one to five times within 90 days, which lapse unanswered. The application moves
 * to interviewing, and its decide-by waits for the interview.
 * @param input `minutes` is the length; `where` may be absent for `in_person`: the job's place, unless that is private (ADR 8)
 * @throws application/not-found, application/not-allowed, application/wrong-state, business/wrong-state and job/wrong-state (data: status)
 * where they no longer hire, interview/already-open, interview/too-many (data: limit; each request is a push and a mail to the worker, ADR
 * 125), interview/slot-in-past, interview/slot-too-far, interview/slots-repeated, interview/where-missing, interview/where-invalid
 */
export async function proposeInterview(
  tx: Tx,
  scope: Scope,
  input: {
    applicationId: string;
    mode: InterviewMode;
    where?: string;
    minutes: number;
    slots: string[];
    message: string;
  },
): Promise<Interview> {
  const { accountId } = scope.actor;
  const { applicationId, mode, minutes, message } = input;
  const { place, facts } = await lockApplicationToMeet(tx, accountId, applicationId);
  const now = scope.clock.now();
  const limit = limits.interviewsPerDay;
  if ((await countProposedSince(tx, applicationId, new Date(now.getTime() - dayMs))) >= limit)
    throw new AppError('interview/too-many', { limit });
  const { times, last } = requireSlots(input.slots, now, null);
  const { where, problem } = readWhere(mode, input.where, facts.address);
  if (problem !== null) throw new AppError(`interview/${problem}`);
  await makeApplicationMove(tx, scope, {
    applicationId,
    action: 'propose-interview',
    who: 'M',
    actor: accountId,
  });
  await postponeDecideBy(tx, scope, applicationId, decideAfter(last, minutes));
  const interviewId = newId(now);
  const by = answerBy(now, scope.config.INTERVIEW_ANSWER_HOURS, last);
  await insertInterview(tx, {
    id: interviewId,
    application_id: applicationId,
    job_id: place.job_id,
    business_id: place.business_id,
    worker_id: place.worker_id,
    status: 'proposed',
    mode,
    where_text: where,
    minutes,
    message,
    first_at: times[0] ?? last,
    answer_by: by,
    created_at: now,
    updated_at: now,
  });
  await replaceSlots(tx, interviewId, withIds(times, now));
  await insertMove(tx, {
    id: newId(now),
    interview_id: interviewId,
    actor: accountId,
    side: 'business',
    action: 'propose',
    from_status: null,
    to_status: 'proposed',
    reason: null,
    at: now,
  });
  await setLapse(tx, interviewId, by);
  await notifyOfInterviews(tx, scope, [
    {
      topic: 'interview-proposed',
      to: ['worker'],
      interview: { id: interviewId, version: 1, starts_at: null, minutes },
      data: { by: by.toISOString(), count: times.length, mode },
    },
  ]);
  return getInterview(tx, scope, { interviewId });
}

/**
 * Locks business, job and application, in this order (ADR 38), if the applicant can be interviewed.
 * @throws application/not-found, application/not-allowed, business/wrong-state, job/wrong-state, interview/already-open
 */
async function lockApplicationToMeet(tx: Tx, accountId: string, applicationId: string) {
  const place = await findProposalPlace(tx, applicationId, accountId);
  const relation: InterviewRelation = place?.worker_id === accountId ? 'worker' : (place?.role ?? null);
  if (!place || relation === null) throw new AppError('application/not-found');
  if (interviewSide(relation) !== 'business') throw new AppError('application/not-allowed');
  await hiringBusiness(tx, place.business_id);
  const job = await lockJob(tx, place.job_id);
  if (!stillHires(job.status)) throw new AppError('job/wrong-state', { status: job.status });
  const facts = await lockForProposal(tx, applicationId);
  if (!facts) throw new AppError('application/not-found');
  if (facts.live) throw new AppError('interview/already-open');
  return { place, facts };
}

/**
 * Picks one of the proposed times: the worker from a proposal, the asked side from a reschedule request. The interview is then scheduled
 * at that time.
 * @param input `timeZone` is the zone of the worker's device; stored so that the business can see their time
 * @throws as `openInterview`; interview/slot-not-found, interview/slot-in-past, request/invalid for an unknown zone
 */
export async function pickInterview(
  tx: Tx,
  scope: Scope,
  input: One & { slotId: string; timeZone?: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'pick');
  const zone = input.timeZone === undefined ? null : knownZone(input.timeZone);
  if (input.timeZone !== undefined && zone === null)
    throw new AppError('request/invalid', {
      issues: [{ path: 'timeZone', message: 'a known time zone' }],
    });
  const startsAt = await findSlot(tx, row.id, input.slotId);
  if (!startsAt) throw new AppError('interview/slot-not-found');
  const now = scope.clock.now();
  if (startsAt <= now) throw new AppError('interview/slot-in-past');
  await moveInterview(tx, scope, row, 'pick', mover, {
    starts_at: startsAt,
    ...(mover.side === 'worker' && zone !== null ? { worker_zone: zone } : {}),
  });
  const interview = { ...row, version: row.version + 1, starts_at: startsAt };
  await setScheduled(tx, scope, interview);
  await notifyOfInterviews(tx, scope, [
    { topic: 'interview-scheduled', to: [otherSide(mover.side)], interview, but: mover.accountId },
  ]);
  return getInterview(tx, scope, input);
}

/**
 * Asks the other side to reschedule an interview, with new times; at most twice, not within 12 hours of its start. The old time stays
 * until they answer; unanswered, the interview lapses.
 * @throws as `openInterview`; interview/slot-in-past, interview/slot-too-far, interview/slots-repeated
 */
export async function rescheduleInterview(
  tx: Tx,
  scope: Scope,
  input: One & { slots: string[]; reason: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'reschedule');
  const standing = row.starts_at;
  if (!standing) throw new AppError('interview/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const { times, last } = requireSlots(input.slots, now, standing);
  const by = answerBy(now, scope.config.INTERVIEW_ANSWER_HOURS, new Date(Math.min(+last, +standing)));
  await moveInterview(
    tx,
    scope,
    row,
    'reschedule',
    mover,
    {
      answer_by: by,
      reschedules: row.reschedules + 1,
      reschedule_by: mover.side,
      reschedule_reason: input.reason,
    },
    { reason: input.reason || null, slots: times },
  );
  if (row.application_status === 'interviewing')
    await postponeDecideBy(tx, scope, row.application_id, decideAfter(last, row.minutes));
  await setLapse(tx, row.id, by);
  await notifyOfInterviews(tx, scope, [
    {
      topic: 'interview-reschedule-asked',
      to: [otherSide(mover.side)],
      interview: { ...row, version: row.version + 1 },
      but: mover.accountId,
      data: { by: by.toISOString(), count: times.length, reason: input.reason },
    },
  ]);
  return getInterview(tx, scope, input);
}

/**
 * Keeps the old time: the asked side's answer, or the asking side's withdrawal of the request. A repeat is a no-op.
 * @throws as `openInterview`
 */
export async function keepInterview(tx: Tx, scope: Scope, input: One): Promise<Interview> {
  const { row, mover, repeat } = await openInterview(tx, scope, input, 'keep');
  if (!repeat && row.starts_at) {
    await moveInterview(tx, scope, row, 'keep', mover);
    const interview = { ...row, version: row.version + 1, starts_at: row.starts_at };
    await setScheduled(tx, scope, interview);
    await notifyOfInterviews(tx, scope, [
      { topic: 'interview-kept', to: [otherSide(mover.side)], interview, but: mover.accountId },
    ]);
  }
  return getInterview(tx, scope, input);
}

/**
 * Cancels an interview, by either side, before its start. The application goes back to the shortlist. A repeat is a no-op.
 * @throws as `openInterview`
 */
export async function cancelInterview(
  tx: Tx,
  scope: Scope,
  input: One & { reason: string },
): Promise<Interview> {
  const { row, mover, repeat } = await openInterview(tx, scope, input, 'cancel');
  if (!repeat) {
    await moveInterview(tx, scope, row, 'cancel', mover, {}, { reason: input.reason || null });
    await interviewOver(tx, scope, row, mover);
    await notifyOfInterviews(tx, scope, [
      {
        topic: 'interview-cancelled',
        to: [otherSide(mover.side)],
        interview: { ...row, version: row.version + 1 },
        but: mover.accountId,
        data: { reason: input.reason },
      },
    ]);
  }
  return getInterview(tx, scope, input);
}

function requireSlots(given: readonly string[], now: Date, standing: Date | null) {
  const { times, problem } = readSlots(given, now, standing);
  const last = times.at(-1);
  if (problem !== null || !last) throw new AppError(`interview/${problem ?? 'slot-in-past'}`);
  return { times, last };
}

const withIds = (times: readonly Date[], now: Date) => times.map((at) => ({ id: newId(now), starts_at: at }));
