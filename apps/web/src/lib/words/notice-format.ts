import { i18n as catalogue } from '@lingui/core';
import type { Language } from '@nearhand/contract/languages';
import { endedOnce } from '@nearhand/contract/sentences';
import type { NoticeFormat } from '@nearhand/contract/talk/topics/notice-facts';
import { type Text, textId } from '@nearhand/contract/talk/topics/text';
import { textFor } from '@nearhand/contract/texts-by-language';
import {
  dateIn,
  formatCalendarDay,
  formatMinutes,
  formatMoney,
  formatTime,
  ownTimeZone,
  withZone,
} from './format.ts';

const readerLanguage = (): Language => (catalogue.locale || 'en').split('-')[0] as Language;

/** The reader's part of a text that an operator wrote in several languages (ADR 412). */
export const ownText = (text: string | null): string => textFor(text ?? '', readerLanguage());

export const sayText = (text: Text, values?: Record<string, unknown>): string =>
  endedOnce(catalogue._({ id: textId(text), message: text.message, values: values || undefined }), values);

export const noticeFormat = (now = new Date()): NoticeFormat => ({
  language: readerLanguage(),
  say: sayText,
  day: (day) => formatCalendarDay(day, { now }),
  dateTime: (instant, timeZone) => dateIn(instant, timeZone, now),
  withZone,
  time: formatTime,
  money: (minor, currency) => formatMoney(minor, currency),
  duration: formatMinutes,
  defaultZone: ownTimeZone(),
});
