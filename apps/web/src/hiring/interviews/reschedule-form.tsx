import { useLingui } from '@lingui/react/macro';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { limits } from '@nearhand/contract/limits';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { aheadOf } from './interview-slots.rules.ts';
import { movesLeftText, otherName } from './interview-words.ts';
import { useRescheduleInterview } from './interviews.api.ts';
import { SlotPicker } from './slot-picker.tsx';
import { useInterviewMove } from './use-interview-move.ts';

type Draft = { slots: string[]; reason: string };

const isDraft = (value: unknown): value is Draft => {
  const one = value as Partial<Draft> | null;
  return (
    typeof one === 'object' &&
    one !== null &&
    typeof one.reason === 'string' &&
    Array.isArray(one.slots) &&
    one.slots.every((slot) => typeof slot === 'string' && !Number.isNaN(Date.parse(slot)))
  );
};

/** New times instead of the scheduled one: the content of a sheet. */
export function RescheduleForm({ interview, onDone }: { interview: Interview; onDone: () => void }) {
  const { t } = useLingui();
  const settings = useSettings();
  const now = useNow();
  const reschedule = useRescheduleInterview();
  const { run, busy, refusal } = useInterviewMove();
  const draft = useDeviceDraft<Draft>(
    `interview-move:${interview.id}`,
    () => ({ slots: [], reason: '' }),
    isDraft,
  );
  const form = useFormModel<Draft>({
    focusProblems: true,
    draft,
    check: ({ slots: proposed, reason: why }) => {
      const long = tooLong(why, limits.reasonMax);
      return {
        ...(aheadOf(proposed, now).length === 0 ? { slots: t`Choose a time and press Add.` } : {}),
        ...(long ? { reason: long } : {}),
      };
    },
  });
  const { reason } = form.values;
  const slots = aheadOf(form.values.slots, now);
  const name = otherName(interview);
  const send = async () => {
    const { id: interviewId, version } = interview;
    if (!(await run(() => reschedule.mutateAsync({ interviewId, version, slots, reason: reason.trim() }))))
      return;
    draft.drop();
    onDone();
  };
  return (
    <Form className="interview-form" onSubmit={() => void form.submit(send)}>
      <p>
        {t`${name} can pick one of your times or keep the original. The original time stays until then.`}{' '}
        {movesLeftText(interview, now, settings)}
      </p>
      <SlotPicker
        slots={slots}
        onChange={(next) => form.change({ slots: next })}
        timeZone={interview.zones.business}
        now={now}
        standing={interview.startsAt}
        id={form.idOf('slots')}
        error={form.problems.slots}
      />
      <TextArea
        label={t`Reason for ${name}`}
        optional
        rows={3}
        maxLength={limits.reasonMax}
        length={reason.length}
        value={reason}
        id={form.idOf('reason')}
        error={form.problems.reason}
        onChange={(event) => form.change({ reason: event.target.value })}
      />
      <HelpLink article="reschedule-interview">{t`How rescheduling works`}</HelpLink>
      <Refused text={refusal} />
      <div className="sheet-act">
        <Button type="submit" kind="go" full busy={busy}>
          {t`Ask to reschedule`}
        </Button>
      </div>
    </Form>
  );
}
