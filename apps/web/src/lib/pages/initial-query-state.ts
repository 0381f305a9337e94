type Read = { data: unknown; error: unknown; fetchStatus: 'fetching' | 'paused' | 'idle' };

/** How far a query's first read is. One that waits for a network has no error yet, and counts as failed: a page may not wait for it. */
export function firstRead({ data, error, fetchStatus }: Read): 'loading' | 'failed' | 'done' {
  if (data !== undefined) return 'done';
  return error || fetchStatus === 'paused' ? 'failed' : 'loading';
}
