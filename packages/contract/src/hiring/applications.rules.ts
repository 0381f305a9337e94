import type { Offer } from './offers.ts';

/** The statuses of an application (product.md, States). */
export const applicationStatuses = [
  'submitted',
  'viewed',
  'shortlisted',
  'interviewing',
  'offered',
  'hired',
  'withdrawn',
  'rejected',
  'offer_declined',
  'offer_expired',
  'offer_withdrawn',
  'no_response',
  'position_filled',
  'job_closed',
] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

/** Statuses in which the business has still to decide. */
export const undecidedApplicationStatuses = [
  'submitted',
  'viewed',
  'shortlisted',
  'interviewing',
] as const satisfies readonly ApplicationStatus[];

/** Statuses in which an application is live; one live application per worker and job. */
export const liveApplicationStatuses = [
  ...undecidedApplicationStatuses,
  'offered',
  'hired',
] as const satisfies readonly ApplicationStatus[];

/** The stages in which the business owes an answer by its decide-by (ADR 18). */
export const owedStages: readonly string[] = ['new', 'shortlisted', 'interviewing'];
const pastStages: readonly string[] = ['done', 'ended'];

/** Returns whether a list of this group shows applicants of the stage; without a group it shows all. */
export function groupHas(group: 'waiting' | 'live' | 'ended' | undefined, stage: string): boolean {
  if (group === undefined) return true;
  return group === 'waiting'
    ? owedStages.includes(stage)
    : (group === 'ended') === pastStages.includes(stage);
}

/** Only these applicants had a stage before their offer, to which they return when it is withdrawn (ADR 377). */
export const keepsApplicant = (source: Offer['source']): boolean => source === 'business';

/**
 * The choice of dates after one was ticked or unticked: the others of its block follow (ADR 414).
 * @param block the ids of the block's dates
 */
export function withWholeBlock(
  ids: readonly string[],
  before: readonly string[],
  block: readonly string[],
): string[] {
  const changedIds = block.filter((id) => ids.includes(id) !== before.includes(id));
  if (changedIds.length === 0) return [...ids];
  const otherIds = ids.filter((id) => !block.includes(id));
  return changedIds.some((id) => ids.includes(id)) ? [...otherIds, ...block] : otherIds;
}

/** A number of years in the six languages of the app; "which year" asks for something else. */
const years = /(?<!\p{L})(?:years|ans|années|jahren?|hoeveel jaar|jaren|años|كم سنة|سنوات)(?!\p{L})/iu;

/** The largest number that answers a question: a working life if it is about years. */
export const answerMax = (prompt: string): number => (years.test(prompt) ? 80 : 1_000_000);
