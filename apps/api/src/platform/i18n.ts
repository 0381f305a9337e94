import { type I18n, setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** The languages that mails and pushes are written in. English texts are next to the code; other catalogues are loaded here. */
const catalogues: Record<string, Parameters<I18n['load']>[1]> = { en: {} };

const loaded = new Map<string, I18n>();

/** Texts in one language, by the same catalogue as the web app. */
export function i18nFor(locale = 'en'): I18n {
  const known = loaded.get(locale);
  if (known) return known;
  const i18n = setupI18n({ locale, messages: { [locale]: catalogues[locale] ?? {} } });
  i18n.setMessagesCompiler(compileMessage);
  loaded.set(locale, i18n);
  return i18n;
}
