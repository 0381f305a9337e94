import type { Tx } from '../../platform/db.ts';

/**
 * Who looks at an identity document. A provider, such as Stripe Identity, is another adapter: it needs the account of the payment provider and
 * comes with it (ADR 183). No matter who looks, the result is applied by `decideCheck`.
 */
export type IdentityChecker = {
  /** Stored with each check; the queue of cases has those of `staff`. */
  name: 'staff';
  /** Starts a check in the transaction that stores it: a provider enqueues the task that uploads the photos. */
  begin(tx: Tx, check: { id: string }): Promise<void>;
};

/** The built-in adapter, people look at it. The stored check is its case in the queue, so there is nothing else to start. */
export const staffChecker: IdentityChecker = { name: 'staff', begin: async () => {} };
