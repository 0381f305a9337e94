import { currencyDigits } from '@nearhand/contract/money';
import type { NoticeFormat } from '@nearhand/contract/talk/topics/notice-facts';
import { textId } from '@nearhand/contract/talk/topics/text';
import { i18nFor } from '../../platform/i18n.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(instant: string, timeZone: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    });
    formats.set(timeZone, format);
  }
  return Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
}

const dayText = (instant: string, timeZone: string): string => {
  const { weekday, day, month } = partsOf(instant, timeZone);
  return `${weekday} ${day} ${month}`;
};
const timeText = (instant: string, timeZone: string, clock: string | null): string => {
  const { hour = '', minute } = partsOf(instant, timeZone);
  if (clock !== '12') return `${hour}:${minute}`;
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'am' : 'pm'}`;
};

/**
 * How mails and pushes write texts, times (`Thu 3 Dec, 18:40`) and amounts (`€18`, `€17.20`).
 * @param clock the reader's choice in the account settings: `12` writes `6:40 pm`, everything else 24 hours
 */
export function noticeFormat(clock: string | null = null, locale = 'en'): NoticeFormat {
  const i18n = i18nFor(locale);
  return {
    say: (text, values) => i18n._({ id: textId(text), message: text.message, ...(values ? { values } : {}) }),
    day: (day) => dayText(`${day}T12:00:00Z`, 'UTC'),
    dateTime: (instant, timeZone) => `${dayText(instant, timeZone)}, ${timeText(instant, timeZone, clock)}`,
    time: (instant, timeZone) => timeText(instant, timeZone, clock),
    money: (minor, currency) => {
      const digits = currencyDigits[currency];
      const shown = minor % 10 ** digits === 0 ? 0 : digits;
      return new Intl.NumberFormat('en-GB', {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: shown,
        maximumFractionDigits: shown,
      }).format(minor / 10 ** digits);
    },
    defaultZone: 'UTC',
  };
}
