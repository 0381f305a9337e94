import { plural, t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { Conflict } from '@nearhand/contract/hiring/calendar';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useParams } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { useOnline } from '../../lib/device/online.ts';
import { onFirstClick } from '../../lib/forms/guard-double-click.ts';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDay, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { RestrictionBanner, useApplyRestriction } from '../../people/accounts/restrictions.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Fact, PineCard } from '../../ui/card.tsx';
import { Button, ButtonLink, EnterSubmits } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { Steps } from '../../ui/steps.tsx';
import { useHardConflict } from '../calendar/calendar.api.ts';
import { ConflictsPart, conflictWords } from '../calendar/conflicts.tsx';
import { bookText } from '../jobs/job-desc.labels.ts';
import { useJob, useWouldHireInstantly } from '../jobs/jobs.api.ts';
import { loadMyWork } from '../my-work/load-my-work.ts';
import { applicationStandingText } from './application.labels.ts';
import { useMyApplication } from './applications.api.ts';
import { AboutStep, CheckStep, QuestionsStep, ShiftsStep, useStepTitle } from './apply-steps.tsx';
import { BookStep } from './book-step.tsx';
import { useWaiting } from './outbox.api.ts';
import { type ApplyFormState, applySteps, useApplyForm } from './use-apply-form.ts';
import '../../ui/desk.css';
import './applications.css';

export default function JobApplyFormScreen() {
  const { t } = useLingui();
  const { jobid: jobId = '' } = useParams();
  const query = useJob(jobId);
  const job = query.data;
  const profile = useQuery(apiQuery.profiles.mine.queryOptions());
  const applied = useMyApplication(job?.myApplication?.id);
  const existing = applied.data?.actions.includes('edit') ? applied.data : null;
  const form = useApplyForm(jobId, job, profile.data, existing, useWouldHireInstantly(job));
  const canApply = job?.actions.includes('apply') === true;
  const hard = useHardConflict(job);
  const conflict = existing === null ? hard : null;
  useEffect(fetchNextScreens, []);
  const restriction = useApplyRestriction();
  const isOpen = job !== undefined && (existing !== null || (canApply && !restriction));
  return (
    <Screen
      title={existing ? t`Edit your application` : job && form.books ? bookText(job) : t`Apply`}
      heading={null}
      back={{ close: `/job-desc/${jobId}` }}
      width="wide"
      bar={job ? <JobInBar job={job} /> : undefined}
      dock={
        job && isOpen && !conflict ? <Dock job={job} form={form} editing={existing !== null} /> : undefined
      }
    >
      <QueryState
        query={{ ...query, data: job }}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load the job`}
        offlineNote={
          canApply && !conflict && !isSentNow(form, existing !== null)
            ? t`You can continue. We'll send it when you're back online.`
            : undefined
        }
      >
        {(loaded) => {
          if (isOpen && conflict) return <Booked conflict={conflict} zone={loaded.timeZone} />;
          if (isOpen) return <ApplyForm job={loaded} form={form} sent={existing} />;
          if (restriction) return <RestrictionBanner restriction={restriction} />;
          return applied.isLoading ? <PageSkeleton /> : <CannotApply job={loaded} />;
        }}
      </QueryState>
    </Screen>
  );
}

/** The next screen must open offline too. */
function fetchNextScreens(): void {
  const next = [import('./job-applied-success.screen.tsx'), loadMyWork()];
  Promise.all(next).catch(() => {});
}

function JobInBar({ job }: { job: Job }) {
  const pay = payText(job.pay);
  return (
    <span className="apply-bar">
      <span className="strong clip">{job.title}</span>
      <span className="sm mute apply-who">
        <span className="clip">{job.business.name}</span>
        <span className="nowrap">
          · {pay.figure} {pay.notes[0]}
        </span>
      </span>
    </span>
  );
}

type FormProps = {
  job: Job;
  form: ApplyFormState;
  sent: MyApplication | null;
};

/** A new application can be sent later; a booking or an edit can't. */
const isSentNow = (form: ApplyFormState, editing: boolean): boolean =>
  editing || form.books || form.needsName;

function ApplyForm({ job, form, sent }: FormProps) {
  const { t } = useLingui();
  const online = useOnline();
  const id = useId();
  const idOf = (field: string) => `${id}-${field}`;
  const titleOf = useStepTitle({
    questions: form.questions,
    editing: form.value.editing !== null,
    book: form.books ? bookText(job) : null,
    isBlock: job.series?.asBlock === true,
  });
  const queued = useWaiting().some((entry) => entry.jobId === job.id && entry.refusal === null);
  const now = form.at + 1;
  const total = form.steps.length;
  const props = { job, form, idOf };
  // A layer per step, because a restored draft may open at any of them.
  // biome-ignore lint/correctness/useHookAtTopLevel: the number of steps never changes.
  for (const index of applySteps.keys()) useBackButton(form.at > index, () => form.goTo(form.at - 1));
  return (
    <>
      <Steps now={now} total={total} />
      <div className="desk two-cols mt5">
        <Form
          className="desk-main apply-form"
          onSubmit={() => {
            if (form.step !== 'check') form.next();
            else void form.send();
          }}
        >
          <div>
            <p className="label">{t`Step ${now} of ${total}`}</p>
            <h1 className="h-l mt1">{titleOf(form.step)}</h1>
          </div>
          {form.at === 0 ? <HelpLink article="apply">{t`How applying works`}</HelpLink> : null}
          {sent ? (
            <Banner icon="info">
              <Trans>
                You applied on {formatDay(sent.submittedAt, ownTimeZone())}. Nobody has opened your
                application yet, so you can still edit it.
              </Trans>
            </Banner>
          ) : null}
          {form.restored && form.at === 0 ? (
            <Banner
              tone="here"
              icon="note-pencil"
              action={
                <Button kind="text" size="s" onClick={form.startAgain}>
                  {t`Start again`}
                </Button>
              }
            >
              <Trans>We saved what you typed on this device.</Trans>
            </Banner>
          ) : null}
          {sent === null && form.at === 0 ? <ConflictsPart jobId={job.id} /> : null}
          {queued ? (
            <Banner tone="wait" icon="hourglass">
              <Trans>This application is waiting to be sent. Sending again replaces it.</Trans>
            </Banner>
          ) : null}
          <ErrorSummary
            key={form.tries}
            errors={Object.entries(form.errors).map(([field, text]) => {
              const jobQuestion = form.questions.find((question) => question.id === field);
              return { id: idOf(field), text: jobQuestion ? `${jobQuestion.prompt} ${text}` : text };
            })}
          />
          {form.refusal ? (
            <Banner tone="bad" icon="warning-circle" live>
              {form.refusal}
            </Banner>
          ) : null}
          {form.step === 'shifts' ? <ShiftsStep {...props} /> : null}
          {form.step === 'questions' ? <QuestionsStep {...props} /> : null}
          {form.step === 'about' ? <AboutStep {...props} /> : null}
          {form.step === 'check' && form.books ? <BookStep job={job} form={form} online={online} /> : null}
          {form.step === 'check' && !form.books ? <CheckStep {...props} online={online} /> : null}
          <EnterSubmits needsNetwork={form.step === 'check' && isSentNow(form, sent !== null)} />
        </Form>
        <aside className="desk-side stay apply-wide" aria-label={t`Job`}>
          <JobBeside job={job} />
        </aside>
      </div>
    </>
  );
}

function JobBeside({ job }: { job: Job }) {
  const { t } = useLingui();
  const pay = payText(job.pay);
  const when = whenText(job);
  return (
    <>
      <PineCard label={t`Pay`}>
        <p className="desk-figure">{pay.figure}</p>
        <p className="mute">{pay.notes.join(' · ')}</p>
      </PineCard>
      <div className="facts">
        <Fact icon="briefcase" title={job.title} note={job.business.name} />
        {when ? <Fact icon="calendar-blank" title={when} /> : null}
        <Fact
          icon="map-pin"
          title={job.place.label}
          note={job.place.blurred ? t`The exact address is shared when you are hired` : undefined}
        />
      </div>
    </>
  );
}

function Dock({ job, form, editing }: { job: Job; form: ApplyFormState; editing: boolean }) {
  const { t } = useLingui();
  const { changedAt } = form;
  return (
    <>
      <p className="mute row g2 kept-note" role="status">
        {changedAt && form.step !== 'check' ? (
          <>
            <Icon name="check" />
            <span>{t`Draft saved ${formatTime(changedAt, ownTimeZone())}`}</span>
          </>
        ) : null}
      </p>
      {form.at > 0 ? (
        <Button kind="quiet" onClick={() => form.goTo(form.at - 1)}>
          {t`Back`}
        </Button>
      ) : null}
      {form.step === 'check' ? (
        <Button
          kind="go"
          busy={form.sending}
          needsNetwork={isSentNow(form, editing)}
          onClick={onFirstClick(() => void form.send())}
        >
          {editing ? t`Save changes` : sendLabel(job, form)}
        </Button>
      ) : (
        <Button kind="go" onClick={onFirstClick(form.next)}>
          {t`Continue`}
        </Button>
      )}
    </>
  );
}

function sendLabel(job: Job, { books, shifts }: ApplyFormState): string {
  if (books) return bookForText(job);
  return shifts.length > 1
    ? text`Apply for ${plural(shifts.length, { one: '# shift', other: '# shifts' })}`
    : text`Send application`;
}

function bookForText(job: Job): string {
  const { figure } = payText(job.pay);
  return job.kind === 'shift' ? text`Book this shift for ${figure}` : text`Book this task for ${figure}`;
}

function Booked({ conflict, zone }: { conflict: Conflict; zone: string }) {
  const { t } = useLingui();
  const now = useNow();
  return (
    <EmptyState
      art="door"
      level="h1"
      title={t`You're booked at that time`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/my-work">
          {t`See your booked work`}
        </ButtonLink>
      }
    >
      <p>{conflictWords(conflict, zone, now).sentence}.</p>
      <p>{t`Cancel that work before you apply for this job.`}</p>
    </EmptyState>
  );
}

function CannotApply({ job }: { job: Job }) {
  const { t } = useLingui();
  if (job.member)
    return (
      <EmptyState
        art="door"
        level="h1"
        title={t`This is your own job`}
        actions={
          <ButtonLink kind="go" full to={`/job-applicants/${job.id}`}>
            {t`See applicants`}
          </ButtonLink>
        }
      >
        <p>{t`You're on this business's team, so you can't apply.`}</p>
      </EmptyState>
    );
  if (job.myApplication) {
    const { status } = job.myApplication;
    const isOpen = status === 'viewed' || status === 'shortlisted' || status === 'interviewing';
    const standing = applicationStandingText(job.myApplication);
    return (
      <EmptyState
        level="h1"
        title={isOpen ? t`You've already applied` : standing.title}
        actions={
          <ButtonLink kind="go" full to={`/tabs/menu/my-work/${job.myApplication.id}`}>
            {t`See my application`}
          </ButtonLink>
        }
      >
        <p>
          {isOpen
            ? t`They've opened your application, so you can't edit it any more. You can still withdraw it.`
            : standing.note}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      art="door"
      level="h1"
      title={t`This job isn't accepting applications`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`It was closed, paused or filled in the meantime. We'll keep what you typed on this device in case it reopens.`}</p>
    </EmptyState>
  );
}
