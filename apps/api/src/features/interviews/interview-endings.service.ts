import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * For the applications slice, in the transaction that ends applications: calls off their live interviews and tells both sides. The applications are not
 * touched.
 * @param ending `by` is the account that did it, or `timer`
 */
export async function endInterviewsOf(
  _tx: Tx,
  _scope: Pick<Scope, 'clock' | 'config'>,
  _applicationIds: readonly string[],
  _ending: { by: string; reason: string | null },
): Promise<void> {
  // Filled by the interviews slice.
}
