import { useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { channelOf } from '@nearhand/contract/hiring/job-shares.rules';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { datesToApply } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { sourceParameter } from '@nearhand/contract/hiring/public-pages.rules';
import { limits } from '@nearhand/contract/limits';
import { hasPhoneOrEmail } from '@nearhand/contract/people/contact-details.rules';
import type { Profile } from '@nearhand/contract/people/profiles';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { isOnline } from '../../lib/device/online.ts';
import { replaceForward } from '../../lib/pages/go-back.ts';
import { visibleMain } from '../../lib/pages/visible-main.ts';
import { useSaveProfile } from '../../people/profiles/profiles.api.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { isFree } from '../jobs/job-dates.tsx';
import {
  type ApplicationDraft,
  answerErrors,
  answersOf,
  applicationDraftKey,
  changeDraft,
  type DraftCv,
  emptyDraft,
  isApplicationDraft,
  toApplicationDraft,
} from './application-draft.ts';
import { cacheApplication, useUpdateApplication } from './applications.api.ts';
import { deleteDraft, deliverApplication, queueApplication, unqueueApplication } from './outbox.api.ts';
import { useProblemText } from './question-fields.tsx';

export const applySteps = ['shifts', 'questions', 'about', 'check'] as const;
export type ApplyStep = (typeof applySteps)[number];
type Errors = Record<string, string>;

type Draft = ReturnType<typeof useDeviceDraft<ApplicationDraft>>;

function stepsOf({ shifts, asks, about }: { shifts: boolean; asks: boolean; about: boolean }): ApplyStep[] {
  return [
    ...(shifts ? (['shifts'] as const) : []),
    ...(asks ? (['questions'] as const) : []),
    ...(about ? (['about'] as const) : []),
    'check',
  ];
}

/** The form's draft, steps, problems and submission. `books`: the job books at once, and is never sent later. */
export function useApplyForm(
  jobId: string,
  job: Job | undefined,
  profile: Profile | undefined,
  existing: MyApplication | null,
  couldBook: boolean,
) {
  const draft = useDeviceDraft(applicationDraftKey(jobId), emptyDraft, isApplicationDraft);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [changedAt, setChangedAt] = useState<Date | null>(null);
  const [name, setName] = useState('');
  const needsName = profile !== undefined && profile.name.trim() === '';
  useOwnDraft(draft, existing);

  const questions = job?.questions ?? [];
  // The server's refusal overrides the local guess.
  const [serverBooks, setServerBooks] = useState<boolean | null>(null);
  const isBooking = existing === null && (serverBooks ?? couldBook);
  const isBlock = job?.series?.asBlock === true;
  // A date of a block that ended an earlier application of theirs is closed or full, and no longer of the block.
  const dates =
    existing === null && !isBooking && job
      ? datesToApply(job).filter(({ myApplication }) => !isBlock || myApplication === null)
      : [];
  // A block has no dates to leave out: people who aren't free on one of them can't apply.
  const free = isBlock ? dates : dates.filter(isFree);
  const shifts = isBlock ? dates : free.filter(({ jobId }) => !draft.value.leftOut?.includes(jobId));
  const steps = stepsOf({
    shifts: free.length > 1,
    asks: questions.length > 0,
    about: !isBooking || needsName,
  });
  const at = Math.min(draft.value.step, steps.length - 1);
  const cv: DraftCv | null =
    draft.value.cv ?? (!draft.value.cvTouched && profile?.cv ? { kind: 'stored', file: profile.cv } : null);
  const errorsOf = useStepErrors({
    draft: draft.value,
    job,
    cv,
    name: needsName ? name : null,
    noShift: free.length > 1 && (shifts.length === 0 || !shifts.every(isFree)),
  });

  const goTo = (step: number) => {
    draft.set((before) => ({ ...before, step }));
    visibleMain()?.scrollTo(0, 0);
  };
  const { errors, setErrors, tries, show, showProblems } = useProblems({ steps, at, errorsOf, goTo });
  const refuse = useRefuse({
    jobId,
    draft,
    show,
    setErrors,
    goTo,
    setRefusal,
    aboutAt: Math.max(0, steps.indexOf('about')),
    setServerBooks,
  });
  const { send, sending } = useSending({
    jobId,
    job,
    existing,
    draft,
    cv,
    books: isBooking,
    shiftIds: free.length > 1 ? shifts.map(({ jobId }) => jobId) : null,
    setRefusal,
    refuse,
    name: needsName ? name.trim() : null,
    isRight: () => !showProblems(steps.length - 1),
  });

  return {
    questions,
    /** The shifts of the series that the worker picked; empty for a job alone. */
    shifts: free.length > 1 ? shifts : [],
    cv,
    books: isBooking,
    steps,
    at,
    errors,
    tries,
    refusal,
    sending,
    changedAt,
    needsName,
    name,
    goTo,
    send,
    value: draft.value,
    restored: draft.restored,
    step: steps[at] ?? 'check',
    setName: (text: string) => {
      setName(text);
      setErrors({});
    },
    change: (part: Partial<ApplicationDraft>) => {
      draft.set((before) => changeDraft(before, part));
      setChangedAt(new Date());
      setErrors({});
      setRefusal(null);
    },
    next: () => {
      if (!showProblems(at)) goTo(Math.min(at + 1, steps.length - 1));
    },
    startAgain: () => {
      draft.set(existing ? toApplicationDraft(existing) : emptyDraft());
      setChangedAt(null);
      setErrors({});
    },
  };
}

/** Drafts of a new application and of an edit are separate. */
function useOwnDraft({ value, set }: Draft, existing: MyApplication | null): void {
  const isOtherApplication = value.editing !== (existing?.id ?? null);
  useEffect(() => {
    if (isOtherApplication) set(existing ? toApplicationDraft(existing) : emptyDraft());
  }, [isOtherApplication, existing, set]);
}

/** The errors that are shown, and the number of times that some were found. */
function useProblems({
  steps,
  at,
  errorsOf,
  goTo,
}: {
  steps: readonly ApplyStep[];
  at: number;
  errorsOf: (step: ApplyStep) => Errors;
  goTo: (step: number) => void;
}) {
  const [errors, setErrors] = useState<Errors>({});
  const [tries, setTries] = useState(0);
  const show = (errors: Errors, step: number) => {
    setErrors(errors);
    setTries((before) => before + 1);
    if (step !== at) goTo(step);
  };
  /** Shows the problems of the first step with any, up to this one. Returns whether there are some. */
  const showProblems = (until: number): boolean => {
    for (const [index, step] of steps.slice(0, until + 1).entries()) {
      const errors = errorsOf(step);
      if (Object.keys(errors).length === 0) continue;
      show(errors, index);
      return true;
    }
    return false;
  };
  return { errors, setErrors, tries, show, showProblems };
}

function useStepErrors({
  draft,
  job,
  cv,
  name,
  noShift,
}: {
  draft: ApplicationDraft;
  job: Job | undefined;
  cv: DraftCv | null;
  name: string | null;
  noShift: boolean;
}) {
  const { t } = useLingui();
  const problemText = useProblemText();
  return (step: ApplyStep): Errors => {
    if (step === 'shifts' && noShift)
      return {
        shifts: job?.series?.asBlock
          ? t`You need to be free on all dates to apply.`
          : t`Choose at least one shift.`,
      };
    if (step === 'shifts') return {};
    if (step === 'questions')
      return Object.fromEntries(
        Object.entries(answerErrors(job?.questions ?? [], draft.answers)).map(([id, problem]) => [
          id,
          problemText(problem),
        ]),
      );
    if (step !== 'about') return {};
    const errors: Errors = {};
    if (name !== null && !name.trim()) errors.name = t`Enter your name.`;
    else if (name !== null && name.trim().length > limits.nameMax)
      errors.name = t`Use ${limits.nameMax} characters or fewer.`;
    if (draft.coverNote.trim().length > hiringLimits.coverNoteMax)
      errors.coverNote = t`Use ${hiringLimits.coverNoteMax} characters or fewer.`;
    else if (hasPhoneOrEmail(draft.coverNote)) errors.coverNote = problemText('contact-details');
    if (job?.cvRequired && !cv) errors.cv = t`This job asks for a CV. Add one.`;
    return errors;
  };
}

function useLeave(draft: Draft) {
  const navigate = useNavigate();
  return (path: string) => {
    draft.drop();
    navigate(path, replaceForward);
  };
}

/** Saves changes of an application that was sent. */
function useSendChange({
  jobId,
  draft,
  cv,
  refuse,
}: {
  jobId: string;
  draft: Draft;
  cv: DraftCv | null;
  refuse: (failure: unknown) => void;
}) {
  const { t } = useLingui();
  const leaveTo = useLeave(draft);
  const update = useUpdateApplication();
  return async (before: MyApplication, content: Pick<Changes, 'coverNote' | 'answers'>): Promise<void> => {
    try {
      await update.mutateAsync({
        applicationId: before.id,
        version: before.version,
        ...content,
        cvFileId: cv?.kind === 'stored' ? cv.file.id : null,
      });
      await deleteDraft(jobId);
      showToast(t`Application updated`);
      leaveTo(`/tabs/menu/my-work/${before.id}`);
    } catch (failure) {
      refuse(failure);
    }
  };
}

type Changes = Parameters<ReturnType<typeof useUpdateApplication>['mutateAsync']>[0];

function useSending({
  jobId,
  job,
  existing,
  draft,
  cv,
  books,
  shiftIds,
  name,
  isRight,
  setRefusal,
  refuse,
}: {
  jobId: string;
  job: Job | undefined;
  existing: MyApplication | null;
  draft: Draft;
  cv: DraftCv | null;
  books: boolean;
  shiftIds: string[] | null;
  name: string | null;
  isRight: () => boolean;
  setRefusal: (text: string | null) => void;
  refuse: (failure: unknown) => void;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const leaveTo = useLeave(draft);
  const source = new URLSearchParams(useLocation().search).get(sourceParameter);
  const sendChange = useSendChange({ jobId, draft, cv, refuse });
  const saveProfile = useSaveProfile();
  const [sending, setSending] = useState(false);
  const busy = useRef(false);
  const content = () => ({
    coverNote: books ? '' : draft.value.coverNote.trim(),
    answers: answersOf(job?.questions ?? [], draft.value.answers),
  });
  const nameWaits = () => t`You're offline and your name isn't saved yet. Send it when you're online.`;

  const sendNew = async (to: Job) => {
    const entry = {
      jobId,
      jobTitle: to.title,
      businessName: to.business.name,
      ...content(),
      cv: books ? null : cv,
      ...(books ? { book: true } : {}),
      ...(shiftIds ? { shiftIds } : {}),
      ...(source === null ? {} : { channel: channelOf(source) }),
      key: draft.value.key,
      since: new Date().toISOString(),
      refusal: null,
    };
    const wait = () => {
      if (books) return setRefusal(t`You're offline. You can book when you're back online.`);
      if (queueApplication(entry)) navigate(`/job-applied-success/${jobId}`, replaceForward);
      else
        setRefusal(
          t`You're offline and this device can't save the application. Stay on this page and send it later.`,
        );
    };
    if (!isOnline()) return name === null ? wait() : setRefusal(nameWaits());
    try {
      if (name !== null) await saveProfile.mutateAsync({ name });
      const remember = (cv: DraftCv) => draft.set((before) => ({ ...before, cv }));
      const application = await deliverApplication(entry, remember);
      cacheApplication(application);
      unqueueApplication(jobId);
      await deleteDraft(jobId);
      leaveTo(`/job-applied-success/${application.job.id}`);
    } catch (failure) {
      if (isNetworkError(failure) && name !== null) setRefusal(nameWaits());
      else if (isNetworkError(failure)) wait();
      else refuse(failure);
    }
  };

  const send = async () => {
    if (busy.current || !job || !isRight()) return;
    busy.current = true;
    setSending(true);
    setRefusal(null);
    try {
      if (existing) await sendChange(existing, content());
      else await sendNew(job);
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return { send, sending };
}

/** Shows a refusal at the step that can fix it. */
function useRefuse({
  jobId,
  draft,
  show,
  setErrors,
  goTo,
  setRefusal,
  aboutAt,
  setServerBooks,
}: {
  jobId: string;
  draft: Draft;
  show: (errors: Errors, step: number) => void;
  setErrors: (errors: Errors) => void;
  goTo: (step: number) => void;
  setRefusal: (text: string) => void;
  aboutAt: number;
  setServerBooks: (books: boolean) => void;
}) {
  const { t } = useLingui();
  const problemText = useProblemText();
  const leaveTo = useLeave(draft);
  const refetchJob = () => void queryClient.invalidateQueries({ queryKey: apiQuery.jobs.get.key() });
  return (failure: unknown): void => {
    if (isApiError(failure, 'application/already-applied')) {
      const applicationId = failure.data?.applicationId;
      refetchJob();
      unqueueApplication(jobId);
      showToast(t`You've already applied for this job`);
      leaveTo(applicationId ? `/tabs/menu/my-work/${applicationId}` : '/tabs/menu/my-work');
      return;
    }
    if (isApiError(failure, 'idempotency/key-reused')) draft.set((before) => changeDraft(before, {}));
    if (isApiError(failure, 'application/answers-invalid')) {
      const issues = failure.data?.issues ?? [];
      show(
        Object.fromEntries(
          issues.map(({ questionId, problem }) => [
            questionId,
            problem === 'contact-details' ? problemText(problem) : t`Check this answer.`,
          ]),
        ),
        0,
      );
      // The business may have changed its questions in the meantime.
      refetchJob();
    }
    if (isApiError(failure, 'application/name-required')) {
      void queryClient.invalidateQueries({ queryKey: apiQuery.profiles.mine.key() });
      goTo(aboutAt);
    }
    if (isApiError(failure, 'file/not-found', 'file/wrong-type', 'application/cv-required')) {
      draft.set((before) => changeDraft(before, { cv: null, cvTouched: true }));
      setErrors({ cv: t`Choose your CV again.` });
      goTo(aboutAt);
    }
    if (isApiError(failure, 'application/booking-required', 'application/not-bookable')) {
      setServerBooks(isApiError(failure, 'application/booking-required'));
      draft.set((before) => changeDraft(before, {}));
      refetchJob();
    }
    if (
      isApiError(
        failure,
        'job/not-open',
        'job/filled',
        'job/not-found',
        'application/wrong-state',
        'application/date-differs',
        'job/all-dates-required',
        'engagement/overlap',
      )
    )
      refetchJob();
    setRefusal(errorText(failure));
  };
}

export type ApplyFormState = ReturnType<typeof useApplyForm>;
