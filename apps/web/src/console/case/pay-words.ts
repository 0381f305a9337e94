import type { Step } from '@nearhand/contract/sides';
import { plainWords } from '../queue/case-words.ts';

const done: Record<string, string> = {
  book: 'was booked',
  confirm: 'confirmed',
  'check-in': 'checked in',
  'check-out': 'checked out',
  start: 'started',
  'submit-hours': 'submitted hours',
  'auto-submit': 'submitted the planned hours',
  counter: 'proposed other hours',
  'accept-counter': 'accepted the hours',
  deliver: 'delivered',
  'request-changes': 'asked for changes',
  approve: 'approved',
  cancel: 'cancelled',
  'report-no-show': 'reported a no-show',
  contest: 'contested the report',
  dispute: 'opened a dispute',
  file: 'filed the dispute',
  answer: 'answered',
  propose: 'proposed an amount',
  'accept-proposal': 'accepted the proposal',
  agree: 'agreed',
  escalate: 'passed it to Nearhand',
  settle: 'settled it',
  decide: 'decided',
  uphold: 'confirmed the no-show',
  overturn: 'decided that they worked',
};

/** A step of the work or its dispute, by whom. */
export function moveWords(
  { action, by }: Pick<Step, 'action' | 'by'>,
  names: { worker: string; business: string },
): string {
  if (action === 'book') return `${names.worker} was booked`;
  const who =
    by === 'worker'
      ? names.worker
      : by === 'business'
        ? names.business
        : by === 'operator'
          ? 'Nearhand'
          : 'The system';
  return done[action] ? `${who} ${done[action]}` : `${plainWords(action)} (${who})`;
}
