/** For a query whose answer must not stay on the device: what a merchant reads of other people, the money of a business, what counts for a moment (ADR 0024). */
export const unkept = { meta: { keep: false } };

/** For a list in keyset pages. */
export const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
};
