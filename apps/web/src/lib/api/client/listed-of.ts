import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../query.ts';

/** A record from the most recently loaded list that contains it, with its load time. */
export function listedOf<Item extends { id: string }>(
  listKey: QueryKey,
  id: string | null | undefined,
): { item: Item; at: number } | null {
  const lists = queryClient.getQueryCache().findAll({ queryKey: listKey });
  for (const { state } of lists.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)) {
    const { pages = [] } = (state.data ?? {}) as { pages?: { items: Item[] }[] };
    const item = pages.flatMap(({ items }) => items).find((item) => item.id === id);
    if (item) return { item, at: state.dataUpdatedAt };
  }
  return null;
}
