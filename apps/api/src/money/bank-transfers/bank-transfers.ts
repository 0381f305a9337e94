import { sumOf } from '@nearhand/contract/arithmetic';
import { dayIn } from '@nearhand/contract/durations';
import {
  type BankPayment,
  bankTransfers,
  type TransferView,
  type UnmatchedPayment,
} from '@nearhand/contract/money/bank-transfers';
import {
  type BankPaymentState,
  referencesIn,
  type TransferAccount,
  transferCode,
  transferCurrency,
  transferReference,
  type UnmatchedReason,
  writtenNumbers,
} from '@nearhand/contract/money/bank-transfers.rules';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { type Selectable, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { BankPayments } from '../../platform/tables.gen.ts';
import { readXml, XmlError } from '../../platform/xml.ts';
import { repaySoon } from '../credit-limits/credit-limits.ts';
import { type NewEntry, postEntry, reverseEntry } from '../ledger/ledger.ts';
import { notifyMoneyRoles, requireMoneyRole } from '../money-access.ts';
import { type BankEntry, type BankStatement, readStatements, StatementError } from './bank-statements.ts';

/** @throws transfer/off */
function requireAccount({ config }: ConfigScope): TransferAccount {
  if (!config.TRANSFER_ACCOUNT) throw new AppError('transfer/off');
  return config.TRANSFER_ACCOUNT;
}

type Payer = { id: string; status: string; currency: string; name: string; transferNumber: number };

const selectPayer = (db: Db, businessId: string) =>
  db
    .selectFrom('businesses')
    .select(['id', 'status', 'currency', 'name', 'transferNumber'])
    .where('id', '=', businessId);

const findPayer = (db: Db, businessId: string): Promise<Payer | undefined> =>
  selectPayer(db, businessId).executeTakeFirst();

/** The reason why a payment can't be for this business; null if it can. */
function problemOfPayer({ status, currency }: Pick<Payer, 'status' | 'currency'>): UnmatchedReason | null {
  if (status === 'closed') return 'closed';
  if (status !== 'verified') return 'not_verified';
  return currency === transferCurrency ? null : 'other_currency';
}

const transfersShown = 20;

/** Returns the account and the reference for a transfer. For owners, managers and finance. */
async function viewTransfers(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<TransferView> {
  await requireMoneyRole(db, scope.actor.accountId, businessId);
  const payer = await findPayer(db, businessId);
  if (!payer) throw new AppError('business/not-found');
  const account = scope.config.TRANSFER_ACCOUNT ?? null;
  const problem = account === null ? 'off' : problemOfPayer(payer);
  const rows = await db
    .selectFrom('bank_payments')
    .select(['id', 'bookedOn', 'amountMinor', 'currency', 'payerName'])
    .where('businessId', '=', businessId)
    .orderBy('id', 'desc')
    .limit(transfersShown)
    .execute();
  const payments = rows as TransferView['payments'];
  const test = scope.provider.name === 'sandbox';
  if (account === null || problem !== null)
    return {
      problem: problem === 'off' || problem === 'other_currency' ? problem : 'not_verified',
      account: null,
      reference: null,
      code: null,
      test,
      payments,
    };
  const reference = transferReference(payer.transferNumber);
  return { problem: null, account, reference, code: transferCode(account, reference), test, payments };
}

type Booked = Record<'credited' | 'unmatched' | 'outgoing' | 'repeated', number>;

/**
 * Books the entries of a statement, each once: the bank's reference is unique in its account. A credit goes to the
 * business whose reference it has, or stays for an operator to assign. Statements are booked in turn, so that each locks
 * businesses in its own order.
 * @throws request/invalid for an entry that was booked with another amount
 */
async function bookStatement(
  tx: Tx,
  scope: Scope,
  { accountIban, entries }: Pick<BankStatement, 'accountIban' | 'entries'>,
): Promise<Booked> {
  await sql`select pg_advisory_xact_lock(hashtext('bank_payments'))`.execute(tx);
  const booked: Booked = { credited: 0, unmatched: 0, outgoing: 0, repeated: 0 };
  for (const entry of entries) booked[await bookPayment(tx, scope, entry, accountIban)] += 1;
  return booked;
}

async function bookPayment(
  tx: Tx,
  scope: Scope,
  entry: BankEntry,
  accountIban: string,
): Promise<keyof Booked> {
  const { bankRef, amountMinor, remittance, ...facts } = entry;
  const earlier = await tx
    .selectFrom('bank_payments')
    .select('amountMinor')
    .where('accountIban', '=', accountIban)
    .where('bankRef', '=', bankRef)
    .executeTakeFirst();
  if (earlier && earlier.amountMinor !== amountMinor)
    throw refusedFile(`Entry ${bankRef} was imported before with another amount.`);
  if (earlier) return 'repeated';
  const now = scope.clock.now();
  const match = amountMinor > 0 ? await findMatch(tx, remittance) : null;
  const businessId = match && 'businessId' in match ? match.businessId : null;
  const reason = match && 'reason' in match ? match.reason : null;
  const state = amountMinor < 0 ? 'outgoing' : businessId === null ? 'unmatched' : 'credited';
  const id = newId(now);
  await tx
    .insertInto('bank_payments')
    .values({
      id,
      accountIban,
      bankRef,
      amountMinor,
      currency: transferCurrency,
      remittance: remittance.join('\n'),
      state,
      reason,
      businessId,
      receivedAt: now,
      ...facts,
    })
    .execute();
  if (businessId !== null)
    await creditPayment(tx, scope, { id, amountMinor, businessId, from: 'provider_bank' });
  else if (state === 'unmatched')
    await postEntry(tx, scope, {
      ...entryAbout(id, amountMinor, 'provider_bank', { kind: 'bank_unmatched' }),
      key: receivedKey(id),
      kind: 'bank_unmatched',
    });
  return state;
}

const receivedKey = (bankPaymentId: string) => `bank-unmatched/${bankPaymentId}`;

const entryAbout = (
  id: string,
  amountMinor: number,
  from: 'provider_bank' | 'bank_unmatched',
  to: NewEntry['lines'][number]['account'],
): Pick<NewEntry, 'currency' | 'about' | 'lines'> => ({
  currency: transferCurrency,
  about: id,
  lines: [
    { account: { kind: from }, amountMinor: -amountMinor },
    { account: to, amountMinor },
  ],
});

/** Adds a payment to the balance of its business, and tells who manages its money. */
async function creditPayment(
  tx: Tx,
  scope: Scope,
  payment: {
    id: string;
    amountMinor: number;
    businessId: string;
    from: 'provider_bank' | 'bank_unmatched';
  },
): Promise<void> {
  const { id, amountMinor, businessId, from } = payment;
  await postEntry(tx, scope, {
    ...entryAbout(id, amountMinor, from, { kind: 'business_balance', ownerId: businessId }),
    key: `bank-transfer/${id}`,
    kind: 'top_up',
  });
  await repaySoon(tx, businessId);
  await notifyMoneyRoles(
    tx,
    scope,
    { businessId, starter: null },
    {
      topic: 'transfer-received',
      path: '/merchant-transaction',
      dedupeKey: `transfer-received/${id}`,
      data: { amountMinor, currency: transferCurrency, side: 'business' },
    },
  );
}

/** Finds the business of a payment and locks it, so that it can't close in between. */
async function findMatch(
  tx: Tx,
  remittance: readonly string[],
): Promise<{ businessId: string } | { reason: UnmatchedReason }> {
  const { numbers, isWrong } = referencesIn(remittance);
  const [number] = numbers;
  if (number === undefined) return { reason: isWrong ? 'wrong_check_digits' : 'no_reference' };
  if (numbers.length > 1) return { reason: 'several_references' };
  const row = await tx
    .selectFrom('businesses')
    .select('id')
    .where('transferNumber', '=', number)
    .executeTakeFirst();
  const payer = row && (await lockPayer(tx, row.id));
  if (!payer) return { reason: 'unknown_reference' };
  const reason = problemOfPayer(payer);
  return reason === null ? { businessId: payer.id } : { reason };
}

const lockPayer = (tx: Tx, businessId: string): Promise<Payer | undefined> =>
  selectPayer(tx, businessId).forNoKeyUpdate().executeTakeFirst();

const refusedFile = (message: string): AppError<'request/invalid'> =>
  new AppError('request/invalid', { issues: [{ path: 'file', message }] });

/**
 * Imports a statement of the platform's account. For operators with finance.
 * @throws transfer/off, file/too-large, request/invalid for a file that isn't a statement of this account
 */
async function importStatement(
  tx: Tx,
  scope: Scope,
  _input: unknown,
  { iban, statements }: { iban: string; statements: BankStatement[] },
) {
  const booked = await bookStatement(tx, scope, {
    accountIban: iban,
    entries: statements.flatMap(({ entries }) => entries),
  });
  return { ...booked, skipped: sumOf(statements, ({ skipped }) => skipped) };
}

async function readFile(scope: Scope, { file }: { file: File }) {
  const { iban } = requireAccount(scope);
  if (file.size > moneyLimits.bankStatementBytes)
    throw new AppError('file/too-large', { maxBytes: moneyLimits.bankStatementBytes });
  const statements = readStatement(await file.bytes());
  if (statements.some(({ accountIban }) => accountIban !== iban))
    throw refusedFile(`The statement is of another account than ${iban}.`);
  return { iban, statements };
}

function readStatement(bytes: Uint8Array): BankStatement[] {
  const text = readText(bytes);
  try {
    return readStatements(readXml(text));
  } catch (error) {
    if (error instanceof StatementError) throw refusedFile(error.message);
    if (error instanceof XmlError) throw refusedFile(`The file can’t be read as XML: ${error.message}.`);
    throw error;
  }
}

function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusedFile('The file isn’t in UTF-8.');
  }
}

/** The payer's account of every test transfer. */
const testIban = 'NL91ABNA0417164300';

type TestTransfer = { businessId: string; amountMinor: number; withoutReference: boolean };

/**
 * Makes a test transfer and books it as a statement would. For owners, managers and finance, with the sandbox only.
 * @throws transfer/off
 */
async function makeTestTransfer(
  tx: Tx,
  scope: Scope,
  { businessId, amountMinor, withoutReference }: TestTransfer,
): Promise<{ state: BankPaymentState }> {
  await requireMoneyRole(tx, scope.actor.accountId, businessId);
  const { iban } = requireAccount(scope);
  const payer = await findPayer(tx, businessId);
  if (!payer) throw new AppError('business/not-found');
  if (scope.provider.name !== 'sandbox') throw new AppError('transfer/off');
  const now = scope.clock.now();
  const entry: BankEntry = {
    bankRef: `test/${newId(now)}`,
    bookedOn: dayIn('UTC', now),
    amountMinor,
    payerName: payer.name,
    payerIban: testIban,
    remittance: withoutReference ? [] : [transferReference(payer.transferNumber)],
  };
  const booked = await bookStatement(tx, scope, { accountIban: iban, entries: [entry] });
  return { state: booked.credited === 1 ? 'credited' : 'unmatched' };
}

// Decisions of operators

const toPayment = ({ payerIban, ...row }: Selectable<BankPayments>): BankPayment => ({
  id: row.id,
  bookedOn: row.bookedOn,
  amountMinor: row.amountMinor,
  currency: transferCurrency,
  payerName: row.payerName,
  payerEnding: payerIban.slice(-4),
  remittance: row.remittance,
  state: row.state,
  reason: row.reason as UnmatchedReason | null,
  receivedAt: row.receivedAt.toISOString(),
});

const suggestionsMax = 5;

/** Finds an unmatched payment with the businesses it may be for. The caller checks access. */
export async function findUnmatched(db: Db, bankPaymentId: string): Promise<UnmatchedPayment | undefined> {
  const row = await db
    .selectFrom('bank_payments')
    .selectAll()
    .where('id', '=', bankPaymentId)
    .where('state', '=', 'unmatched')
    .executeTakeFirst();
  if (!row) return undefined;
  return { ...toPayment(row), suggestions: await suggestionsFor(db, row) };
}

/**
 * Finds businesses with the payer's name, that the payer's account paid for before, or with a reference that was
 * written. Names come first: the check digits of a reference need not fit, and a typo can be another one's number.
 */
async function suggestionsFor(
  db: Db,
  { payerName, payerIban, remittance }: Selectable<BankPayments>,
): Promise<UnmatchedPayment['suggestions']> {
  // Names are folded as in the search. Banks write "Kopi and Crumb" for "Kopi & Crumb".
  const key = (name: unknown) =>
    sql`regexp_replace(replace(folded_name(${name}), '&', 'and'), '[^[:alnum:]]+', '', 'g')`;
  const isNamed = sql`(${key(payerName)} <> '' and ${key(payerName)} in (${key(sql`name`)}, ${key(sql`legal_name`)}))`;
  const isReferred = sql`transfer_number = any (${writtenNumbers(remittance.split('\n'))}::bigint[])`;
  const hasPaid = sql`(${payerIban} <> '' and id in (select business_id from bank_payments
    where payer_iban = ${payerIban} and business_id is not null))`;
  type Row = Omit<UnmatchedPayment['suggestions'][number], 'problem'> & Pick<Payer, 'status' | 'currency'>;
  const { rows } = await sql<Row>`
    select id as business_id, name, legal_name, status, currency,
      array_remove(array[case when ${isNamed} then 'name' end, case when ${isReferred} then 'reference' end,
        case when ${hasPaid} then 'account' end], null) as because
    from businesses where ${isNamed} or ${isReferred} or ${hasPaid}
    order by status = 'verified' desc, ${isNamed} desc, ${isReferred} desc, (select max(received_at) from bank_payments
        where payer_iban = ${payerIban} and business_id = businesses.id) desc nulls last, id limit ${suggestionsMax}`.execute(
    db,
  );
  return rows.map(({ status, currency, ...business }) => ({
    ...business,
    problem: problemOfPayer({ status, currency }),
  }));
}

async function lockUnmatched(tx: Tx, bankPaymentId: string): Promise<Selectable<BankPayments>> {
  const row = await tx
    .selectFrom('bank_payments')
    .selectAll()
    .where('id', '=', bankPaymentId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('transfer/not-found');
  if (row.state !== 'unmatched') throw new AppError('transfer/decided', { state: row.state });
  return row;
}

async function decidePayment(
  tx: Tx,
  scope: Scope,
  bankPaymentId: string,
  decision: { state: 'credited' | 'sent_back'; businessId?: string; note?: string },
): Promise<BankPayment> {
  const row = await tx
    .updateTable('bank_payments')
    .set({ ...decision, decidedBy: scope.actor.accountId, decidedAt: scope.clock.now() })
    .where('id', '=', bankPaymentId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPayment(row);
}

/**
 * Adds an unmatched payment to the balance of a verified business. For the operator of its case.
 * @throws transfer/decided, business/wrong-state, request/invalid for a business in another currency
 */
async function assignPayment(
  tx: Tx,
  scope: Scope,
  { bankPaymentId, businessId }: { bankPaymentId: string; businessId: string },
): Promise<BankPayment> {
  const payer = await lockPayer(tx, businessId);
  if (!payer) throw new AppError('business/not-found');
  const { amountMinor } = await lockUnmatched(tx, bankPaymentId);
  const problem = problemOfPayer(payer);
  if (problem === 'other_currency')
    throw new AppError('request/invalid', {
      issues: [{ path: 'businessId', message: `a business that uses ${transferCurrency}`, rule: 'choice' }],
    });
  if (problem !== null) throw new AppError('business/wrong-state', { status: payer.status });
  await creditPayment(tx, scope, { id: bankPaymentId, amountMinor, businessId, from: 'bank_unmatched' });
  return decidePayment(tx, scope, bankPaymentId, { state: 'credited', businessId });
}

/**
 * Records that an unmatched payment was sent back. For the operator of its case, who sent it at the bank.
 * @throws transfer/decided
 */
async function sendPaymentBack(
  tx: Tx,
  scope: Scope,
  { bankPaymentId, note }: { bankPaymentId: string; note: string },
): Promise<BankPayment> {
  await lockUnmatched(tx, bankPaymentId);
  const { id: entryId } = await tx
    .selectFrom('ledger_entries')
    .select('id')
    .where('key', '=', receivedKey(bankPaymentId))
    .executeTakeFirstOrThrow();
  await reverseEntry(tx, scope, { key: `bank-returned/${bankPaymentId}`, entryId });
  return decidePayment(tx, scope, bankPaymentId, { state: 'sent_back', note });
}

export const bankTransfersRoutes = {
  get: read(bankTransfers.get, viewTransfers),
  makeTest: write(bankTransfers.makeTest, makeTestTransfer),
  importStatement: write(bankTransfers.importStatement, importStatement, { prepare: readFile }),
  assign: write(bankTransfers.assign, assignPayment),
  sendBack: write(bankTransfers.sendBack, sendPaymentBack),
};
