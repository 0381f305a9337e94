/** A rejection as stored in the log and its notice: `distance`, or with a note `distance: too far by bike`. */
export const rejectionText = (reason: RejectReason, note: string): string =>
  note === '' ? reason : `${reason}: ${note}`;

/** Parses the stored text. A text in another form is a note. */
export function readRejection(text: string | null): {
  rejectReason: RejectReason | null;
  note: string | null;
} {
  if (text === null) return { rejectReason: null, note: null };
  const colon = text.indexOf(': ');
  const code = colon < 0 ? text : text.slice(0, colon);
  const rejectReason = rejectReasons.find((rejectReason) => rejectReason === code) ?? null;
  if (rejectReason === null) return { rejectReason, note: text };
  return { rejectReason, note: colon < 0 ? null : text.slice(colon + 2) };
}

export const rejectReasons = [
  'experience',
  'availability',
  'distance',
  'answers',
  'others',
  'other',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
