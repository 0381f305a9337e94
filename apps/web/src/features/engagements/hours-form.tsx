import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useDeviceDraft } from '../../lib/device-draft.ts';
import { formatMinutes, formatMoney } from '../../lib/format.ts';
import { zoneTown } from '../../lib/zoned-time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { showToast } from '../../ui/toast.tsx';
import { workerShare } from './engagement-words.ts';
import { useSubmitHours } from './engagements.api.ts';
import {
  type Hours,
  type HoursTrouble,
  hoursFromTyped,
  hoursToStart,
  payOfHours,
  recordedBreak,
  type TypedHours,
  typedHours,
} from './hours.rules.ts';
import { useMove } from './use-move.ts';
import { HoursBox } from './work-record.tsx';

type Form = TypedHours & { note: string };
const isForm = (value: unknown): value is Form =>
  typeof value === 'object' && value !== null && typeof (value as Form).from === 'string';

/** The hours worked, as recorded to begin with, beside what was planned and recorded. */
export function HoursForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const { terms } = work;
  const submit = useSubmitHours();
  const { run, busy, refusal } = useMove();
  const [trouble, setTrouble] = useState<HoursTrouble | null>(null);
  const start = (): Form => {
    const own = work.claims.findLast(({ by }) => by !== 'business') ?? null;
    const hours = own ?? hoursToStart(work);
    return hours
      ? { ...typedHours(hours, terms.timeZone), note: '' }
      : { day: '', from: '', to: '', breakMinutes: '0', note: '' };
  };
  const draft = useDeviceDraft<Form>(`hours-${work.id}-${work.claims.length}`, start, isForm);
  const form = draft.value;
  const change = (next: Partial<Form>) => {
    setTrouble(null);
    draft.set((before) => ({ ...before, ...next }));
  };
  const read = hoursFromTyped(form, terms.timeZone, new Date());
  const pay = 'hours' in read ? payOfHours(read.hours, terms) : null;
  const words: Record<HoursTrouble, string> = {
    time: t`Fill in day, start and end.`,
    break: t`The break must be shorter than the work.`,
    'too-long': t`That is more than a day.`,
    future: t`The end lies ahead. Send your hours when the work is done.`,
  };
  const send = async () => {
    if ('trouble' in read) return setTrouble(read.trouble);
    const { hours } = read;
    const sent = await run(() =>
      submit.mutateAsync({ engagementId: work.id, version: work.version, ...hours, note: form.note.trim() }),
    );
    if (!sent) return;
    draft.drop();
    showToast(t`Your hours are sent`);
    onDone();
  };
  const planned: Hours | null =
    terms.startsAt && terms.endsAt
      ? { startsAt: terms.startsAt, endsAt: terms.endsAt, breakMinutes: terms.breakMinutes }
      : null;
  const recorded: Hours | null =
    work.checkedInAt && work.checkedOutAt
      ? {
          startsAt: work.checkedInAt,
          endsAt: work.checkedOutAt,
          breakMinutes: recordedBreak(work.attendance, work.checkedOutAt),
        }
      : null;
  return (
    <form
      className="form-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="side-by-side">
        <HoursBox
          title={t`Planned`}
          work={work}
          hours={planned && { ...planned, ...payOfHours(planned, terms) }}
        />
        <HoursBox
          title={t`Recorded`}
          work={work}
          hours={recorded && { ...recorded, ...payOfHours(recorded, terms) }}
        />
      </div>
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
      <TextInput
        type="date"
        label={t`Day`}
        value={form.day}
        onChange={(event) => change({ day: event.target.value })}
      />
      <div className="form-two">
        <TextInput
          type="time"
          label={t`From`}
          value={form.from}
          onChange={(event) => change({ from: event.target.value })}
        />
        <TextInput
          type="time"
          label={t`To`}
          value={form.to}
          onChange={(event) => change({ to: event.target.value })}
        />
      </div>
      <TextInput
        label={t`Break`}
        after={t`min`}
        inputMode="numeric"
        autoComplete="off"
        help={terms.breakPaid ? t`The break is paid.` : t`The break is not paid.`}
        value={form.breakMinutes}
        onChange={(event) => change({ breakMinutes: event.target.value })}
        error={trouble ? words[trouble] : undefined}
      />
      <TextArea
        label={t`A word about it`}
        optional
        maxLength={limits.reasonMax}
        length={form.note.length}
        value={form.note}
        onChange={(event) => change({ note: event.target.value })}
      />
      <p className="lead" role="status">
        {pay ? (
          <Trans>
            {formatMinutes(pay.paidMinutes)} paid:{' '}
            <b className="num">{formatMoney(workerShare(pay.amountMinor, terms), terms.currency)}</b> to you.
          </Trans>
        ) : null}{' '}
        <span className="sm mute">{t`Times of ${zoneTown(terms.timeZone)}.`}</span>
      </p>
      <Button type="submit" kind="go" full busy={busy}>
        {t`Send these hours`}
      </Button>
    </form>
  );
}
