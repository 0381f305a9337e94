import type { Currency } from '@nearhand/contract/currencies';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';

/** Spend, cost per hour and time to fill of a business. */
export function useFigures(businessId: string, months: number, currency?: Currency) {
  return useQuery(
    apiQuery.dashboard.figures.queryOptions({
      input: { businessId, months, ...(currency ? { currency } : {}) },
      ...unkept,
    }),
  );
}
