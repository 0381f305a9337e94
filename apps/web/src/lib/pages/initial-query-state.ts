type Read = { data: unknown; error: unknown; fetchStatus: 'fetching' | 'paused' | 'idle' };

/** The state of a query's first read. Waiting for a network counts as failed, because a page must not wait for it. */
export function firstRead({ data, error, fetchStatus }: Read): 'loading' | 'failed' | 'done' {
  if (data !== undefined) return 'done';
  return error || fetchStatus === 'paused' ? 'failed' : 'loading';
}
