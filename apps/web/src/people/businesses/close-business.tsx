import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { bankTransferPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Business } from '@nearhand/contract/people/businesses';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { type api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDay, formatMoney, joined } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useCloseBusiness } from './businesses.api.ts';

type Closing = Awaited<ReturnType<typeof api.businesses.closing>>;

/** Closes a business for good, or lists what has to end before. For owners. */
export function CloseBusiness({ business }: { business: Business }) {
  const { t } = useLingui();
  const mayClose = business.actions.includes('close');
  const query = useQuery(
    apiQuery.businesses.closing.queryOptions({
      input: { businessId: business.id },
      enabled: mayClose,
      staleTime: 0,
      ...neverPersist,
    }),
  );
  if (!mayClose) return null;
  return (
    <Card as="section" roomy label={t`Close this business`}>
      <h2 className="h-s">{t`Close this business`}</h2>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={2} />}
        errorTitle={t`We couldn't check whether it can be closed`}
      >
        {(closing) => <BlockersOrButton business={business} closing={closing} />}
      </QueryState>
    </Card>
  );
}

function BlockersOrButton({ business, closing }: { business: Business; closing: Closing }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const close = useCloseBusiness();
  const { openJobs, jobs, bookedJobs, money, credit } = closing;
  // Open jobs close with the business, up to as many as one request can close.
  const hasTooManyJobs = openJobs > jobs.length;
  const sum = joined(...credit.map(({ amountMinor, currency }) => formatMoney(amountMinor, currency)));
  const creditText = sum ? t`Credit for hires of ${sum} ends with the business and can't be paid out.` : null;
  const run = async () => {
    const choice = await showAlert({
      title: t`Close ${business.name}?`,
      message: [
        t`Workers won't see it any more, invitations to its team end, and you can't reopen it. You can still view its jobs and applicants.`,
        ...(jobs.length > 0
          ? [
              plural(jobs.length, {
                one: '# open job closes with it, and its applicants are notified.',
                other: '# open jobs close with it, and their applicants are notified.',
              }),
            ]
          : []),
        ...(creditText ? [creditText] : []),
      ].join(' '),
      tone: 'ask',
      buttons: [
        { value: 'close', label: t`Close business`, kind: 'bad' },
        { value: 'keep', label: t`Keep it` },
      ],
    });
    if (choice !== 'close') return;
    try {
      await close.mutateAsync({ businessId: business.id, closeJobs: jobs.length > 0 });
      showToast(t`${business.name} is closed`);
      navigate('/tabs/menu/business', replaceBack);
    } catch (failure) {
      await showAlert({
        title: isApiError(failure, 'business/has-open-jobs')
          ? t`Close its jobs first`
          : t`The business was not closed`,
        message: errorText(failure),
        tone: 'bad',
      });
    }
  };

  return (hasTooManyJobs ? openJobs : 0) + bookedJobs + money.length > 0 ? (
    <>
      <Blockers businessId={business.id} closing={closing} openJobs={hasTooManyJobs ? openJobs : 0} />
      {creditText ? <p className="sm mute mt3">{creditText}</p> : null}
    </>
  ) : (
    <>
      <p className="sm mute mt2">
        <Trans>Workers won't see it any more, and you can't reopen it.</Trans>
      </p>
      {creditText ? <p className="sm strong mt2">{creditText}</p> : null}
      {jobs.length > 0 ? <JobsToClose jobs={jobs} /> : null}
      <Button kind="bad" size="s" className="mt3" busy={close.isPending} onClick={() => void run()}>
        {t`Close business`}
      </Button>
    </>
  );
}

/** The open jobs that close with the business. */
function JobsToClose({ jobs }: { jobs: Closing['jobs'] }) {
  return (
    <>
      <p className="sm strong mt2">
        <Plural
          value={jobs.length}
          one="This open job closes with it. Its applicants are notified."
          other="These # open jobs close with it. Their applicants are notified."
        />
      </p>
      <ul className="plain-list sm mt1">
        {jobs.map(({ id, title, startsAt, timeZone }) => (
          <li key={id}>
            <Link className="link" to={`/job-applicants/${id}`}>
              {joined(title, startsAt !== null && formatDay(startsAt, timeZone))}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

type BlockersProps = {
  businessId: string;
  /** 0 unless they are too many to close with the business. */
  openJobs: number;
  closing: Closing;
};

/** Lists what has to end before the business can close, each with the way to end it. */
function Blockers({ businessId, openJobs, closing: { jobs, bookedJobs, money } }: BlockersProps) {
  const { t } = useLingui();
  const holdingJobs = jobs.filter(({ heldMinor }) => heldMinor > 0);
  const amountsText = (part: 'balanceMinor' | 'heldMinor' | 'onItsWayMinor' | 'owedMinor') =>
    joined(...money.map((row) => row[part] > 0 && formatMoney(row[part], row.currency)));
  const heldAmount = joined(
    ...money.map(({ heldMinor, currency }) => {
      const ofOpenJobs = sumOf(
        holdingJobs.filter((job) => job.currency === currency),
        (job) => job.heldMinor,
      );
      return heldMinor > ofOpenJobs && formatMoney(heldMinor - ofOpenJobs, currency);
    }),
  );
  const onItsWay = amountsText('onItsWayMinor');
  const balance = amountsText('balanceMinor');
  const owed = amountsText('owedMinor');
  return (
    <ul className="col g3 mt2">
      {openJobs > 0 ? (
        <Blocker to="/listed-job" link={t`View your jobs`}>
          <Plural
            value={openJobs}
            one="# job is still running. Close it first."
            other="# jobs are still running. Close them first."
          />
        </Blocker>
      ) : null}
      {bookedJobs > 0 ? (
        <Blocker to="/listed-job?status=filled" link={t`View filled jobs`}>
          <Plural
            value={bookedJobs}
            one="# filled job isn't over. Let its booked work finish, or close the job."
            other="# filled jobs aren't over. Let their booked work finish, or close the jobs."
          />
        </Blocker>
      ) : null}
      {holdingJobs.map((job) => (
        <HoldingJob key={job.id} job={job} />
      ))}
      {heldAmount === '' ? null : (
        <Blocker to="/merchant-ongoing-jobs" link={t`View booked work`}>
          {t`${heldAmount} is set aside for booked work. Finish or cancel the work first.`}
        </Blocker>
      )}
      {balance === '' ? null : (
        <Blocker to="/tabs/menu/business?refund=all" link={t`Send money back`}>
          {t`There is still ${balance} in its balance. Refund it to your cards first.`}
        </Blocker>
      )}
      {onItsWay === '' ? null : (
        <Blocker to="/merchant-transaction" link={t`View payments`}>
          {t`${onItsWay} is on its way from or to your cards, or disputed at a bank. Wait until that's settled.`}
        </Blocker>
      )}
      {owed === '' ? null : (
        <Blocker to={bankTransferPath(businessId)} link={t`Pay by bank transfer`}>
          {t`${owed} of your credit limit is still owed. Pay it first.`}
        </Blocker>
      )}
      {bookedJobs + openJobs + holdingJobs.length === 0 && heldAmount + balance + onItsWay + owed === '' ? (
        <Blocker to="/merchant-transaction" link={t`View payments`}>
          {t`A payment is in progress. Wait until that's settled.`}
        </Blocker>
      ) : null}
    </ul>
  );
}

/** An open job with money set aside for its free spots, and a button that closes it. */
function HoldingJob({
  job: { id, title, startsAt, timeZone, heldMinor, currency },
}: {
  job: Closing['jobs'][number];
}) {
  const { t } = useLingui();
  const close = useMutation(apiQuery.jobs.close.mutationOptions());
  const action = useAction();
  const amount = formatMoney(heldMinor, currency);
  const name = joined(title, startsAt !== null && formatDay(startsAt, timeZone));
  const run = async () => {
    const choice = await showAlert({
      title: t`Close ${title}?`,
      message: t`Open offers end, and everyone who applied is notified. ${amount} goes back to the balance. You can’t reopen the job.`,
      buttons: [
        { value: 'close', label: t`Close job`, kind: 'bad' },
        { value: 'keep', label: t`Keep job` },
      ],
    });
    if (choice !== 'close') return;
    await action.run(async () => {
      await close.mutateAsync({ jobId: id });
      refetchChanged(['job', 'business']);
    });
  };
  return (
    <li>
      <p className="sm mute">
        <Trans>
          {amount} is set aside for open spots of{' '}
          <Link className="link" to={`/job-applicants/${id}`}>
            {name}
          </Link>
          . Close the job first.
        </Trans>
      </p>
      <Refused text={action.refusal} />
      <Button kind="out" size="s" className="mt2" needsNetwork busy={action.busy} onClick={() => void run()}>
        {t`Close job`}
      </Button>
    </li>
  );
}

function Blocker({ to, link, children }: { to: string; link: string; children: ReactNode }) {
  return (
    <li>
      <p className="sm mute">{children}</p>
      <ButtonLink kind="out" size="s" to={to} className="mt2">
        {link}
      </ButtonLink>
    </li>
  );
}
