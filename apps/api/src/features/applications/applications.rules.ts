import type { Answer, ApplicationStatus } from '@nearhand/contract/applications';
import type { JobQuestion } from '@nearhand/contract/jobs';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';

export type ApplicationMoveName = 'edit' | 'withdraw' | 'view' | 'no_response' | 'job_closed';

/**
 * product.md, States: Application; W worker, M merchant, T timer. Submitting has no row: it makes the record. Shortlisting, interviews, offers and
 * hiring add their rows when they are built; what is here already holds for those states.
 */
export const applicationMoves: readonly Move<ApplicationStatus, ApplicationMoveName>[] = [
  ['submitted', 'edit', 'W', 'submitted'],

  ['submitted', 'view', 'M', 'viewed'],

  ['submitted', 'withdraw', 'W', 'withdrawn'],
  ['viewed', 'withdraw', 'W', 'withdrawn'],
  ['shortlisted', 'withdraw', 'W', 'withdrawn'],
  ['interviewing', 'withdraw', 'W', 'withdrawn'],
  ['offered', 'withdraw', 'W', 'withdrawn'],

  // The decide-by clock runs while the business has not said anything: an interview or an offer has clocks of its own.
  ['submitted', 'no_response', 'T', 'no_response'],
  ['viewed', 'no_response', 'T', 'no_response'],
  ['shortlisted', 'no_response', 'T', 'no_response'],

  // Closing a job ends what is alive; who is hired already stays so.
  ['submitted', 'job_closed', 'M', 'job_closed'],
  ['viewed', 'job_closed', 'M', 'job_closed'],
  ['shortlisted', 'job_closed', 'M', 'job_closed'],
  ['interviewing', 'job_closed', 'M', 'job_closed'],
  ['offered', 'job_closed', 'M', 'job_closed'],
];

/** Where a move leads; null where it is illegal, the state itself where it was made already. */
export const nextApplicationStatus = (
  from: ApplicationStatus,
  action: ApplicationMoveName,
  who: Mover,
): ApplicationStatus | null => nextState(applicationMoves, from, action, who);

/** The states from which a move leads on. */
export const statesBefore = (action: ApplicationMoveName): ApplicationStatus[] =>
  applicationMoves.filter((move) => move[1] === action).map((move) => move[0]);

/** Whether the business still owes an answer, so that the decide-by clock runs. */
export const awaitsAnswer = (status: ApplicationStatus): boolean =>
  statesBefore('no_response').includes(status);

export type AnswerProblem = 'unknown' | 'repeated' | 'required' | 'wrong-kind' | 'not-a-choice';

/** What is wrong with the answers to a job's screening questions; empty when nothing is. */
export function answerProblems(
  questions: readonly JobQuestion[],
  answers: readonly Answer[],
): { questionId: string; problem: AnswerProblem }[] {
  const known = new Map(questions.map((question) => [question.id, question]));
  const seen = new Set<string>();
  const problems: { questionId: string; problem: AnswerProblem }[] = [];
  for (const { questionId, value } of answers) {
    const question = known.get(questionId);
    const problem = !question
      ? 'unknown'
      : seen.has(questionId)
        ? 'repeated'
        : isBlank(value)
          ? null
          : valueProblem(question, value);
    if (problem) problems.push({ questionId, problem });
    if (!isBlank(value)) seen.add(questionId);
  }
  for (const { id, required } of questions)
    if (required && !seen.has(id) && !problems.some(({ questionId }) => questionId === id))
      problems.push({ questionId: id, problem: 'required' });
  return problems;
}

/** Answers worth keeping: an empty text is no answer. */
export const givenAnswers = (answers: readonly Answer[]): Answer[] =>
  answers.filter(({ value }) => !isBlank(value));

const isBlank = (value: Answer['value']) => typeof value === 'string' && value.trim() === '';

function valueProblem({ kind, choices }: JobQuestion, value: Answer['value']): AnswerProblem | null {
  if (kind === 'yes_no') return typeof value === 'boolean' ? null : 'wrong-kind';
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) ? null : 'wrong-kind';
  if (typeof value !== 'string') return 'wrong-kind';
  return kind === 'choice' && !choices.includes(value) ? 'not-a-choice' : null;
}

const dayMs = 86_400_000;

/** What the clock of an application does at a time: the newest nudge that is due, and when to look again. */
export function clockAt(
  now: Date,
  { submittedAt, decideBy }: { submittedAt: Date; decideBy: Date },
  nudgeDays: readonly number[],
): { over: boolean; nudgeDay: number | null; next: Date } {
  const at = (day: number) => submittedAt.getTime() + day * dayMs;
  const days = nudgeDays.filter((day) => at(day) < decideBy.getTime());
  const due = days.filter((day) => at(day) <= now.getTime());
  const later = days.find((day) => at(day) > now.getTime());
  return {
    over: now.getTime() >= decideBy.getTime(),
    nudgeDay: due.at(-1) ?? null,
    next: later === undefined ? decideBy : new Date(at(later)),
  };
}
