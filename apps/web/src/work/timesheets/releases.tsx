import { Trans, useLingui } from '@lingui/react/macro';
import { isSettled } from '@nearhand/contract/engagement-statuses';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { formatDate, formatMoney, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { SumRow } from '../../ui/card.tsx';

export function Releases({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { releases, side } = work;
  if (releases.length === 0) return null;
  const isOwn = side === 'worker';
  // Nothing was left to agree on after the first payment.
  const isWhole = isSettled(work.status) && releases.every(({ kind }) => kind !== 'rest');
  const kinds = {
    undisputed: isWhole ? t`Pay for the work` : t`Pay you both agreed on`,
    rest: releases.some(({ kind }) => kind === 'undisputed') ? t`Remaining pay` : t`Pay for the work`,
    compensation: t`Compensation for the late cancellation`,
    tip: t`Tip`,
    bonus: t`Bonus`,
  };
  const states = {
    not_funded: t`Owed`,
    released: isOwn ? t`Paid to your balance` : t`Paid`,
    reversed: t`Reversed`,
  };
  return (
    <section>
      <h2 className="h-m">{t`Pay`}</h2>
      <div className="mt3">
        {releases.map((release) => (
          <SumRow
            key={`${release.kind}-${release.at}`}
            label={
              <>
                <span className="block">
                  {joined(kinds[release.kind], formatDate(release.at, ownTimeZone()))}
                </span>
                <Badge tone={release.state === 'released' ? 'good' : 'wait'}>{states[release.state]}</Badge>
              </>
            }
            value={formatMoney(isOwn ? release.workerGetsMinor : release.amountMinor, release.currency)}
          />
        ))}
      </div>
      {releases.some(({ state }) => state === 'not_funded') ? (
        <p className="sm mute mt2">
          {work.funding === 'frozen' ? (
            <Trans>Not paid yet. The money set aside is frozen until the bank decides.</Trans>
          ) : isOwn ? (
            <Trans>
              Not paid yet. The money set aside didn't cover it. You'll be paid once the business adds the
              rest.
            </Trans>
          ) : (
            <Trans>Not paid yet. The money set aside didn't cover it. It's paid once you add the rest.</Trans>
          )}
        </p>
      ) : null}
    </section>
  );
}
