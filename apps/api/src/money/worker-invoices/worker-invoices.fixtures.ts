import type { contract } from '@nearhand/contract/contract';
import type { TaxDetails } from '@nearhand/contract/money/worker-invoices';
import { selfBillingVersion } from '@nearhand/contract/money/worker-invoices.rules';
import type { ContractRouterClient } from '@orpc/contract';
import { sql } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { issueWorkerInvoices } from './issue-invoices.ts';

/** Details of a Dutch worker in the small-business scheme. */
export const taxDetailsSample: Omit<TaxDetails, 'updatedAt'> = {
  legalName: 'Leila Haddad',
  street: 'Bilderdijkkade 52-2',
  postcode: '1053 VK',
  town: 'Amsterdam',
  countryCode: 'NL',
  taxNumber: '84710326',
  vatStatus: 'exempt',
  vatId: '',
  vatSince: null,
};

/** Issues an invoice in the worker's name for all that the business has paid them, as self-employed work. */
export async function makeWorkerInvoice(
  app: { db: Db; config: Pick<Config, 'PLATFORM_COMPANY'>; scopeOf(person: { accountId: string }): Scope },
  worker: { accountId: string; api: Pick<ContractRouterClient<typeof contract>, 'workerInvoices'> },
  businessId: string,
): Promise<void> {
  const company = app.config.PLATFORM_COMPANY;
  if (!company) throw new Error('tests have a company');
  await worker.api.workerInvoices.saveDetails(taxDetailsSample);
  await worker.api.workerInvoices.agree({ version: selfBillingVersion });
  await sql`update jobs set relation = 'self_employed' where business_id = ${businessId}`.execute(app.db);
  await app.db.transaction().execute((tx) =>
    issueWorkerInvoices(tx, app.scopeOf(worker), company, {
      workerId: worker.accountId,
      businessId,
      onlyPastMonths: false,
    }),
  );
}
