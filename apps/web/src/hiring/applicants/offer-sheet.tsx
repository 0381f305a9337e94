import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import type { OfferedShift } from '../offers/make-offer.tsx';
import { applicantName } from './applicant.labels.ts';
import {
  cacheApplicant,
  reloadApplicants,
  undecidedOfSeries,
  useApplicationsOfWorker,
} from './applicants.api.ts';

const MakeOffer = lazyPart(() =>
  import('../offers/make-offer.tsx').then((part) => ({ default: part.MakeOffer })),
);
const OfferShifts = lazyPart(() =>
  import('../offers/make-offer.tsx').then((part) => ({ default: part.OfferShifts })),
);

type OfferSheetProps = {
  applicant: Applicant | null;
  /**
   * The worker's undecided applications for the series, once they are loaded, and those that are selected
   * initially.
   */
  series?: { applications: readonly Applicant[]; chosenIds: readonly string[] };
  /** Open offers that the new ones correct. */
  replaces?: readonly Offer[];
  onClose: () => void;
};

/**
 * Offers the job to an applicant, with all shifts of its series that they applied for, or corrects open offers.
 * Closed without an applicant.
 */
export function OfferSheet({ applicant, series, replaces = [], onClose }: OfferSheetProps) {
  const { t } = useLingui();
  const name = applicant ? applicantName(applicant) : '';
  return (
    <Sheet
      open={applicant !== null}
      onClose={onClose}
      title={
        replaces.length > 1
          ? t`Change the offers to ${name}`
          : replaces.length === 1
            ? t`Change the offer to ${name}`
            : t`Offer to ${name}`
      }
    >
      <Suspense fallback={<PageSkeleton />}>
        {applicant ? (
          <OfferChoice applicant={applicant} series={series} replaces={replaces} onClose={onClose} />
        ) : null}
      </Suspense>
    </Sheet>
  );
}

type FormProps = { applicant: Applicant; onClose: () => void };

/** The form for one shift, or for several of a series. */
function OfferChoice({
  applicant,
  series,
  replaces,
  onClose,
}: FormProps & Pick<OfferSheetProps, 'series'> & { replaces: readonly Offer[] }) {
  if (replaces.length > 1) return <ChangeSeries applicant={applicant} offers={replaces} onClose={onClose} />;
  if (series) return <OfferSeries applicant={applicant} {...series} onClose={onClose} />;
  if (replaces.length === 0 && applicant.seriesId !== null && applicant.shiftsApplied > 1)
    return <LoadSeries applicant={applicant} onClose={onClose} />;
  return <OfferJob applicant={applicant} replaces={replaces[0]} onClose={onClose} />;
}

function LoadSeries({ applicant, onClose }: FormProps) {
  const { t } = useLingui();
  const query = useApplicationsOfWorker(applicant.worker.workerId);
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the applications`}>
      {(applications) => (
        <OfferSeries
          applicant={applicant}
          applications={undecidedOfSeries(applications, applicant.seriesId)}
          onClose={onClose}
        />
      )}
    </QueryState>
  );
}

function OfferSeries({
  applicant,
  applications,
  chosenIds,
  onClose,
}: FormProps & { applications: readonly Applicant[]; chosenIds?: readonly string[] }) {
  const shifts = applications.filter(({ actions }) => actions.includes('offer'));
  if (shifts.length < 2 || !shifts.some(({ id }) => id === applicant.id))
    return <OfferJob applicant={applicant} onClose={onClose} />;
  return (
    <SeriesForm
      applicant={applicant}
      shifts={shifts.map(({ id, jobId, jobTitle, jobStartsAt, timeZone, asBlock }) => ({
        applicationId: id,
        jobId,
        title: jobTitle,
        startsAt: jobStartsAt,
        timeZone,
        asBlock,
      }))}
      chosenIds={chosenIds}
      onClose={onClose}
    />
  );
}

function ChangeSeries({ applicant, offers, onClose }: FormProps & { offers: readonly Offer[] }) {
  const shifts = offers.flatMap((offer) =>
    offer.applicationId === null
      ? []
      : {
          applicationId: offer.applicationId,
          jobId: offer.jobId,
          title: offer.terms.title,
          startsAt: offer.terms.startsAt,
          timeZone: offer.terms.timeZone,
          asBlock: offer.asBlock,
          replaces: offer,
        },
  );
  return <SeriesForm applicant={applicant} shifts={shifts} onClose={onClose} />;
}

function SeriesForm({
  applicant,
  shifts,
  chosenIds,
  onClose,
}: FormProps & {
  shifts: readonly OfferedShift[];
  chosenIds?: readonly string[];
}) {
  const { t } = useLingui();
  const query = useJob(applicant.jobId);
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the job`}>
      {(job) => (
        <OfferShifts
          shifts={shifts}
          initialIds={chosenIds ?? shifts.map(({ applicationId }) => applicationId)}
          businessId={job.business.id}
          workerName={applicantName(applicant)}
          onClose={onClose}
          onDone={(text) => {
            onClose();
            reloadApplicants();
            showToast(text);
          }}
        />
      )}
    </QueryState>
  );
}

function OfferJob({ applicant, replaces, onClose }: FormProps & { replaces?: Offer }) {
  const { t } = useLingui();
  const name = applicantName(applicant);
  return (
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
    businessFeeBasisPoints: terms.businessFeeBasisPoints,
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
