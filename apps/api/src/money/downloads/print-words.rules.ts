import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import type { StatementKind, StatementLine } from '@nearhand/contract/money/statements';

// Files are in English, like our mails.
export const kindWords: Record<StatementKind, string> = {
  top_up: 'Funding',
  hold: 'Hold',
  hold_returned: 'Returned',
  release: 'Release',
  tip: 'Tip',
  bonus: 'Bonus',
  compensation: 'Compensation',
  cleared: 'Cleared',
  withdrawal: 'Withdrawal',
  withdrawal_back: 'Withdrawal back',
  refund: 'Refund',
  chargeback: 'Chargeback',
  referral: 'Referral reward',
  correction: 'Correction',
};

export const statusWords: Record<NonNullable<StatementLine['status']>, string> = {
  held: 'Held',
  paid: 'Paid',
  partly: 'Partly',
  pending: 'Pending',
  not_sent: 'Not sent yet',
  in_transit: 'In transit',
  returned: 'Returned',
  in_dispute: 'In dispute',
  failed: 'Failed',
};

const formats = new Map<string, Intl.NumberFormat>();

/** An amount as on the screens, with all its digits. The decimal is passed as text to stay exact. */
export function moneyWords(amountMinor: number, currency: Currency, signed = false): string {
  const key = `${currency} ${signed}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      signDisplay: signed ? 'exceptZero' : 'auto',
    });
  formats.set(key, format);
  return format.format(decimalOf(amountMinor, currency) as Intl.StringNumericLiteral).replace('-', '−');
}

/** An exact amount as a decimal with a dot: -11880 EUR is `-118.80`, -11880 JPY is `-11880`. */
export function decimalOf(amountMinor: number, currency: Currency): string {
  const digits = currencyDigits[currency];
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0');
  const sign = amountMinor < 0 ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const dates = new Map<string, Intl.DateTimeFormat>();

/** `Mon 23 Nov 2026, 11:20` in a zone. */
export function timeWords(at: string | Date, timeZone: string, withTime = true): string {
  const key = `${timeZone} ${withTime}`;
  const format =
    dates.get(key) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      ...(withTime ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
    });
  dates.set(key, format);
  const parts = format.formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((found) => found.type === type)?.value ?? '';
  const day = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`;
  return withTime ? `${day}, ${part('hour')}:${part('minute')}` : day;
}

/** A time with its offset, as spreadsheets and programs read it: `2026-11-23 11:20:05 +01:00`. */
export function stampWords(at: string | Date, timeZone: string): string {
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
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((found) => found.type === type)?.value ?? '';
  const offset = part('timeZoneName').replace('GMT', '').replace('−', '-') || '+00:00';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`;
}

/** `5 h 30 min`. */
export function hoursWords(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : '']
    .filter(Boolean)
    .join(' ');
}
