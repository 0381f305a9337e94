import { OfferInChat } from '../hiring/offers/offer-in-chat.tsx';
import { ConversationSlotsProvider } from '../talk/conversations/conversation-slots.tsx';
import { ConversationsPage } from '../talk/conversations/conversations-page.tsx';
import { CallButton } from '../work/engagements/call-button.tsx';

const slots = { Offer: OfferInChat, Call: CallButton };

/** Loads all chat parts in one chunk: a failing chunk could reload the page while someone types (ADR 103). */
export default function ChatScreen() {
  return (
    <ConversationSlotsProvider value={slots}>
      <ConversationsPage />
    </ConversationSlotsProvider>
  );
}
