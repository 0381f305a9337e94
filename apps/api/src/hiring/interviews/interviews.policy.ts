import type { InterviewAction } from '@nearhand/contract/hiring/interviews';
import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';

/** The caller's relation to an interview: its worker, a member of its business by role, or none. */
export type InterviewRelation = 'worker' | MemberRole | null;

/** Which side someone is on; null for strangers and for finance, who does not see applicants. */
export const interviewSide = (relation: InterviewRelation): Side | null =>
  relation === 'worker' ? 'worker' : roleMay(relation, 'applicants') ? 'business' : null;

/** Whether this side may do this at all, whatever the status: only the business records the outcome. */
export const canInterview = (side: Side, action: InterviewAction): boolean =>
  action !== 'complete' || side === 'business';
