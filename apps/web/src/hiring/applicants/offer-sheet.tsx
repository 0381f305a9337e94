import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { applicantName } from './applicant.labels.ts';
import { cacheApplicant, reloadApplicants } from './applicants.api.ts';

const MakeOffer = lazyPart(() =>
  import('../offers/make-offer.tsx').then((part) => ({ default: part.MakeOffer })),
);

/** Offers the job to an applicant, or corrects an open offer. Closed without an applicant. */
export function OfferSheet({
  applicant,
  replaces,
  onClose,
}: {
  applicant: Applicant | null;
  replaces?: Offer;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const name = applicant ? applicantName(applicant) : '';
  return (
    <Sheet
      open={applicant !== null}
      onClose={onClose}
      title={replaces ? t`Change the offer to ${name}` : t`Offer to ${name}`}
    >
      <Suspense fallback={<PageSkeleton />}>
        {applicant ? (
          <MakeOffer
            to={{ applicationId: applicant.id }}
            jobId={applicant.jobId}
            workerName={name}
            replaces={replaces}
            onClose={onClose}
            onMade={(offer) => showOffer(applicant, offer)}
            onDone={(offer) => {
              onClose();
              if (offer) showOffer(applicant, offer);
              else reloadApplicants();
              showToast(replaces ? t`Changed offer sent to ${name}` : t`Offer sent to ${name}`);
            }}
          />
        ) : null}
      </Suspense>
    </Sheet>
  );
}

/** Shows an offer on the open record and in the lists before they are refetched. */
function showOffer(applicant: Applicant, { id, status, funding, expiresAt, terms }: Offer): void {
  const pay = {
    minor: terms.payMinor,
    maxMinor: null,
    currency: terms.currency,
    unit: terms.kind === 'shift' ? 'hour' : 'fixed',
    paidMinutes: terms.paidMinutes,
    totalMinor: terms.payTotalMinor,
    merchantFeeBasisPoints: terms.merchantFeeBasisPoints,
    workerFeeBasisPoints: terms.workerFeeBasisPoints,
  } as const;
  cacheApplicant({
    ...applicant,
    ...(status === 'sent' ? ({ stage: 'offered', status: 'offered' } as const) : {}),
    offer: { id, status, funding, expiresAt, pay },
    actions: [],
  });
  reloadApplicants();
}
