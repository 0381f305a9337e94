import type { ApplicantNote } from '@nearhand/contract/pipeline';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { inviteWorker } from './invitations.service.ts';
import { addNote } from './notes.service.ts';
import { setTags } from './tags.service.ts';

/** In the transaction that there is (the demo seed has one), or in one of its own. */
const within = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/** Each made through its service, in the name of `scope.actor`, a recruiter of the business. */

export const makeInvitation = (
  db: Db,
  scope: Scope,
  wish: { jobId: string; workerId: string; message?: string },
): Promise<{ id: string }> => within(db, (tx) => inviteWorker(tx, scope, { message: '', ...wish }));

export const makeNote = (db: Db, scope: Scope, applicationId: string, text: string): Promise<ApplicantNote> =>
  within(db, (tx) => addNote(tx, scope, { applicationId, text }));

export const makeTags = (
  db: Db,
  scope: Scope,
  applicationId: string,
  tags: string[],
): Promise<{ tags: string[] }> => within(db, (tx) => setTags(tx, scope, { applicationId, tags }));
