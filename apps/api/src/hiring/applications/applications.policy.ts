import {
  type ApplicationAction,
  type ApplicationStatus,
  applicationActions,
} from '@nearhand/contract/hiring/applications';
import type { Mover } from '@nearhand/contract/moves';
import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { nextApplicationStatus } from './applications.rules.ts';

/** The viewer's relation to an application: its worker, a member of the business by role, or none. */
export type Relation = 'worker' | MemberRole | null;

/** Who makes each move. */
export const moverOf: Record<ApplicationAction, Mover> = {
  edit: 'W',
  withdraw: 'W',
  view: 'M',
  shortlist: 'M',
  unshortlist: 'M',
  reject: 'M',
  'propose-interview': 'M',
  offer: 'M',
  'join-waitlist': 'W',
  'leave-waitlist': 'W',
};
/** Moves whose result may be there already. */
const inPlace: readonly ApplicationAction[] = [
  'edit',
  'propose-interview',
  'join-waitlist',
  'leave-waitlist',
];

/** Whether this person may do this at all, whatever the status. */
export const canApplication = (relation: Relation, action: ApplicationAction): boolean =>
  moverOf[action] === 'W' ? relation === 'worker' : relation !== 'worker' && roleMay(relation, 'applicants');

/** What else decides which actions are possible now; absent ones take their most common value. */
export type ApplicationCircumstances = {
  /** The worker is on the waitlist. */
  waiting?: boolean;
  /** The job is full, so it has a waitlist. */
  jobFilled?: boolean;
  /** An interview is open; a second one has to wait. */
  interviewOpen?: boolean;
  /** The job's status still allows hiring; expired and closed ones don't. */
  jobHires?: boolean;
  /** A spot can be offered. */
  seatFree?: boolean;
};

/** What this person can do with it now. Repeats are not offered. */
export function applicationActionsFor(
  relation: Relation,
  status: ApplicationStatus,
  circumstances: ApplicationCircumstances = {},
): ApplicationAction[] {
  const { waiting = false, jobFilled = true, interviewOpen = false } = circumstances;
  const { jobHires = true, seatFree = true } = circumstances;
  const possible: Partial<Record<ApplicationAction, boolean>> = {
    'propose-interview': !interviewOpen && jobHires,
    offer: seatFree,
    'join-waitlist': !waiting && jobFilled,
    'leave-waitlist': waiting,
  };
  return applicationActions.filter((action) => {
    const next = nextApplicationStatus(status, action, moverOf[action]);
    return (
      canApplication(relation, action) &&
      (possible[action] ?? true) &&
      next !== null &&
      (inPlace.includes(action) || next !== status)
    );
  });
}
