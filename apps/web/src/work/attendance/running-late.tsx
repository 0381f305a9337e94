import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { type LateChoice, lateChoices } from '@nearhand/contract/work/attendance.rules';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { useSayLate } from './attendance-records.api.ts';

export function RunningLate({ work }: { work: EngagementCard }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const notice = work.runningLate;
  const { name } = work.business;
  const minutes = notice?.minutes ?? null;
  const close = () => setOpen(false);
  return (
    <>
      {notice ? (
        <Banner tone="here" icon="clock-countdown">
          <p className="strong">
            {minutes === null
              ? t`You told ${name} you're running late.`
              : t`You told ${name} you'll be ${minutes} minutes late.`}
          </p>
          {notice.note ? (
            <p className="pre-line break" dir="auto">
              {notice.note}
            </p>
          ) : null}
        </Banner>
      ) : null}
      <Button
        kind={notice ? 'text' : 'out'}
        size={notice ? 's' : 'm'}
        full={!notice}
        icon="clock-countdown"
        needsNetwork
        onClick={() => setOpen(true)}
      >
        {notice ? t`Change it` : t`I'm running late`}
      </Button>
      <Sheet open={open} onClose={close} title={t`Running late`}>
        {open ? <LateForm work={work} onDone={close} /> : null}
      </Sheet>
    </>
  );
}

function LateForm({ work, onDone }: { work: EngagementCard; onDone: () => void }) {
  const { t } = useLingui();
  const say = useSayLate();
  const action = useEngagementMove(work.side);
  const [minutes, setMinutes] = useState<LateChoice | null>(
    lateChoices.find((lateChoice) => lateChoice === work.runningLate?.minutes) ?? null,
  );
  const draft = useTextDraft(`late ${work.id}`);
  const { name } = work.business;
  return (
    <ReasonForm
      note={{
        label: t`Message to ${name}`,
        max: limits.reasonMax,
        missing: minutes === null ? t`Pick a time, or write a message.` : undefined,
        draft,
      }}
      send={t`Tell ${name}`}
      action={action}
      onSend={(note) => say.mutateAsync({ engagementId: work.id, minutes, note })}
      onDone={() => {
        onDone();
        showToast(t`We've told ${name}`);
      }}
    >
      <Chips label={t`How late?`} wrap>
        {lateChoices.map((lateChoice) => (
          <Chip
            key={lateChoice}
            pressed={lateChoice === minutes}
            onClick={() => setMinutes(lateChoice === minutes ? null : lateChoice)}
          >
            {t`${lateChoice} min`}
          </Chip>
        ))}
      </Chips>
      <p className="sm mute">
        <Trans>
          Minutes after the agreed start. {name} is told at once, and can report a no-show only that much
          later.
        </Trans>
      </p>
    </ReasonForm>
  );
}
