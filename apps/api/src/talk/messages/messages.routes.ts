import { messages } from '@nearhand/contract/talk/messages';
import { write } from '../../platform/http/bind.ts';
import { editMessage, react, redactOwn } from './message-changes.ts';
import { sendMessage } from './messages.ts';

/** Responses are not stored for replay, or they would outlive a deleted message; clientId deduplicates (ADR 92). */
export const messagesRoutes = {
  send: write(messages.send, sendMessage, { stored: false }),
  edit: write(messages.edit, editMessage, { stored: false }),
  redact: write(messages.redact, redactOwn, { stored: false }),
  react: write(messages.react, react, { stored: false }),
};
