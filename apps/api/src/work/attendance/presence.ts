import type { Evidence } from '@nearhand/contract/work/attendance';
import { checkInReachM } from '@nearhand/contract/work/attendance.rules';
import type { AttendanceEvent } from '@nearhand/contract/work/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { EngagementRow } from '../engagements/engagement-transitions.ts';
import { type Located, locate } from './attendance.rules.ts';
import { requireCode } from './site-code.ts';

/** Proof of being at the site. */
export type Proof = { how: AttendanceEvent['how']; located: Located | null };

/**
 * Requires presence at the site: a close enough position, otherwise the check-in code. The code is ignored if the position is good, so a typo costs nothing.
 * @throws attendance/no-evidence, attendance/too-far (data: distanceM, allowedM), attendance/wrong-code, attendance/code-attempts
 */
export async function requirePresence(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { position, code }: Evidence,
  at: Date,
): Promise<Proof> {
  const located = position && locate(position, row.terms.place, scope.config);
  if (located?.near) return { how: 'position', located };
  if (code !== null) {
    await requireCode(tx, scope, row, code, at);
    return { how: 'code', located };
  }
  if (!located) throw new AppError('attendance/no-evidence');
  throw new AppError('attendance/too-far', {
    distanceM: located.distanceM,
    allowedM: checkInReachM(scope.config.CHECK_IN_RADIUS_M, located.accuracyM),
  });
}

/** Proof for a check-out. None is required, but a given code must be right. @throws attendance/wrong-code, attendance/code-attempts */
export async function proofOfLeaving(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { position, code }: Evidence,
  at: Date,
): Promise<Proof> {
  const located = position && locate(position, row.terms.place, scope.config);
  if (located?.near || (located && code === null)) return { how: 'position', located };
  if (code === null) return { how: 'none', located: null };
  await requireCode(tx, scope, row, code, at);
  return { how: 'code', located };
}

/** For an account that is removed (ADR 160). */
export { forgetPositions } from './recorded-time.ts';
