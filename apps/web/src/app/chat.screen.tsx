import { OfferInChat } from '../hiring/offers/offer-in-chat.part.tsx';
import { ConversationSlotsProvider } from '../talk/conversations/conversation-slots.part.tsx';
import { ConversationsPage } from '../talk/conversations/conversations-page.part.tsx';
import { CallButton } from '../work/engagements/call-button.part.tsx';

const slots = { Offer: OfferInChat, Call: CallButton };

/** Conversations with what later domains show in them. Loaded together: a part of its own could reload the page while someone writes (ADR 103). */
export default function ChatScreen() {
  return (
    <ConversationSlotsProvider value={slots}>
      <ConversationsPage />
    </ConversationSlotsProvider>
  );
}
