import type { Conversation, Message } from '@nearhand/contract/chat';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type SendInput, sendMessage } from './messages.service.ts';
import { openTheirConversation } from './opening.service.ts';

/** The conversation of a job, in the name of `scope.actor`, its worker, who has applied or was invited; or of a recruiter with `workerId`. */
export const makeConversation = (
  db: Db,
  scope: Scope,
  jobId: string,
  workerId?: string,
): Promise<Conversation> => inTransaction(db, (tx) => openTheirConversation(tx, scope, { jobId, workerId }));

/** Something said by `scope.actor`, through the service. */
export const makeMessage = (
  db: Db,
  scope: Scope,
  conversationId: string,
  body: string,
  wishes: Partial<SendInput> = {},
): Promise<Message> =>
  inTransaction(db, (tx) =>
    sendMessage(tx, scope, {
      conversationId,
      body,
      clientId: newId(scope.clock.now()),
      fileIds: [],
      ...wishes,
    }),
  );
