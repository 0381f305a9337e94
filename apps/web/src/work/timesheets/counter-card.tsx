import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney, quoted } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { nextText, workHeadingId } from '../engagements/engagement.labels.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { workerShare } from './hours.rules.ts';
import { businessClaimOf, workerClaimOf } from './hours-compare.rules.ts';
import { HoursCompare } from './hours-compare.tsx';
import { HoursForm } from './hours-form.tsx';
import { useAcceptCounter } from './timesheets.api.ts';

/**
 * The worker's share of the claim, of the last proposal, and without a reply, in minor units; null if there is none.
 * The fee is taken from each sum, as in payments, so that their differences are right to the cent.
 */
function sharesOf(work: Engagement) {
  const { next, terms } = work;
  const shareOf = (minor: number | null | undefined) =>
    minor === null || minor === undefined ? null : workerShare(minor, terms);
  return {
    claimed: shareOf(workerClaimOf(work)?.amountMinor),
    proposed: shareOf(businessClaimOf(work)?.amountMinor),
    unanswered: next?.kind === 'pay-recorded' ? shareOf(next.amountMinor ?? 0) : null,
  };
}

/** The minor units that agreeing to the last proposal pays less than not replying; otherwise 0. */
function lostByAgreeing(work: Engagement): number {
  const { proposed, unanswered } = sharesOf(work);
  return Math.max(0, (unanswered ?? 0) - (proposed ?? 0));
}

/** The business's proposal of other hours: its reason, the difference, and what happens without a reply. */
export function CounterCard({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { counterRounds } = useSettings();
  const { terms, business } = work;
  const proposal = businessClaimOf(work);
  const { claimed, proposed, unanswered } = sharesOf(work);
  if (!proposal || proposed === null) return null;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const difference = claimed === null ? 0 : claimed - proposed;
  const droppedMinor = claimed === null || unanswered === null ? 0 : claimed - unanswered;
  const lostMinor = lostByAgreeing(work);
  return (
    <section className="col">
      {/* The page's title says it. */}
      <h2 className="vh">{t`${business.name} proposed other hours`}</h2>
      <p className="label">{t`Round ${proposal.round} of ${counterRounds}`}</p>
      {proposal.note ? <p className="break">{quoted(proposal.note)}</p> : null}
      {difference > 0 ? (
        <p className="strong num">
          <Trans>{money(difference)} less than you submitted.</Trans>
        </p>
      ) : null}
      <p className="strong">
        {nextText(work)}{' '}
        {droppedMinor > 0 ? t`The other ${money(droppedMinor)} you asked for is then dropped.` : null}{' '}
        {lostMinor > 0
          ? t`Agreeing pays ${money(proposed)}, ${money(lostMinor)} less than not replying.`
          : null}
      </p>
      <HoursCompare engagement={work} />
      <p className="sm mute">
        <Trans>
          The {money(Math.min(proposed, claimed ?? proposed))} you both agree on is paid right away. After{' '}
          {counterRounds} rounds it becomes a dispute.
        </Trans>
      </p>
    </section>
  );
}

/** The answers to a proposal of other hours. After agreeing, the page's heading has the focus and says so. */
export function CounterActions({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const accept = useAcceptCounter();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const [isOpen, setIsOpen] = useState(false);
  const proposal = businessClaimOf(work);
  if (!proposal) return null;
  const sum = formatMoney(workerShare(proposal.amountMinor, work.terms), work.terms.currency);
  const take = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Agree to ${sum}?`,
      message: t`These hours will be approved and you can't ask for more.`,
      buttons: [
        { value: 'yes', label: t`Agree` },
        { value: 'no', label: t`Not yet` },
      ],
    });
    if (choice !== 'yes') return;
    if (!(await run(() => accept.mutateAsync({ engagementId: work.id, version: work.version })))) return;
    const heading = document.getElementById(workHeadingId(work.id));
    heading?.closest('main')?.scrollTo?.(0, 0);
    heading?.focus({ preventScroll: true });
  };
  return (
    <div className="col g2 grow">
      <Refused text={refusal} />
      <div className="row g2 wrap">
        {work.actions.includes('submit-hours') ? (
          <Button kind="quiet" className="grow" needsNetwork onClick={() => setIsOpen(true)}>
            {t`Other hours`}
          </Button>
        ) : null}
        {work.actions.includes('accept-counter') ? (
          <Button
            kind={lostByAgreeing(work) > 0 ? 'out' : 'go'}
            className="grow"
            busy={busy}
            onClick={() => void take()}
          >
            {t`Agree to ${sum}`}
          </Button>
        ) : null}
      </div>
      <Sheet open={isOpen} onClose={() => setIsOpen(false)} title={t`Propose other hours`}>
        {isOpen ? <HoursForm work={work} onDone={() => setIsOpen(false)} /> : null}
      </Sheet>
    </div>
  );
}
