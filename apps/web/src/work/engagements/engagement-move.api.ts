import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { Side } from '@nearhand/contract/sides';
import { newsText } from '../../lib/api/news.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { businessWorkText } from './business-work.labels.ts';
import { workStatusText } from './engagement.labels.ts';

export const statusLabel = (status: string, side: Side): string | undefined =>
  side === 'worker'
    ? workStatusText(status as EngagementStatus)?.badge
    : businessWorkText({ status: status as EngagementStatus })?.label;

/** Runs a move and stores the refusal as text: who moved it first, and the current status. */
export const useEngagementMove = (side: Side) =>
  useAction((error) => newsText(error, (status) => statusLabel(status, side)));
