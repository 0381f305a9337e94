import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { sayAll } from '../../talk/messages/system-messages.ts';

/** Why an application ended without an offer; the app has the texts. */
type Ending = 'withdrawn' | 'rejected' | 'no-response' | 'job-closed' | 'position-filled';
type Whose = { id: string; jobId: string; workerId: string };

/** Posts in the conversations that applications ended, once each. The worker sees `reason`. */
export const postEndedLines = (
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  applications: readonly Whose[],
  why: Ending,
  reason: string | null = null,
): Promise<void> =>
  sayAll(
    tx,
    scope,
    applications.map(({ id, jobId, workerId }) => ({
      jobId,
      workerId,
      line: 'application-ended' as const,
      key: id,
      data: { why, ...(reason ? { reason } : {}) },
    })),
  );

/** Posts that applicants were shortlisted; only the first time, like the notice. */
export const postShortlistedLine = (
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  applications: readonly Whose[],
): Promise<void> =>
  sayAll(
    tx,
    scope,
    applications.map(({ id, jobId, workerId }) => ({
      jobId,
      workerId,
      line: 'shortlisted' as const,
      key: id,
      data: {},
    })),
  );
