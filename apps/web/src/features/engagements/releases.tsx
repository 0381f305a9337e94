import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { formatMoney } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { SumRow } from '../../ui/card.tsx';
import { stamp } from './engagement-words.ts';

/** What was paid to the worker and what is still owed, for both sides. */
export function Releases({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { releases, terms, side } = work;
  if (releases.length === 0) return null;
  const own = side === 'worker';
  const kinds = {
    undisputed: t`The undisputed part`,
    rest: releases.some(({ kind }) => kind === 'undisputed') ? t`The rest` : t`Pay for the work`,
    compensation: t`Compensation for the late cancellation`,
    tip: t`Tip`,
    bonus: t`Bonus`,
  };
  return (
    <section>
      <h2 className="h-m">{t`Pay`}</h2>
      <div className="mt3">
        {releases.map((one) => (
          <SumRow
            key={`${one.kind}-${one.at}`}
            label={
              <>
                {kinds[one.kind]}, {stamp(one.at, terms.timeZone)}{' '}
                <Badge tone={one.state === 'released' ? 'good' : 'wait'}>
                  {one.state === 'not_funded' ? t`Owed` : own ? t`Paid into your balance` : t`Paid`}
                </Badge>
              </>
            }
            value={formatMoney(own ? one.workerGetsMinor : one.amountMinor, one.currency)}
          />
        ))}
      </div>
      {releases.some(({ state }) => state === 'not_funded') ? (
        <p className="sm mute mt2">
          {work.funding === 'frozen' ? (
            <Trans>Owed: what was set aside is frozen until the bank has decided, and is paid then.</Trans>
          ) : own ? (
            <Trans>
              Owed: it was agreed, and what was set aside did not cover it. It is paid once the business adds
              it.
            </Trans>
          ) : (
            <Trans>
              Owed: it was agreed, and what was set aside did not cover it. It is paid once you add it.
            </Trans>
          )}
        </p>
      ) : null}
    </section>
  );
}
