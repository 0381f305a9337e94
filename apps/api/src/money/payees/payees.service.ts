import type { PayeeNames } from '@nearhand/contract/money/payees';
import { verifiedBusinessNames } from '../../people/business-verification/business-verification.service.ts';
import { verifiedNameOf } from '../../people/identity-checks/identity-checks.service.ts';
import type { Db } from '../../platform/db.ts';
import { isOfAnother } from './payee-names.rules.ts';
import { findProviderName } from './payees.sql.ts';

/** The names that an account can be paid under. */
export async function payeeNamesOf(db: Db, accountId: string): Promise<PayeeNames> {
  const [document, provider, businesses] = await Promise.all([
    verifiedNameOf(db, accountId),
    findProviderName(db, accountId),
    verifiedBusinessNames(db, accountId),
  ]);
  const verified: PayeeNames['verified'] = [];
  if (document) verified.push({ name: document.name, source: 'document', at: document.at.toISOString() });
  if (provider)
    verified.push({
      name: provider.legal_name,
      source: 'provider',
      at: provider.decided_at.toISOString(),
    });
  return { verified, businesses };
}

/** Whether an operator has to look before money goes to this bank account of the account. */
export async function isHeldFor(
  db: Db,
  accountId: string,
  method: { holder_name: string; accepted_for: string | null },
): Promise<boolean> {
  const names = await payeeNamesOf(db, accountId);
  return isOfAnother(
    { holderName: method.holder_name, acceptedFor: method.accepted_for },
    { verified: names.verified.map(({ name }) => name), businesses: names.businesses },
  );
}
