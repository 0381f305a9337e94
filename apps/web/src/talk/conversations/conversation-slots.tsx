import type { ChatSide } from '@nearhand/contract/talk/messages';
import { type ComponentType, createContext, useContext } from 'react';

/** Parts of later domains in a conversation; the app provides them (`app/chat.screen.tsx`). */
type ConversationSlots = {
  Offer?: ComponentType<{ applicationId: string }>;
  Call?: ComponentType<{ engagementId: string; side: ChatSide }>;
};

const Slots = createContext<ConversationSlots>({});

export const ConversationSlotsProvider = Slots.Provider;
export const useConversationSlots = (): ConversationSlots => useContext(Slots);
