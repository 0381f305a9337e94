import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { formatMoney } from '../../lib/format.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { workerShare } from './engagement-words.ts';
import { useAcceptCounter } from './engagements.api.ts';
import { useMove } from './use-move.ts';
import { HoursBox } from './work-record.tsx';

/** The last hours of both sides beside each other, with what lies between them; the worker accepts or sends other hours. */
export function CounterCard({ work, onOther }: { work: Engagement; onOther: () => void }) {
  const { t } = useLingui();
  const accept = useAcceptCounter();
  const { run, busy, refusal } = useMove();
  const { terms, business } = work;
  const theirs = work.claims.findLast(({ by }) => by === 'business');
  const mine = work.claims.findLast(({ by }) => by !== 'business');
  if (!theirs) return null;
  const money = (minor: number) => formatMoney(workerShare(minor, terms), terms.currency);
  const difference = mine ? mine.amountMinor - theirs.amountMinor : 0;
  const take = async () => {
    const answer = await showAlert({
      tone: 'ask',
      title: t`Agree to ${money(theirs.amountMinor)}?`,
      message: t`These hours are then approved, and you cannot ask for more.`,
      buttons: [
        { value: 'yes', label: t`Agree` },
        { value: 'no', label: t`Not yet`, kind: 'quiet' },
      ],
    });
    if (answer !== 'yes') return;
    if (await run(() => accept.mutateAsync({ engagementId: work.id, version: work.version })))
      showToast(t`You agreed to their hours`);
  };
  return (
    <section className="col">
      <div className="row base wrap">
        <h2 className="h-m grow">{t`${business.name} proposes other hours`}</h2>
        <span className="label">{t`Round ${theirs.round} of ${limits.counterRounds}`}</span>
      </div>
      <div className="side-by-side">
        <HoursBox title={t`Yours`} hours={mine ?? null} work={work} />
        <HoursBox title={business.name} hours={theirs} work={work} on />
      </div>
      {difference > 0 ? (
        <p className="strong num">
          <Trans>{money(difference)} less than you asked for.</Trans>
        </p>
      ) : null}
      {theirs.note ? (
        <p className="pre-line hours-box" dir="auto">
          {theirs.note}
        </p>
      ) : null}
      <p className="sm mute">
        <Trans>
          What both agree on, {money(Math.min(theirs.amountMinor, mine?.amountMinor ?? theirs.amountMinor))},
          does not wait for the rest. After {limits.counterRounds} rounds it becomes a dispute.
        </Trans>
      </p>
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
      {work.actions.includes('accept-counter') ? (
        <Button kind="go" full busy={busy} onClick={() => void take()}>
          {t`Agree to ${money(theirs.amountMinor)}`}
        </Button>
      ) : null}
      {work.actions.includes('submit-hours') ? (
        <Button kind="out" full onClick={onOther}>
          {t`Send other hours`}
        </Button>
      ) : null}
    </section>
  );
}
