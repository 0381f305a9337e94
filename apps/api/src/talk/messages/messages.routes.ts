import { messages } from '@nearhand/contract/talk/messages';
import { write } from '../../platform/http/bind.ts';
import { editMessage, react, redactOwn } from './message-changes.ts';
import { sendMessage } from './messages.ts';

/** Answers are not stored under the Idempotency-Key, or they would outlive a deleted message; a message is deduplicated by its clientId (ADR 92). */
export const messagesRoutes = {
  send: write(messages.send, sendMessage, { stored: false }),
  edit: write(messages.edit, editMessage, { stored: false }),
  redact: write(messages.redact, redactOwn, { stored: false }),
  react: write(messages.react, react, { stored: false }),
};
