import type { Language } from '@nearhand/contract/languages';
import { phrase, phraseIn } from './mail-layout.ts';

/** Formats 330 minutes as `5 h 30 min`. */
export function durationText(minutes: number, language: Language = 'en'): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return phraseIn(language, phrase('{rest} min', { rest }));
  return phraseIn(
    language,
    rest === 0 ? phrase('{hours} h', { hours }) : phrase('{hours} h {rest} min', { hours, rest }),
  );
}
