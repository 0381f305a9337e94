import { readdirSync, readFileSync } from 'node:fs';
import { signalRecords } from '@nearhand/contract/realtime';
import { describe, expect, it } from 'vitest';
import { apiQuery } from './api.ts';
import { partsOf, refetchChanged } from './changed-records.ts';
import { queryClient } from './query.ts';

describe('refetchChanged', () => {
  it('covers every record that a signal can name', () => {
    expect(Object.keys(partsOf).sort()).toEqual([...signalRecords].sort());
  });

  it("refetches a record's queries, except the one with the response", () => {
    queryClient.clear();
    const queryKey = apiQuery.engagements.get.queryKey({ input: { engagementId: 'a' } });
    const other = apiQuery.engagements.get.queryKey({ input: { engagementId: 'b' } });
    const elsewhere = ['somewhere else'];
    for (const key of [queryKey, other, elsewhere]) queryClient.setQueryData(key, {});
    refetchChanged(['engagement'], queryKey);
    const isOld = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;
    expect([isOld(queryKey), isOld(other), isOld(elsewhere)]).toEqual([false, true, false]);
  });

  it('refetches the transfers that arrived with the wallet', () => {
    queryClient.clear();
    const queryKey = apiQuery.bankTransfers.get.queryKey({ input: { businessId: 'a' } });
    queryClient.setQueryData(queryKey, {} as never);
    refetchChanged(['wallet']);
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  /** Hooks that change only lists of their own slice, which no signal names. */
  const ownListsOnly = [
    'applicants.api.ts',
    'conversations.api.ts',
    'devices.api.ts',
    'invitations.api.ts',
    'notifications.api.ts',
    'pipeline.api.ts',
  ];

  it('is how mutation hooks refetch', () => {
    const src = `${import.meta.dirname}/../..`;
    const hooks = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.api.ts'),
    );
    expect(hooks.length).toBeGreaterThan(20);
    const byHand = hooks.filter(
      (file) =>
        !ownListsOnly.some((own) => file.endsWith(`/${own}`)) &&
        readFileSync(`${src}/${file}`, 'utf8').includes('invalidateQueries'),
    );
    expect(byHand).toEqual([]);
  });
});
