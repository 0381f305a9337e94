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
  const saved = language.get();
  return saved === 'device' ? (languageIn(navigator.languages) ?? 'en') : saved;
}

let latest: Language | null = null;

/** Loads a language and shows everything in it. If it can't be loaded, the language on screen stays: English at the start. */
export async function loadLocale(target: Language = wantedLanguage()): Promise<void> {
  latest = target;
  const catalogue = await catalogues[`../../locales/${target}.po`]?.().catch(() => undefined);
  // Another was chosen while this one was on its way.
  if (latest !== target) return;
  const locale = catalogue ? target : 'en';
  if (locale !== target && i18n.locale) return;
  showLanguage(locale, catalogue?.messages);
}
