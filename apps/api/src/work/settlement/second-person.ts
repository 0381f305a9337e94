import { type Currency, scaledMinor } from '@nearhand/contract/currencies';
import { quoteRelease } from '../../money/holds/release-quotes.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';

/** An amount in minor units that may need a second person's approval. */
export type AmountAtStake = { amountMinor: number; currency: Currency };

export type Approval = { approved: boolean };
export const singleApproval: Approval = { approved: false };

type Limit = { config: Pick<Config, 'SECOND_OPERATOR_ABOVE_MINOR'> };

/** Returns whether a decision is large enough to need a second operator (ADR 191). */
export const takesSecondPerson = ({ config }: Limit, moved: AmountAtStake): boolean =>
  moved.amountMinor > scaledMinor(config.SECOND_OPERATOR_ABOVE_MINOR, moved.currency);

/** The whole hold, which a decision about pay empties, and the amount that the business has to add. */
export async function amountAtStake(db: Db, engagementId: string, payMinor: number): Promise<AmountAtStake> {
  const { heldMinor, missingMinor, hold } = await quoteRelease(db, engagementId, payMinor);
  return { amountMinor: heldMinor + missingMinor, currency: hold.currency };
}

/** @throws approval/required (data: amountMinor, aboveMinor, currency) */
export function requireSecondApproval(scope: Limit, moved: AmountAtStake, { approved }: Approval): void {
  if (approved || !takesSecondPerson(scope, moved)) return;
  const aboveMinor = scaledMinor(scope.config.SECOND_OPERATOR_ABOVE_MINOR, moved.currency);
  throw new AppError('approval/required', { ...moved, aboveMinor });
}
