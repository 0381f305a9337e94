import { readFileSync } from 'node:fs';
import { type I18n, setupI18n } from '@lingui/core';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Language } from '@nearhand/contract/languages';

const folder = new URL('../../locales/', import.meta.url);
const po = formatter();

/** English texts are in the code. */
function readCatalogue(language: Language): Record<string, string> {
  if (language === 'en') return {};
  const file = new URL(`${language}.po`, folder);
  const entries = po.parse(readFileSync(file, 'utf8'), {
    locale: language,
    sourceLocale: 'en',
    filename: file.pathname,
  }) as Record<string, { translation?: string }>;
  return Object.fromEntries(
    Object.entries(entries).flatMap(([id, { translation }]) => (translation ? [[id, translation]] : [])),
  );
}

const loaded = new Map<Language, I18n>();

export function i18nFor(language: Language = 'en'): I18n {
  const cached = loaded.get(language);
  if (cached) return cached;
  const i18n = setupI18n({ locale: language, messages: { [language]: readCatalogue(language) } });
  i18n.setMessagesCompiler(compileMessage);
  loaded.set(language, i18n);
  return i18n;
}

/** English uses British formats, with the day before the month. */
export const formatsOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);
