import { Trans, useLingui } from '@lingui/react/macro';
import { workerInvoicesPath } from '@nearhand/contract/app-paths';
import type { InvoiceSetup } from '@nearhand/contract/money/worker-invoices';
import {
  objectionDays,
  selfBillingDate,
  selfBillingVersion,
} from '@nearhand/contract/money/worker-invoices.rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatCalendarDay, formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { refetchWorkerInvoices } from './tax-details-form.tsx';
import '../../people/terms-of-use/terms.css';

/** The self-billing agreement to read, with the step to agree to it at its end. */
export function SelfBillingScreen({ back }: { back: string }) {
  const { t } = useLingui();
  const setup = useQuery(apiQuery.workerInvoices.setup.queryOptions({ input: {}, ...neverPersist }));
  // A fixed `now` makes the date name its year, as a contract does.
  const date = formatCalendarDay(selfBillingDate, { style: 'long', now: new Date(0) });
  return (
    <Screen
      title={t`Self-billing agreement`}
      lead={t`Version ${selfBillingVersion} of ${date}`}
      back={back}
      onRefresh={() => setup.refetch()}
    >
      <QueryState query={setup} loading={<PageSkeleton />} errorTitle={t`We couldn't load the agreement`}>
        {(data) => (
          <div className="stack">
            <AgreedVersion agreement={data.agreement} />
            <SelfBillingText />
            <AgreeStep setup={data} />
          </div>
        )}
      </QueryState>
    </Screen>
  );
}

function AgreedVersion({ agreement }: Pick<InvoiceSetup, 'agreement'>) {
  const { t } = useLingui();
  if (agreement === null) return null;
  const { version } = agreement;
  const day = formatDay(agreement.agreedAt, ownTimeZone());
  if (version === selfBillingVersion)
    return (
      <Banner tone="good" icon="check-circle">
        <Trans>You agreed to this version on {day}.</Trans>
      </Banner>
    );
  return (
    <>
      <Banner tone="wait" icon="info">
        <Trans>
          You agreed to version {version} on {day}. It applies until you agree to this one.
        </Trans>
      </Banner>
      {version === 1 ? (
        <p className="sm mute">
          <strong>{t`Version ${version}`}</strong>{' '}
          <Trans>
            If you agree, Nearhand issues an invoice in your name to each business after the month
            (self-billing). You can object to each for seven days, and end this at any time. Don't invoice the
            same work yourself. Your taxes remain yours to declare.
          </Trans>
        </p>
      ) : null}
    </>
  );
}

function AgreeStep({ setup: { details, agreement, currentVersion } }: { setup: InvoiceSetup }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [hasRead, setHasRead] = useState(false);
  const [showsMissing, setShowsMissing] = useState(false);
  const agree = useMutation({
    mutationFn: sendOnce('workerInvoices.agree', api.workerInvoices.agree),
    onSettled: refetchWorkerInvoices,
  });
  const action = useAction(errorText);
  if (currentVersion !== selfBillingVersion)
    return (
      <Banner
        tone="wait"
        icon="info"
        action={
          <Button kind="out" size="s" onClick={() => globalThis.location.reload()}>
            {t`Reload`}
          </Button>
        }
      >
        <Trans>The agreement has changed. Please read the new version and agree to it.</Trans>
      </Banner>
    );
  if (agreement?.version === selfBillingVersion) return null;
  if (details === null)
    return (
      <Banner
        tone="wait"
        icon="info"
        action={
          <ButtonLink kind="out" size="s" to={workerInvoicesPath}>
            {t`Add tax details`}
          </ButtonLink>
        }
      >
        <Trans>Add your tax details first: an invoice in your name needs them.</Trans>
      </Banner>
    );
  const send = () => {
    if (!hasRead) return setShowsMissing(true);
    void action.run(async () => {
      await agree.mutateAsync({ version: selfBillingVersion });
      showToast(t`You agreed to self-billing. We write your next invoices.`);
      navigate(workerInvoicesPath, { replace: true });
    });
  };
  return (
    <section className="card p5 col g4">
      <Check
        label={t`I have read this agreement and agree that invoices are issued in my name.`}
        checked={hasRead}
        error={showsMissing && !hasRead ? t`Read the agreement, then tick this box.` : undefined}
        onChange={(event) => setHasRead(event.target.checked)}
      />
      <Refused text={action.refusal} />
      <Button kind="go" full busy={action.busy} needsNetwork onClick={send}>
        {t`Agree to self-billing`}
      </Button>
    </section>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="terms-part">
      <h2 className="h-m">{title}</h2>
      {children}
    </section>
  );
}

/** The agreement's words. A change of them needs the next version, which a test enforces. */
function SelfBillingText() {
  return (
    <div className="terms">
      <Part title={<Trans>1. What it covers</Trans>}>
        <p>
          <Trans>
            This agreement is between you, the seller of your work, and the company that runs Nearhand. It
            covers all self-employed work that businesses pay you for through Nearhand while it applies.
            Employed and household work is not covered.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>2. Who issues your invoices</Trans>}>
        <p>
          <Trans>
            Each business has asked us to issue the invoices for what it buys. We issue invoices and credit
            notes in your name and on your behalf, with the business as the buyer, after the end of each
            month. They have a number series of their own, in your name.
          </Trans>
        </p>
        <p>
          <Trans>
            You remain the seller. The invoices are yours, and so are the taxes on them: you declare your
            income, and any VAT that an invoice shows.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>3. Accepting each document</Trans>}>
        <p>
          <Trans>
            We notify you of each invoice and credit note by email. You can object within {objectionDays} days
            of its issue. If you don't, you have accepted it.
          </Trans>
        </p>
        <p>
          <Trans>
            An issued document is never changed. If it is wrong, a credit note takes it back and a new invoice
            replaces it.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>4. No invoices of your own</Trans>}>
        <p>
          <Trans>
            You don't issue invoices of your own for the same work. Otherwise you may owe the VAT on both.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>5. Your details and your VAT status</Trans>}>
        <p>
          <Trans>
            Your legal name, address, tax number and VAT status are correct. You update them under Tax details
            at once if you register for VAT, if your VAT ID changes or ends, if you join or leave the
            small-business scheme, or if someone else takes over your business.
          </Trans>
        </p>
        <p>
          <Trans>What you were paid includes any VAT. Nothing is added to it.</Trans>
        </p>
      </Part>
      <Part title={<Trans>6. How it begins, changes and ends</Trans>}>
        <p>
          <Trans>
            It applies from the moment you agree. You can end it at any time under Statement, Invoices. It
            also ends when your account is closed. From then on, you write your own invoices. Documents that
            were issued remain valid, and payments that are reversed later still get a credit note.
          </Trans>
        </p>
        <p>
          <Trans>
            If we change these words, we ask you to agree to the new version. Until you do, the version you
            agreed to applies.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>7. Keeping documents</Trans>}>
        <p>
          <Trans>
            You and the business each keep the documents for as long as your tax laws require. You can
            download them as PDF and as e-invoices. We keep this agreement with its version and the date you
            agreed.
          </Trans>
        </p>
      </Part>
    </div>
  );
}
