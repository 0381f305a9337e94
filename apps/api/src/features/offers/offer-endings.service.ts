import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * For the applications slice, in the transaction that ends applications: ends their live offers (`declined` when the worker withdrew, else `withdrawn`), frees
 * the offered seats and gives back what was set aside. The applications are not touched.
 */
export async function endOffersOf(
  _tx: Tx,
  _scope: Pick<Scope, 'clock' | 'config'>,
  _applicationIds: readonly string[],
  _ending: { by: string; to: 'declined' | 'withdrawn'; reason: string | null },
): Promise<void> {
  // Filled by the offers slice.
}
