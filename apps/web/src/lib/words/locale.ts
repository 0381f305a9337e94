import { i18n, type Messages } from '@lingui/core';
import { type Language, languageIn, languages } from '@nearhand/contract/languages';
import { language } from '../device/device-setting.ts';
import { session } from '../session.ts';
import { showLanguage } from './show-language.ts';

/**
 * Translations, loaded on demand and compiled on use. English is in the code, so a first visit loads none of
 * them.
 */
const catalogues = import.meta.glob<{ messages: Messages }>(['../../locales/*.po', '!../../locales/en.po']);

/** The language chosen on this device, otherwise the browser's first supported one, otherwise English. */
export function wantedLanguage(): Language {
  const saved = language.get();
  return saved === 'device' ? (languageIn(navigator.languages) ?? 'en') : saved;
}

/** Keeps the language of a public page for a guest who comes from one: its links into the app name it as `lang`. */
export function applyLinkLanguage(search: string): void {
  const linkedName = new URLSearchParams(search).get('lang');
  const linked = languages.find((language) => language === linkedName);
  if (linked && !session.user()) language.set(linked);
}

let latest: Language | null = null;

/** Loads a language and shows everything in it. If loading fails, the current language stays. */
export async function loadLocale(target: Language = wantedLanguage()): Promise<void> {
  latest = target;
  const catalogue = await catalogues[`../../locales/${target}.po`]?.().catch(() => undefined);
  if (latest !== target) return;
  const locale = catalogue ? target : 'en';
  if (locale !== target && i18n.locale) return;
  showLanguage(locale, catalogue?.messages);
}
