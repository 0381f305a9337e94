import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useTextDraft } from '../../lib/session-draft.ts';
import { useSettings } from '../../lib/settings.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { showToast } from '../../ui/toast.tsx';
import { FileDispute } from '../disputes/dispute.part.tsx';
import { useCancelEngagement } from './engagements.api.ts';
import { useEngagementMove } from './use-engagement-move.ts';

/** The ways out, at the end of the page: calling it off, a dispute. */
export function WorkExits({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'cancel' | 'dispute' | null>(null);
  const filing = useEngagementMove(work.side);
  const close = () => setOpen(null);
  const can = (action: 'cancel' | 'dispute') => work.actions.includes(action);
  if (!can('cancel') && !can('dispute') && open === null) return null;
  return (
    <div className="col">
      {can('dispute') ? (
        <Button kind="out" full icon="warning-circle" onClick={() => setOpen('dispute')}>
          {t`Open a dispute`}
        </Button>
      ) : null}
      {can('cancel') ? (
        <Button kind="quiet" full icon="calendar-x" onClick={() => setOpen('cancel')}>
          {t`Call it off`}
        </Button>
      ) : null}
      <Sheet open={open === 'cancel'} onClose={close} title={t`Call this work off?`}>
        {open === 'cancel' ? <CancelForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'dispute'} onClose={close} title={t`Open a dispute`}>
        {open === 'dispute' ? (
          <FileDispute
            engagement={work}
            move={filing}
            onClose={close}
            onDone={() => {
              close();
              showToast(t`The dispute is open`);
            }}
          />
        ) : null}
      </Sheet>
    </div>
  );
}

/** Says before it is done whether it is late, and what that means. */
function CancelForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const { lateCancelHours } = useSettings();
  const cancel = useCancelEngagement();
  const move = useEngagementMove(work.side);
  const draft = useTextDraft(`cancel ${work.id}`);
  const late = work.cancelling?.late === true;
  return (
    <ReasonForm
      note={{
        label: t`Why, for ${work.business.name}`,
        max: limits.reasonMax,
        missing: t`Write a sentence about it.`,
        draft,
      }}
      send={t`Call it off`}
      kind="bad"
      move={move}
      onSend={(reason) => cancel.mutateAsync({ engagementId: work.id, version: work.version, reason })}
      onDone={() => {
        onDone();
        showToast(t`You called it off`);
      }}
    >
      <Banner tone={late ? 'bad' : 'here'} icon={late ? 'warning' : 'info'}>
        {late ? (
          <>
            <p className="strong">{t`This is late.`}</p>
            <p>
              {work.terms.kind === 'shift' ? (
                <Trans>
                  It starts in less than {lateCancelHours} hours. It lowers your reliability, which businesses
                  see when you apply. You are not paid.
                </Trans>
              ) : (
                <Trans>
                  You have begun. It lowers your reliability, which businesses see when you apply.
                </Trans>
              )}
            </p>
          </>
        ) : (
          <p>
            <Trans>
              You are in time: it does not count against your reliability. You are not paid for it.
            </Trans>
          </p>
        )}
      </Banner>
    </ReasonForm>
  );
}
