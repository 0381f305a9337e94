import { messages } from '@nearhand/contract/talk/messages';
import { writeUnkept } from '../../platform/http/bind.ts';
import { editMessage, react, redactOwn } from './message-changes.ts';
import { sendMessage } from './messages.ts';

/** Answers are not stored under the Idempotency-Key, or they would outlive a deleted message; a message is deduplicated by its clientId (ADR 92). */
export const messagesRoutes = {
  send: writeUnkept(messages.send, sendMessage),
  edit: writeUnkept(messages.edit, editMessage),
  redact: writeUnkept(messages.redact, redactOwn),
  react: writeUnkept(messages.react, react),
};
