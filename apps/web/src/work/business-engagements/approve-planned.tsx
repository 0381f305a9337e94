import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMoney, formatSum, joined } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { workDate } from '../engagements/engagement.labels.ts';
import { useApproveAll } from '../timesheets/timesheets.api.ts';

/** Offers to approve everything that was worked as planned in one go, after a look at what that is. */
export function ApprovePlanned({ waiting }: { waiting: EngagementCard[] }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const planned = waiting.filter(({ asPlanned }) => asPlanned);
  const count = planned.length;
  const different = waiting.length - count;
  const sum = sumOf(planned);
  const minutes = limits.asPlannedMinutes;
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
              {different === 0 ? (
                <Trans>Start, end and break are within {minutes} minutes of the plan.</Trans>
              ) : (
                <Plural
                  value={different}
                  one="# differs from the plan or has no check-in: look at it below."
                  other="# differ from the plan or have no check-in: look at them below."
                />
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
  const move = useMove();
  // The list shrinks as the pay is released; what was refused stays on the sheet with its reason.
  const [batch] = useState(planned);
  const [refusals, setRefusals] = useState<ReadonlyMap<string, unknown> | null>(null);
  const listed = refusals ? batch.filter(({ id }) => refusals.has(id)) : batch;
  const count = batch.length;
  const sum = sumOf(batch);
  const release = () =>
    move.run(async () => {
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
            <Refused text={move.refusal} />
            <Button kind="go" full busy={move.busy} onClick={() => void release()}>
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
        {listed.map((work) => (
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

const sumOf = (work: readonly EngagementCard[]): string =>
  formatSum(work.map(({ amountMinor, terms }) => ({ minor: amountMinor, currency: terms.currency })));
