import { act, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { setOnline } from '../../../test/device.ts';
import { networkError } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { setSaved } from './saved-jobs.api.ts';
import SavedJobsOutbox from './saved-jobs-outbox.ts';

const jobId = '0193aaaa-0000-7000-8000-000000000001';

it('sends a heart on any screen when a network returns without an offline event', async () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => timers.mockRestore());
  const { api } = renderPart(<SavedJobsOutbox />, {
    session: 'worker',
    api: {
      'savedJobs.save': () => {
        throw networkError();
      },
    },
  });
  setOnline(api, true);
  await act(async () => {
    expect(await setSaved(jobId, true)).toBeNull();
  });
  const again = () => timers.mock.calls.find(([, ms]) => ms === 15_000)?.[0];
  await waitFor(() => expect(again()).toBeDefined());
  expect(api.calls('savedJobs.save').length).toBeGreaterThan(0);
  const before = api.calls('savedJobs.save').length;
  api.on({ 'savedJobs.save': { jobId, saved: true } });
  await act(async () => again()?.());
  await waitFor(() => expect(api.calls('savedJobs.save')).toHaveLength(before + 1));
  await act(async () => again()?.());
  expect(api.calls('savedJobs.save')).toHaveLength(before + 1);
});
