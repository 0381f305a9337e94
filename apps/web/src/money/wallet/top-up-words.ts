import { t } from '@lingui/core/macro';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';

/** Why money can't be added now; beyond the daily limit, what can be added and when there is more. */
export function topUpRefusal(error: unknown): string {
  if (!isApiError(error, 'payment/top-up-limit') || !error.data) return errorText(error);
  const { perDayMinor, leftMinor, currency, from, verified } = error.data;
  const perDay = formatMoney(perDayMinor, currency);
  const left = formatMoney(leftMinor, currency);
  const at = formatDate(from, ownTimeZone());
  const now =
    leftMinor > 0
      ? t`You can add ${perDay} in 24 hours, and ${left} of it now.`
      : t`You've added the ${perDay} that you can add in 24 hours. You can add more from ${at}.`;
  return verified ? now : t`${now} Verified businesses can add more.`;
}
