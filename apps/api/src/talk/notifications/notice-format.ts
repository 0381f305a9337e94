import { currencyDigits } from '@nearhand/contract/currencies';
import { dateOfParts, directionOf, type Language } from '@nearhand/contract/languages';
import { endedOnce } from '@nearhand/contract/sentences';
import type { NoticeFormat } from '@nearhand/contract/talk/topics/notice-facts';
import { textId } from '@nearhand/contract/talk/topics/text';
import { formatsOf, i18nFor } from '../../platform/i18n.ts';
import { durationText } from '../../platform/mail/duration-words.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function cachedFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const cached = formats.get(key);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat(formatsOf(language), options);
  formats.set(key, format);
  return format;
}

/** `Thu 3 Dec`. */
function dayText(language: Language, instant: string, timeZone: string): string {
  const day = cachedFormat(language, { weekday: 'short', day: 'numeric', month: 'short', timeZone });
  return dateOfParts(language, day.formatToParts(new Date(instant)));
}

function timeText(language: Language, instant: string, timeZone: string, clock: string | null): string {
  const hours: Intl.DateTimeFormatOptions =
    clock === '12' ? { hour: 'numeric', hourCycle: 'h12' } : { hour: '2-digit', hourCycle: 'h23' };
  return cachedFormat(language, { ...hours, minute: '2-digit', timeZone }).format(new Date(instant));
}

/**
 * Formats times (`Thu 3 Dec, 18:40`) and amounts (`€18`, `€17.20`).
 * @param clock `12` writes `6:40 pm`
 */
export function noticeFormat(clock: string | null = null, language: Language = 'en'): NoticeFormat {
  const i18n = i18nFor(language);
  const comma = directionOf(language) === 'rtl' ? '،' : ',';
  return {
    language,
    say: (text, values) =>
      endedOnce(i18n._({ id: textId(text), message: text.message, values: values || undefined }), values),
    day: (day) => dayText(language, `${day}T12:00:00Z`, 'UTC'),
    dateTime: (instant, timeZone) =>
      `${dayText(language, instant, timeZone)}${comma} ${timeText(language, instant, timeZone, clock)}`,
    time: (instant, timeZone) => timeText(language, instant, timeZone, clock),
    money: (minor, currency) => {
      const digits = currencyDigits[currency];
      const digitsShown = minor % 10 ** digits === 0 ? 0 : digits;
      return new Intl.NumberFormat(formatsOf(language), {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digitsShown,
        maximumFractionDigits: digitsShown,
      }).format(minor / 10 ** digits);
    },
    duration: (minutes) => durationText(minutes, language),
    defaultZone: 'UTC',
  };
}
