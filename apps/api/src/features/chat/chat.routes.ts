import { chat } from '@nearhand/contract/chat';
import { read, write, writeUnkept } from '../../platform/http/bind.ts';
import { reportChat } from './chat-reports.service.ts';
import {
  readChatSettings,
  readQuickReplies,
  saveChatSettings,
  saveQuickReplies,
} from './chat-settings.service.ts';
import { listConversations, readConversation, unreadConversations } from './conversation-views.service.ts';
import { editMessage, react, takeBack } from './message-changes.service.ts';
import { readMessages } from './message-views.service.ts';
import { sendMessage } from './messages.service.ts';
import { openTheirConversation } from './opening.service.ts';
import { acknowledge, blockOther, muteConversation } from './receipts.service.ts';

/**
 * Answers with what somebody wrote are not kept under the Idempotency-Key: they would outlive the words that are taken back. Each of these writes bears being
 * repeated: a message by its clientId, the others because the second time changes nothing (ADR 0092).
 */
export const chatRoutes = {
  list: read(chat.list, listConversations),
  unread: read(chat.unread, unreadConversations),
  get: read(chat.get, readConversation),
  open: writeUnkept(chat.open, openTheirConversation),
  messages: read(chat.messages, readMessages),
  send: writeUnkept(chat.send, sendMessage),
  edit: writeUnkept(chat.edit, editMessage),
  redact: writeUnkept(chat.redact, takeBack),
  react: writeUnkept(chat.react, react),
  acknowledge: writeUnkept(chat.acknowledge, acknowledge),
  mute: writeUnkept(chat.mute, muteConversation),
  block: writeUnkept(chat.block, blockOther),
  report: write(chat.report, reportChat),
  settings: read(chat.settings, readChatSettings),
  saveSettings: write(chat.saveSettings, saveChatSettings),
  quickReplies: read(chat.quickReplies, readQuickReplies),
  saveQuickReplies: write(chat.saveQuickReplies, saveQuickReplies),
};
