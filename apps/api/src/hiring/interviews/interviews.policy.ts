import type { InterviewAction } from '@nearhand/contract/hiring/interviews';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Side } from '@nearhand/contract/sides';

/** How the caller stands to an interview: its worker, a member of its business by role, or nobody who may know of it. */
export type InterviewRelation = 'worker' | MemberRole | null;

/** The side on which somebody stands; null for strangers, and for finance, who has nothing to do with applicants. */
export const interviewSide = (relation: InterviewRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation === null || relation === 'finance' ? null : 'business';

/** Whether this side may do this at all, whatever the state: the outcome is the business's to say. */
export const canInterview = (side: Side, action: InterviewAction): boolean =>
  action !== 'complete' || side === 'business';
