import { minuteMs } from '@nearhand/contract/durations';
import type { PhoneCheckStatus, VerificationOverview } from '@nearhand/contract/people/verification';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { canSendTexts } from '../../platform/sms/sms.ts';
import { deleteCodesOf, findNewestCode, type PhoneCodeRow } from './phone-codes.sql.ts';
import { deletePhoneCheck, findChecks } from './verification.sql.ts';

/** What has been checked about the caller, and what can be. Works before the email is verified. */
export async function overviewOf(db: Db, { actor, clock, config }: Scope): Promise<VerificationOverview> {
  const { accountId } = actor;
  const row = await findChecks(db, accountId);
  if (!row) throw new AppError('session/expired');
  const code = await findNewestCode(db, accountId);
  const checked = row.phone !== null && row.phone === row.checked_phone;
  return {
    accountId,
    email: { address: row.email, checked: row.email_verified },
    phone: {
      available: canSendTexts(config),
      status: phoneStatus(row.phone, row.checked_phone),
      number: row.phone,
      checkedAt: checked ? (row.checked_at?.toISOString() ?? null) : null,
      code: code ? viewCode(code, clock) : null,
    },
    payout: {
      status: (row.payout_status as VerificationOverview['payout']['status'] | null) ?? 'none',
      reason: row.payout_reason,
      decidedAt: row.decided_at?.toISOString() ?? null,
    },
  };
}

function phoneStatus(number: string | null, checked: string | null): PhoneCheckStatus {
  if (number === null) return 'none';
  if (number === checked) return 'checked';
  return checked === null ? 'unchecked' : 'changed';
}

/** A code that can be entered or that did not arrive; null for one that is over. */
function viewCode(row: PhoneCodeRow, clock: Clock): VerificationOverview['phone']['code'] {
  const over = row.expires_at <= clock.now() || !['open', 'undelivered'].includes(row.status);
  if (over) return null;
  return {
    phone: row.phone,
    expiresAt: row.expires_at.toISOString(),
    resendAt: new Date(row.created_at.getTime() + phoneCodeLimits.resendSeconds * 1_000).toISOString(),
    triesLeft: Math.max(0, phoneCodeLimits.tries - row.tries),
    undelivered: row.status === 'undelivered',
  };
}

/** Until when a code that is sent now can be entered. */
export const codeExpiry = (now: Date): Date => new Date(now.getTime() + phoneCodeLimits.minutes * minuteMs);

/** For an account that is removed (ADR 160): its checks and codes go. Returns the numbers it had. */
export async function forgetChecks(tx: Tx, accountId: string): Promise<string[]> {
  return [...(await deleteCodesOf(tx, accountId)), ...(await deletePhoneCheck(tx, accountId))];
}
