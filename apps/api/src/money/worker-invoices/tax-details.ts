import type { InvoiceSetup, TaxDetails } from '@nearhand/contract/money/worker-invoices';
import { selfBillingVersion, taxProblems } from '@nearhand/contract/money/worker-invoices.rules';
import { vatIdOf } from '@nearhand/contract/people/company-facts.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { issueWorkerInvoices } from './issue-invoices.ts';
import { findUninvoicedBusinesses } from './worker-invoices.sql.ts';

async function findSetup(db: Db, accountId: string): Promise<InvoiceSetup> {
  const { rows } = await sql<Omit<TaxDetails, 'updatedAt'> & { updatedAt: Date }>`
    select legal_name, street, postcode, town, country_code, tax_number, vat_status, vat_id, vat_since::text, updated_at
    from tax_details where account_id = ${accountId}`.execute(db);
  const [details] = rows;
  const agreement = await db
    .selectFrom('self_billing_agreements')
    .select(['version', 'agreedAt'])
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return {
    details: details ? { ...details, updatedAt: details.updatedAt.toISOString() } : null,
    agreement: agreement ? { version: agreement.version, agreedAt: agreement.agreedAt.toISOString() } : null,
    currentVersion: selfBillingVersion,
  };
}

/** Returns the caller's tax details and agreement. */
export const viewSetup = (db: Db, { actor }: Scope): Promise<InvoiceSetup> => findSetup(db, actor.accountId);

/** Saves the caller's tax details. Issued invoices keep theirs. */
export async function saveTaxDetails(
  tx: Tx,
  { actor, clock }: Scope,
  input: Omit<TaxDetails, 'updatedAt'>,
): Promise<InvoiceSetup> {
  const issues = taxProblems(input);
  if (issues.length > 0) throw new AppError('request/invalid', { issues });
  const row = {
    ...input,
    postcode: input.postcode.toUpperCase(),
    vatId: vatIdOf(input.countryCode, input.vatId) ?? '',
    updatedAt: clock.now(),
  };
  await tx
    .insertInto('tax_details')
    .values({ accountId: actor.accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
  return findSetup(tx, actor.accountId);
}

/**
 * Agrees to a version, which the contract limits to the current one. An agreement to another version ends.
 */
export async function agreeToSelfBilling(
  tx: Tx,
  { actor, clock }: Scope,
  { version }: { version: number },
): Promise<InvoiceSetup> {
  const { accountId } = actor;
  const details = await tx
    .selectFrom('tax_details')
    .select('accountId')
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!details) throw new AppError('invoice/details-missing');
  const { agreement } = await findSetup(tx, accountId);
  if (agreement?.version === version) return findSetup(tx, accountId);
  await endAgreementOf(tx, accountId, clock.now());
  await tx
    .insertInto('self_billing_agreements')
    .values({ id: newId(clock.now()), accountId, version, agreedAt: clock.now() })
    .execute();
  return findSetup(tx, accountId);
}

/** Ends the caller's agreement. A no-op if there is none. */
export async function endAgreement(tx: Tx, { actor, clock }: Scope): Promise<InvoiceSetup> {
  await endAgreementOf(tx, actor.accountId, clock.now());
  return findSetup(tx, actor.accountId);
}

const endAgreementOf = (tx: Tx, accountId: string, endedAt: Date) =>
  tx
    .updateTable('self_billing_agreements')
    .set({ endedAt })
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .execute();

/**
 * Removes the tax details of an account that is being removed, after its pay is invoiced with them. Its invoices
 * stay: both sides have to keep them by tax law. The businesses of `findUninvoicedBusinesses` must be locked.
 */
export async function eraseTaxDetails(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'config'>,
  accountId: string,
): Promise<void> {
  const company = scope.config.PLATFORM_COMPANY;
  if (company)
    for (const businessId of await findUninvoicedBusinesses(tx, accountId))
      await issueWorkerInvoices(tx, scope, company, {
        workerId: accountId,
        businessId,
        onlyPastMonths: false,
      });
  await endAgreementOf(tx, accountId, scope.clock.now());
  await tx.deleteFrom('tax_details').where('accountId', '=', accountId).execute();
}
