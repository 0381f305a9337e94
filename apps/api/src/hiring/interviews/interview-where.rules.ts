import type { InterviewMode } from '@nearhand/contract/hiring/interviews';
import { phone } from '@nearhand/contract/people/profiles';

export type WhereProblem = 'where-missing' | 'where-invalid';

/**
 * An interview's place by mode: an address, a phone number in E.164, or an https link. A link with credentials in it is refused: it shows
 * one host and leads to another.
 * @param place the job's place, for `in_person` without its own; empty where it is private
 */
export function readWhere(
  mode: InterviewMode,
  given: string | undefined,
  place: string,
): { where: string; problem: WhereProblem | null } {
  if (given === undefined)
    return mode === 'in_person' && place !== ''
      ? { where: place, problem: null }
      : { where: '', problem: 'where-missing' };
  if (mode === 'in_person') return { where: given, problem: null };
  if (mode === 'phone') {
    const read = phone.safeParse(given);
    return read.success ? { where: read.data, problem: null } : { where: '', problem: 'where-invalid' };
  }
  const link = URL.canParse(given) ? new URL(given) : null;
  const fits =
    link?.protocol === 'https:' && link.username === '' && link.password === '' && link.hostname !== '';
  return fits ? { where: link.href, problem: null } : { where: '', problem: 'where-invalid' };
}

/** A device's IANA time zone; null for an unknown name. */
export function knownZone(name: string): string | null {
  // Offsets such as +02:00 are not zones: they ignore summer time.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
