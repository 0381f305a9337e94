import {
  type ApplicationAction,
  type ApplicationStatus,
  applicationActions,
} from '@nearhand/contract/hiring/applications';
import type { Mover } from '@nearhand/contract/moves';
import { type MemberRole, recruiterRoles } from '@nearhand/contract/operation';
import { nextApplicationStatus } from './applications.rules.ts';

/** Who looks at an application: its worker, a member of the business by role, or nobody who may know of it. */
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
/** Moves that may lead to where one is already. */
const inPlace: readonly ApplicationAction[] = [
  'edit',
  'propose-interview',
  'join-waitlist',
  'leave-waitlist',
];

/** Recruiters and who stands above them see applicants; finance has nothing to do with them. */
const seesApplicants: readonly Relation[] = recruiterRoles;

/** Whether this person may do this at all, whatever the state. */
export const canApplication = (relation: Relation, action: ApplicationAction): boolean =>
  moverOf[action] === 'W' ? relation === 'worker' : seesApplicants.includes(relation);

/** What else decides what can be done with an application now; what is absent is taken as it most often is. */
export type ApplicationCircumstances = {
  /** The worker stands on the waitlist. */
  waiting?: boolean;
  /** The job is full, so that it has a waitlist. */
  jobFilled?: boolean;
  /** An interview is open; a second one waits for its end. */
  interviewOpen?: boolean;
  /** The job is in a state in which it still hires; an expired or closed one does not. */
  jobHires?: boolean;
  /** A seat is free to offer. */
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
