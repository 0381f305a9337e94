import { plural, t as tr } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { hourMs } from '@nearhand/contract/durations';
import { interviewAnswerBy } from '@nearhand/contract/hiring/decide-by.rules';
import type { InterviewMode } from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { limits } from '@nearhand/contract/limits';
import { plainPhone } from '@nearhand/contract/people/contact.rules';
import type { Point } from '@nearhand/contract/people/places';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { phoneProblem } from '../../lib/forms/phone.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, formatMinutes, joined } from '../../lib/words/format.ts';
import { PhoneInput } from '../../people/profiles/phone-input.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Refusal } from '../../ui/controls/refusal.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useApplicant } from '../applicants/applicants.api.ts';
import { useJob } from '../jobs/jobs.api.ts';
import { useClashes } from './clashes.ts';
import { modes, modeText } from './interview.labels.ts';
import { filledSlots, futureSlots, slotsOfPerson } from './interview-slots.rules.ts';
import { useProposeInterview } from './interviews.api.ts';
import { SlotPicker } from './slot-picker.tsx';
import './interviews.css';

type ProposeInterviewProps = {
  applicationId: string;
  /** Several applicants for the same job, including `applicationId`. Each gets separate times. */
  recipients?: readonly { applicationId: string; name: string }[];
  /** Called with the names of those whose invitation was refused, because they were moved in the meantime. */
  onDone: (refusedNames: readonly string[]) => void;
  onClose: () => void;
};

export function ProposeInterview(props: ProposeInterviewProps) {
  const { t } = useLingui();
  const applicant = useApplicant(props.applicationId);
  const job = useJob(applicant.data?.jobId ?? '');
  // The zone of all times is unknown until the job has loaded.
  const query = applicant.data ? job : { ...job, ...applicant, data: undefined };
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't open the form`}>
      {(data) => (
        <ProposeForm
          {...props}
          timeZone={data.timeZone}
          begins={data.startsAt}
          decideBy={applicant.data?.decideBy ?? null}
          shiftsApplied={applicant.data?.shiftsApplied ?? 1}
          place={data.member?.address || data.place.label}
          privatePlace={data.member?.privateAddress === true}
          near={data.place}
          businessId={data.business.id}
        />
      )}
    </QueryState>
  );
}

type Draft = { mode: InterviewMode; where: string; minutes: number; slots: string[]; message: string };

const emptyDraft = (): Draft => ({ mode: 'video', where: '', minutes: 30, slots: [], message: '' });

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  return (
    typeof draft === 'object' &&
    draft !== null &&
    modes.includes(draft.mode as InterviewMode) &&
    typeof draft.where === 'string' &&
    typeof draft.minutes === 'number' &&
    typeof draft.message === 'string' &&
    Array.isArray(draft.slots) &&
    draft.slots.every((slot) => typeof slot === 'string' && !Number.isNaN(Date.parse(slot)))
  );
}

const lengths = [15, 30, 45, 60];

/** Deadlines for answering that are closer are warned of. */
const shortAnswerMs = 12 * hourMs;

type ProposeFormProps = ProposeInterviewProps & {
  timeZone: string;
  begins: string | null;
  decideBy: string | null;
  /** The shifts of the series that the worker applied for. */
  shiftsApplied: number;
  place: string | undefined;
  privatePlace: boolean;
  near: Point;
  businessId: string;
};

function ProposeForm(props: ProposeFormProps) {
  const { timeZone, shiftsApplied, place, privatePlace, near, onClose } = props;
  const { t } = useLingui();
  const now = useNow();
  const proposal = useProposal(props, now);
  const { form, people, waiting, slots, send, error, busy } = proposal;
  const { mode, where, minutes, message } = form.values;
  const { change, problems, idOf } = form;
  return (
    <Form className="interview-form" onSubmit={() => void form.submit(send)}>
      <PeopleNote people={people} shiftsApplied={shiftsApplied} />
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
        near={near}
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
      <ProposedTimes {...props} proposal={proposal} now={now} />
      <TextArea
        label={t`Message`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={message.length}
        {...form.textField('message')}
      />
      <AnswerDeadlines
        people={waiting.map(({ applicationId, name }, person) => ({
          id: applicationId,
          name: people > 1 ? name : null,
          slots: slotsOfPerson(slots, person, people),
        }))}
        timeZone={timeZone}
        now={now}
      />
      {error && !problems.where ? (
        <Refusal>
          <Banner tone="bad" icon="warning-circle" live>
            {errorText(error)}
          </Banner>
        </Refusal>
      ) : null}
      <div className="row g2 sheet-act">
        <Button kind="quiet" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={busy}>
          {proposeLabel(people, slots.length)}
        </Button>
      </div>
    </Form>
  );
}

/** Several people need a time each. */
function proposeLabel(people: number, slotCount: number): string {
  if (people > 1 && slotCount < people)
    return plural(people - slotCount, { one: 'Add # more time', other: 'Add # more times' });
  if (slotCount === 0) return tr`Propose times`;
  return slotCount === 1 ? tr`Propose this time` : tr`Propose ${slotCount} times`;
}

function PeopleNote({ people, shiftsApplied }: { people: number; shiftsApplied: number }) {
  const { t } = useLingui();
  return (
    <>
      {people > 1 ? (
        <Banner icon="users">
          <p className="strong">
            <Plural value={people} one="# time is needed" other="# times are needed" />
          </p>
          <p>{t`Everyone gets a time of their own, so no two people can pick the same one.`}</p>
        </Banner>
      ) : null}
      {people === 1 && shiftsApplied > 1 ? (
        <Banner icon="info">
          <p>{t`One interview covers all shifts of the series that they applied for.`}</p>
        </Banner>
      ) : null}
    </>
  );
}

function ProposedTimes({
  proposal: { form, slots, sentSlots, slotsMax, fill, clashOf },
  now,
  timeZone,
  begins,
  decideBy,
}: Pick<ProposeFormProps, 'timeZone' | 'begins' | 'decideBy'> & {
  proposal: ReturnType<typeof useProposal>;
  now: Date;
}) {
  const { t } = useLingui();
  const { change, problems, idOf } = form;
  return (
    <>
      <SlotPicker
        legend={t`Proposed times`}
        slots={slots}
        onChange={(next) => change({ slots: next })}
        timeZone={timeZone}
        now={now}
        workStartsAt={begins}
        decideBy={decideBy}
        standing={sentSlots}
        standingText={t`Someone was already sent that time.`}
        max={slotsMax}
        clashOf={clashOf}
        id={idOf('slots')}
        error={problems.slots}
      />
      {fill.length > slots.length ? (
        <div>
          <Button kind="out" size="s" icon="plus" onClick={() => change({ slots: fill })}>
            {t`${plural(fill.length - slots.length, { one: 'Add # time after the last', other: 'Add # times after the last, one after another' })}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The proposal to the people who have none yet, each with times of their own. `send` stops at the first error. */
function useProposal(props: ProposeFormProps, now: Date) {
  const { applicationId, timeZone, begins, decideBy, privatePlace, businessId, onDone } = props;
  const { recipients = [{ applicationId, name: null }] } = props;
  const { t } = useLingui();
  const [sent, setSent] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const sentSlots = [...sent.values()].flat();
  const waiting = recipients.filter((recipient) => !sent.has(recipient.applicationId));
  const people = waiting.length;
  const draft = useDeviceDraft<Draft>(`interview:${applicationId}`, emptyDraft, isDraft);
  const propose = useProposeInterview();
  const form = useFormModel<Draft>({
    focusProblems: true,
    draft,
    check: ({ mode, where, slots, message }) => {
      const wrongWhere = whereProblem(mode, where, privatePlace) ?? undefined;
      const long = tooLong(message, limits.messageMax);
      return {
        where: wrongWhere,
        slots:
          futureSlots(slots, now).length === 0
            ? t`Choose a time and press Add.`
            : futureSlots(slots, now).length < people
              ? t`Add ${people} times or more: everyone gets one of their own.`
              : undefined,
        message: long,
      };
    },
  });
  const { mode, where, minutes, message } = form.values;
  // A stored time may have passed in the meantime.
  const slots = futureSlots(form.values.slots, now);
  const clashOf = useClashes({ id: null, side: 'business', status: 'proposed', minutes, businessId }, now);
  const slotsMax = people * hiringLimits.interviewSlotsMax;
  const fill =
    people > 1
      ? filledSlots(slots, people, { minutes, timeZone }, now, {
          standing: sentSlots,
          workStartsAt: begins,
          decideBy,
          max: slotsMax,
          isTaken: (at) => clashOf(at) !== null,
        })
      : [];

  const send = async () => {
    const sentPlace = whereSent(mode, where);
    const proposal = { mode, minutes, message, where: sentPlace };
    const refusedNames: string[] = [];
    const sentNow = new Map(sent);
    for (const [person, recipient] of waiting.entries()) {
      const ownSlots = slotsOfPerson(slots, person, people);
      try {
        await propose.mutateAsync({
          applicationId: recipient.applicationId,
          slots: ownSlots,
          ...proposal,
        });
        sentNow.set(recipient.applicationId, ownSlots);
      } catch (error) {
        if (
          recipient.name === null ||
          !isApiError(error, 'application/wrong-state', 'interview/already-open')
        ) {
          if (isApiError(error, 'interview/where-missing', 'interview/where-invalid'))
            form.refuse({ fields: { where: errorText(error) } });
          // The form stays open with the error, for the remaining people and times.
          setSent(sentNow);
          const proposedTimes = [...sentNow.values()].flat();
          form.change({ slots: slots.filter((slot) => !proposedTimes.includes(slot)) });
          return;
        }
        refusedNames.push(recipient.name);
      }
    }
    draft.drop();
    onDone(refusedNames);
  };
  const { error, isPending: busy } = propose;
  return { form, people, waiting, slots, sentSlots, slotsMax, fill, clashOf, send, error, busy };
}

type AnswerDeadlinesProps = {
  /** A name is null where only one person is invited. */
  people: readonly { id: string; name: string | null; slots: readonly string[] }[];
  timeZone: string;
  now: Date;
};

/** The times that each person gets, and the deadline for answering them. */
function AnswerDeadlines({ people, timeZone, now }: AnswerDeadlinesProps) {
  const { t } = useLingui();
  const { interviewAnswerHours } = useSettings();
  const replyLead = formatMinutes(hiringLimits.interviewReplyLeadHours * 60);
  const rows = people.map((person) => {
    const last = person.slots.at(-1);
    const by = last ? interviewAnswerBy(now, interviewAnswerHours, new Date(last), timeZone) : null;
    return { ...person, by, byText: by ? formatDate(by.toISOString(), timeZone, now) : '' };
  });
  const isShort = rows.some(({ by }) => by !== null && by.getTime() - now.getTime() < shortAnswerMs);
  const timesText = (times: readonly string[]) =>
    joined(...times.map((slot) => formatDate(slot, timeZone, now)));
  if (rows.every(({ by }) => by === null))
    return (
      <p className="sm mute">
        <Trans>
          They have {interviewAnswerHours} hours to answer, or until {replyLead} before the last proposed time
          if that’s sooner.
        </Trans>
      </p>
    );
  return (
    <>
      <ul className="slot-list">
        {rows.map(({ id, name, slots, byText }) => (
          <li key={id} className="slot-row">
            <span>
              {name === null ? null : (
                <span className="mid block">
                  <bdi>{name}</bdi>
                </span>
              )}
              {name !== null && slots.length > 0 ? (
                <span className="sm num block">{timesText(slots)}</span>
              ) : null}
              <span className="sm mute num block">
                {slots.length === 0
                  ? t`No time yet`
                  : slots.length > 1
                    ? t`Picks one by ${byText}`
                    : t`Accepts or declines by ${byText}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {isShort ? (
        <Banner tone="wait" icon="hourglass">
          {t`That leaves less than half a day to answer. Choose later times if you can: without an answer, the times expire.`}
        </Banner>
      ) : null}
    </>
  );
}

/** The problem of an interview place. A private job's place is never used: it may be a home address (ADR 36). */
export function whereProblem(mode: InterviewMode, where: string, privatePlace: boolean): string | null {
  const trimmed = where.trim();
  if (mode === 'in_person') return trimmed === '' && privatePlace ? tr`Enter where you'll meet.` : null;
  if (mode === 'phone') {
    if (trimmed === '') return tr`Enter the number you'll call or want to be called on.`;
    return phoneProblem(trimmed);
  }
  if (trimmed === '') return tr`Paste the meeting link.`;
  const link = URL.canParse(trimmed) ? new URL(trimmed) : null;
  return link?.protocol === 'https:' && link.username === '' && link.password === ''
    ? null
    : tr`Paste a link that starts with https.`;
}

export function whereSent(mode: InterviewMode, where: string): string | undefined {
  const trimmed = where.trim();
  if (mode === 'phone') return plainPhone(trimmed);
  return trimmed === '' ? undefined : trimmed;
}

type WhereFieldProps = {
  id: string;
  mode: InterviewMode;
  value: string;
  place: string | undefined;
  privatePlace: boolean;
  near: Point;
  error?: string;
  onChange: (where: string) => void;
};

function WhereField({ id, mode, value, place, privatePlace, near, error, onChange }: WhereFieldProps) {
  const { t } = useLingui();
  const shared = {
    id,
    value,
    error,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (mode === 'in_person')
    return (
      <TextInput
        {...shared}
        label={t`Where`}
        optional={!privatePlace}
        icon="map-pin"
        autoComplete="street-address"
        placeholder={privatePlace ? undefined : place}
        help={
          privatePlace
            ? t`The job's address is private until you make an offer. Choose another place to meet.`
            : t`Leave empty to use the job's address.`
        }
        maxLength={hiringLimits.interviewWhereMax}
      />
    );
  if (mode === 'phone')
    return (
      <PhoneInput
        {...shared}
        onChange={onChange}
        near={near}
        label={t`Phone number`}
        icon="phone"
        help={t`The applicant sees it and calls you at the agreed time.`}
      />
    );
  return (
    <TextInput
      {...shared}
      label={t`Meeting link`}
      icon="link"
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder="https://"
      help={t`From your video call app.`}
      maxLength={hiringLimits.interviewWhereMax}
    />
  );
}
