type Read = { data: unknown; error: unknown; fetchStatus: 'fetching' | 'paused' | 'idle' };

/** The state of a query's first read. Waiting for a network counts as failed, because a page must not wait for it. */
export function firstRead({ data, error, fetchStatus }: Read): 'loading' | 'failed' | 'done' {
  if (data !== undefined) return 'done';
  return error || fetchStatus === 'paused' ? 'failed' : 'loading';
}

type Query<Data> = {
  data: Data | undefined;
  error: unknown;
  failureReason: unknown;
  fetchStatus: Read['fetchStatus'];
  dataUpdatedAt: number;
  refetch: () => unknown;
};

/** Combines several queries into one, whose data is available once all have loaded. */
export function combineQueries<Data>(queries: readonly Query<Data>[]): Query<Data[]> {
  const data = queries.flatMap((query) => (query.data === undefined ? [] : [query.data]));
  const states = queries.map(({ fetchStatus }) => fetchStatus);
  return {
    data: data.length === queries.length ? data : undefined,
    error: queries.find(({ error }) => error)?.error ?? null,
    failureReason: queries.find(({ failureReason }) => failureReason)?.failureReason,
    fetchStatus:
      states.find((state) => state === 'fetching') ?? states.find((state) => state === 'paused') ?? 'idle',
    dataUpdatedAt: Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => {
      for (const query of queries) void query.refetch();
    },
  };
}
