import { addMs, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Interview, InterviewStatus } from '@nearhand/contract/hiring/interviews';
import type { Side } from '@nearhand/contract/sides';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import {
  cancelInterview,
  completeInterview,
  lapseInterview,
  pickInterview,
  proposeInterview,
  reportInterviewNoShow,
  rescheduleInterview,
} from './interviews.ts';

type Changes = Partial<Parameters<typeof proposeInterview>[2]>;

export const hoursAhead = (scope: ClockScope, hours: number): string =>
  new Date(Math.floor((scope.clock.now().getTime() + hours * hourMs) / minuteMs) * minuteMs).toISOString();

/** Proposes an interview as `scope.actor`, a recruiter: by default two times, in two and three days. */
export async function makeInterview(
  db: Db,
  scope: Scope,
  applicationId: string,
  options: Changes = {},
): Promise<Interview> {
  return inTransaction(db, (tx) =>
    proposeInterview(tx, scope, {
      applicationId,
      mode: 'in_person',
      minutes: 30,
      slots: [hoursAhead(scope, 48), hoursAhead(scope, 72)],
      message: 'Come by for a coffee.',
      ...options,
    }),
  );
}

/** Brings an interview into a state through the services, moving the clock where needed. */
export async function bringInterview(
  db: Db,
  scopes: { worker: Scope; business: Scope },
  interview: Interview,
  to: InterviewStatus,
  { by = 'worker', clock }: { by?: Side; clock?: { set(at: Date): void } } = {},
): Promise<void> {
  const run = <Result>(work: (tx: Tx) => Promise<Result>) => inTransaction(db, work);
  const interviewRef = { interviewId: interview.id, version: interview.version };
  if (to === 'proposed') return;
  if (to === 'cancelled') {
    await run((tx) => cancelInterview(tx, scopes.worker, { ...interviewRef, reason: 'I found other work.' }));
    return;
  }
  if (to === 'lapsed') {
    clock?.set(new Date(interview.answerBy ?? 0));
    await lapseInterview({ ...scopes.worker, db, mailer: { send: async () => {} } }, interview.id);
    return;
  }
  const slotId = interview.slots[0]?.id ?? '';
  const confirmed = await run((tx) =>
    pickInterview(tx, scopes.worker, { ...interviewRef, slotId, timeZone: 'Europe/Amsterdam' }),
  );
  const next = { interviewId: confirmed.id, version: confirmed.version };
  const startsAt = new Date(confirmed.startsAt ?? 0);
  if (to === 'reschedule_requested') {
    const slots = [addMs(startsAt, dayMs).toISOString()];
    await run((tx) => rescheduleInterview(tx, scopes[by], { ...next, slots, reason: 'Something came up.' }));
  }
  if (to === 'completed') {
    clock?.set(startsAt);
    await run((tx) =>
      completeInterview(tx, scopes.business, { ...next, outcome: 'advance', notes: 'Friendly.' }),
    );
  }
  if (to === 'no_show_worker' || to === 'no_show_business') {
    clock?.set(addMs(startsAt, hourMs / 4));
    const side = to === 'no_show_worker' ? scopes.business : scopes.worker;
    await run((tx) => reportInterviewNoShow(tx, side, next));
  }
}
