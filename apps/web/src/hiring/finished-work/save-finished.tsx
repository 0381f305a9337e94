import { useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { SaveWorkers } from '../pools/save-worker.tsx';

export function SaveFinished({ work, businessId }: { work: readonly EngagementCard[]; businessId: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const people = new Map(
    work
      .filter(({ status }) => status === 'completed')
      .map(({ worker, terms }) => [worker.id, { worker, terms }]),
  );
  const close = () => {
    setOpen(false);
    setChosenIds([]);
  };
  if (people.size === 0) return null;
  return (
    <>
      <div>
        <Button kind="quiet" size="s" icon="users" needsNetwork onClick={() => setOpen(true)}>
          {t`Save workers`}
        </Button>
      </div>
      <Sheet open={open} onClose={close} title={t`Save workers in a pool`}>
        <div className="col g4">
          <CheckGroup
            legend={t`Who?`}
            options={[...people.values()].map(({ worker, terms }) => ({
              value: worker.id,
              label: worker.name,
              help: terms.title,
            }))}
            value={chosenIds}
            onChange={setChosenIds}
          />
          {chosenIds.length > 0 ? (
            <SaveWorkers businessId={businessId} workerIds={chosenIds} onDone={close} />
          ) : (
            <p className="sm mute">{t`Choose people, then a pool.`}</p>
          )}
        </div>
      </Sheet>
    </>
  );
}
