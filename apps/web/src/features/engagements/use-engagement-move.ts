import type { EngagementStatus } from '@nearhand/contract/engagements';
import type { Side } from '@nearhand/contract/terms';
import { newsText } from '../../lib/news-text.ts';
import { useMove } from '../../lib/use-move.ts';
import { workStatusWords } from './engagement-words.ts';
import { merchantStatusWords } from './merchant-words.ts';

/** A status as this side reads it; nothing where it is not one of booked work. */
export const statusLabel = (status: string, side: Side): string | undefined =>
  side === 'worker'
    ? workStatusWords(status as EngagementStatus)?.badge
    : merchantStatusWords({ status: status as EngagementStatus })?.label;

/** Runs a move of booked work and keeps in words why it was refused: who was faster, and what it is now. */
export const useEngagementMove = (side: Side) =>
  useMove((error) => newsText(error, (status) => statusLabel(status, side)));
