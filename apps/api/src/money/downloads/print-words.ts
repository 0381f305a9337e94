import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import type { Language } from '@nearhand/contract/languages';
import type { StatementKind, StatementLine } from '@nearhand/contract/money/statements';
import type { WorkerInvoiceKind } from '@nearhand/contract/money/worker-invoices.rules';
import { formatsOf } from '../../platform/i18n.ts';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import type { InvoiceContent } from '../invoices/invoices.ts';
import { legalWording, type VatReason } from '../invoices/vat.rules.ts';

/** The parts that are not empty, as a list with the commas of the document's language. */
export const commaList = (language: Language, parts: readonly (string | null)[]): string =>
  parts
    .filter((part) => part !== null && part !== '')
    .reduce<string>(
      (list, part) =>
        list === '' ? `${part}` : phraseIn(language, phrase('{list}, {part}', { list, part: `${part}` })),
      '',
    );

export const invoiceTitles: Record<WorkerInvoiceKind, MailText> = {
  invoice: phrase('Invoice'),
  credit_note: phrase('Credit note'),
  pro_forma: phrase('Pro forma'),
  pro_forma_credit: phrase('Pro forma credit note'),
};

export const kindText: Record<StatementKind, MailText> = {
  top_up: phrase('Funding'),
  hold: phrase('Hold'),
  hold_returned: phrase('Returned'),
  release: phrase('Release'),
  tip: phrase('Tip'),
  bonus: phrase('Bonus'),
  compensation: phrase('Compensation'),
  cleared: phrase('Cleared'),
  withdrawal: phrase('Withdrawal'),
  withdrawal_back: phrase('Withdrawal back'),
  refund: phrase('Refund'),
  chargeback: phrase('Chargeback'),
  referral: phrase('Referral reward'),
  goodwill: phrase('Goodwill from Nearhand'),
  credit_drawn: phrase('Drawn on the credit limit'),
  credit_repaid: phrase('Credit limit repaid'),
  correction: phrase('Correction'),
};

export const statusText: Record<NonNullable<StatementLine['status']>, MailText> = {
  held: phrase('Held'),
  paid: phrase('Paid'),
  partly: phrase('Partly'),
  pending: phrase('Pending'),
  not_sent: phrase('Not sent yet'),
  in_transit: phrase('In transit'),
  returned: phrase('Returned'),
  in_dispute: phrase('In dispute'),
  failed: phrase('Failed'),
};

const formats = new Map<string, Intl.NumberFormat>();

/** An exact amount in the screens' format; `Intl` gets a decimal string, not a float. */
export function moneyText(
  amountMinor: number,
  currency: Currency,
  { signed = false, language = 'en' }: { signed?: boolean; language?: Language } = {},
): string {
  const key = `${language} ${currency} ${signed}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(formatsOf(language), {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      signDisplay: signed ? 'exceptZero' : 'auto',
    });
  formats.set(key, format);
  return format.format(decimalOf(amountMinor, currency) as Intl.StringNumericLiteral).replace('-', '−');
}

/** A decimal number with a point and without grouping, for files that machines read. */
export function decimalOf(amountMinor: number, currency: Currency): string {
  const digits = currencyDigits[currency];
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0');
  const sign = amountMinor < 0 ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Hours as a decimal number with two digits. */
export const hoursText = (minutes: number): string => (minutes / 60).toFixed(2);

export const shareText = (basisPoints: number, language: Language = 'en'): string =>
  new Intl.NumberFormat(formatsOf(language), { style: 'percent', maximumFractionDigits: 2 }).format(
    basisPoints / 10_000,
  );

const dates = new Map<string, Intl.DateTimeFormat>();

/** `Mon 23 Nov 2026, 11:20` in a zone; without the weekday outside English. */
export function timeText(
  at: string | Date,
  timeZone: string,
  withTime = true,
  language: Language = 'en',
): string {
  const key = `${language} ${timeZone} ${withTime}`;
  const format =
    dates.get(key) ??
    new Intl.DateTimeFormat(formatsOf(language), {
      timeZone,
      weekday: language === 'en' ? 'short' : undefined,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: withTime ? '2-digit' : undefined,
      minute: withTime ? '2-digit' : undefined,
      hourCycle: withTime ? 'h23' : undefined,
    });
  dates.set(key, format);
  if (language !== 'en') return format.format(new Date(at));
  const parts = format.formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const day = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`;
  return withTime ? `${day}, ${part('hour')}:${part('minute')}` : day;
}

export const dayText = (day: string, language: Language = 'en'): string =>
  timeText(`${day}T12:00:00Z`, 'UTC', false, language);

/** Date and time to the second with offset, as 2026-05-03 14:05:00 +02:00. */
export function stampText(at: string | Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const offset = part('timeZoneName').replace('GMT', '').replace('−', '-') || '+00:00';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`;
}

const reasonText: Record<VatReason, MailText> = {
  'reverse-charge': phrase(
    'Reverse charge. VAT is due by the buyer: articles 44 and 196 of Directive 2006/112/EC.',
  ),
  'abroad-eu': phrase(
    'Outside the scope of VAT: the service is supplied where the buyer is, article 44 of Directive 2006/112/EC.',
  ),
  'abroad-gb': phrase(
    'Outside the scope of UK VAT: the service is supplied where the buyer is, section 7A of the Value Added Tax Act 1994.',
  ),
  'abroad-ch': phrase(
    'Not subject to Swiss VAT: the service is supplied where the buyer is, article 8(1) of the Swiss VAT Act.',
  ),
  'abroad-no': phrase('Zero-rated: a service to a business abroad, section 6-22 of the Norwegian VAT Act.'),
  'no-vat-law': phrase('Outside the scope of VAT.'),
  'small-business': phrase('Exempt from VAT under the small-business scheme.'),
};

/** The reason for charging no VAT, with the words of the law in the parties' countries. */
export function reasonSentence(
  reason: VatReason,
  { seller, buyer }: Pick<InvoiceContent, 'seller' | 'buyer'>,
  language: Language,
): string {
  const words = legalWording(reason, seller, buyer);
  const sentence = phraseIn(language, reasonText[reason]);
  return sentence.includes(words) ? sentence : `${sentence} (${words})`;
}
