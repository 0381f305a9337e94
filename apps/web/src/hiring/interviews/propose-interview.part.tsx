import { Trans, useLingui } from '@lingui/react/macro';
import type { InterviewMode } from '@nearhand/contract/hiring/interviews';
import { limits } from '@nearhand/contract/limits';
import { errorText } from '../../lib/api/error-text.ts';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatAgo, formatMinutes } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Refusal } from '../../ui/controls/refusal.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useApplicant } from '../applicants/applicants.api.ts';
import { useJob } from '../jobs/jobs.api.ts';
import { aheadOf } from './interview-slots.rules.ts';
import { modes, modeText } from './interview-words.ts';
import { useProposeInterview } from './interviews.api.ts';
import './interviews.css';
import { SlotPicker } from './slot-picker.tsx';
import { WhereField, whereProblem, whereSent } from './where-field.tsx';

type ProposeInterviewProps = { applicationId: string; onDone: () => void; onClose: () => void };

/** The form to propose an interview: the content of a sheet, with its own button. */
export function ProposeInterview(props: ProposeInterviewProps) {
  const { t } = useLingui();
  const applicant = useApplicant(props.applicationId);
  const job = useJob(applicant.data?.jobId ?? '');
  // Without its job the zone of all times is unknown.
  const query = applicant.data ? job : { ...job, ...applicant, data: undefined };
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle={t`We couldn't open the form`}
      describe={errorText}
      asOf={formatAgo}
    >
      {(data) => (
        <ProposeForm
          {...props}
          timeZone={data.timeZone}
          begins={data.startsAt}
          place={data.member?.address || data.place.label}
          privatePlace={data.member?.privateAddress === true}
        />
      )}
    </QueryState>
  );
}

type Draft = { mode: InterviewMode; where: string; minutes: number; slots: string[]; message: string };

const emptyDraft = (): Draft => ({ mode: 'video', where: '', minutes: 30, slots: [], message: '' });

function isDraft(value: unknown): value is Draft {
  const one = value as Partial<Draft> | null;
  return (
    typeof one === 'object' &&
    one !== null &&
    modes.includes(one.mode as InterviewMode) &&
    typeof one.where === 'string' &&
    typeof one.minutes === 'number' &&
    typeof one.message === 'string' &&
    Array.isArray(one.slots) &&
    one.slots.every((slot) => typeof slot === 'string' && !Number.isNaN(Date.parse(slot)))
  );
}

const lengths = [15, 30, 45, 60];

type ProposeFormProps = ProposeInterviewProps & {
  timeZone: string;
  /** When the work begins; null for a task. */
  begins: string | null;
  place: string | undefined;
  privatePlace: boolean;
};

function ProposeForm(props: ProposeFormProps) {
  const { applicationId, timeZone, begins, place, privatePlace, onDone, onClose } = props;
  const { t } = useLingui();
  const { interviewAnswerHours } = useSettings();
  const now = useNow();
  const draft = useDeviceDraft<Draft>(`interview:${applicationId}`, emptyDraft, isDraft);
  const propose = useProposeInterview();
  const form = useFormModel<Draft>({
    focusProblems: true,
    draft,
    check: ({ mode, where, slots, message }) => {
      const wrongWhere = whereProblem(mode, where, privatePlace);
      const long = tooLong(message, limits.messageMax);
      return {
        ...(wrongWhere ? { where: wrongWhere } : {}),
        ...(aheadOf(slots, now).length === 0 ? { slots: t`Choose a time and press Add.` } : {}),
        ...(long ? { message: long } : {}),
      };
    },
  });
  const { mode, where, minutes, message } = form.values;
  const { change, problems, idOf } = form;
  // A kept time may have passed in the meantime.
  const slots = aheadOf(form.values.slots, now);

  const send = async () => {
    const sent = whereSent(mode, where);
    const done = await propose
      .mutateAsync({ applicationId, mode, minutes, slots, message, ...(sent ? { where: sent } : {}) })
      .catch(() => null);
    if (!done) return;
    draft.drop();
    onDone();
  };

  return (
    <Form className="interview-form" onSubmit={() => void form.submit(send)}>
      <Segmented
        label={t`Interview type`}
        value={mode}
        onChange={(next) => change({ mode: next, where: '' })}
        options={modes.map((value) => ({ value, label: modeText(value) }))}
      />
      <WhereField
        key={mode}
        mode={mode}
        value={where}
        place={place}
        privatePlace={privatePlace}
        id={idOf('where')}
        error={problems.where}
        onChange={(next) => change({ where: next })}
      />
      <div>
        <p className="flabel" aria-hidden="true">{t`Duration`}</p>
        <Chips label={t`Duration`} wrap>
          {lengths.map((length) => (
            <Chip key={length} pressed={minutes === length} onClick={() => change({ minutes: length })}>
              {formatMinutes(length)}
            </Chip>
          ))}
        </Chips>
      </div>
      <SlotPicker
        slots={slots}
        onChange={(next) => change({ slots: next })}
        timeZone={timeZone}
        now={now}
        begins={begins}
        id={idOf('slots')}
        error={problems.slots}
      />
      <TextArea
        label={t`Message`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={message.length}
        value={message}
        id={idOf('message')}
        error={problems.message}
        onChange={(event) => change({ message: event.target.value })}
      />
      <p className="sm mute">
        <Trans>
          They have {interviewAnswerHours} hours to pick one, or until your last proposed time if that's
          sooner.
        </Trans>
      </p>
      {propose.error ? (
        <Refusal>
          <Banner tone="bad" icon="warning-circle" live>
            {errorText(propose.error)}
          </Banner>
        </Refusal>
      ) : null}
      <div className="row g2 sheet-act">
        <Button kind="quiet" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={propose.isPending}>
          {slots.length === 1
            ? t`Propose this time`
            : slots.length > 1
              ? t`Propose ${slots.length} times`
              : t`Propose times`}
        </Button>
      </div>
    </Form>
  );
}
