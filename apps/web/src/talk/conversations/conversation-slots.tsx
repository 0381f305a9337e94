import type { ChatSide } from '@nearhand/contract/talk/messages';
import { type ComponentType, createContext, useContext } from 'react';

/** What later domains show in a conversation; the app provides it (`app/chat.screen.tsx`). */
type ConversationSlots = {
  /** An application's open offer, for the worker to answer. */
  Offer?: ComponentType<{ applicationId: string }>;
  /** Calls the other side, if their number is visible. */
  Call?: ComponentType<{ engagementId: string; side: ChatSide }>;
};

const Slots = createContext<ConversationSlots>({});

export const ConversationSlotsProvider = Slots.Provider;
export const useConversationSlots = (): ConversationSlots => useContext(Slots);
