import { i18n } from '@lingui/core';
import { compileMessage } from './compile-message.ts';

/**
 * Translations, each a file in `src/locales`, loaded on demand. English is not among them: its texts are in the code, so that a first
 * visit does not load all of them. They are compiled on use, which takes microseconds.
 */
const catalogues = import.meta.glob<{ messages: Parameters<typeof i18n.load>[1] }>([
  '../../locales/*.po',
  '!../../locales/en.po',
]);

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

/** Loads the reader's first language with a translation, otherwise English. */
export async function loadLocale(wanted: readonly string[] = navigator.languages): Promise<void> {
  const known = ['en', ...Object.keys(catalogues).map((path) => path.replace(/^.*\/|\.po$/g, ''))];
  const chosen = wanted.map((tag) => tag.split('-')[0] ?? '').find((tag) => known.includes(tag)) ?? 'en';
  // A language that fails to load must not prevent the app from starting.
  const catalogue = await catalogues[`../../locales/${chosen}.po`]?.().catch(() => undefined);
  const locale = catalogue ? chosen : 'en';
  i18n.setMessagesCompiler(compileMessage);
  i18n.load(locale, catalogue?.messages ?? {});
  i18n.activate(locale);
  document.documentElement.lang = locale;
  document.documentElement.dir = rightToLeft.has(locale) ? 'rtl' : 'ltr';
}
