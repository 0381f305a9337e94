import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useDeviceDraft } from '../../lib/device-draft.ts';
import { formatMinutes, formatMoney } from '../../lib/format.ts';
import { zoneTown } from '../../lib/zoned-time.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useSubmitHours } from './engagements.api.ts';
import {
  type HoursTrouble,
  hoursFromTyped,
  hoursToStart,
  payOfHours,
  type TypedHours,
  typedHours,
  workerShare,
} from './hours.rules.ts';
import { claimOf } from './hours-compare.rules.ts';
import { HoursBars } from './hours-compare.tsx';
import { HoursFields, useHoursTrouble } from './hours-fields.tsx';
import { useEngagementMove } from './use-engagement-move.ts';

type Form = TypedHours & { note: string };
const isForm = (value: unknown): value is Form =>
  typeof value === 'object' && value !== null && typeof (value as Form).from === 'string';

/** The hours worked, as recorded to begin with, beside what was planned and recorded. */
export function HoursForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const { terms } = work;
  const submit = useSubmitHours();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const [trouble, setTrouble] = useState<HoursTrouble | null>(null);
  const start = (): Form => {
    const hours = claimOf(work) ?? hoursToStart(work);
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
  const words = useHoursTrouble();
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
  return (
    <form
      className="form-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <HoursBars engagement={work} kinds={['planned', 'recorded']} />
      <Refused text={refusal} />
      <HoursFields
        typed={form}
        onChange={change}
        help={terms.breakPaid ? t`The break is paid.` : t`The break is not paid.`}
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
      <div className="sheet-act">
        <Button type="submit" kind="go" full busy={busy}>
          {t`Send these hours`}
        </Button>
      </div>
    </form>
  );
}
