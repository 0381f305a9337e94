import { useMyApplication } from '../applications/applications.api.ts';
import { OfferActions, OfferAnswer, offerWaits } from './offer-answer.tsx';

/** The worker's pending offer, in the screen's bundle: loading it could reload the page while typing (ADR 103). */
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
