import { useMyApplication } from '../applications/applications.api.ts';
import { OfferActions, OfferAnswer, offerWaits } from './offer-answer.part.tsx';

/**
 * The offer that waits for the worker, with its answer, where it was made in the conversation. Loaded with the screen: a part of its own could load the page again
 * under somebody who writes (ADR 0120).
 */
export function OfferInChat({ applicationId }: { applicationId: string }) {
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
