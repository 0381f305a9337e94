import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useSettings } from '../../lib/settings.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { FileDispute } from '../disputes/dispute.part.tsx';
import { useEngagementMove } from './engagement-move.api.ts';
import { useCancelEngagement } from './engagements.api.ts';

/** Cancel and dispute actions at the end of the page. */
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
        <Button kind="out" full icon="warning-circle" needsNetwork onClick={() => setOpen('dispute')}>
          {t`Open a dispute`}
        </Button>
      ) : null}
      {can('cancel') ? (
        <Button kind="quiet" full icon="calendar-x" needsNetwork onClick={() => setOpen('cancel')}>
          {t`Cancel booking`}
        </Button>
      ) : null}
      <Sheet open={open === 'cancel'} onClose={close} title={t`Cancel this job?`}>
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
              showToast(t`Dispute opened`);
            }}
          />
        ) : null}
      </Sheet>
    </div>
  );
}

/** Explains whether cancelling now is late and what that means. */
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
        label: t`Reason for ${work.business.name}`,
        max: limits.reasonMax,
        missing: t`Write a sentence about what happened.`,
        draft,
      }}
      send={t`Cancel booking`}
      kind="bad"
      move={move}
      onSend={(reason) => cancel.mutateAsync({ engagementId: work.id, version: work.version, reason })}
      onDone={() => {
        onDone();
        showToast(t`You cancelled`);
      }}
    >
      <Banner tone={late ? 'bad' : 'here'} icon={late ? 'warning' : 'info'}>
        {late ? (
          <>
            <p className="strong">{t`This is a late cancellation.`}</p>
            <p>
              {work.terms.kind === 'shift' ? (
                <Trans>
                  It starts in less than {lateCancelHours} hours. Cancelling now lowers your reliability,
                  which businesses see when you apply. You won't be paid.
                </Trans>
              ) : (
                <Trans>
                  You've already started. Cancelling now lowers your reliability, which businesses see when
                  you apply.
                </Trans>
              )}
            </p>
          </>
        ) : (
          <p>
            <Trans>You're cancelling on time, so your reliability isn't affected. You won't be paid.</Trans>
          </p>
        )}
      </Banner>
    </ReasonForm>
  );
}
