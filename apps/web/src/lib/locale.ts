import { i18n } from '@lingui/core';

/** The catalogues there are; each is a file of `src/locales`, loaded when chosen. */
const catalogues = import.meta.glob<{ messages: Parameters<typeof i18n.load>[1] }>('../locales/*.po');

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

/** Loads the first language of the reader that there is a catalogue for, else English. */
export async function loadLocale(wanted: readonly string[] = navigator.languages): Promise<void> {
  const known = Object.keys(catalogues).map((path) => path.replace(/^.*\/|\.po$/g, ''));
  const locale = wanted.map((tag) => tag.split('-')[0] ?? '').find((tag) => known.includes(tag)) ?? 'en';
  const catalogue = await catalogues[`../locales/${locale}.po`]?.();
  if (catalogue) i18n.load(locale, catalogue.messages);
  i18n.activate(locale);
  document.documentElement.lang = locale;
  document.documentElement.dir = rightToLeft.has(locale) ? 'rtl' : 'ltr';
}
