import type { Invoice } from '@nearhand/contract/money/invoices';

/** A document's content, frozen when it is written, with names and addresses as of then. Amounts in minor units of the document's currency. */
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
  /** Minutes of work it pays; null for tasks and for what is not work. */
  paidMinutes: number | null;
  merchantFeeBasisPoints: number;
  /** Version of the fee schedule the offer was made under. */
  feeVersion: number | null;
};

/** An invoice includes our fee; money that goes to the worker in full gets a receipt. */
export const documentKind = (feeMinor: number): Invoice['kind'] => (feeMinor > 0 ? 'invoice' : 'receipt');

/** A number as printed and searched for: `NH-000042`. Each business has one series for invoices and receipts. */
export const printedNumber = (number: number): string => `NH-${String(number).padStart(6, '0')}`;

/** The document's file name: `invoice-NH-000042.pdf`. */
export const documentFileName = ({ kind, number }: { kind: string; number: number }): string =>
  `${kind}-${printedNumber(number)}.pdf`;

/** The sender's lines, which the configuration separates by `|`. */
export const senderLines = (text: string): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
