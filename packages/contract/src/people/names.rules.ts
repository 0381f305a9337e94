/** Marks that turn the direction of the text around a name. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const address = /:\/\/|(?<![\p{L}\p{N}])www\./iu;
/** A host such as `spam.example`; "J. R. Smith" and "St.John" are none. */
const host = /[\p{Ll}\p{N}-]{2}\.\p{Ll}{2,}(?![\p{L}\p{N}])/u;

export type NameProblem = 'address' | 'marks';

/** Finds a web address or direction marks in a name. A business may be called by its site, such as booking.example, but not by a link. */
export function nameProblem(name: string, of: 'person' | 'business'): NameProblem | null {
  if (directionMarks.test(name)) return 'marks';
  return address.test(name) || (of === 'person' && (host.test(name) || /@/.test(name))) ? 'address' : null;
}
