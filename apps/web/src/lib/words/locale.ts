import { i18n, type Messages } from '@lingui/core';
import { type Language, languageIn } from '@nearhand/contract/languages';
import { language } from '../device/device-setting.ts';
import { showLanguage } from './show-language.ts';

/**
 * Translations, each a file in `src/locales`, loaded on demand. English is not among them: its texts are in the code, so that a first
 * visit does not load all of them. They are compiled on use, which takes microseconds.
 */
const catalogues = import.meta.glob<{ messages: Messages }>(['../../locales/*.po', '!../../locales/en.po']);

/** The language chosen on this device, otherwise the first of the browser's that is one of ours, otherwise English. */
export function wantedLanguage(): Language {
  const chosen = language.get();
  return chosen === 'device' ? (languageIn(navigator.languages) ?? 'en') : chosen;
}

let latest: Language | null = null;

/** Loads a language and shows everything in it. If it can't be loaded, the language on screen stays: English at the start. */
export async function loadLocale(wanted: Language = wantedLanguage()): Promise<void> {
  latest = wanted;
  const catalogue = await catalogues[`../../locales/${wanted}.po`]?.().catch(() => undefined);
  // Another was chosen while this one was on its way.
  if (latest !== wanted) return;
  const locale = catalogue ? wanted : 'en';
  if (locale !== wanted && i18n.locale) return;
  showLanguage(locale, catalogue?.messages);
}
