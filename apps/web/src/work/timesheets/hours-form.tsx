import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { formatMinutes, formatMoney } from '../../lib/words/format.ts';
import { zoneTown } from '../../lib/words/zoned-time.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { announce } from '../../ui/overlays/toast.tsx';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import {
  hoursFromTyped,
  hoursToStart,
  minimumOf,
  payOfHours,
  type TypedHours,
  typedHours,
  workerShare,
} from './hours.rules.ts';
import { workerClaimOf } from './hours-compare.rules.ts';
import { HoursBars } from './hours-compare.tsx';
import { HoursFields, hoursProblems } from './hours-fields.tsx';
import { useSubmitHours } from './timesheets.api.ts';

type HoursEntry = TypedHours & { note: string };
const isHoursEntry = (value: unknown): value is HoursEntry =>
  typeof value === 'object' &&
  value !== null &&
  (['day', 'from', 'to', 'breakMinutes', 'note'] as const).every(
    (field) => typeof (value as HoursEntry)[field] === 'string',
  );

export function HoursForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const { terms } = work;
  const submit = useSubmitHours();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const start = (): HoursEntry => {
    const hours = workerClaimOf(work) ?? hoursToStart(work);
    return hours
      ? { ...typedHours(hours, terms.timeZone), note: '' }
      : { day: '', from: '', to: '', breakMinutes: '0', note: '' };
  };
  const draft = useDeviceDraft<HoursEntry>(`hours-${work.id}-${work.claims.length}`, start, isHoursEntry);
  const form = useFormModel<HoursEntry>({
    focusProblems: true,
    draft,
    check: (typed) => {
      const hours = hoursFromTyped(typed, terms, new Date());
      const long = tooLong(typed.note, limits.reasonMax);
      return {
        ...('problem' in hours ? hoursProblems(hours.problem, typed, terms) : {}),
        note: long,
      };
    },
  });
  const { values } = form;
  const parsed = hoursFromTyped(values, terms, new Date());
  const pay = 'hours' in parsed ? payOfHours(parsed.hours, terms, minimumOf(work)) : null;
  const send = async () => {
    if ('problem' in parsed) return;
    const { hours } = parsed;
    const note = values.note.trim();
    const isDone = await run(() =>
      submit.mutateAsync({ engagementId: work.id, version: work.version, ...hours, note }),
    );
    if (!isDone) return;
    draft.drop();
    announce(work.status === 'submitted' ? t`Hours corrected` : t`Hours submitted`);
    onDone();
  };
  return (
    <Form className="form-stack" onSubmit={() => void form.submit(send)}>
      <HoursBars engagement={work} kinds={['planned', 'recorded', 'proposed']} />
      <Refused text={refusal} />
      <HoursFields
        typed={values}
        timeZone={terms.timeZone}
        onChange={form.change}
        help={terms.breakPaid ? t`The break is paid.` : t`The break is unpaid.`}
        problems={form.problems}
        idOf={form.idOf}
      />
      <TextArea
        label={t`Note`}
        optional
        maxLength={limits.reasonMax}
        length={values.note.length}
        {...form.textField('note')}
      />
      <p className="lead" role="status">
        {pay ? (
          <Trans>
            {formatMinutes(pay.paidMinutes)} paid:{' '}
            <b className="num">{formatMoney(workerShare(pay.amountMinor, terms), terms.currency)}</b> to you.
          </Trans>
        ) : null}{' '}
        <span className="sm mute">{t`Times are in ${zoneTown(terms.timeZone)} time.`}</span>
      </p>
      {pay && pay.amountMinor > terms.payTotalMinor ? (
        <p className="strong">
          <Trans>
            That's more than planned. If {work.business.name} doesn't reply, the planned{' '}
            {formatMoney(workerShare(terms.payTotalMinor, terms), terms.currency)} is paid and a dispute opens
            about the rest.
          </Trans>
        </p>
      ) : null}
      <HelpLink article="submit-hours">{t`How submitting hours works`}</HelpLink>
      <div className="sheet-act">
        <Button type="submit" kind="go" full busy={busy}>
          {t`Submit these hours`}
        </Button>
      </div>
    </Form>
  );
}
