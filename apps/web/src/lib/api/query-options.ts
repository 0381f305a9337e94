/** For data a business needs on site without a network: stored for a day (ADR 272). */
export const keptForADay = { meta: { keep: 'day' } };

/**
 * For data that must not be stored on the device: other people's records, a business's money, short-lived
 * data (ADR 24).
 */
export const unkept = { meta: { keep: false } };

export const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
};
