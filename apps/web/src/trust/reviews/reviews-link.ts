const parts = ['to-write', 'received', 'given'] as const;
export type Part = (typeof parts)[number];

/** The parts of a link to a reviews screen: a business or a worker, a part, and the work to review. */
export function reviewsLink(search: string): {
  businessId: string | null;
  workerId: string | null;
  part: Part | null;
  write: string | null;
} {
  const query = new URLSearchParams(search);
  const write = query.get('write');
  const askedPart = parts.find((part) => part === query.get('part'));
  return {
    businessId: query.get('business'),
    workerId: query.get('worker'),
    part: askedPart ?? (write ? 'to-write' : null),
    write,
  };
}
