import type { Currency } from '@nearhand/contract/currencies';
import type { BusinessStatementLine, StatementLine } from '@nearhand/contract/money/statements';
import type { businessGroups, workerGroups } from '@nearhand/contract/money/statements.rules';
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { useUser } from '../../lib/session.ts';

export type WorkerStatementGroup = (typeof workerGroups)[number];
export type BusinessStatementGroup = (typeof businessGroups)[number];
/** `from` and `to` are days (`YYYY-MM-DD`), both included. */
export type StatementFilter<Group> = { group: Group; currency?: Currency; from?: string; to?: string };

type Totals = { openingMinor: number; inMinor: number; outMinor: number; closingMinor: number };
type Page<Sums, Line = StatementLine> = {
  items: Line[];
  nextCursor: string | null;
  currency: Currency;
  currencies: Currency[];
  timeZone: string;
  totals: Totals & Sums;
};
type WorkerPage = Page<{
  earnedMinor: number;
  tipsMinor: number;
  feesMinor: number;
  withdrawnMinor: number;
}>;
type BusinessPage = Page<
  {
    balanceMinor: number;
    heldMinor: number;
    paidMinor: number;
    feesMinor: number;
    creditOwedMinor: number | null;
  },
  BusinessStatementLine
>;

const freshMs = 15_000;

type Shown<Data> = {
  data: Data | undefined;
  isPlaceholderData: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
};
/** The previous lines stay until the newly chosen ones have loaded; offline they don't load. */
const visibleData = <Data>({ data, isPlaceholderData, fetchStatus }: Shown<Data>) =>
  isPlaceholderData && fetchStatus === 'paused' ? undefined : data;

export const myStatement = (filter: StatementFilter<WorkerStatementGroup>) =>
  apiQuery.statements.mine.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...filter, cursor }),
    ...pages,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const businessStatement = (businessId: string, filter: StatementFilter<BusinessStatementGroup>) =>
  apiQuery.statements.forBusiness.infiniteOptions({
    input: (cursor: string | undefined) => ({ businessId, ...filter, cursor }),
    ...pages,
    staleTime: 0,
    placeholderData: keepPreviousData,
    ...neverPersist,
  });

export function useStatement(filter: StatementFilter<WorkerStatementGroup>) {
  const user = useUser();
  const fresh = useFresh(freshMs);
  const query = useInfiniteQuery({
    ...myStatement(filter),
    enabled: user?.emailVerified === true,
    ...fresh,
  });
  return { ...query, data: visibleData(query) as InfiniteData<WorkerPage> | undefined };
}

export function useStatementLine(entryId: string | undefined) {
  return useQuery(
    apiQuery.statements.line.queryOptions({ input: { entryId: entryId ?? '' }, enabled: Boolean(entryId) }),
  );
}

/** A business's statement; it names workers, so it is not stored on the device (ADR 34). */
export function useBusinessStatement(
  businessId: string | undefined,
  filter: StatementFilter<BusinessStatementGroup>,
) {
  const fresh = useFresh(freshMs);
  const query = useInfiniteQuery({
    ...businessStatement(businessId ?? '', filter),
    enabled: Boolean(businessId),
    ...fresh,
  });
  return { ...query, data: visibleData(query) as InfiniteData<BusinessPage> | undefined };
}

export function useBusinessLine(businessId: string | undefined, entryId: string | undefined) {
  return useQuery(
    apiQuery.statements.businessLine.queryOptions({
      input: { businessId: businessId ?? '', entryId: entryId ?? '' },
      enabled: Boolean(businessId && entryId),
      ...neverPersist,
    }),
  );
}

export function useStatementYear(year: number, currency?: Currency) {
  const user = useUser();
  return useQuery({ ...statementYear(year, currency), enabled: user?.emailVerified === true });
}

export const statementYear = (year: number, currency?: Currency) =>
  apiQuery.statements.year.queryOptions({ input: { year, currency: currency || undefined } });
