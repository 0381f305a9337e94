import { t as say } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import { limits } from '@nearhand/contract/limits';
import type { DayOff, DayOffAnswer, Engagement } from '@nearhand/contract/work/engagements';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { timeText } from './engagement.labels.ts';
import { useEngagementMove } from './engagement-move.api.ts';
import { engagementMove } from './engagements.api.ts';

/** A day off that the worker asked for, for both sides, until it is granted or the shift starts (ADR 406). */
export function DayOffCard({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const now = useNow();
  const { dayOff, side, terms } = work;
  const isAhead = isUpcoming(work.status) && terms.startsAt !== null && now < new Date(terms.startsAt);
  if (!dayOff || !isAhead || (dayOff.status !== 'open' && dayOff.status !== 'refused')) return null;
  const { title, text } = side === 'worker' ? workerText(work, dayOff, now) : businessText(work, dayOff, now);
  return (
    <Card as="section" label={t`Day off`}>
      <h2 className="h-s">{title}</h2>
      <p className="mute mt1">{text}</p>
      {dayOff.status === 'open' ? (
        <p className="mt2 pre-line break" dir="auto">
          {dayOff.reason}
        </p>
      ) : null}
      <DayOffAnswers work={work} dayOff={dayOff} />
      <div className="mt3">
        <HelpLink article="days-off">{t`How days off work`}</HelpLink>
      </div>
    </Card>
  );
}

type DayOffText = { title: string; text: string };

function workerText({ business, terms }: Engagement, { status, answerBy }: DayOff, now: Date): DayOffText {
  const by = timeText(answerBy, terms.timeZone, now);
  return status === 'open'
    ? {
        title: say`You asked for this day off`,
        text: say`${business.name} can answer until ${by}. If they don’t, you have it off. You’re booked until then.`,
      }
    : {
        title: say`${business.name} needs you this day`,
        text: say`You stay booked. If you can’t come, cancel on time or give the shift away.`,
      };
}

function businessText({ worker, terms }: Engagement, { status, answerBy }: DayOff, now: Date): DayOffText {
  const name = worker.name || say`The worker`;
  const by = timeText(answerBy, terms.timeZone, now);
  return status === 'open'
    ? {
        title: say`${name} asks for this day off`,
        text: say`If you don’t answer by ${by}, they have it off: you pay nothing, and the spot opens again. Their other days stay booked.`,
      }
    : { title: say`You kept ${name} booked`, text: say`They asked for this day off.` };
}

function DayOffAnswers({ work, dayOff }: { work: Engagement; dayOff: DayOff }) {
  const { t } = useLingui();
  const action = useEngagementMove(work.side);
  const answerDayOff = useMutation(apiQuery.engagements.answerDayOff.mutationOptions(engagementMove));
  if (dayOff.answers.length === 0) return null;
  const buttons = {
    grant: { label: t`Grant day off`, toast: t`Day off granted`, kind: 'go' },
    refuse: { label: t`Keep booked`, toast: t`They stay booked`, kind: 'out' },
    withdraw: { label: t`Withdraw request`, toast: t`You stay booked`, kind: 'out' },
  } as const satisfies Record<DayOffAnswer, object>;
  return (
    <div className="col g2 mt4">
      <Refused text={action.refusal} />
      {dayOff.answers.map((answer) => (
        <Button
          key={answer}
          kind={buttons[answer].kind}
          full
          needsNetwork
          busy={action.busy}
          onClick={async () => {
            const input = { engagementId: work.id, dayOffId: dayOff.id, answer };
            if (await action.run(() => answerDayOff.mutateAsync(input))) showToast(buttons[answer].toast);
          }}
        >
          {buttons[answer].label}
        </Button>
      ))}
    </div>
  );
}

/** The way to ask for a day off, while the worker still may. */
export function AskDayOff({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const { dayOffAsk } = work;
  if (dayOffAsk === null || now >= new Date(dayOffAsk.until)) return null;
  const until = timeText(dayOffAsk.until, work.terms.timeZone, now);
  const answerBy = timeText(dayOffAsk.answerBy, work.terms.timeZone, now);
  return (
    <Card as="section" label={t`Ask for the day off`}>
      <h2 className="h-s">{t`Ask for the day off`}</h2>
      <p className="mute mt1">
        <Trans>
          {work.business.name} is asked. If you ask now and they don’t answer by {answerBy}, you have it off,
          and it doesn’t count against you. Your other days stay booked. You can ask until {until}.
        </Trans>
      </p>
      <div className="mt3">
        <Button kind="out" full needsNetwork onClick={() => setAsking(true)}>
          {t`Ask for the day off`}
        </Button>
      </div>
      <Sheet open={asking} onClose={() => setAsking(false)} title={t`Ask for the day off`}>
        {asking ? <AskForm work={work} onDone={onDone} /> : null}
      </Sheet>
    </Card>
  );
}

function AskForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const askDayOff = useMutation(apiQuery.engagements.askDayOff.mutationOptions(engagementMove));
  const action = useEngagementMove(work.side);
  const draft = useTextDraft(`day off ${work.id}`);
  return (
    <ReasonForm
      note={{
        label: t`Reason for ${work.business.name}`,
        max: limits.reasonMax,
        missing: t`Say briefly why you need the day off.`,
        draft,
      }}
      send={t`Ask for the day off`}
      action={action}
      onSend={(reason) => askDayOff.mutateAsync({ engagementId: work.id, version: work.version, reason })}
      onDone={() => {
        onDone();
        showToast(t`${work.business.name} was asked`);
      }}
    >
      <p className="mute">
        <Trans>You stay booked until they agree or the time to answer is over. The day isn’t paid.</Trans>
      </p>
    </ReasonForm>
  );
}
