import { useInfiniteQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { pages, unkept } from '../../lib/api/query-options.ts';

/** Invoices and receipts of a business, newest first. */
export function useInvoices(businessId: string | undefined) {
  return useInfiniteQuery(
    apiQuery.invoices.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        businessId: businessId ?? '',
        ...(cursor ? { cursor } : {}),
      }),
      ...pages,
      enabled: Boolean(businessId),
      ...unkept,
    }),
  );
}
