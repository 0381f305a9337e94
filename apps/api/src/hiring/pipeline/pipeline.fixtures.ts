import type { ApplicantNote } from '@nearhand/contract/hiring/pipeline';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { inviteWorker } from '../invitations/invitations.ts';
import { addNote } from './notes.ts';
import { setTags } from './tags.ts';

export const makeInvitation = (
  db: Db,
  scope: Scope,
  request: { jobId: string; workerId: string; message?: string },
): Promise<{ id: string }> => inTransaction(db, (tx) => inviteWorker(tx, scope, { message: '', ...request }));

export const makeNote = (db: Db, scope: Scope, applicationId: string, text: string): Promise<ApplicantNote> =>
  inTransaction(db, (tx) => addNote(tx, scope, { applicationId, text }));

export const makeTags = (
  db: Db,
  scope: Scope,
  applicationId: string,
  tags: string[],
): Promise<{ tags: string[] }> => inTransaction(db, (tx) => setTags(tx, scope, { applicationId, tags }));
