import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { dayMs } from '@nearhand/contract/durations';
import type { PayoutAccount, PayoutNeed } from '@nearhand/contract/money/payouts';
import type { ReactNode } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { leaveForProvider, useReturnTo } from '../../lib/pages/use-return-to.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import { ClockRing, Dial } from '../../ui/art/ring-figures.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import './payouts.css';
import { useOpenPayeePage } from './payouts.api.ts';

/** The days before `dueBy` on which the last reminder is sent (`payouts.rules.ts`). */
const lastReminderMs = 3 * dayMs;
/** The remaining time for which the ring is full. */
const wholeMs = 14 * dayMs;

const dayOf = (instant: string | Date) => formatDay(instant, ownTimeZone());

/**
 * The worker's account at the payment provider, unless everything is in order; `hasBank` once a bank account
 * is known.
 */
export function PayoutAccountCard({
  account,
  hasBank,
  onStart,
}: {
  account: PayoutAccount;
  hasBank: boolean;
  onStart: () => void;
}) {
  switch (account.status) {
    case 'active':
      return null;
    case 'none':
      return <NotStarted onStart={onStart} />;
    case 'in_progress':
      return <InProgress account={account} hasBank={hasBank} />;
    case 'more_needed':
      return <MoreNeeded account={account} />;
    case 'restricted':
      return <Restricted account={account} />;
    case 'closed':
      return <ClosedAccount />;
  }
}

function AccountPart({
  title,
  figure,
  children,
}: {
  title: string;
  figure?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="card col g3 payout-account">
      <div className="row g3">
        <h2 className="h-m grow">{title}</h2>
        {figure}
      </div>
      {children}
    </section>
  );
}

type Row = { icon: IconName; title: string; note: ReactNode; state?: 'done' | 'now' };

const Rows = ({ rows }: { rows: readonly Row[] }) => (
  <ul>
    {rows.map(({ icon, title, note, state }) => (
      <li key={title}>
        <ListRow
          lead={
            <IconSign
              icon={state === 'done' ? 'check' : icon}
              colour={state === 'done' ? 'moss' : state === 'now' ? 'straw' : ''}
              round
            />
          }
          title={title}
          note={note}
        />
      </li>
    ))}
  </ul>
);

function NotStarted({ onStart }: { onStart: () => void }) {
  const { t } = useLingui();
  return (
    <AccountPart title={t`Set up once, then withdraw`}>
      <Rows
        rows={[
          { icon: 'clock', title: t`About 4 minutes`, note: t`On a secure page of the payment provider` },
          {
            icon: 'identification-card',
            title: t`Have your ID and bank account number ready`,
            note: t`Your name and address are filled in already`,
          },
          {
            icon: 'shield-check',
            title: t`Private`,
            note: t`The payment provider keeps your ID. We see only that it was checked.`,
          },
        ]}
      />
      <Banner icon="info">
        <Trans>No rush. You can apply, work and earn before you do this.</Trans>
      </Banner>
      <Button kind="go" full needsNetwork onClick={onStart}>
        {t`Set up payouts`}
      </Button>
    </AccountPart>
  );
}

function InProgress({ account, hasBank }: { account: PayoutAccount; hasBank: boolean }) {
  const { t } = useLingui();
  const { needs } = account;
  const [next] = needs;
  if (next === undefined)
    return (
      <AccountPart title={t`Your details are being checked`}>
        <p className="mute">
          <Trans>
            The payment provider does this, usually within a day. You don't have to do anything. Withdrawals
            go out once it's done.
          </Trans>
        </p>
      </AccountPart>
    );
  const steps = [
    { need: 'details', icon: 'user', title: t`Your details`, note: t`Name, birthday and address` },
    {
      need: needs.includes('address_proof') ? 'address_proof' : 'identity_document',
      icon: 'identification-card',
      title: t`Your ID`,
      note: t`A photo of the front and the back`,
    },
    {
      need: 'bank_account',
      icon: 'bank',
      title: t`Your bank account`,
      note: t`The account where your pay should go`,
    },
  ] as const;
  const isDone = (need: PayoutNeed) =>
    need === 'identity_document' || need === 'address_proof'
      ? !needs.includes('identity_document') && !needs.includes('address_proof')
      : !needs.includes(need) && (need !== 'bank_account' || hasBank);
  const doneCount = steps.filter(({ need }) => isDone(need)).length;
  const total = steps.length;
  const now = steps.find(({ need }) => !isDone(need));
  return (
    <AccountPart
      title={t`You're part of the way`}
      figure={
        <span className="row g2 nowrap sm strong">
          <Dial filled={doneCount} total={total} tone="var(--good)" />
          {t`${doneCount} of ${total}`}
        </span>
      }
    >
      <Rows
        rows={steps.map((step) => ({
          icon: step.icon,
          title: step.title,
          note: isDone(step.need) ? t`Done` : step.note,
          ...(isDone(step.need) ? { state: 'done' as const } : step === now ? { state: 'now' as const } : {}),
        }))}
      />
      <Banner icon="info">
        <Trans>Continue where you stopped. Your pay is safe in your balance until then.</Trans>
      </Banner>
      <ToProvider need={next} kind="go" />
    </AccountPart>
  );
}

function MoreNeeded({ account: { needs, dueBy } }: { account: PayoutAccount }) {
  const { t } = useLingui();
  const [first] = needs;
  if (!first || !dueBy) return null;
  const leftMs = Math.max(0, Date.parse(dueBy) - Date.now());
  const days = Math.ceil(leftMs / dayMs);
  const what = needName(first);
  const by = dayOf(dueBy);
  const reminder = dayOf(new Date(Date.parse(dueBy) - lastReminderMs));
  return (
    <AccountPart
      title={t`${what} by ${by}`}
      figure={<ClockRing left={leftMs / wholeMs}>{t`${days} d`}</ClockRing>}
    >
      <Rows rows={needs.map(needRow)} />
      <Banner tone="good" icon="check-circle">
        <Trans>Until then, withdrawals go out as usual.</Trans>{' '}
        {leftMs > lastReminderMs ? <Trans>We'll remind you on {reminder}.</Trans> : null}
      </Banner>
      <ToProvider need={first} />
    </AccountPart>
  );
}

function Restricted({ account: { needs, since } }: { account: PayoutAccount }) {
  const { t } = useLingui();
  const [first] = needs;
  const day = since ? dayOf(since) : '';
  return (
    <AccountPart title={t`Payouts are paused`}>
      <p className="mute">
        {first ? (
          <Trans>
            Since {day}, because the payment provider needs more from you. They start again once it's checked,
            usually the same day.
          </Trans>
        ) : (
          <Trans>
            Since {day}. The payment provider is checking what you gave it, usually within a day. You don't
            have to do anything.
          </Trans>
        )}
      </p>
      <Rows
        rows={[
          ...needs.map(needRow),
          {
            icon: 'briefcase',
            title: t`You keep working and earning`,
            note: t`New pay joins your balance as always`,
          },
          {
            icon: 'clock',
            title: t`Withdrawals wait their turn`,
            note: t`Ask now. They go out when payouts are back.`,
          },
        ]}
      />
      {first ? <ToProvider need={first} /> : null}
      <GetHelp />
    </AccountPart>
  );
}

function ClosedAccount() {
  const { t } = useLingui();
  return (
    <AccountPart title={t`Your payout account is closed`}>
      <p className="mute">
        <Trans>
          The payment provider doesn't pay to it any more. All of your balance is still yours. Ask us what you
          can do.
        </Trans>
      </p>
      <GetHelp />
    </AccountPart>
  );
}

function GetHelp() {
  const { t } = useLingui();
  return (
    <ButtonLink kind="text" size="s" to="/help-center">
      {t`Get help`}
    </ButtonLink>
  );
}

/** Leads to the provider's page and back to this screen (ADR 371). */
function ToProvider({ need, kind = 'ink' }: { need: PayoutNeed; kind?: 'go' | 'ink' }) {
  const open = useOpenPayeePage();
  const action = useAction(errorText);
  const returnTo = useReturnTo();
  const leave = () => action.run(async () => leaveForProvider((await open.mutateAsync(returnTo)).url));
  return (
    <>
      <Refused text={action.refusal} />
      <Button
        kind={kind}
        full
        needsNetwork
        icon="arrow-square-out"
        busy={action.busy}
        onClick={() => void leave()}
      >
        {needAct(need)}
      </Button>
    </>
  );
}

function needName(need: PayoutNeed): string {
  switch (need) {
    case 'details':
      return t`Your details`;
    case 'identity_document':
      return t`Your ID`;
    case 'address_proof':
      return t`Proof of address`;
    case 'bank_account':
      return t`Your bank account`;
  }
}

function needAct(need: PayoutNeed): string {
  switch (need) {
    case 'details':
      return t`Add your details`;
    case 'identity_document':
      return t`Add your ID`;
    case 'address_proof':
      return t`Add proof of address`;
    case 'bank_account':
      return t`Add your bank account`;
  }
}

function needRow(need: PayoutNeed): Row {
  switch (need) {
    case 'details':
      return { icon: 'user', title: needName(need), note: t`The page says which` };
    case 'identity_document':
      return {
        icon: 'identification-card',
        title: needName(need),
        note: t`A photo of the front and the back`,
      };
    case 'address_proof':
      return {
        icon: 'file',
        title: t`A bill or letter that shows your address`,
        note: t`Energy, bank or city, at most 3 months old`,
      };
    case 'bank_account':
      return { icon: 'bank', title: needName(need), note: t`The account where your pay should go` };
  }
}
