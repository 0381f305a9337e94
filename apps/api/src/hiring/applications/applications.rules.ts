import { dayMs } from '@nearhand/contract/durations';
import type { Answer } from '@nearhand/contract/hiring/applications';
import { type ApplicationStatus, answerMax } from '@nearhand/contract/hiring/applications.rules';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import { hasPhoneOrEmail } from '@nearhand/contract/people/contact-details.rules';

const applicationMoveNames = [
  'edit',
  'view',
  'shortlist',
  'unshortlist',
  'reject',
  'propose-interview',
  'interview-over',
  'offer',
  'withdraw-offer',
  'return-to-viewed',
  'return-to-shortlist',
  'return-to-interview',
  'decline-offer',
  'expire-offer',
  'hire',
  'withdraw',
  'no-response',
  'fill',
  'close',
  'join-waitlist',
  'leave-waitlist',
  'waitlist-offer',
] as const;
export type ApplicationMoveName = (typeof applicationMoveNames)[number];

/** The states of an application (product.md, States). The timer also makes the moves that follow from other records. */
export const applicationMoves: readonly Move<ApplicationStatus, ApplicationMoveName>[] = [
  ['submitted', 'edit', 'worker', 'submitted'],

  ['submitted', 'view', 'business', 'viewed'],

  ['submitted', 'shortlist', 'business', 'shortlisted'],
  ['viewed', 'shortlist', 'business', 'shortlisted'],
  ['shortlisted', 'unshortlist', 'business', 'viewed'],

  ['submitted', 'reject', 'business', 'rejected'],
  ['viewed', 'reject', 'business', 'rejected'],
  ['shortlisted', 'reject', 'business', 'rejected'],
  ['interviewing', 'reject', 'business', 'rejected'],

  ['submitted', 'propose-interview', 'business', 'interviewing'],
  ['viewed', 'propose-interview', 'business', 'interviewing'],
  ['shortlisted', 'propose-interview', 'business', 'interviewing'],
  ['interviewing', 'propose-interview', 'business', 'interviewing'],
  // Cancelled, lapsed or missed: back to the shortlist, where the decide-by clock continues.
  ['interviewing', 'interview-over', 'business', 'shortlisted'],
  ['interviewing', 'interview-over', 'worker', 'shortlisted'],
  ['interviewing', 'interview-over', 'timer', 'shortlisted'],

  ['submitted', 'offer', 'business', 'offered'],
  ['viewed', 'offer', 'business', 'offered'],
  ['shortlisted', 'offer', 'business', 'offered'],
  ['interviewing', 'offer', 'business', 'offered'],
  ['offered', 'withdraw-offer', 'business', 'offer_withdrawn'],
  // The business corrects an offer and keeps the applicant (ADR 377).
  ['offered', 'return-to-viewed', 'business', 'viewed'],
  ['offered', 'return-to-shortlist', 'business', 'shortlisted'],
  ['offered', 'return-to-interview', 'business', 'interviewing'],
  ['offered', 'decline-offer', 'worker', 'offer_declined'],
  ['offered', 'expire-offer', 'timer', 'offer_expired'],
  ['offered', 'hire', 'worker', 'hired'],
  ['submitted', 'hire', 'worker', 'hired'],

  ['submitted', 'withdraw', 'worker', 'withdrawn'],
  ['viewed', 'withdraw', 'worker', 'withdrawn'],
  ['shortlisted', 'withdraw', 'worker', 'withdrawn'],
  ['interviewing', 'withdraw', 'worker', 'withdrawn'],
  ['offered', 'withdraw', 'worker', 'withdrawn'],
  ['position_filled', 'withdraw', 'worker', 'withdrawn'],

  // The decide-by clock runs until an offer is sent.
  ['submitted', 'no-response', 'timer', 'no_response'],
  ['viewed', 'no-response', 'timer', 'no_response'],
  ['shortlisted', 'no-response', 'timer', 'no_response'],
  ['interviewing', 'no-response', 'timer', 'no_response'],

  ['submitted', 'fill', 'timer', 'position_filled'],
  ['viewed', 'fill', 'timer', 'position_filled'],
  ['shortlisted', 'fill', 'timer', 'position_filled'],
  ['interviewing', 'fill', 'timer', 'position_filled'],
  ['position_filled', 'join-waitlist', 'worker', 'position_filled'],
  ['position_filled', 'leave-waitlist', 'worker', 'position_filled'],
  ['position_filled', 'waitlist-offer', 'timer', 'offered'],

  ['submitted', 'close', 'business', 'job_closed'],
  ['viewed', 'close', 'business', 'job_closed'],
  ['shortlisted', 'close', 'business', 'job_closed'],
  ['interviewing', 'close', 'business', 'job_closed'],
  ['offered', 'close', 'business', 'job_closed'],
];

/**
 * Returns the status after a move of the state table (product.md, Application), or null where that mover may
 * not make it.
 */
export const nextApplicationStatus = (
  from: ApplicationStatus,
  action: ApplicationMoveName,
  mover: Mover,
): ApplicationStatus | null => nextState(applicationMoves, from, action, mover);

/** The statuses from which anyone may take this action. */
export const statesBefore = (action: ApplicationMoveName): ApplicationStatus[] =>
  applicationMoves.filter((move) => move[1] === action).map((move) => move[0]);

/** The move back to the stage before an offer. An interview that ended in the meantime leads to the shortlist. */
export function moveAfterOffer(before: ApplicationStatus, hasInterview: boolean): ApplicationMoveName | null {
  if (hasInterview) return 'return-to-interview';
  if (before === 'submitted' || before === 'viewed') return 'return-to-viewed';
  return before === 'shortlisted' || before === 'interviewing' ? 'return-to-shortlist' : null;
}

/** The business still owes an answer, so the decide-by clock runs. */
export const awaitsAnswer = (status: ApplicationStatus): boolean =>
  statesBefore('no-response').includes(status);

export type AnswerProblem =
  | 'unknown'
  | 'repeated'
  | 'required'
  | 'wrong-kind'
  | 'not-a-choice'
  | 'too-large'
  | 'contact-details';

/** Checks answers against a job's questions: unknown, repeated, of the wrong kind, or required and blank. */
export function answerProblems(
  questions: readonly JobQuestion[],
  answers: readonly Answer[],
): { questionId: string; problem: AnswerProblem }[] {
  const questionsById = new Map(questions.map((question) => [question.id, question]));
  const answeredIds = new Set<string>();
  const problems: { questionId: string; problem: AnswerProblem }[] = [];
  for (const { questionId, value } of answers) {
    const question = questionsById.get(questionId);
    let problem: AnswerProblem | null = null;
    if (!question) problem = 'unknown';
    else if (answeredIds.has(questionId)) problem = 'repeated';
    else if (!isBlank(value)) problem = valueProblem(question, value);
    if (problem) problems.push({ questionId, problem });
    if (!isBlank(value)) answeredIds.add(questionId);
  }
  for (const { id, required } of questions)
    if (required && !answeredIds.has(id) && !problems.some(({ questionId }) => questionId === id))
      problems.push({ questionId: id, problem: 'required' });
  return problems;
}

/** Leaves out blank answers, which are not stored. */
export const givenAnswers = (answers: readonly Answer[]): Answer[] =>
  answers.filter(({ value }) => !isBlank(value));

const isBlank = (value: Answer['value']) => typeof value === 'string' && value.trim() === '';

function valueProblem({ kind, choices, prompt }: JobQuestion, value: Answer['value']): AnswerProblem | null {
  if (kind === 'yes_no') return typeof value === 'boolean' ? null : 'wrong-kind';
  if (kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return 'wrong-kind';
    return value > answerMax(prompt) ? 'too-large' : null;
  }
  if (typeof value !== 'string') return 'wrong-kind';
  if (kind === 'choice') return choices.includes(value) ? null : 'not-a-choice';
  return hasPhoneOrEmail(value) ? 'contact-details' : null;
}

/**
 * Places an application between its submission and its deadline: whether it is over, the reminder due now
 * (days since submission), and when to look again.
 */
export function decideByState(
  now: Date,
  { submittedAt, decideBy }: { submittedAt: Date; decideBy: Date },
  nudgeDays: readonly number[],
): { over: boolean; nudgeDay: number | null; next: Date } {
  const at = (day: number) => submittedAt.getTime() + day * dayMs;
  const days = nudgeDays.filter((day) => at(day) < decideBy.getTime());
  const dueDays = days.filter((day) => at(day) <= now.getTime());
  const later = days.find((day) => at(day) > now.getTime());
  return {
    over: now.getTime() >= decideBy.getTime(),
    nudgeDay: dueDays.at(-1) ?? null,
    next: later === undefined ? decideBy : new Date(at(later)),
  };
}

/** Groups applications into batches of up to `max` ids. A worker's stay together, even if they are more than that. */
export function batchesByWorker(
  applications: readonly { id: string; workerId: string }[],
  max: number,
): string[][] {
  const batches: string[][] = [];
  for (const group of Map.groupBy(applications, ({ workerId }) => workerId).values()) {
    const ids = group.map(({ id }) => id);
    const last = batches.at(-1);
    if (last && last.length + ids.length <= max) last.push(...ids);
    else batches.push(ids);
  }
  return batches;
}
