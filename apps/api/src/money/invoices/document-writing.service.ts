import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { paidMinutesOf } from '../statements/spend.service.ts';
import { type DocumentContent, documentKind, senderLines } from './documents.rules.ts';
import {
  type DocumentFacts,
  findDocumentFacts,
  hasDocument,
  insertInvoice,
  lockCounter,
  setCounter,
} from './documents.sql.ts';

/** Asks for the document of an entry. */
type Request = { entryId: string; businessId: string };

/** Runs the task that writes the document of an entry, in its own transaction. */
export async function runDocument(scope: TaskScope, request: Request): Promise<void> {
  await scope.db.transaction().execute((tx) => writeDocument(tx, scope, request));
}

/**
 * Writes the invoice or receipt of an entry under the next number of its business. The counter is locked first and the number is taken in
 * the same transaction, so a failed document leaves no gap. A repeat is a no-op.
 * @throws Error when the entry pays nobody for this business
 */
export async function writeDocument(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'config'>,
  { entryId, businessId }: Request,
): Promise<void> {
  const last = await lockCounter(tx, businessId);
  if (await hasDocument(tx, entryId)) return;
  const facts = await findDocumentFacts(tx, entryId, businessId);
  if (!facts) throw new Error(`the entry ${entryId} pays nobody for the business ${businessId}`);
  const paidMinutes =
    facts.release_id !== null && facts.what === 'work' && facts.job_kind === 'shift'
      ? await paidMinutesOf(tx, facts.release_id)
      : null;
  const now = scope.clock.now();
  await insertInvoice(tx, {
    id: newId(now),
    business_id: businessId,
    number: last + 1,
    kind: documentKind(facts.fee_minor),
    entry_id: entryId,
    engagement_id: facts.engagement_id,
    content: JSON.stringify(contentOf(facts, paidMinutes, scope.config)),
    pay_minor: facts.pay_minor,
    fee_minor: facts.fee_minor,
    total_minor: facts.pay_minor + facts.fee_minor,
    currency: facts.currency,
    issued_at: now,
  });
  await setCounter(tx, businessId, last + 1);
}

const contentOf = (
  facts: DocumentFacts,
  paidMinutes: number | null,
  config: Pick<Config, 'INVOICE_SENDER'>,
): DocumentContent => ({
  sender: senderLines(config.INVOICE_SENDER),
  business: {
    name: facts.name,
    legalName: facts.legal_name,
    address: facts.address,
    area: facts.area,
    registrationNumber: facts.registration_number,
  },
  workerName: facts.worker_name,
  jobTitle: facts.job_title,
  what: facts.what,
  jobKind: facts.job_kind,
  startsAt: facts.starts_at?.toISOString() ?? null,
  endsAt: facts.ends_at?.toISOString() ?? null,
  timeZone: facts.time_zone,
  paidMinutes,
  merchantFeeBasisPoints: facts.merchant_fee_basis_points,
  feeVersion: facts.fee_version,
});
