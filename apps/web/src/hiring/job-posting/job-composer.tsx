import { useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { storeDraft, useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { onFirstClick } from '../../lib/forms/guard-double-click.ts';
import { shortBy } from '../../lib/forms/short-by.ts';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { plainTime } from '../../lib/words/zoned-time.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, EnterSubmits } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Steps } from '../../ui/steps.tsx';
import { FromTemplate } from '../job-templates/from-template.tsx';
import { acceptDoubts, jobDoubts, sameShiftDoubts } from '../jobs/job-doubts.ts';
import { usePublishJob } from '../jobs/jobs.api.ts';
import { otherDays } from './also-on.tsx';
import { type SaveState, settingOf, useJobAutosave } from './job-autosave.ts';
import { emptyJobDraft, isStoredJobDraft, jobDraftKey, storedJobOf } from './job-draft-start.ts';
import { type JobFieldsProps, JobKindField, JobWhatFields, JobWhereFields } from './job-fields.tsx';
import {
  doubtedTermsOf,
  errorsOfStep,
  type JobErrors,
  type JobField,
  type JobForm,
  type JobStep,
  jobErrors,
  jobStepIds,
  jobSteps,
} from './job-form.rules.ts';
import { pastErrors } from './job-past.rules.ts';
import { JobPreview } from './job-preview.tsx';
import { JobPublishStep } from './job-publish-step.tsx';
import { fieldsOfSeriesRefusal, JobRefusal } from './job-refusal.tsx';
import { jobFieldText, jobStepTexts, stepSummary } from './job-step.labels.ts';
import { JobTimeFields } from './job-time-fields.tsx';
import { JobWhoFields } from './job-who-fields.tsx';

type JobComposerProps = {
  business: Business;
  start: Job | null;
  /** The day of a new job. */
  day?: string | null;
  askedFor: boolean;
  onDone: () => void;
};

export function JobComposer(props: JobComposerProps) {
  const { business, askedFor } = props;
  const { t } = useLingui();
  const composer = useComposer(props);
  const { form, step, at, autosave, setting, go, forward, keep } = composer;
  const heading = useStepFocus(step);
  useBackThroughSteps(at, () => go(jobStepIds[at - 1] ?? 'what'));
  const fields = {
    form: form.values,
    onChange: composer.change,
    errors: { ...pastErrors(form.values, setting), ...form.problems },
    idOf: form.idOf,
    business,
    setting,
    alsoOn: {
      days: composer.alsoOn,
      chosen: composer.chosenDays,
      onChange: composer.changeAlsoOn,
      block: { isChosen: composer.asBlock, onChange: composer.changeAsBlock },
      draftId: autosave.job?.id,
    },
  };
  const preview = {
    form: form.values,
    setting,
    business,
    job: autosave.job,
    shifts: composer.alsoOn.length + 1,
    asBlock: composer.asBlock,
  };
  return (
    <Screen
      title={t`Create job`}
      heading={null}
      back={{ close: '/tabs/menu/jobs' }}
      width="full"
      bar={
        <span className={form.values.title.trim() ? 't h-m clip' : 't h-m'} dir="auto">
          {form.values.title.trim() || (autosave.job ? t`Job draft` : t`Create job`)}
        </span>
      }
      actions={
        <>
          <SaveNote state={autosave.state} onRetry={() => void autosave.flush().catch(() => undefined)} />
          <Button kind="quiet" size="s" onClick={() => void keep()}>
            {t`Save draft`}
          </Button>
        </>
      }
      dock={
        <>
          {at > 0 ? (
            <Button kind="quiet" onClick={() => go(jobStepIds[at - 1] ?? 'what')}>
              {t`Back`}
            </Button>
          ) : null}
          <span className="grow sm mute right composer-next">
            {at < jobStepIds.length - 1 ? jobStepTexts(jobStepIds[at + 1] ?? 'publish').next : null}
          </span>
          <Button
            kind="go"
            busy={form.busy}
            needsNetwork={step === 'publish'}
            onClick={onFirstClick(forward)}
          >
            {step !== 'publish'
              ? t`Continue`
              : composer.alsoOn.length === 0
                ? t`Publish job`
                : t`Publish ${composer.alsoOn.length + 1} shifts`}
          </Button>
        </>
      }
    >
      <div className="composer">
        <JobStepList {...fields} step={step} problems={form.problems} onStep={go} />
        <div className="composer-form">
          <div className="composer-steps">
            <Steps now={at + 1} total={jobStepIds.length} />
            <p className="xs mute mt2">
              {t`Step ${at + 1} of ${jobStepIds.length}`} · {jobStepTexts(step).name}
            </p>
          </div>
          <h1 className="h-l" tabIndex={-1} ref={heading}>
            {jobStepTexts(step).question}
          </h1>
          {/* Outside the form, because the sheet of templates contains another form. */}
          {step === 'what' && autosave.job === null && form.values.title === '' ? (
            <div className="mt5">
              <FromTemplate business={business} onPosted={composer.leaveForList} />
            </div>
          ) : null}
          <Form onSubmit={() => forward()}>
            <StepContent composer={composer} fields={fields} preview={preview} askedFor={askedFor} />
            <EnterSubmits needsNetwork={step === 'publish'} />
          </Form>
        </div>
        <aside className="composer-aside">
          <JobPreview {...preview} />
        </aside>
      </div>
    </Screen>
  );
}

function useComposer({ business, start, day = null, askedFor, onDone }: JobComposerProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const draft = useDeviceDraft(
    jobDraftKey(business.id, askedFor && start ? start.id : null),
    () => (start ? storedJobOf(start, business) : emptyJobDraft(business, day ?? '')),
    isStoredJobDraft,
  );
  const { step } = draft.value;
  const autosave = useJobAutosave({
    business,
    form: draft.value.form,
    start,
    onMade: (jobId) => draft.set((before) => ({ ...before, jobId })),
    onMerged: (merged) => {
      draft.set((before) => ({ ...before, form: merged }));
      showToast(t`Someone on your team also edited this draft. We merged your changes.`);
    },
  });
  const setting = settingOf(business, autosave.job);
  const form = useFormModel<JobForm, JobField>({
    check: (typed) => ({ ...pastErrors(typed, setting), ...jobErrors(typed, setting) }),
    draft: {
      value: draft.value.form,
      set: (next) => draft.set((before) => ({ ...before, form: next })),
    },
  });
  const alsoOn = otherDays(draft.value.form, draft.value.alsoOn, setting);
  const asBlock = draft.value.asBlock === true && alsoOn.length > 0;
  const at = jobStepIds.indexOf(step);

  const go = (next: JobStep) => draft.set((before) => ({ ...before, step: next }));
  /**
   * Call it before awaiting the response; the returned function navigates only if the person is still on this
   * page.
   */
  const leaver = () => {
    const page = globalThis.location.pathname;
    return (path: string) => {
      draft.drop();
      if (globalThis.location.pathname === page) navigate(path, replaceBack);
      onDone();
    };
  };

  const publishing = usePublishing({ business, form, autosave, setting, alsoOn, asBlock, go, leaver });

  const change = (part: Partial<JobForm>) => {
    form.change(part);
    form.clearRefusal();
    publishing.clearRefusal();
  };

  const changeAlsoOn = (days: string[]) => {
    draft.set((before) => ({ ...before, alsoOn: days }));
    form.clearRefusal();
    publishing.clearRefusal();
  };

  const forward = () => {
    if (step === 'publish') return void publishing.send();
    if (!form.verify(jobSteps[step])) return;
    void autosave.flush().catch(() => undefined);
    go(jobStepIds[at + 1] ?? 'publish');
  };

  const keep = async () => {
    const leave = leaver();
    try {
      const job = await autosave.flush();
      if (!job) {
        showToast(t`Add a title and a category to save the draft.`);
        return go('what');
      }
      showToast(t`Draft saved`);
      leave('/listed-job?status=draft');
      // The server's draft has no other days: they stay on this device, and are restored when it is reopened.
      if (alsoOn.length > 0)
        storeDraft(jobDraftKey(business.id, job.id), {
          ...storedJobOf(job, business),
          alsoOn,
          asBlock,
        });
    } catch {
      // The note next to the button gives the reason, and the device has stored everything.
    }
  };

  return {
    form,
    step,
    at,
    autosave,
    setting,
    alsoOn,
    chosenDays: draft.value.alsoOn,
    changeAlsoOn,
    asBlock,
    changeAsBlock: (isChosen: boolean) => draft.set((before) => ({ ...before, asBlock: isChosen })),
    refused: publishing.refused,
    change,
    go,
    forward,
    send: publishing.send,
    keep,
    leaveForList: () => leaver()('/listed-job'),
    restored: draft.restored,
  };
}

type Publishing = {
  business: Business;
  form: ReturnType<typeof useFormModel<JobForm, JobField>>;
  autosave: ReturnType<typeof useJobAutosave>;
  setting: ReturnType<typeof settingOf>;
  alsoOn: string[];
  asBlock: boolean;
  go: (step: JobStep) => void;
  leaver: () => (path: string) => void;
};

/** Publishing of the composed job, with the doubts to accept first and the refusal to show. */
function usePublishing({ business, form, autosave, setting, alsoOn, asBlock, go, leaver }: Publishing) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const publish = usePublishJob();
  const [refused, setRefused] = useState<unknown>(null);

  const goToFirst = (problems: JobErrors) => {
    const first = jobStepIds.find((stepId) => errorsOfStep(stepId, problems).length > 0);
    if (first) go(first);
  };
  const publishDoubts = async () => {
    const { kind, title, branchId, day, from, to } = form.values;
    const hours = { title, branchId: branchId || null, from: plainTime(from), to: plainTime(to) };
    const termDoubts = jobDoubts(doubtedTermsOf(form.values, setting), setting.now);
    return kind === 'shift'
      ? [...termDoubts, ...(await sameShiftDoubts(business.id, hours, [day, ...alsoOn], autosave.job?.id))]
      : termDoubts;
  };
  const showPublished = (job: { id: string; title: string }, isInReview: boolean) => {
    if (isInReview) return showToast(t`We're checking ${job.title} before workers see it`);
    showToast(
      alsoOn.length > 0 ? t`${job.title} published on ${alsoOn.length + 1} days` : t`${job.title} published`,
      { label: t`Invite workers`, run: () => navigate(`/find-workers?job=${job.id}`) },
    );
  };
  const send = () =>
    form.submit(async () => {
      setRefused(null);
      const leave = leaver();
      try {
        const doubts = await publishDoubts();
        if (!(await acceptDoubts(doubts, t`Publish as it is`))) return go('time');
        const job = await autosave.flush();
        if (!job) return go('what');
        const { status } = await publish.mutateAsync({
          jobId: job.id,
          alsoOn: alsoOn.length > 0 ? alsoOn : undefined,
          asBlock: asBlock || undefined,
        });
        const isInReview = status === 'in_review';
        showPublished(job, isInReview);
        leave(isInReview ? `/edit-job/${job.id}` : '/listed-job');
      } catch (error) {
        const fields = fieldsOfSeriesRefusal(
          error,
          alsoOn,
          (field) => t`Check this: ${jobFieldText(field)}.`,
        );
        setRefused(Object.keys(fields).length > 0 ? null : error);
        form.refuse({ fields });
        goToFirst(fields);
      }
    }, goToFirst);

  return { send, refused, clearRefusal: () => setRefused(null) };
}

function StepContent({
  composer,
  fields,
  preview,
  askedFor,
}: {
  composer: ReturnType<typeof useComposer>;
  fields: JobFieldsProps;
  preview: ComponentProps<typeof JobPreview>;
  askedFor: boolean;
}) {
  const { t } = useLingui();
  const { form, step, refused, go, send } = composer;
  return (
    <div className="form-fields mt5">
      {composer.restored && askedFor && step === 'what' ? (
        <Banner tone="here" icon="note-pencil">
          {t`We saved what you typed.`}
        </Banner>
      ) : null}
      <ErrorSummary
        key={`${step}${form.tries}`}
        errors={errorsOfStep(step, form.problems).map(({ field, text }) => ({
          id: fields.idOf(field),
          text,
        }))}
      />
      <JobRefusal
        error={refused}
        isStored
        businessId={fields.business.id}
        again={{ label: (amount) => t`Add ${amount} and publish`, run: () => void send() }}
      />
      {step === 'what' ? (
        <>
          <JobKindField {...fields} />
          <JobWhatFields {...fields} />
        </>
      ) : null}
      {step === 'where' ? <JobWhereFields {...fields} /> : null}
      {step === 'time' ? <JobTimeFields {...fields} /> : null}
      {step === 'who' ? <JobWhoFields {...fields} /> : null}
      {step === 'publish' ? (
        <JobPublishStep
          {...fields}
          missing={form.missing}
          onStep={go}
          isShort={shortBy(refused) !== null}
          preview={preview}
        />
      ) : null}
    </div>
  );
}

/** Back goes to the step before. Each step is a separate layer: after one is closed, the others stay. */
function useBackThroughSteps(at: number, onBack: () => void): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: the number of steps never changes.
  for (const index of jobStepIds.keys()) useBackButton(at > index, onBack);
}

function useStepFocus(step: JobStep) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('main')?.scrollTo(0, 0);
  }, [step]);
  return heading;
}

function SaveNote({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const { t } = useLingui();
  if (state.kind === 'empty') return null;
  if (state.kind === 'failed') {
    return (
      <button type="button" className="save-note danger" onClick={onRetry} title={errorText(state.error)}>
        <Icon name="warning-circle" />
        <span>{t`Not saved. Try again`}</span>
      </button>
    );
  }
  const words = {
    device: t`Saved on this device`,
    saving: t`Saving`,
    saved: state.kind === 'saved' ? t`Draft saved ${formatTime(state.at, ownTimeZone())}` : '',
    offline: t`Offline, saved on this device`,
  };
  return (
    <p className="save-note mute" role="status">
      <Icon
        name={state.kind === 'saved' ? 'check' : state.kind === 'offline' ? 'wifi-slash' : 'note-pencil'}
      />
      <span>{words[state.kind]}</span>
    </p>
  );
}

type JobStepListProps = JobFieldsProps & {
  step: JobStep;
  problems: JobErrors;
  onStep: (step: JobStep) => void;
};

function JobStepList({ step, problems, onStep, form, setting, business, alsoOn }: JobStepListProps) {
  const { t } = useLingui();
  const now = jobStepIds.indexOf(step);
  return (
    <nav className="composer-nav" aria-label={t`Timeline`}>
      <ol className="tl">
        {jobStepIds.map((id, index) => {
          const bad = errorsOfStep(id, problems).length > 0;
          const summary = stepSummary(id, form, setting, business, (alsoOn?.days.length ?? 0) + 1);
          const state = index === now ? 'now' : index < now ? '' : 'next';
          return (
            <li key={id} className={state}>
              <span className="pt">
                <StepPoint state={index === now ? 'now' : index < now ? 'done' : 'next'} />
              </span>
              <button
                type="button"
                className="step-button"
                aria-current={index === now ? 'step' : undefined}
                onClick={() => onStep(id)}
              >
                <span className={index === now ? 'strong block' : 'mid block'}>
                  {jobStepTexts(id).name}
                  {id === 'who' ? <span className="mute opt-mark"> · {t`optional`}</span> : null}
                  {bad ? (
                    <Icon name="warning-circle" label={t`Needs your attention`} className="danger" />
                  ) : null}
                </span>
                <span className="d block">
                  {index === now
                    ? t`Step ${index + 1} of ${jobStepIds.length}`
                    : (summary ?? (index < now ? jobStepTexts(id).empty : null) ?? jobStepTexts(id).holds)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function StepPoint({ state }: { state: 'done' | 'now' | 'next' }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      {state === 'done' ? <circle cx="12" cy="12" r="6" fill="var(--text)" /> : null}
      {state === 'next' ? (
        <circle cx="12" cy="12" r="5" fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="1.5" />
      ) : null}
      {state === 'now' ? (
        <>
          <circle cx="12" cy="12" r="10.5" fill="none" stroke="var(--text)" strokeWidth="1.25" />
          <circle cx="12" cy="12" r="7" fill="none" stroke="var(--text)" strokeWidth="1.25" />
          <circle cx="12" cy="12" r="3.6" fill="var(--action)" />
        </>
      ) : null}
    </svg>
  );
}
