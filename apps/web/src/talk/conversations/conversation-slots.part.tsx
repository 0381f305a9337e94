import type { ChatSide } from '@nearhand/contract/talk/messages';
import { type ComponentType, createContext, useContext } from 'react';

/** What later domains show inside a conversation; the app fills it in (`app/chat.screen.tsx`). */
type ConversationSlots = {
  /** The open offer of an application, for the worker to answer. */
  Offer?: ComponentType<{ applicationId: string }>;
  /** Calls the other side where their phone number may be seen. */
  Call?: ComponentType<{ engagementId: string; side: ChatSide }>;
};

const Slots = createContext<ConversationSlots>({});

export const ConversationSlotsProvider = Slots.Provider;
export const useConversationSlots = (): ConversationSlots => useContext(Slots);
