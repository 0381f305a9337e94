import type { Evidence } from '@nearhand/contract/attendance';
import type { AttendanceEvent } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { EngagementRow } from '../engagements/engagement-moves.service.ts';
import { accuracyCapM, type Located, locate } from './attendance.rules.ts';
import { demandCode } from './site-code.service.ts';

/** What speaks for somebody's being at the place. */
export type Proof = { how: AttendanceEvent['how']; located: Located | null };

/**
 * Demands that somebody is at the place: a position that is near enough, or else the code shown there. A code is only looked at where the position does
 * not do, so that a typing error beside a good position costs nothing.
 * @throws attendance/no-evidence, attendance/too-far (data: distanceM, allowedM), attendance/wrong-code, attendance/code-attempts
 */
export async function demandPresence(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { position, code }: Evidence,
  at: Date,
): Promise<Proof> {
  const located = position && locate(position, row.terms.place, scope.config);
  if (located?.near) return { how: 'position', located };
  if (code !== null) {
    await demandCode(tx, scope, row, code, at);
    return { how: 'code', located };
  }
  if (!located) throw new AppError('attendance/no-evidence');
  throw new AppError('attendance/too-far', {
    distanceM: located.distanceM,
    allowedM: scope.config.CHECK_IN_RADIUS_M + Math.min(located.accuracyM, accuracyCapM),
  });
}

/** What speaks for where somebody left from; nothing is demanded, but a code that is given must be right. @throws attendance/wrong-code, attendance/code-attempts */
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
  await demandCode(tx, scope, row, code, at);
  return { how: 'code', located };
}
