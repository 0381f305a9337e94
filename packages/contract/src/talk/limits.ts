/**
 * Limits of messages, notifications and devices (product.md, Constants).
 * A name without a unit counts items or characters.
 */
export const talkLimits = {
  chatMessageMax: 5_000,
  chatFilesMax: 5,
  chatPerMinute: 30,
  chatEditMinutes: 5,
  chatReadOnlyDays: 30,
  /** Messages on one page. */
  messagesPage: 200,
  recentConversations: 10,
  recentMessages: 20,
  quickRepliesMax: 20,
  quickReplyMax: 300,
  devicesMax: 20,
  conversationSearchMax: 80,
} as const;
