import { conversations } from '@nearhand/contract/talk/conversations';
import { read, write } from '../../platform/http/bind.ts';
import { readChatSettings, readQuickReplies, saveChatSettings, saveQuickReplies } from './chat-settings.ts';
import {
  listConversations,
  readConversation,
  readRecent,
  unreadConversations,
} from './conversation-views.ts';
import { readMessages } from './message-views.ts';
import { openTheirConversation } from './opening.ts';
import { acknowledge, blockOther, muteConversation } from './receipts.ts';

/** Responses that quote messages are not stored for replay, or they would outlive a deleted message (ADR 92). */
export const conversationsRoutes = {
  list: read(conversations.list, listConversations),
  unread: read(conversations.unread, unreadConversations),
  get: read(conversations.get, readConversation),
  open: write(conversations.open, openTheirConversation, { stored: false }),
  messages: read(conversations.messages, readMessages),
  recent: read(conversations.recent, readRecent),
  acknowledge: write(conversations.acknowledge, acknowledge, { stored: false }),
  mute: write(conversations.mute, muteConversation, { stored: false }),
  block: write(conversations.block, blockOther, { stored: false }),
  settings: read(conversations.settings, readChatSettings),
  saveSettings: write(conversations.saveSettings, saveChatSettings),
  quickReplies: read(conversations.quickReplies, readQuickReplies),
  saveQuickReplies: write(conversations.saveQuickReplies, saveQuickReplies),
};
