import { i18n } from '@lingui/core';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { flagsOf } from '@nearhand/contract/hiring/jobs.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useJobAutosave } from './job-autosave.ts';
import { emptyJobForm, type JobForm } from './job-form.rules.ts';

configure({ asyncUtilTimeout: 10_000 });

const api = vi.hoisted(() => ({ create: vi.fn(), update: vi.fn(), get: vi.fn(), deleteDraft: vi.fn() }));
vi.mock('../../lib/api/api.ts', () => ({
  api: { jobs: api },
  apiQuery: { jobs: { get: { queryKey: () => ['get'] }, listed: { key: () => ['listed'] } } },
}));

const business = {
  id: 'b',
  address: 'Westerstraat 112',
  area: 'Jordaan',
  lat: 52.379,
  lng: 4.882,
  privateAddress: false,
  timeZone: 'Europe/Amsterdam',
  currency: 'EUR',
} as Business;
const form: JobForm = { ...emptyJobForm(), title: 'Barista', category: 'hospitality' };

const saved = (change: Partial<Job> = {}): Job =>
  ({
    id: 'j',
    version: 1,
    kind: 'shift',
    status: 'draft',
    title: 'Barista',
    category: 'hospitality',
    description: '',
    requirements: [],
    skills: [],
    pay: { minor: 0, currency: 'EUR', unit: 'hour', businessFeeBasisPoints: 1_000, workerFeeBasisPoints: 0 },
    place: { label: 'Jordaan', lat: 52.379, lng: 4.882, blurred: false },
    startsAt: null,
    endsAt: null,
    dueOn: null,
    hoursNote: null,
    breakMinutes: 0,
    breakPaid: false,
    headCount: 1,
    ...flagsOf(),
    questions: [],
    photoIds: [],
    timeZone: 'Europe/Amsterdam',
    member: {
      applicants: 0,
      newApplicants: 0,
      hired: 0,
      privateAddress: false,
      address: 'Westerstraat 112',
      area: 'Jordaan',
    },
    ...change,
  }) as Job;

const onMade = vi.fn();
const onMerged = vi.fn();
function use(start: Job | null, first: JobForm) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderHook(({ typed }) => useJobAutosave({ business, form: typed, start, onMade, onMerged }), {
    wrapper,
    initialProps: { typed: first },
  });
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => vi.resetAllMocks());
afterEach(() => {
  cleanup();
  queryClient.clear();
});

describe('keeping a draft on the server', () => {
  it('waits for a title and a category, then creates it once', async () => {
    api.create.mockResolvedValue(saved());
    const { result, rerender } = use(null, emptyJobForm());
    await act(() => result.current.flush());
    expect(api.create).not.toHaveBeenCalled();
    rerender({ typed: form });
    await act(() => result.current.flush());
    await act(() => result.current.flush());
    expect(api.create).toHaveBeenCalledTimes(1);
    expect(onMade).toHaveBeenCalledWith('j');
    expect(result.current.state.kind).toBe('saved');
  });

  it('saves after a pause in typing', async () => {
    api.create.mockResolvedValue(saved());
    const { rerender } = use(null, emptyJobForm());
    rerender({ typed: form });
    await waitFor(() => expect(api.create).toHaveBeenCalledTimes(1));
  });

  it('resends under the same key after a lost response', async () => {
    api.create.mockRejectedValueOnce(new ApiError('network/failed')).mockResolvedValue(saved());
    const { result } = use(null, form);
    await act(() => result.current.flush().catch(() => null));
    expect(result.current.state.kind).toBe('offline');
    await act(() => result.current.flush());
    const [first, second] = api.create.mock.calls.map((call) => call[1].context.idempotencyKey);
    expect(first).toBe(second);
  });

  it('sends only the changes, with the last version', async () => {
    api.update.mockResolvedValue(saved({ version: 3 }));
    const { result, rerender } = use(saved({ version: 2 }), form);
    rerender({ typed: { ...form, pay: '18' } });
    await act(() => result.current.flush());
    expect(api.update).toHaveBeenCalledWith({ payMinor: 1_800, jobId: 'j', version: 2 });
  });

  it('merges when someone else saved first', async () => {
    api.update.mockRejectedValueOnce(new ApiError('job/stale')).mockResolvedValue(saved({ version: 6 }));
    api.get.mockResolvedValue(saved({ version: 5, description: 'From a colleague.' }));
    const { result, rerender } = use(saved(), form);
    rerender({ typed: { ...form, pay: '18' } });
    await act(() => result.current.flush());
    expect(onMerged).toHaveBeenCalledWith(
      expect.objectContaining({ description: 'From a colleague.', pay: '18' }),
    );
    expect(api.update).toHaveBeenLastCalledWith({ payMinor: 1_800, jobId: 'j', version: 5 });
  });

  it("keeps the typed text while it merges a colleague's edit", async () => {
    let respond: (job: Job) => void = () => undefined;
    api.update.mockRejectedValueOnce(new ApiError('job/stale')).mockResolvedValue(saved({ version: 6 }));
    api.get.mockReturnValue(
      new Promise<Job>((resolve) => {
        respond = resolve;
      }),
    );
    const { result, rerender } = use(saved(), form);
    rerender({ typed: { ...form, pay: '18' } });
    let flushed: Promise<unknown> = Promise.resolve();
    act(() => {
      flushed = result.current.flush();
    });
    await waitFor(() => expect(api.get).toHaveBeenCalled());
    rerender({ typed: { ...form, pay: '18', description: 'Typed in the meantime.' } });
    await act(async () => {
      respond(saved({ version: 5, headCount: 4 }));
      await flushed;
    });
    expect(onMerged).toHaveBeenCalledWith(
      expect.objectContaining({ description: 'Typed in the meantime.', pay: '18', headCount: '4' }),
    );
    expect(api.update).toHaveBeenLastCalledWith({
      payMinor: 1_800,
      description: 'Typed in the meantime.',
      jobId: 'j',
      version: 5,
    });
  });

  it("doesn't resend a colleague's changes", async () => {
    api.update.mockRejectedValueOnce(new ApiError('job/stale')).mockResolvedValue(saved({ version: 6 }));
    api.get.mockResolvedValue(saved({ version: 5, description: 'From a colleague.' }));
    const { result, rerender } = use(saved(), form);
    rerender({ typed: { ...form, pay: '18' } });
    await act(() => result.current.flush());
    const merged: JobForm = onMerged.mock.calls[0]?.[0];
    rerender({ typed: merged });
    await act(() => result.current.flush());
    expect(api.update).toHaveBeenCalledTimes(2);
    rerender({ typed: { ...merged, pay: '19' } });
    await act(() => result.current.flush());
    expect(api.update).toHaveBeenLastCalledWith({ payMinor: 1_900, jobId: 'j', version: 6 });
  });

  it('creates a new draft when the kind changes, and deletes the old one', async () => {
    api.create.mockResolvedValue(saved({ id: 'k', kind: 'task' }));
    api.deleteDraft.mockResolvedValue({ deleted: true });
    const { result, rerender } = use(saved(), form);
    rerender({ typed: { ...form, kind: 'task' } });
    await act(() => result.current.flush());
    expect(api.create.mock.calls[0]?.[0]).toMatchObject({ kind: 'task', businessId: 'b' });
    expect(api.deleteDraft).toHaveBeenCalledWith({ jobId: 'j' });
  });
});
