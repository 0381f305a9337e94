import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { onBackOnline } from '../../lib/device/online.ts';
import { mergeEdits } from '../../lib/forms/merge-edits.ts';
import { settingsNow } from '../../lib/settings.ts';
import { changesOf } from './job-changes.rules.ts';
import { canSaveDraft, formOfJob, type JobForm, type JobSetting, toJobDraft } from './job-form.rules.ts';

export type SaveState =
  | { kind: 'empty' }
  | { kind: 'device' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: Date }
  | { kind: 'offline' }
  | { kind: 'failed'; error: unknown };

type Saved = { job: Job; draft: JobDraft; form: JobForm };

type AutosaveProps = {
  business: Business;
  form: JobForm;
  start: Job | null;
  onMade: (jobId: string) => void;
  /** Called with the merged form after someone else saved the same draft. */
  onMerged: (form: JobForm) => void;
};

const quietMs = 1_500;

/** Zone, currency, hours note, country and pay floors for a form: the saved job's, otherwise the business's. */
export const settingOf = (business: Business, job: Job | null): JobSetting => ({
  timeZone: job?.timeZone ?? business.timeZone,
  currency: job?.pay.currency ?? business.currency,
  now: new Date(),
  hoursNote: job?.hoursNote ?? null,
  country: !job || job.pay.unit === 'hour' ? business.countryCode : undefined,
  payFloors: settingsNow().payFloors,
});

/** Saves a draft on the server once it has a title and a category, one request at a time. */
export function useJobAutosave({ business, form, start, onMade, onMerged }: AutosaveProps) {
  const [job, setJob] = useState(start);
  const [state, setState] = useState<SaveState>(start ? { kind: 'device' } : { kind: 'empty' });
  const saved = useRef<Saved | null>(
    start && {
      job: start,
      form: formOfJob(start, business),
      draft: toJobDraft(formOfJob(start, business), settingOf(business, start), business),
    },
  );
  // The key stays until the server has responded: a lost response must not make a second draft.
  const makeKey = useRef(crypto.randomUUID());
  const running = useRef<Promise<Job | null> | null>(null);
  const newest = useRef({ form, business, onMade, onMerged });
  newest.current = { form, business, onMade, onMerged };

  const save = useCallback(async (): Promise<Job | null> => {
    const { form: typed, business: own, onMade, onMerged: merged } = newest.current;
    const before = saved.current;
    if (!canSaveDraft(typed)) return before?.job ?? null;
    const draft = toJobDraft(typed, settingOf(own, before?.job ?? null), own);
    const keep = (next: Job, sent: Pick<Saved, 'draft' | 'form'> = { draft, form: typed }) => {
      saved.current = { job: next, ...sent };
      setJob(next);
      queryClient.setQueryData(apiQuery.jobs.get.queryKey({ input: { jobId: next.id } }), next);
      void queryClient.invalidateQueries({ queryKey: apiQuery.jobs.listed.key() });
      return next;
    };
    if (!before || before.job.kind !== typed.kind) {
      const next = await api.jobs.create(
        { ...draft, businessId: own.id },
        { context: { idempotencyKey: makeKey.current } },
      );
      makeKey.current = crypto.randomUUID();
      // A saved job's kind is fixed: a shift that became a task is a new draft in its place.
      if (before) void api.jobs.deleteDraft({ jobId: before.job.id }).catch(() => undefined);
      onMade(next.id);
      return keep(next);
    }
    const changes = changesOf(before.draft, draft);
    if (Object.keys(changes).length === 0) return before.job;
    try {
      const input = { ...changes, jobId: before.job.id, version: before.job.version };
      return keep(await api.jobs.update(input));
    } catch (failure) {
      if (!isApiError(failure, 'job/stale')) throw failure;
      const theirs = await api.jobs.get({ jobId: before.job.id });
      const theirForm = formOfJob(theirs, own);
      // Input since this save began counts too.
      const mergedForm = mergeEdits(before.form, newest.current.form, theirForm).merged;
      saved.current = {
        job: theirs,
        form: theirForm,
        draft: toJobDraft(theirForm, settingOf(own, theirs), own),
      };
      setJob(theirs);
      merged(mergedForm);
      const merge = { form: mergedForm, draft: toJobDraft(mergedForm, settingOf(own, theirs), own) };
      const remaining = changesOf(saved.current.draft, merge.draft);
      if (Object.keys(remaining).length === 0) return theirs;
      return keep(await api.jobs.update({ ...remaining, jobId: theirs.id, version: theirs.version }), merge);
    }
  }, []);

  /** Saves the current input. Returns null if there is nothing to save yet. Rejects with the ApiError. */
  const flush = useCallback(async (): Promise<Job | null> => {
    while (running.current) await running.current.catch(() => undefined);
    setState({ kind: 'saving' });
    running.current = save();
    try {
      const now = await running.current;
      setState(now ? { kind: 'saved', at: new Date() } : { kind: 'device' });
      return now;
    } catch (error) {
      if (isApiError(error, 'idempotency/key-reused')) makeKey.current = crypto.randomUUID();
      setState(isNetworkError(error) ? { kind: 'offline' } : { kind: 'failed', error });
      throw error;
    } finally {
      running.current = null;
    }
  }, [save]);

  const zone = job?.timeZone;
  const lastSaved = useRef({ form, zone });
  useEffect(() => {
    if (lastSaved.current.form === form && lastSaved.current.zone === zone) return;
    lastSaved.current = { form, zone };
    setState((before) => (before.kind === 'saving' ? before : { kind: 'device' }));
    const timer = setTimeout(() => void flush().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, [form, flush, zone]);

  useEffect(() => {
    return onBackOnline(() => void flush().catch(() => undefined));
  }, [flush]);

  return { job, state, flush };
}
