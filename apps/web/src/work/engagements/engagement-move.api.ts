import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { Side } from '@nearhand/contract/sides';
import { newsText } from '../../lib/api/news-text.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { workStatusWords } from './engagement.labels.ts';
import { merchantStatusWords } from './merchant.labels.ts';

export const statusLabel = (status: string, side: Side): string | undefined =>
  side === 'worker'
    ? workStatusWords(status as EngagementStatus)?.badge
    : merchantStatusWords({ status: status as EngagementStatus })?.label;

/** Runs a move and stores the refusal as text: who was faster, and the current status. */
export const useEngagementMove = (side: Side) =>
  useMove((error) => newsText(error, (status) => statusLabel(status, side)));
