import type { JobAction, JobStatus } from '@nearhand/contract/hiring/jobs';
import { jobActions } from '@nearhand/contract/hiring/jobs';
import { mayBeEdited, nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Who views a job: their role there, and whether they applied. `colleague`: a member of its business who is limited to other branches. */
export type JobViewer = { role: MemberRole | null; applied: boolean; colleague?: boolean };

const forEveryone: readonly JobStatus[] = ['open', 'filled', 'expired', 'closed'];
const forApplicants: readonly JobStatus[] = ['paused', 'archived', 'suspended'];

/**
 * Whether this viewer may see the job: drafts are for members, a paused or archived job stays visible to applicants. Closing a job makes
 * it no more public: `closedUnseen` is one that was closed in review, rejected or suspended.
 */
export const canSee = (viewer: JobViewer, status: JobStatus, closedUnseen: boolean): boolean =>
  viewer.role !== null ||
  (forEveryone.includes(status) && !closedUnseen) ||
  (viewer.applied && (forApplicants.includes(status) || closedUnseen));

/** Recruiters manage jobs; finance only views them. */
export const canAct = (role: MemberRole | null): boolean => roleMay(role, 'jobs');

/**
 * What the viewer can do with the job now. A guest is offered `apply` too: the button leads to sign-in. `applied` means an application
 * that was not withdrawn.
 */
export function jobActionsFor(viewer: JobViewer, status: JobStatus): JobAction[] {
  if (viewer.role === null) return status === 'open' && !viewer.applied && !viewer.colleague ? ['apply'] : [];
  if (!canAct(viewer.role)) return [];
  const moves = (action: 'publish' | 'pause' | 'reopen' | 'close' | 'archive') => {
    const next = nextJobStatus(status, action, 'M');
    return next !== null && next !== status;
  };
  const possible: Partial<Record<JobAction, boolean>> = {
    edit: mayBeEdited(status),
    publish: moves('publish'),
    pause: moves('pause'),
    reopen: moves('reopen'),
    duplicate: true,
    close: moves('close'),
    archive: moves('archive'),
    'delete-draft': status === 'draft',
    'see-applicants': status !== 'draft',
  };
  return jobActions.filter((action) => possible[action]);
}
