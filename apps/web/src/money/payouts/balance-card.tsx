import { Trans, useLingui } from '@lingui/react/macro';
import type { PayoutIdentity, WorkerBalance } from '@nearhand/contract/money/payouts';
import { formatDay, formatMoney, moneyPieces, ownTimeZone } from '../../lib/words/format.ts';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import './payouts.css';

const turn = (radius: number) => 2 * Math.PI * radius;
const rings = [
  { key: 'availableMinor', radius: 60, colour: 'var(--on-pine)' },
  { key: 'pendingMinor', radius: 44, colour: 'var(--art-straw)' },
  { key: 'reservedMinor', radius: 28, colour: 'var(--art-sky)' },
] as const;

function BalanceRings({ balance }: { balance: WorkerBalance }) {
  const totalMinor = balance.availableMinor + balance.pendingMinor + balance.reservedMinor;
  return (
    <svg className="balance-rings" viewBox="0 0 132 132" aria-hidden="true" fill="none" strokeWidth="9">
      {rings.map(({ key, radius, colour }) => {
        const share = totalMinor === 0 ? 0 : balance[key] / totalMinor;
        return (
          <g key={key} transform="rotate(-90 66 66)">
            <circle cx="66" cy="66" r={radius} stroke="var(--pine-line)" opacity=".75" />
            {share > 0 ? (
              <circle
                cx="66"
                cy="66"
                r={radius}
                stroke={colour}
                strokeLinecap="round"
                strokeDasharray={`${Math.max(0.01, share) * turn(radius)} ${turn(radius)}`}
              />
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

/** The amounts that clear on each of the reader's days, the next day first, in minor units. */
function clearingDaysOf({ nextClearings }: WorkerBalance): { day: string; amountMinor: number }[] {
  const days = new Map<string, number>();
  for (const { at, amountMinor } of nextClearings) {
    const day = formatDay(at, ownTimeZone());
    days.set(day, (days.get(day) ?? 0) + amountMinor);
  }
  return [...days].map(([day, amountMinor]) => ({ day, amountMinor }));
}

export function BalanceCard({
  balance,
  identity,
  hasAccount,
  clearingDays,
  onVerify,
}: {
  balance: WorkerBalance;
  identity: PayoutIdentity;
  /** The provider has an account for the worker, and the screen shows more about it. */
  hasAccount: boolean;
  clearingDays: number;
  onVerify: () => void;
}) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, balance.currency);
  const [units, cents] = moneyPieces(balance.availableMinor, balance.currency);
  // A long figure is smaller and never wraps. Not the class `long`, which is a list's (`lists.css`).
  const small = units.length + cents.length > 7 ? ' small' : '';
  const [next, second] = clearingDaysOf(balance);
  return (
    <section className={`pinecard balance-card${small}`} aria-label={t`Balance`}>
      <div className="row top">
        <div className="grow">
          <p className="sm mute">{t`Available`}</p>
          <p className={`balance-figure${small}`}>
            {units}
            <span className="balance-cents">{cents}</span>
          </p>
        </div>
        <BalanceRings balance={balance} />
      </div>
      <dl className="balance-parts num">
        <div>
          <dt className="xs mute row g1">
            <span className="balance-dot pending" />
            {t`Pending`}
          </dt>
          <dd className="strong">{money(balance.pendingMinor)}</dd>
        </div>
        <div>
          <dt className="xs mute row g1">
            <span className="balance-dot reserved" />
            {t`On its way to your bank`}
          </dt>
          <dd className="strong">{money(balance.reservedMinor)}</dd>
        </div>
        <div className="balance-total">
          <dt className="xs mute">{t`Total balance`}</dt>
          <dd className="strong">
            {money(balance.availableMinor + balance.pendingMinor + balance.reservedMinor)}
          </dd>
        </div>
      </dl>
      <p className="xs mute mt3">
        {next ? (
          second ? (
            <Trans>
              {money(next.amountMinor)} clears on {next.day}, {money(second.amountMinor)} on {second.day}.
            </Trans>
          ) : (
            <Trans>
              {money(next.amountMinor)} clears on {next.day}.
            </Trans>
          )
        ) : identity.status === 'verified' ? (
          <Trans>New pay is available right away.</Trans>
        ) : (
          <Trans>New pay clears after {clearingDays} days.</Trans>
        )}{' '}
        {hasAccount ? null : <IdentityLine identity={identity} onVerify={onVerify} />}
      </p>
    </section>
  );
}

function IdentityLine({ identity, onVerify }: { identity: PayoutIdentity; onVerify: () => void }) {
  if (identity.status === 'verified') return null;
  if (identity.status === 'pending') return <Trans>We're checking your identity.</Trans>;
  return (
    <>
      {identity.status === 'refused' ? <Trans>We couldn't confirm your details.</Trans> : null}{' '}
      <Trans>
        <PlainButton className="pine-link" needsNetwork small onClick={onVerify}>
          Verify your identity
        </PlainButton>{' '}
        to get new pay right away.
      </Trans>
    </>
  );
}
