import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { allOf, formatMoney, formatSum, joined } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import './release-payment.css';
import { workDate } from '../engagements/engagement.labels.ts';
import { engagementsOf, useBusinessEngagements, workToApprove } from '../engagements/engagements.api.ts';
import { useApproveAll } from '../timesheets/timesheets.api.ts';

const maxNames = 3;

/** Offers to approve all work that went as planned at once, after showing it, and names the work that did not. */
export function ApprovePlanned({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const query = useBusinessEngagements(businessId, workToApprove);
  const waiting = engagementsOf(query.data).filter(({ actions }) => actions.includes('approve'));
  const planned = waiting.filter(({ asPlanned }) => asPlanned);
  const count = planned.length;
  const names = [
    ...new Set(waiting.flatMap(({ asPlanned, worker }) => (asPlanned ? [] : worker.name || t`The worker`))),
  ];
  const more = names.length - maxNames;
  const exceptions = allOf(
    more > 0
      ? [...names.slice(0, maxNames), t`${plural(more, { one: '# other', other: '# others' })}`]
      : names,
  );
  const sum = payTotalText(planned);
  const minutes = workLimits.asPlannedMinutes;
  if (!open && count < 2) return null;
  return (
    <>
      <Card>
        <div className="approve-planned">
          <div>
            <p className="strong">
              <Trans>
                {count} worked as planned, {sum} in total
              </Trans>
            </p>
            <p className="sm mute">
              {names.length === 0 ? (
                <Trans>Start, end and break are within {minutes} minutes of the plan.</Trans>
              ) : (
                <Trans>Not {exceptions}: hours that differ from the plan or have no check-in.</Trans>
              )}
            </p>
          </div>
          <Button kind="ink" needsNetwork onClick={() => setOpen(true)}>
            {t`Approve all as planned`}
          </Button>
        </div>
      </Card>
      {open ? <Confirm planned={planned} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Confirm({ planned, onClose }: { planned: EngagementCard[]; onClose: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  const approve = useApproveAll();
  const action = useAction();
  // The list shrinks as the pay is released; refused work stays on the sheet with its reason.
  const [batch] = useState(planned);
  const [refusals, setRefusals] = useState<ReadonlyMap<string, unknown> | null>(null);
  const visibleWork = refusals ? batch.filter(({ id }) => refusals.has(id)) : batch;
  const count = batch.length;
  const sum = payTotalText(batch);
  const release = () =>
    action.run(async () => {
      const refused = await approve.mutateAsync(batch);
      const released = count - refused.size;
      if (released > 0) showToast(t`Pay released: ${released} of ${count}`);
      if (refused.size === 0) onClose();
      else setRefusals(refused);
    });
  return (
    <Sheet
      open
      onClose={onClose}
      title={refusals ? t`Not approved` : t`Release ${sum} for ${count} shifts?`}
      dock={
        refusals ? (
          <Button kind="ink" full onClick={onClose}>
            {t`Close`}
          </Button>
        ) : (
          <>
            <Refused text={action.refusal} />
            <Button kind="go" full busy={action.busy} onClick={() => void release()}>
              {t`Release ${sum} for ${count} shifts`}
            </Button>
          </>
        )
      }
    >
      {refusals ? (
        <p className="mute">
          <Trans>The pay of the others was released. These wait for you.</Trans>
        </p>
      ) : (
        <>
          <p>
            <Trans>
              Each gets what they claimed, in their Nearhand balance right away. You can tip and review
              afterwards.
            </Trans>
          </p>
          <p className="strong mt2">
            <Trans>You can't take it back.</Trans>
          </p>
        </>
      )}
      <ul className="mt3">
        {visibleWork.map((work) => (
          <li key={work.id}>
            <ListRow
              title={work.worker.name || t`The worker`}
              note={
                refusals
                  ? errorText(refusals.get(work.id))
                  : joined(work.terms.title, workDate(work.terms, now))
              }
              end={
                <span className="strong sm num">{formatMoney(work.amountMinor, work.terms.currency)}</span>
              }
            />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

const payTotalText = (work: readonly EngagementCard[]): string =>
  formatSum(work.map(({ amountMinor, terms }) => ({ minor: amountMinor, currency: terms.currency })));
