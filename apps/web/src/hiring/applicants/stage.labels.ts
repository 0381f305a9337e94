import { t } from '@lingui/core/macro';
import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';

/** Every stage in order. The contract's list would bring its schemas into the browser. */
export const allStages = [
  'new',
  'shortlisted',
  'interviewing',
  'offered',
  'hired',
  'done',
  'ended',
] as const satisfies readonly Stage[];
export const pastStages: readonly Stage[] = ['done', 'ended'];
export const laneStages: readonly Stage[] = allStages.filter((stage) => !pastStages.includes(stage));

export function stageText(stage: Stage): string {
  switch (stage) {
    case 'new':
      return t`New`;
    case 'shortlisted':
      return t`Shortlisted`;
    case 'interviewing':
      return t`Interview`;
    case 'offered':
      return t`Offered`;
    case 'hired':
      return t`Hired`;
    case 'done':
      return t`Done`;
    case 'ended':
      return t`Ended`;
  }
}

export type DropTarget = Stage | 'reject';
export type DropMove = 'shortlist' | 'unshortlist' | 'propose-interview' | 'offer' | 'reject';

const moveInto: Partial<Record<DropTarget, DropMove>> = {
  new: 'unshortlist',
  shortlisted: 'shortlist',
  interviewing: 'propose-interview',
  offered: 'offer',
  ended: 'reject',
  reject: 'reject',
};

/** The move for dropping an applicant on a target; null if the server does not allow it. */
export function dropMove(
  applicant: Pick<Applicant, 'stage' | 'actions'>,
  target: DropTarget,
): DropMove | null {
  if (applicant.stage === target) return null;
  const move = moveInto[target];
  return move && applicant.actions.includes(move) ? move : null;
}

export function mainMove(applicant: Pick<Applicant, 'stage' | 'actions'>): DropMove | null {
  const order: Record<Stage, DropMove[]> = {
    new: ['shortlist', 'propose-interview', 'offer'],
    shortlisted: ['offer', 'propose-interview'],
    interviewing: ['offer'],
    offered: [],
    hired: [],
    done: [],
    ended: [],
  };
  return order[applicant.stage].find((move) => applicant.actions.includes(move)) ?? null;
}

export function moveText(move: DropMove): string {
  switch (move) {
    case 'shortlist':
      return t`Shortlist`;
    case 'unshortlist':
      return t`Move to New`;
    case 'propose-interview':
      return t`Propose an interview`;
    case 'offer':
      return t`Make an offer`;
    case 'reject':
      return t`Reject`;
  }
}
