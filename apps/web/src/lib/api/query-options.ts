/** Data that a business needs on site offline: stored for a day (ADR 272). */
export const persistForDay = { meta: { keep: 'day' } };

/** Data that must not stay on the device: other people's, a business's money, short-lived (ADR 34). */
export const neverPersist = { meta: { keep: false } };

export const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
};
