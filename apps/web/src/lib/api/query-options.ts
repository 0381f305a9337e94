/** For data a business needs on site without a network: stored for a day (ADR 272). */
export const keptForADay = { meta: { keep: 'day' } };

/** For data that must not stay on the device: other people's, a business's money, short-lived (ADR 24). */
export const unkept = { meta: { keep: false } };

export const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
};
