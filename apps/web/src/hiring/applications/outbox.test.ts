import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { session } from '../../lib/session.ts';
import { sampleApplication } from './applications.fixtures.ts';

const sendApplication = vi.hoisted(() => vi.fn());
const uploadFile = vi.hoisted(() => vi.fn());
const files = vi.hoisted(() => new Map<string, Blob>());
vi.mock('./applications.api.ts', () => ({ sendApplication }));
vi.mock('../../lib/forms/upload-file.ts', () => ({ uploadFile }));
vi.mock('idb-keyval', () => ({
  get: async (key: string) => files.get(key),
  set: async (key: string, value: Blob) => void files.set(key, value),
  del: async (key: string) => void files.delete(key),
}));

const { sendQueuedApplications, queueApplication, unqueueApplication, waiting } = await import(
  './outbox.api.ts'
);
const { storeCv } = await import('./application-draft.ts');

const account = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: true, name: id });
const entry = (jobId = 'job-1') => ({
  jobId,
  jobTitle: 'Front desk',
  businessName: 'Hotel Brouwers',
  coverNote: 'Hi',
  answers: [],
  cv: null,
  key: `key-${jobId}`,
  since: '2026-11-21T09:00:00Z',
  refusal: null,
});

beforeEach(() => {
  session.start({ user: account('leila'), accessToken: 't' });
  sendApplication.mockReset().mockResolvedValue(sampleApplication());
  uploadFile.mockReset();
});
afterEach(() => {
  for (const { jobId } of waiting()) unqueueApplication(jobId);
  files.clear();
});

describe('the outbox', () => {
  it('keeps one application per job, for the account that wrote it', () => {
    queueApplication(entry());
    queueApplication({ ...entry(), coverNote: 'Better' });
    expect(waiting()).toMatchObject([{ coverNote: 'Better' }]);
    session.start({ user: account('noor'), accessToken: 't' });
    expect(waiting()).toEqual([]);
    session.start({ user: account('leila'), accessToken: 't' });
    expect(waiting()).toHaveLength(1);
  });

  it('sends each once under its own key, even on repeats', async () => {
    queueApplication(entry('a'));
    queueApplication(entry('b'));
    const [first] = await Promise.all([sendQueuedApplications(), sendQueuedApplications()]);
    expect(first).toHaveLength(2);
    expect(sendApplication.mock.calls.map(([, key]) => key)).toEqual(['key-a', 'key-b']);
    expect(waiting()).toEqual([]);
    await sendQueuedApplications();
    expect(sendApplication).toHaveBeenCalledTimes(2);
  });

  it('keeps waiting while the server is unreachable', async () => {
    queueApplication(entry());
    sendApplication.mockRejectedValue(new ApiError('network/failed'));
    expect(await sendQueuedApplications()).toEqual([]);
    expect(waiting()).toMatchObject([{ refusal: null }]);
  });

  it('stores a local CV first, and repeats the same request after a lost response', async () => {
    await storeCv('job-1', new Blob(['%PDF']));
    queueApplication({ ...entry(), cv: { kind: 'kept', name: 'cv.pdf', bytes: 4 } as never });
    uploadFile.mockResolvedValue({ id: 'file-1', name: 'cv.pdf' });
    sendApplication.mockRejectedValueOnce(new ApiError('network/failed'));
    await sendQueuedApplications();
    await sendQueuedApplications();
    expect(uploadFile).toHaveBeenCalledTimes(1);
    expect(uploadFile.mock.calls[0]?.[0]).toMatchObject({ idempotencyKey: 'key-job-1-cv', name: 'cv.pdf' });
    expect(sendApplication.mock.calls[0]).toEqual(sendApplication.mock.calls[1]);
    expect(sendApplication.mock.calls[1]?.[0]).toMatchObject({ cvFileId: 'file-1' });
    expect(files.size).toBe(0);
  });

  it('keeps a rejected one for review without retrying it', async () => {
    queueApplication(entry());
    sendApplication.mockRejectedValue(new ApiError('job/not-open'));
    expect(await sendQueuedApplications()).toMatchObject([{ refusal: 'job/not-open' }]);
    await sendQueuedApplications();
    expect(sendApplication).toHaveBeenCalledTimes(1);
    expect(waiting()).toMatchObject([{ refusal: 'job/not-open' }]);
  });

  it('treats one that had already arrived as sent', async () => {
    queueApplication(entry());
    sendApplication.mockRejectedValue(new ApiError('application/already-applied'));
    expect(await sendQueuedApplications()).toMatchObject([{ refusal: null, application: null }]);
    expect(waiting()).toEqual([]);
  });
});
