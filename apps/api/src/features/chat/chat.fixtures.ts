import type { Conversation, Message } from '@nearhand/contract/chat';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type SendInput, sendMessage } from './messages.service.ts';
import { openTheirConversation } from './opening.service.ts';

/** In the transaction that there is (the demo seed has one), or in one of its own. */
const within = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/** The conversation of a job, in the name of `scope.actor`, its worker, who has applied or was invited; or of a recruiter with `workerId`. */
export const makeConversation = (
  db: Db,
  scope: Scope,
  jobId: string,
  workerId?: string,
): Promise<Conversation> => within(db, (tx) => openTheirConversation(tx, scope, { jobId, workerId }));

/** Something said by `scope.actor`, through the service. */
export const makeMessage = (
  db: Db,
  scope: Scope,
  conversationId: string,
  body: string,
  wishes: Partial<SendInput> = {},
): Promise<Message> =>
  within(db, (tx) =>
    sendMessage(tx, scope, {
      conversationId,
      body,
      clientId: newId(scope.clock.now()),
      fileIds: [],
      ...wishes,
    }),
  );
