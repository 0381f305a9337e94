import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { formatMoney } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { SumRow } from '../../ui/card.tsx';
import { stamp } from './engagement-words.ts';

/** What was asked of the payments service, for both sides, as it is: nothing set aside, nothing paid. */
export function Releases({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { releases, terms, side } = work;
  if (releases.length === 0) return null;
  const own = side === 'worker';
  const kinds = {
    undisputed: t`The undisputed part`,
    rest: t`The rest`,
    compensation: t`Compensation for the late cancellation`,
    tip: t`Tip`,
    bonus: t`Bonus`,
  };
  return (
    <section>
      <h2 className="h-m">{own ? t`Pay` : t`What is owed`}</h2>
      <div className="mt3">
        {releases.map((one) => (
          <SumRow
            key={`${one.kind}-${one.at}`}
            label={
              <>
                {kinds[one.kind]}, {stamp(one.at, terms.timeZone)}{' '}
                <Badge tone={one.state === 'released' ? 'good' : 'wait'}>
                  {one.state === 'not_funded' ? t`Not funded` : own ? t`Paid into your balance` : t`Released`}
                </Badge>
              </>
            }
            value={formatMoney(one.amountMinor, one.currency)}
          />
        ))}
      </div>
      {releases.some(({ state }) => state === 'not_funded') ? (
        <p className="sm mute mt2">
          <Trans>Not funded means: this is owed, and nothing was set aside for it yet.</Trans>
        </p>
      ) : null}
    </section>
  );
}
