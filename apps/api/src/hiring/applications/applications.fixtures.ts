import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { ApplicationInput, MyApplication } from '@nearhand/contract/hiring/applications';
import type { RejectReason } from '@nearhand/contract/reject-reasons';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  rejectApplication,
  shortlistApplication,
  viewApplication,
} from '../applicants/applicant-lifecycle.ts';
import { applyForJob } from './applications.ts';

export async function makeApplication(
  db: Db,
  scope: Scope,
  jobId: string,
  options: Partial<ApplicationInput> & { book?: boolean } = {},
): Promise<MyApplication> {
  const input = { coverNote: 'I live around the corner.', answers: [], cvFileId: null, ...options };
  return inTransaction(db, (tx) => applyForJob(tx, scope, { jobId, ...input }));
}

export async function makeDecision(
  db: Db,
  scope: Scope,
  applicationId: string,
  decision: 'view' | 'shortlist' | { reason: RejectReason; note?: string },
): Promise<Applicant> {
  return inTransaction(db, (tx) => {
    if (decision === 'view') return viewApplication(tx, scope, { applicationId });
    if (decision === 'shortlist') return shortlistApplication(tx, scope, { applicationId });
    return rejectApplication(tx, scope, { note: '', ...decision, applicationId });
  });
}
