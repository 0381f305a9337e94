import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useMyApplication } from '../hiring/applications/applications.api.ts';
import { OfferActions, OfferAnswer, offerWaits } from '../hiring/offers/offer-answer.tsx';
import { joined } from '../lib/words/format.ts';
import { ConversationSlotsProvider } from '../talk/conversations/conversation-slots.tsx';
import { ConversationsPage } from '../talk/conversations/conversations-page.tsx';
import { Icon } from '../ui/art/icon.tsx';
import { useEngagement } from '../work/engagements/engagements.api.ts';

const slots = { Offer: PendingOffer, Call: CallButton };

/** Loads all chat parts in one chunk: a failing chunk could reload the page while someone types (ADR 103). */
export default function ChatScreen() {
  return (
    <ConversationSlotsProvider value={slots}>
      <ConversationsPage />
    </ConversationSlotsProvider>
  );
}

function PendingOffer({ applicationId }: { applicationId: string }) {
  const application = useMyApplication(applicationId).data;
  if (!application?.offer || !offerWaits(application)) return null;
  return (
    <div className="chat-offer">
      <OfferAnswer offerId={application.offer.id} pay={application.job.pay} />
      <div className="row g2 wrap mt3">
        <OfferActions offerId={application.offer.id} />
      </div>
    </div>
  );
}

/** Calls the other side of an engagement; empty if their number is not visible to the caller. */
function CallButton({ engagementId, side }: { engagementId: string; side: 'worker' | 'business' }) {
  const { t } = useLingui();
  const work = useEngagement(engagementId, side).data as Engagement | undefined;
  const contact = work?.contact;
  if (!contact?.phone) return null;
  return (
    <a
      className="ib"
      href={`tel:${contact.phone}`}
      aria-label={t`Call ${joined(contact.name, contact.phone)}`}
    >
      <Icon name="phone" />
    </a>
  );
}
