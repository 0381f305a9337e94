import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { nextText } from '../engagements/engagement.labels.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { workerShare } from './hours.rules.ts';
import { claimOf, proposalOf } from './hours-compare.rules.ts';
import { HoursCompare } from './hours-compare.tsx';
import { useAcceptCounter } from './timesheets.api.ts';

export function CounterCard({ work, onOther }: { work: Engagement; onOther: () => void }) {
  const { t } = useLingui();
  const { counterRounds } = useSettings();
  const accept = useAcceptCounter();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const { terms, business } = work;
  const proposal = proposalOf(work);
  const claim = claimOf(work);
  if (!proposal) return null;
  const money = (minor: number) => formatMoney(workerShare(minor, terms), terms.currency);
  const difference = claim ? claim.amountMinor - proposal.amountMinor : 0;
  const take = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Agree to ${money(proposal.amountMinor)}?`,
      message: t`These hours will be approved and you can't ask for more.`,
      buttons: [
        { value: 'yes', label: t`Agree` },
        { value: 'no', label: t`Not yet`, kind: 'quiet' },
      ],
    });
    if (choice !== 'yes') return;
    if (await run(() => accept.mutateAsync({ engagementId: work.id, version: work.version })))
      showToast(t`You agreed to their hours`);
  };
  return (
    <section className="col">
      <div className="row base wrap">
        <h2 className="h-m grow">{t`${business.name} proposed other hours`}</h2>
        <span className="label">{t`Round ${proposal.round} of ${counterRounds}`}</span>
      </div>
      {difference > 0 ? (
        <p className="strong num">
          <Trans>{money(difference)} less than you submitted.</Trans>
        </p>
      ) : null}
      <HoursCompare engagement={work} />
      <p className="sm mute">
        <Trans>
          The {money(Math.min(proposal.amountMinor, claim?.amountMinor ?? proposal.amountMinor))} you both
          agree on is paid right away. After {counterRounds} rounds it becomes a dispute.
        </Trans>
      </p>
      <p className="strong">{nextText(work)}</p>
      <Refused text={refusal} />
      {work.actions.includes('accept-counter') ? (
        <Button kind="go" full busy={busy} onClick={() => void take()}>
          {t`Agree to ${money(proposal.amountMinor)}`}
        </Button>
      ) : null}
      {work.actions.includes('submit-hours') ? (
        <Button kind="out" full needsNetwork onClick={onOther}>
          {t`Propose other hours`}
        </Button>
      ) : null}
    </section>
  );
}
