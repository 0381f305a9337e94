import type { Answer, MyApplication } from '@nearhand/contract/hiring/applications';
import type { ShareChannel } from '@nearhand/contract/hiring/job-shares.rules';
import { isApiError } from '../../lib/api/api-error.ts';
import { dropDraft } from '../../lib/device/device-draft.ts';
import { canRetry, deviceQueue } from '../../lib/device/device-queue.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { applicationDraftKey, type DraftCv, dropCv, readStoredCv } from './application-draft.ts';
import { sendApplication } from './applications.api.ts';

/** An application waiting for a connection. `refusal` is the code of a refusal that needs attention. */
export type WaitingApplication = {
  jobId: string;
  jobTitle: string;
  businessName: string;
  coverNote: string;
  answers: Answer[];
  cv: DraftCv | null;
  channel?: ShareChannel;
  /** The shifts of the job's series to apply for; absent for the job alone. */
  shiftIds?: string[];
  key: string;
  since: string;
  refusal: string | null;
};

const outboxKey = 'apply-outbox';
const isList = (value: unknown): value is WaitingApplication[] =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      typeof entry?.jobId === 'string' && typeof entry?.key === 'string' && Array.isArray(entry?.answers),
  );

const outbox = deviceQueue(outboxKey, isList);

export const waiting = outbox.entries;
export const useWaiting = outbox.useEntries;
const { put: store } = outbox;

const replace = (jobId: string, change: Partial<WaitingApplication>) =>
  store(waiting().map((entry) => (entry.jobId === jobId ? { ...entry, ...change } : entry)));

/** Queues an application, one per job. False if the device could not store it. */
export const queueApplication = (entry: WaitingApplication): boolean =>
  store([...waiting().filter(({ jobId }) => jobId !== entry.jobId), entry]);

export const unqueueApplication = (jobId: string): void =>
  void store(waiting().filter((entry) => entry.jobId !== jobId));

/**
 * Sends a stored CV, then the rest, under fixed keys. `remember` stores the upload for a retry.
 * @throws ApiError
 */
export async function deliverApplication(
  entry: Pick<
    WaitingApplication,
    'jobId' | 'coverNote' | 'answers' | 'cv' | 'channel' | 'shiftIds' | 'key'
  > & {
    book?: boolean;
  },
  remember: (cv: DraftCv) => void = () => {},
): Promise<MyApplication> {
  let { cv } = entry;
  if (cv?.kind === 'kept') {
    const file = await readStoredCv(entry.jobId);
    if (file) {
      const { name } = cv;
      const cvFile = await uploadFile({ purpose: 'cv', file, name, idempotencyKey: `${entry.key}-cv` });
      cv = { kind: 'stored', file: cvFile };
      remember(cv);
    } else {
      cv = null;
    }
  }
  const { coverNote, answers, channel, book } = entry;
  const [jobId = entry.jobId, ...alsoFor] = entry.shiftIds ?? [];
  return sendApplication(
    {
      jobId,
      ...(alsoFor.length > 0 ? { alsoFor } : {}),
      ...(jobId === entry.jobId ? {} : { answeredJobId: entry.jobId }),
      coverNote,
      answers,
      ...(channel ? { channel } : {}),
      ...(book ? { book } : {}),
      cvFileId: cv?.kind === 'stored' ? cv.file.id : null,
    },
    entry.key,
  );
}

export async function deleteDraft(jobId: string): Promise<void> {
  dropDraft(applicationDraftKey(jobId));
  await dropCv(jobId);
}

export type Delivered = {
  entry: WaitingApplication;
  application: MyApplication | null;
  refusal: string | null;
};

let running: Promise<Delivered[]> | null = null;

/** Tries every queued application once, in order; concurrent calls share a run. */
export function sendQueuedApplications(): Promise<Delivered[]> {
  running ??= flush().finally(() => {
    running = null;
  });
  return running;
}

async function flush(): Promise<Delivered[]> {
  const results: Delivered[] = [];
  for (const entry of waiting().filter((queued) => queued.refusal === null)) {
    try {
      const application = await deliverApplication(entry, (cv) => replace(entry.jobId, { cv }));
      unqueueApplication(entry.jobId);
      await deleteDraft(entry.jobId);
      results.push({ entry, application, refusal: null });
    } catch (error) {
      if (canRetry(error)) break;
      const refusal = isApiError(error) ? error.code : 'request/internal';
      // The application was sent before and only the response was lost.
      if (refusal === 'application/already-applied') {
        unqueueApplication(entry.jobId);
        await deleteDraft(entry.jobId);
        results.push({ entry, application: null, refusal: null });
      } else {
        replace(entry.jobId, { refusal });
        results.push({ entry, application: null, refusal });
      }
    }
  }
  return results;
}
