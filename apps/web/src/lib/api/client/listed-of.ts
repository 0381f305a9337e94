import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** A record as a loaded list has it, and when that list was loaded; null if none has it. `listKey`: of keyset-paged lists, such as `apiQuery.offers.mine.key()`. */
export function listedOf<Item extends { id: string }>(
  client: QueryClient,
  listKey: QueryKey,
  id: string | null | undefined,
): { item: Item; at: number } | null {
  for (const { state } of client.getQueryCache().findAll({ queryKey: listKey })) {
    const { pages = [] } = (state.data ?? {}) as { pages?: { items: Item[] }[] };
    const item = pages.flatMap(({ items }) => items).find((one) => one.id === id);
    if (item) return { item, at: state.dataUpdatedAt };
  }
  return null;
}
