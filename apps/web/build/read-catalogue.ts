import { readFileSync } from 'node:fs';
import { formatter } from '@lingui/format-po';
import type { Language } from '@nearhand/contract/languages';

/**
 * A text of a catalogue: its English, unless it has an explicit id, its translation, and the files it is in, from the
 * folder of the app.
 */
export type CatalogueEntry = {
  message?: string;
  context?: string;
  translation?: string;
  origin?: [file: string, line?: number][];
};

export const readCatalogue = (folder: string, language: Language): Record<string, CatalogueEntry> => {
  const filename = `${folder}/${language}.po`;
  return formatter().parse(readFileSync(filename, 'utf8'), {
    locale: language,
    sourceLocale: 'en',
    filename,
  }) as Record<string, CatalogueEntry>;
};

/** The texts of a message's elements, by number: `<0>Undo</0> the move` also contains a button's "Undo". */
export const elementsOf = (message: string): Map<string, string> =>
  new Map([...message.matchAll(/<(\d+)>([^<]+)<\/\1>/g)].map(([, number = '', text = '']) => [number, text]));
