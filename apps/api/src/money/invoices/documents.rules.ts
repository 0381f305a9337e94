import type { Invoice } from '@nearhand/contract/money/invoices';

/** What a document says, frozen when it is written: names and addresses as they were. Amounts in minor units of the document's currency. */
export type DocumentContent = {
  /** Nearhand's own lines, as configured. */
  sender: string[];
  business: { name: string; legalName: string; address: string; area: string; registrationNumber: string };
  workerName: string;
  jobTitle: string;
  /** What was paid. */
  what: 'work' | 'compensation' | 'tip' | 'bonus';
  jobKind: 'shift' | 'task';
  startsAt: string | null;
  endsAt: string | null;
  timeZone: string;
  /** Minutes of work that it pays; null for a task and what is no work. */
  paidMinutes: number | null;
  merchantFeeBasisPoints: number;
  /** Of the schedule of fees that the offer was made on. */
  feeVersion: number | null;
};

/** An invoice has a fee of ours on it; what goes to the worker whole is receipted. */
export const documentKind = (feeMinor: number): Invoice['kind'] => (feeMinor > 0 ? 'invoice' : 'receipt');

/** A number as it is printed and searched for: `NH-000042`. One row of numbers for each business, of invoices and receipts together. */
export const printedNumber = (number: number): string => `NH-${String(number).padStart(6, '0')}`;

/** The name under which a document is saved: `invoice-NH-000042.pdf`. */
export const documentFileName = ({ kind, number }: { kind: string; number: number }): string =>
  `${kind}-${printedNumber(number)}.pdf`;

/** The sender's lines, which the configuration separates by `|`. */
export const senderLines = (text: string): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
