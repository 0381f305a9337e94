import { Trans, useLingui } from '@lingui/react/macro';
import { applicationPath } from '@nearhand/contract/app-paths';
import { minuteMs } from '@nearhand/contract/durations';
import type { Interview, InterviewAction } from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { usePhoneText } from '../../lib/forms/phone.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, formatMinutes, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { announce, showToast } from '../../ui/overlays/toast.tsx';
import { useClashes } from './clashes.ts';
import {
  interviewPartnerName,
  isAsked,
  isOverInterview,
  joinMinutes,
  mapLink,
  modeIcons,
  movesLeftText,
} from './interview.labels.ts';
import { futureSlots } from './interview-slots.rules.ts';
import {
  useCancelInterview,
  useContestInterview,
  useKeepInterview,
  useReportInterviewNoShow,
  useRescheduleInterview,
  useSuggestInterviewTimes,
} from './interviews.api.ts';
import { OutcomeForm } from './outcome-form.tsx';
import { PickForm } from './pick-form.tsx';
import { SlotPicker } from './slot-picker.tsx';
import { useInterviewMove } from './use-interview-move.ts';

type OpenSheet = 'reschedule' | 'suggest' | 'cancel' | 'contest' | null;
type ActsProps = { interview: Interview; now: Date };

/** This side's possible actions, from the server; answering comes first. */
export function InterviewActs({ interview, now }: ActsProps) {
  const { t } = useLingui();
  const settings = useSettings();
  const keep = useKeepInterview();
  const report = useReportInterviewNoShow();
  const { run, busy, refusal } = useInterviewMove();
  const [open, setOpen] = useState<OpenSheet>(null);
  const can = (action: InterviewAction) => interview.actions.includes(action);
  const input = { interviewId: interview.id, version: interview.version };
  const name = interviewPartnerName(interview);
  const close = () => setOpen(null);
  const { status, startsAt } = interview;
  const isStanding =
    (status === 'scheduled' || status === 'reschedule_requested') && !isOverInterview(interview, now);
  const noShow = async () => {
    const sure = await showAlert({
      title: t`${name} didn't show up?`,
      message: t`It counts against their reliability. They'll be notified and have ${settings.contestHours} hours to respond.`,
      buttons: [
        { value: 'yes', label: t`Report no-show`, kind: 'bad' },
        { value: 'no', label: t`Not now` },
      ],
    });
    if (sure !== 'yes') return;
    if (await run(() => report.mutateAsync(input))) announce(t`Reported`);
  };
  const save = async () => {
    try {
      await saveStoredFile({ path: `/interviews/${interview.id}/calendar.ics`, name: 'interview.ics' });
    } catch (failure) {
      showToast(errorText(failure));
    }
  };

  return (
    <div className="interview-acts">
      <Refused text={refusal} />
      <CallAndTimes interview={interview} now={now} />
      {can('suggest') ? (
        <Button kind="out" full needsNetwork onClick={() => setOpen('suggest')}>
          {t`Suggest other times`}
        </Button>
      ) : null}
      {can('keep') && !isAsked(interview) ? (
        <RescheduleRequest
          name={name}
          busy={busy}
          onWithdraw={async () => {
            if (await run(() => keep.mutateAsync(input))) announce(t`Original time kept`);
          }}
        />
      ) : null}
      {can('complete') ? <OutcomeForm key={interview.id} interview={interview} /> : null}
      {can('contest') ? (
        <NoShowReport interview={interview} now={now} onContest={() => setOpen('contest')} />
      ) : null}
      {interview.side === 'worker' && isOverInterview(interview, now) ? (
        <>
          <p>{t`${name} decides next. Your application shows by when.`}</p>
          <ButtonLink kind="ink" full to={applicationPath(interview.applicationId)}>
            {t`See my application`}
          </ButtonLink>
        </>
      ) : null}
      {can('report-no-show') ? (
        <Button kind="out" full icon="calendar-x" busy={busy} onClick={() => void noShow()}>
          {t`${name} didn't show up`}
        </Button>
      ) : null}
      {isStanding ? (
        <Button kind="out" full icon="download-simple" onClick={() => void save()}>
          {t`Add to my calendar`}
        </Button>
      ) : null}
      {can('reschedule') ? (
        <Button kind="quiet" full icon="arrows-clockwise" needsNetwork onClick={() => setOpen('reschedule')}>
          {t`Request another time`}
        </Button>
      ) : null}
      {status === 'scheduled' && startsAt !== null && now.getTime() < Date.parse(startsAt) ? (
        <p className="sm mute">{movesLeftText(interview, now, settings)}</p>
      ) : null}
      {can('cancel') ? (
        <Button kind="text" size="s" needsNetwork onClick={() => setOpen('cancel')}>
          {t`Cancel interview`}
        </Button>
      ) : null}
      <ActSheets interview={interview} open={open} onClose={close} />
    </div>
  );
}

/** The call to join, and the times to pick from. */
function CallAndTimes({ interview, now }: ActsProps) {
  const { t } = useLingui();
  const can = (action: InterviewAction) => interview.actions.includes(action);
  const { status, startsAt, endsAt } = interview;
  const earlierSlots = interview.earlierSlots.filter((slot) => futureSlots([slot.startsAt], now).length > 0);
  const isCallTime =
    status === 'scheduled' &&
    startsAt !== null &&
    endsAt !== null &&
    now.getTime() >= Date.parse(startsAt) - joinMinutes * minuteMs &&
    now.getTime() < Date.parse(endsAt);
  return (
    <>
      {isCallTime ? <StartLink interview={interview} /> : null}
      {can('pick') && isAsked(interview) ? (
        <PickForm key={interview.version} interview={interview} now={now} />
      ) : null}
      {can('pick') && !isAsked(interview) && earlierSlots.length > 0 ? (
        <section>
          <h3 className="h-s">{t`Accept one of their times instead`}</h3>
          <PickForm key={interview.version} interview={{ ...interview, slots: earlierSlots }} now={now} />
        </section>
      ) : null}
    </>
  );
}

/** The main act of an interview about to start: joining, calling as the worker, or the way there. */
function StartLink({ interview: { mode, where, side } }: { interview: Interview }) {
  const { t } = useLingui();
  const phoneText = usePhoneText();
  if (mode !== 'video' && side === 'business') return null;
  if (mode === 'phone')
    return (
      <a className="btn go full" href={`tel:${where}`}>
        <Icon name={modeIcons.phone} />
        {t`Call ${phoneText(where)}`}
      </a>
    );
  return (
    <a
      className="btn go full"
      href={mode === 'video' ? where : mapLink(where)}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Icon name={modeIcons[mode]} />
      {mode === 'video' ? t`Join the call` : t`Directions`}
    </a>
  );
}

function RescheduleRequest({
  name,
  busy,
  onWithdraw,
}: {
  name: string;
  busy: boolean;
  onWithdraw: () => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <Banner tone="here" icon="hourglass">
        <Trans>You asked to reschedule. The original time stays until {name} replies.</Trans>
      </Banner>
      <Button kind="out" full busy={busy} onClick={onWithdraw}>
        {t`Withdraw my request`}
      </Button>
    </>
  );
}

function NoShowReport({ interview, now, onContest }: ActsProps & { onContest: () => void }) {
  const { t } = useLingui();
  const name = interviewPartnerName(interview);
  if (!interview.noShow) return null;
  return (
    <>
      <Banner tone="bad" icon="warning">
        <Trans>
          {name} reported that you didn't show up. If that's wrong, respond by{' '}
          {formatDate(interview.noShow.contestBy, interview.zones.business, now)}. The record will show both
          sides.
        </Trans>
      </Banner>
      <Button kind="go" full needsNetwork onClick={onContest}>
        {t`Contest the report`}
      </Button>
    </>
  );
}

type SheetsProps = { interview: Interview; open: OpenSheet; onClose: () => void };

function ActSheets({ interview, open, onClose }: SheetsProps) {
  const { t } = useLingui();
  const name = interviewPartnerName(interview);
  return (
    <>
      <Sheet open={open === 'reschedule'} onClose={onClose} title={t`Request another time`}>
        {open === 'reschedule' ? (
          <TimesForm
            interview={interview}
            move="reschedule"
            onDone={() => {
              onClose();
              announce(t`Request sent to ${name}`);
            }}
          />
        ) : null}
      </Sheet>
      <Sheet open={open === 'suggest'} onClose={onClose} title={t`Suggest other times`}>
        {open === 'suggest' ? (
          <TimesForm
            interview={interview}
            move="suggest"
            onDone={() => {
              onClose();
              announce(t`Times sent to ${name}`);
            }}
          />
        ) : null}
      </Sheet>
      <Sheet open={open === 'cancel'} onClose={onClose} title={t`Cancel this interview?`}>
        {open === 'cancel' ? <CancelForm interview={interview} onDone={onClose} /> : null}
      </Sheet>
      <Sheet open={open === 'contest'} onClose={onClose} title={t`Contest this report`}>
        {open === 'contest' ? <ContestForm interview={interview} onDone={onClose} /> : null}
      </Sheet>
    </>
  );
}

type FormProps = { interview: Interview; onDone: () => void };

function CancelForm({ interview, onDone }: FormProps) {
  const { t } = useLingui();
  const cancel = useCancelInterview();
  const action = useInterviewMove();
  const draft = useTextDraft(`cancel ${interview.id}`);
  const name = interviewPartnerName(interview);
  return (
    <ReasonForm
      note={{ label: t`Reason for ${name}`, max: limits.reasonMax, draft }}
      send={t`Cancel interview`}
      kind="bad"
      action={action}
      onSend={(reason) =>
        cancel.mutateAsync({ interviewId: interview.id, version: interview.version, reason })
      }
      onDone={() => {
        onDone();
        announce(t`Interview cancelled. ${name} has been notified.`);
      }}
    >
      <p>
        {interview.side === 'worker' ? (
          <Trans>You'll stay shortlisted. They may propose other times.</Trans>
        ) : (
          <Trans>The applicant goes back to your shortlist. You can propose new times later.</Trans>
        )}
      </p>
    </ReasonForm>
  );
}

function ContestForm({ interview, onDone }: FormProps) {
  const { t } = useLingui();
  const contest = useContestInterview();
  const action = useInterviewMove();
  const draft = useTextDraft(`contest ${interview.id}`);
  return (
    <ReasonForm
      note={{
        label: t`What happened`,
        max: limits.reasonMax,
        missing: t`Add a short explanation.`,
        draft,
      }}
      send={t`Contest the report`}
      action={action}
      onSend={(note) => contest.mutateAsync({ interviewId: interview.id, version: interview.version, note })}
      onDone={() => {
        onDone();
        announce(t`Your response was added to the report`);
      }}
    >
      <p>
        <Trans>Tell us when you were there and how you tried to reach them.</Trans>
      </p>
    </ReasonForm>
  );
}

type Draft = { slots: string[]; reason: string };

const isDraft = (value: unknown): value is Draft => {
  const draft = value as Partial<Draft> | null;
  return (
    typeof draft === 'object' &&
    draft !== null &&
    typeof draft.reason === 'string' &&
    Array.isArray(draft.slots) &&
    draft.slots.every((slot) => typeof slot === 'string' && !Number.isNaN(Date.parse(slot)))
  );
};

/** Other times for an interview: to move a scheduled one or replace the proposed times. For either side. */
export function TimesForm({ interview, move, onDone }: FormProps & { move: 'reschedule' | 'suggest' }) {
  const { t } = useLingui();
  const settings = useSettings();
  const now = useNow();
  const reschedule = useRescheduleInterview();
  const suggest = useSuggestInterviewTimes();
  const clashOf = useClashes({ ...interview, businessId: interview.business.id }, now);
  const { run, busy, refusal } = useInterviewMove();
  const draft = useDeviceDraft<Draft>(
    `interview-move:${interview.id}`,
    () => ({ slots: [], reason: '' }),
    isDraft,
  );
  const form = useFormModel<Draft>({
    focusProblems: true,
    draft,
    check: ({ slots: proposed, reason: note }) => {
      const long = tooLong(note, limits.reasonMax);
      return {
        slots: futureSlots(proposed, now).length === 0 ? t`Choose a time and press Add.` : undefined,
        reason: long,
      };
    },
  });
  const { reason } = form.values;
  const slots = futureSlots(form.values.slots, now);
  const name = interviewPartnerName(interview);
  const isSuggesting = move === 'suggest';
  const replyLead = formatMinutes(hiringLimits.interviewReplyLeadHours * 60);
  const send = async () => {
    const { id: interviewId, version } = interview;
    const input = { interviewId, version, slots };
    const text = reason.trim();
    const isDone = await run(() =>
      isSuggesting
        ? suggest.mutateAsync({ ...input, note: text, timeZone: ownTimeZone() })
        : reschedule.mutateAsync({ ...input, reason: text }),
    );
    if (!isDone) return;
    draft.drop();
    onDone();
  };
  return (
    <Form className="interview-form" onSubmit={() => void form.submit(send)}>
      {isSuggesting ? (
        <p>
          <Trans>
            {name} can pick one of your times or suggest others. They have {settings.interviewAnswerHours}{' '}
            hours, or until {replyLead} before your last time if that’s sooner.
          </Trans>
        </p>
      ) : (
        <p>
          {t`${name} can pick one of your times or keep the original. The original time stays until then.`}{' '}
          {movesLeftText(interview, now, settings)}
        </p>
      )}
      <SlotPicker
        legend={isSuggesting ? t`Times that suit you` : t`Proposed times`}
        slots={slots}
        onChange={(next) => form.change({ slots: next })}
        timeZone={interview.zones.business}
        now={now}
        workStartsAt={interview.workStartsAt}
        {...(isSuggesting
          ? {
              standing: interview.slots.map(({ startsAt }) => startsAt),
              standingText: t`${name} already proposed that time. Pick it instead.`,
            }
          : { standing: interview.startsAt ? [interview.startsAt] : [] })}
        clashOf={clashOf}
        id={form.idOf('slots')}
        error={form.problems.slots}
      />
      <TextArea
        label={isSuggesting ? t`Message` : t`Reason for ${name}`}
        optional
        rows={3}
        maxLength={limits.reasonMax}
        length={reason.length}
        value={reason}
        id={form.idOf('reason')}
        error={form.problems.reason}
        onChange={(event) => form.change({ reason: event.target.value })}
      />
      {isSuggesting ? null : <HelpLink article="reschedule-interview">{t`How rescheduling works`}</HelpLink>}
      <Refused text={refusal} />
      <div className="sheet-act">
        <Button type="submit" kind="go" full busy={busy}>
          {isSuggesting ? t`Suggest these times` : t`Ask to reschedule`}
        </Button>
      </div>
    </Form>
  );
}
