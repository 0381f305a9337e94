import type { Language } from '@nearhand/contract/languages';
import { phraseIn, say } from './mail-layout.ts';

/** Formats 330 minutes as `5 h 30 min`. */
export function durationText(minutes: number, language: Language = 'en'): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return phraseIn(language, say('{rest} min', { rest }));
  return phraseIn(
    language,
    rest === 0 ? say('{hours} h', { hours }) : say('{hours} h {rest} min', { hours, rest }),
  );
}
