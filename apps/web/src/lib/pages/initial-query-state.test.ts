import { expect, it } from 'vitest';
import { firstRead } from './initial-query-state.ts';

const query = { data: undefined, error: null, fetchStatus: 'fetching' as const };

it('is loading until there is a response, and failed without a network', () => {
  expect(firstRead(query)).toBe('loading');
  expect(firstRead({ ...query, fetchStatus: 'idle' })).toBe('loading');
  expect(firstRead({ ...query, fetchStatus: 'paused' })).toBe('failed');
  expect(firstRead({ ...query, error: new Error('no'), fetchStatus: 'idle' })).toBe('failed');
});

it('is done with data, despite any later read', () => {
  expect(firstRead({ data: [], error: new Error('no'), fetchStatus: 'paused' })).toBe('done');
});
