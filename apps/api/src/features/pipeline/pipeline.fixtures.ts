import type { ApplicantNote } from '@nearhand/contract/pipeline';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { inviteWorker } from './invitations.service.ts';
import { addNote } from './notes.service.ts';
import { setTags } from './tags.service.ts';

/** Each made through its service, in the name of `scope.actor`, a recruiter of the business. */

export const makeInvitation = (
  db: Db,
  scope: Scope,
  wish: { jobId: string; workerId: string; message?: string },
): Promise<{ id: string }> =>
  db.transaction().execute((tx) => inviteWorker(tx, scope, { message: '', ...wish }));

export const makeNote = (db: Db, scope: Scope, applicationId: string, text: string): Promise<ApplicantNote> =>
  db.transaction().execute((tx) => addNote(tx, scope, { applicationId, text }));

export const makeTags = (
  db: Db,
  scope: Scope,
  applicationId: string,
  tags: string[],
): Promise<{ tags: string[] }> =>
  db.transaction().execute((tx) => setTags(tx, scope, { applicationId, tags }));
