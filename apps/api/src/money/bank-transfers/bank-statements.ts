import { maxTotalMinor, sumOf } from '@nearhand/contract/arithmetic';
import { currencyDigits } from '@nearhand/contract/currencies';
import { transferCurrency } from '@nearhand/contract/money/bank-transfers.rules';
import { type XmlNode, xmlNodes, xmlText } from '../../platform/xml.ts';

/** A booked entry of the platform's account, from a file of the bank or made by the sandbox. */
export type BankEntry = {
  /** The bank's own reference, which no other entry of the account has. */
  bankRef: string;
  bookedOn: string;
  /** Minor units of `transferCurrency`; negative for money taken from the account. */
  amountMinor: number;
  payerName: string;
  payerIban: string;
  /** The payer's words and references. */
  remittance: string[];
};

export type BankStatement = { accountIban: string; entries: BankEntry[]; skipped: number };

/**
 * Thrown if the file is not a statement of this account, or can't be booked. The message names the entry and
 * the fault.
 */
export class StatementError extends Error {}

const entriesMax = 2_000;
const textMax = 140;

/**
 * Reads the statements of a CAMT.053 document (ISO 20022, versions 2 to 13), which banks offer for download. A batch
 * with details has an entry for each of them.
 * @throws StatementError
 */
export function readStatements(document: XmlNode): BankStatement[] {
  const statements = xmlNodes(document, 'BkToCstmrStmt', 'Stmt');
  if (document.name !== 'Document' || statements.length === 0)
    throw new StatementError('The file is no CAMT.053 statement.');
  const results = statements.map(readStatement);
  const entries = results.flatMap((result) => result.entries);
  if (entries.length > entriesMax) throw new StatementError(`The file has more than ${entriesMax} entries.`);
  const references = new Set<string>();
  for (const { bankRef } of entries) {
    // Otherwise a second payment would look like one of an earlier file, and its money would never be booked.
    if (references.has(bankRef)) throw new StatementError(`The reference ${bankRef} is in the file twice.`);
    references.add(bankRef);
  }
  return results;
}

function readStatement(statement: XmlNode): BankStatement {
  const accountIban = cleanText(xmlText(statement, 'Acct', 'Id', 'IBAN'))
    .replaceAll(' ', '')
    .toUpperCase();
  if (accountIban === '') throw new StatementError('The statement names no IBAN.');
  const rows = xmlNodes(statement, 'Ntry');
  const entries = rows.filter(isBooked).flatMap(readEntry);
  const movements = entries.filter(({ amountMinor }) => amountMinor !== 0);
  return {
    accountIban,
    entries: movements,
    skipped: rows.filter((row) => !isBooked(row)).length + entries.length - movements.length,
  };
}

/** Entries that are announced or only inform are in a later statement again. */
const isBooked = (entry: XmlNode): boolean =>
  (xmlText(entry, 'Sts', 'Cd') || xmlText(entry, 'Sts')) === 'BOOK';

function readEntry(entry: XmlNode): BankEntry[] {
  const bankRef = cleanText(xmlText(entry, 'AcctSvcrRef'));
  const amountMinor = signedAmount(entry, xmlNodes(entry, 'Amt')[0], bankRef);
  const bookedOn = (xmlText(entry, 'BookgDt', 'Dt') || xmlText(entry, 'BookgDt', 'DtTm')).slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(bookedOn) || Number.isNaN(Date.parse(bookedOn)))
    throw new StatementError(`Entry ${bankRef || '?'} has no day of booking.`);
  const details = xmlNodes(entry, 'NtryDtls', 'TxDtls');
  const partRefs = details.map((detail) => cleanText(xmlText(detail, 'Refs', 'AcctSvcrRef')));
  if (details.length <= 1)
    return [
      {
        bankRef: requireReference(bankRef || (partRefs[0] ?? '')),
        bookedOn,
        amountMinor,
        ...payerOf(details[0]),
      },
    ];
  // Some banks repeat a reference of the batch in its parts.
  const areDistinct = new Set([bankRef, ...partRefs]).size === details.length + 1;
  const parts = details.map((detail, at) => {
    const amount = xmlNodes(detail, 'Amt')[0] ?? xmlNodes(detail, 'AmtDtls', 'TxAmt', 'Amt')[0];
    return {
      bankRef: areDistinct ? (partRefs[at] ?? '') : `${requireReference(bankRef)}/${at + 1}`,
      bookedOn,
      amountMinor: signedAmount(xmlText(detail, 'CdtDbtInd') ? detail : entry, amount, bankRef),
      ...payerOf(detail),
    };
  });
  if (sumOf(parts, ({ amountMinor: partMinor }) => partMinor) !== amountMinor)
    throw new StatementError(`The parts of entry ${bankRef} don’t add up to its amount.`);
  return parts;
}

function requireReference(bankRef: string): string {
  if (bankRef === '') throw new StatementError('An entry has no reference of the bank (AcctSvcrRef).');
  return bankRef;
}

const decimal = /^(\d{1,13})(?:\.(\d{1,5}))?$/;

function signedAmount(marked: XmlNode, amount: XmlNode | undefined, bankRef: string): number {
  const name = `Entry ${bankRef || '?'}`;
  if (amount?.attributes.Ccy !== transferCurrency)
    throw new StatementError(`${name} is in another currency than ${transferCurrency}.`);
  const [text, units = '', fraction = ''] = decimal.exec(amount.text.trim()) ?? [];
  const digits = currencyDigits[transferCurrency];
  const minor = Number(units + fraction.slice(0, digits).padEnd(digits, '0'));
  if (text === undefined || /[1-9]/.test(fraction.slice(digits)) || minor > maxTotalMinor)
    throw new StatementError(`${name} has no amount in cents.`);
  const side = xmlText(marked, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT') throw new StatementError(`${name} is neither credit nor debit.`);
  return side === 'CRDT' || minor === 0 ? minor : -minor;
}

function payerOf(detail: XmlNode | undefined): Pick<BankEntry, 'payerName' | 'payerIban' | 'remittance'> {
  const texts = (...path: string[]) =>
    detail ? xmlNodes(detail, ...path).map(({ text }) => cleanText(text)) : [];
  const first = (...paths: string[][]) =>
    paths.flatMap((path) => texts(...path)).find((text) => text !== '') ?? '';
  return {
    payerName: first(['RltdPties', 'Dbtr', 'Nm'], ['RltdPties', 'Dbtr', 'Pty', 'Nm']),
    payerIban: first(['RltdPties', 'DbtrAcct', 'Id', 'IBAN']),
    remittance: [
      ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
      ...texts('RmtInf', 'Ustrd'),
      ...texts('Refs', 'EndToEndId'),
    ].filter((text) => text !== '' && text !== 'NOTPROVIDED'),
  };
}

/** One line without control characters, which the database refuses. */
const cleanText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, textMax);
