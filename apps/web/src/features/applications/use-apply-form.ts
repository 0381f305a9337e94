import { useIonRouter } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/applications';
import type { Job } from '@nearhand/contract/jobs';
import { limits } from '@nearhand/contract/limits';
import type { Profile } from '@nearhand/contract/profiles';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { type ApiError, isApiError, isNetworkError } from '../../lib/api-error.ts';
import { useDeviceDraft } from '../../lib/device-draft.ts';
import { errorText } from '../../lib/error-text.ts';
import { showToast } from '../../ui/toast.tsx';
import { useSaveProfile } from '../profiles/profiles.api.ts';
import {
  type ApplicationDraft,
  answerErrors,
  answersOf,
  changeDraft,
  type DraftCv,
  draftKey,
  draftOf,
  emptyDraft,
  isDraft,
} from './application-draft.ts';
import { deliver, forgetDraft, queueApplication, unqueueApplication } from './application-outbox.ts';
import { keepApplication, useUpdateApplication } from './applications.api.ts';
import { useProblemText } from './question-fields.tsx';

export type ApplyStep = 'questions' | 'about' | 'check';
type Errors = Record<string, string>;

/** Everything the form does: the draft on the device, its steps, what is wrong, and sending it now or later. */
export function useApplyForm(
  jobId: string,
  job: Job | undefined,
  profile: Profile | undefined,
  existing: MyApplication | null,
) {
  const { t } = useLingui();
  const router = useIonRouter();
  const client = useQueryClient();
  const problemText = useProblemText();
  const draft = useDeviceDraft(draftKey(jobId), emptyDraft, isDraft);
  const update = useUpdateApplication();
  const [errors, setErrors] = useState<Errors>({});
  const [tries, setTries] = useState(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [changedAt, setChangedAt] = useState<Date | null>(null);
  const busy = useRef(false);
  // Nobody applies without a name; who has not said theirs is asked for it here, and it is saved to the profile.
  const saveProfile = useSaveProfile();
  const [name, setName] = useState('');
  const asksName = profile !== undefined && profile.name.trim() === '';

  // What was typed for a new application is not what is changed in one that was sent, and the other way round.
  const editing = existing?.id ?? null;
  const other = draft.value.editing !== editing;
  const { set } = draft;
  useEffect(() => {
    if (other) set(existing ? draftOf(existing) : emptyDraft());
  }, [other, existing, set]);

  const questions = job?.questions ?? [];
  const steps: ApplyStep[] = questions.length > 0 ? ['questions', 'about', 'check'] : ['about', 'check'];
  const at = Math.min(draft.value.step, steps.length - 1);
  const cv: DraftCv | null =
    draft.value.cv ?? (!draft.value.cvTouched && profile?.cv ? { kind: 'stored', file: profile.cv } : null);

  const change = (part: Partial<ApplicationDraft>) => {
    draft.set((before) => changeDraft(before, part));
    setChangedAt(new Date());
    setErrors({});
    setRefusal(null);
  };
  const goTo = (step: number) => {
    draft.set((before) => ({ ...before, step }));
    document
      .querySelector<HTMLIonContentElement>('.ion-page.screen:not(.ion-page-hidden) ion-content')
      ?.scrollToTop?.(0);
  };

  const errorsOf = (step: ApplyStep): Errors => {
    if (step === 'questions')
      return Object.fromEntries(
        Object.entries(answerErrors(questions, draft.value.answers)).map(([id, problem]) => [
          id,
          problemText(problem),
        ]),
      );
    if (step !== 'about') return {};
    const found: Errors = {};
    if (asksName && !name.trim()) found.name = t`Say your name.`;
    else if (asksName && name.trim().length > limits.nameMax)
      found.name = t`Keep it to ${limits.nameMax} characters.`;
    if (draft.value.coverNote.trim().length > limits.coverNoteMax)
      found.coverNote = t`Keep it to ${limits.coverNoteMax} characters.`;
    if (job?.cvRequired && !cv) found.cv = t`This job asks for a CV. Add one.`;
    return found;
  };

  /** Stops at the first step with something to mend. */
  const mend = (until: number): boolean => {
    for (const [index, step] of steps.slice(0, until + 1).entries()) {
      const found = errorsOf(step);
      if (Object.keys(found).length === 0) continue;
      setErrors(found);
      setTries((before) => before + 1);
      if (index !== at) goTo(index);
      return true;
    }
    return false;
  };
  const next = () => {
    if (!mend(at)) goTo(Math.min(at + 1, steps.length - 1));
  };

  const leaveTo = (path: string) => {
    draft.drop();
    router.push(path, 'forward', 'replace');
  };

  const send = async () => {
    if (busy.current || !job || mend(steps.length - 1)) return;
    busy.current = true;
    setSending(true);
    setRefusal(null);
    try {
      if (existing) await sendChange(existing);
      else await sendNew(job);
    } finally {
      busy.current = false;
      setSending(false);
    }
  };

  const content = () => ({
    coverNote: draft.value.coverNote.trim(),
    answers: answersOf(questions, draft.value.answers),
  });

  const nameWaits = () => t`You are offline, and your name is not saved yet. Send it when you are online.`;
  const sendNew = async (to: Job) => {
    const entry = {
      jobId,
      jobTitle: to.title,
      businessName: to.business.name,
      ...content(),
      cv,
      key: draft.value.key,
      since: new Date().toISOString(),
      refusal: null,
    };
    const wait = () => {
      if (queueApplication(entry)) router.push(`/job-applied-success/${jobId}`, 'forward', 'replace');
      else
        setRefusal(
          t`You are offline and this device cannot keep the application. Stay here and send it later.`,
        );
    };
    if (navigator.onLine === false) return asksName ? setRefusal(nameWaits()) : wait();
    try {
      if (asksName) await saveProfile.mutateAsync({ name: name.trim() });
      const remember = (stored: DraftCv) => draft.set((before) => ({ ...before, cv: stored }));
      const made = await deliver(entry, remember);
      keepApplication(client, made);
      unqueueApplication(jobId);
      await forgetDraft(jobId);
      leaveTo(`/job-applied-success/${jobId}`);
    } catch (failure) {
      if (isNetworkError(failure) && asksName) setRefusal(nameWaits());
      else if (isNetworkError(failure)) wait();
      else refuse(failure);
    }
  };

  const sendChange = async (before: MyApplication) => {
    try {
      await update.mutateAsync({
        applicationId: before.id,
        version: before.version,
        ...content(),
        cvFileId: cv?.kind === 'stored' ? cv.file.id : null,
      });
      await forgetDraft(jobId);
      showToast(t`Your application is changed`);
      leaveTo(`/tabs/menu/my-work/${before.id}`);
    } catch (failure) {
      refuse(failure);
    }
  };

  const refuse = (failure: unknown) => {
    if (isApiError(failure, 'application/already-applied')) {
      const { applicationId } = (failure.data ?? {}) as { applicationId?: string };
      void client.invalidateQueries({ queryKey: apiQuery.jobs.get.key() });
      unqueueApplication(jobId);
      showToast(t`You already applied for this job`);
      leaveTo(applicationId ? `/tabs/menu/my-work/${applicationId}` : '/tabs/menu/my-work');
      return;
    }
    if (isApiError(failure, 'idempotency/key-reused')) draft.set((before) => changeDraft(before, {}));
    if (isApiError(failure, 'application/answers-invalid')) {
      setErrors(Object.fromEntries(issuesOf(failure).map((id) => [id, t`Check this answer.`])));
      setTries((before) => before + 1);
      goTo(0);
      // The business may have changed its questions meanwhile.
      void client.invalidateQueries({ queryKey: apiQuery.jobs.get.key() });
    }
    if (isApiError(failure, 'application/name-required')) {
      void client.invalidateQueries({ queryKey: apiQuery.profiles.mine.key() });
      goTo(steps.indexOf('about'));
    }
    if (isApiError(failure, 'file/not-found', 'file/wrong-type', 'application/cv-required')) {
      draft.set((before) => changeDraft(before, { cv: null, cvTouched: true }));
      setErrors({ cv: t`Choose your CV again.` });
      goTo(steps.indexOf('about'));
    }
    if (isApiError(failure, 'job/not-open', 'job/not-found', 'application/wrong-state'))
      void client.invalidateQueries({ queryKey: apiQuery.jobs.get.key() });
    setRefusal(errorText(failure));
  };

  return {
    value: draft.value,
    restored: draft.restored,
    questions,
    cv,
    steps,
    at,
    step: steps[at] ?? 'about',
    errors,
    tries,
    refusal,
    sending,
    changedAt,
    asksName,
    name,
    setName: (text: string) => {
      setName(text);
      setErrors({});
    },
    change,
    goTo,
    next,
    send,
    startAgain: () => {
      draft.set(existing ? draftOf(existing) : emptyDraft());
      setChangedAt(null);
      setErrors({});
    },
  };
}

export type ApplyFormState = ReturnType<typeof useApplyForm>;

function issuesOf(failure: ApiError): string[] {
  const issues = (failure.data as { issues?: { questionId?: unknown }[] } | undefined)?.issues ?? [];
  return issues.flatMap(({ questionId }) => (typeof questionId === 'string' ? [questionId] : []));
}
