import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { ApplicationAction } from '@nearhand/contract/hiring/applications';
import { limits } from '@nearhand/contract/limits';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { formatDay, formatMoney, formatTime } from '../../lib/words/format.ts';
import { useBudgetBlock } from '../../money/budgets/budgets.tsx';
import { FundingPick, PaidFrom } from '../../money/wallet/funding-pick.tsx';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useMakeOffer } from '../offers/offers.api.ts';
import { applicantName } from './applicant.labels.ts';
import { reloadApplicants, useApplicationsOfWorker, useBulkApplications } from './applicants.api.ts';
import { leftText } from './bulk-bar.tsx';
import { RejectSheet } from './reject-sheet.tsx';

const decisions: readonly ApplicationAction[] = ['offer', 'reject'];

/** The applications for a series that the business still decides on, soonest first. */
export const undecidedOfSeries = (applicants: readonly Applicant[], seriesId: string): Applicant[] =>
  applicants
    .filter(
      (applicant) =>
        applicant.seriesId === seriesId && applicant.actions.some((action) => decisions.includes(action)),
    )
    .sort((a, b) => Date.parse(a.jobStartsAt ?? '') - Date.parse(b.jobStartsAt ?? ''));

/** The worker's undecided applications for the series of this one, soonest first; empty unless there are several. */
export function useSeriesOf(applicant: Applicant): Applicant[] {
  const { seriesId, worker } = applicant;
  const { data = [] } = useApplicationsOfWorker(seriesId === null ? undefined : worker.workerId);
  const undecided = seriesId === null ? [] : undecidedOfSeries(data, seriesId);
  return undecided.length > 1 && undecided.some(({ id }) => id === applicant.id) ? undecided : [];
}

/** Decides once about someone who applied for several shifts of a series: about all of them, or those chosen. */
export function SeriesDecision({
  applications,
  businessId,
}: {
  applications: readonly Applicant[];
  businessId: string | undefined;
}) {
  const { t } = useLingui();
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [sheet, setSheet] = useState<'offer' | 'reject' | null>(null);
  const bulk = useBulkApplications(businessId);
  const chosen = applications.filter(({ id }) => !leftOut.includes(id));
  const can = (action: 'offer' | 'shortlist' | 'reject') =>
    chosen.filter(({ actions }) => actions.includes(action));
  const close = () => setSheet(null);
  const [first] = applications;
  if (!first) return null;
  const name = applicantName(first);
  const move = async (change: Parameters<typeof bulk.mutateAsync>[0]['move']) => {
    const moved = can(change.action === 'reject' ? 'reject' : 'shortlist');
    const { results } = await bulk.mutateAsync({ move: change, applicants: moved });
    const done = shiftCount(results.filter(({ ok }) => ok).length);
    const failed = leftText(results, moved);
    showToast(failed ?? (change.action === 'reject' ? t`Rejected for ${done}` : t`Shortlisted for ${done}`));
  };
  return (
    <section className="col">
      <CheckGroup
        legend={t`${name} applied for ${shiftCount(applications.length)}`}
        help={t`What you decide is for the shifts chosen here.`}
        columns
        options={applications.map(({ id, jobStartsAt, timeZone }) => ({
          value: id,
          label: jobStartsAt ? formatDay(jobStartsAt, timeZone) : '',
        }))}
        value={chosen.map(({ id }) => id)}
        onChange={(ids) => setLeftOut(applications.flatMap(({ id }) => (ids.includes(id) ? [] : [id])))}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, not for buttons. */}
      <div className="row wrap g2" role="group" aria-label={t`Actions`}>
        {can('offer').length > 0 ? (
          <Button kind="go" size="s" needsNetwork onClick={() => setSheet('offer')}>
            {t`Offer ${shiftCount(can('offer').length)}`}
          </Button>
        ) : null}
        {can('shortlist').length > 0 ? (
          <Button
            kind="out"
            size="s"
            needsNetwork
            busy={bulk.isPending}
            onClick={() =>
              void move({ action: 'shortlist' }).catch((error: unknown) => showToast(errorText(error)))
            }
          >
            {t`Shortlist`}
          </Button>
        ) : null}
        {can('reject').length > 0 ? (
          <Button kind="bad" size="s" needsNetwork onClick={() => setSheet('reject')}>
            {t`Reject`}
          </Button>
        ) : null}
        <MessageLink jobId={first.jobId} workerId={first.worker.workerId} />
      </div>
      <RejectSheet
        applicants={sheet === 'reject' ? can('reject') : []}
        onClose={close}
        send={(rejection) => move({ action: 'reject', ...rejection })}
        onDone={close}
        onRefused={(error) => {
          close();
          showToast(errorText(error));
        }}
      />
      <Sheet open={sheet === 'offer'} onClose={close} title={t`Offer to ${name}`}>
        {sheet === 'offer' && businessId ? (
          <OfferShifts
            applications={can('offer')}
            businessId={businessId}
            onDone={(text) => {
              close();
              reloadApplicants();
              showToast(text);
            }}
          />
        ) : null}
      </Sheet>
    </section>
  );
}

/** Offers several shifts at the pay of each, all or none, from one source of money. */
function OfferShifts({
  applications,
  businessId,
  onDone,
}: {
  applications: readonly Applicant[];
  businessId: string;
  onDone: (text: string) => void;
}) {
  const { t } = useLingui();
  const make = useMakeOffer();
  const move = useMove(errorText);
  const draft = useTextDraft(`offer ${applications.map(({ id }) => id).join(' ')}`);
  const [funding, setFunding] = useState<FundingSource | null>();
  const [asks, setAsks] = useState(0);
  const previews = useQueries({
    queries: applications.map(({ id }) =>
      apiQuery.offers.preview.queryOptions({ input: { applicationId: id }, staleTime: 0, ...neverPersist }),
    ),
  });
  const offers = previews.flatMap(({ data }) => data ?? []);
  const planned = applications.flatMap(({ id, jobId }, index) => {
    const terms = previews[index]?.data?.terms;
    if (!terms) return [];
    const offerTo = { applicationId: id, payMinor: terms.payMinor };
    return [{ job: { jobId }, offerTo, amountMinor: terms.holdMinor }];
  });
  const sum = (amountOf: (terms: (typeof offers)[number]['terms']) => number) =>
    offers.reduce((minor, { terms }) => minor + amountOf(terms), 0);
  const costMinor = sum(({ holdMinor }) => holdMinor);
  const block = useBudgetBlock(planned);
  const failed = previews.find(({ error }) => error)?.error;
  if (failed)
    return (
      <Banner tone="bad" icon="warning-circle" live>
        {errorText(failed)}
      </Banner>
    );
  const [first, ...others] = applications;
  const currency = offers[0]?.terms.currency;
  if (!first || !currency || offers.length < applications.length) return <PageSkeleton />;
  const name = applicantName(first);
  const getsMinor = sum(({ workerGetsMinor }) => workerGetsMinor);
  const count = applications.length;
  const full = offers.some(({ spotsFree }) => spotsFree < 1);
  const messageError = tooLong(draft.value, limits.messageMax);
  const submit = async () => {
    setAsks(asks + 1);
    if (!funding || full || messageError) return;
    await move.run(async () => {
      const offer = await make(
        { applicationId: first.id },
        { message: draft.value, funding, alsoFor: others.map(({ id }) => id) },
      );
      draft.drop();
      onDone(
        offer.status === 'funding'
          ? t`Pay for each offer to send it to ${name}`
          : t`Offer for ${plural(count, { one: '# shift', other: '# shifts' })} sent to ${name}`,
      );
    });
  };
  return (
    <Form onSubmit={() => void submit()}>
      <ul>
        {offers.map(({ terms, workerBooked }, index) => (
          <li key={applications[index]?.id} className="li">
            <span className="grow num">
              {terms.startsAt && terms.endsAt
                ? `${formatDay(terms.startsAt, terms.timeZone)}, ${formatTime(terms.startsAt, terms.timeZone)}–${formatTime(terms.endsAt, terms.timeZone)}`
                : terms.title}
              {workerBooked ? (
                <span className="sm mute block">{t`${name} is booked at that time.`}</span>
              ) : null}
            </span>
            <span className="num">{formatMoney(terms.workerGetsMinor, currency)}</span>
          </li>
        ))}
      </ul>
      <SumRow label={t`${name} gets`} value={formatMoney(getsMinor, currency)} />
      <SumRow label={t`Cost with our fee`} value={formatMoney(costMinor, currency)} total />
      <TextArea
        label={t`Message to ${name}`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={draft.value.length}
        value={draft.value}
        error={messageError}
        onChange={(event) => draft.set(event.target.value)}
      />
      <FundingPick
        businessId={businessId}
        currency={currency}
        amountMinor={costMinor}
        offers={planned}
        value={funding}
        onChange={setFunding}
        asks={asks}
      />
      <Refused text={block ? null : move.refusal} />
      <PaidFrom businessId={businessId} value={funding} />
      {full ? (
        <Banner tone="wait" icon="users">
          <Trans>Every spot is filled or offered. Withdraw an offer, or increase the number of people.</Trans>
        </Banner>
      ) : null}
      <div className="row g2 sheet-act">
        <Button
          kind="go"
          type="submit"
          className="grow"
          needsNetwork
          busy={move.busy}
          disabled={full || funding === undefined || block !== null}
        >
          {block ?? <Plural value={count} one="Offer # shift" other="Offer # shifts" />}
        </Button>
      </div>
    </Form>
  );
}
