import {
  type ApplicationAction,
  type ApplicationStatus,
  applicationActions,
} from '@nearhand/contract/applications';
import type { Mover } from '@nearhand/contract/moves';
import type { MemberRole } from '@nearhand/contract/operation';
import { nextApplicationStatus } from './applications.rules.ts';

/** Who looks at an application: its worker, a member of the business by role, or nobody who may know of it. */
export type Relation = 'worker' | MemberRole | null;

const moverOf: Record<ApplicationAction, Mover> = {
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
const seesApplicants: readonly Relation[] = ['owner', 'manager', 'recruiter'];

/** Whether this person may do this at all, whatever the state. */
export const canApplication = (relation: Relation, action: ApplicationAction): boolean =>
  moverOf[action] === 'W' ? relation === 'worker' : seesApplicants.includes(relation);

/** What this person can do with it now. Repeats are not offered. */
export const applicationActionsFor = (relation: Relation, status: ApplicationStatus): ApplicationAction[] =>
  applicationActions.filter((action) => {
    const next = nextApplicationStatus(status, action, moverOf[action]);
    return canApplication(relation, action) && next !== null && (inPlace.includes(action) || next !== status);
  });
