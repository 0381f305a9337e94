import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { setSaved } from './saved-jobs.api.ts';
import SavedJobsOutbox from './saved-jobs-outbox.part.ts';

const jobId = '0193aaaa-0000-7000-8000-000000000001';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => vi.useRealTimers());

it('sends a heart, whatever screen is open, when a network comes back that the device never missed', async () => {
  const { api } = renderPart(<SavedJobsOutbox />, {
    session: 'worker',
    api: { 'savedJobs.save': { jobId, saved: true } },
  });
  api.reachable = false;
  await act(async () => expect(await setSaved(jobId, true)).toBeNull());
  api.reachable = true;
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitFor(() => expect(api.inputs('savedJobs.save')).toEqual([{ jobId }]));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(api.calls('savedJobs.save')).toHaveLength(1);
});
