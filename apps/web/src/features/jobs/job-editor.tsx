import { useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import type { Job } from '@nearhand/contract/jobs';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, apiQuery } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { useEditSession } from '../../lib/edit-session.ts';
import { joined } from '../../lib/format.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner } from '../../ui/banner.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { EditScreen } from '../../ui/edit-screen.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormPart } from '../../ui/form-part.tsx';
import { showToast } from '../../ui/toast.tsx';
import { JobAsSaved } from './job-as-saved.tsx';
import { settingOf } from './job-autosave.ts';
import { changesOf, isMaterial } from './job-changes.rules.ts';
import { JobWhatFields, JobWhereFields } from './job-fields.tsx';
import {
  draftOf,
  errorsOfStep,
  formOfJob,
  type JobErrors,
  type JobField,
  type JobForm,
  jobErrors,
  jobStepIds,
} from './job-form.rules.ts';
import { pastErrors } from './job-past.rules.ts';
import { JobPreview } from './job-preview.tsx';
import { fieldsOfRefusal, JobRefusal } from './job-refusal.tsx';
import { JobStandingCard } from './job-standing-card.tsx';
import { jobFieldWords, stepTitle } from './job-step-words.ts';
import { JobTimeFields } from './job-time-fields.tsx';
import { JobWhoFields } from './job-who-fields.tsx';
import { useUpdateJob } from './jobs.api.ts';

type JobEditorProps = { job: Job; business: Business };

/** A job on one page: its fields, where it stands, what can be done with it. */
export function JobEditor({ job, business }: JobEditorProps) {
  const { t } = useLingui();
  const id = useId();
  const client = useQueryClient();
  const baseOf = (from: Job) => ({ form: formOfJob(from, business), version: from.version });
  const edit = useEditSession(baseOf(job));
  const [refused, setRefused] = useState<{ error: unknown; fields: JobErrors } | null>(null);
  const [checked, setChecked] = useState(false);
  const [tries, setTries] = useState(0);
  const update = useUpdateJob();
  const idOf = (field: JobField) => `${id}-${field}`;

  const draft = job.status === 'draft';
  const editable = job.actions.includes('edit');
  const setting = { ...settingOf(business, job), savedStart: job.startsAt };
  const found = jobErrors(edit.typed, setting);
  // A draft may be saved half done; what is missing is asked for when it is published.
  const blocking: JobErrors = draft
    ? Object.fromEntries(Object.entries(found).filter(([field]) => field === 'title' || field === 'category'))
    : found;
  const shown = { ...(checked ? blocking : {}), ...refused?.fields };
  const before = draftOf(edit.base.form, setting, business);
  const changes = changesOf(before, draftOf(edit.typed, setting, business));
  const applicants = job.member?.applicants ?? 0;
  const tells = !draft && applicants > 0 && isMaterial(before, changes);

  const change = (part: Partial<JobForm>) => {
    edit.change(part);
    setRefused(null);
  };

  const save = async () => {
    setChecked(true);
    setTries((count) => count + 1);
    setRefused(null);
    if (Object.keys(blocking).length > 0) return;
    if (Object.keys(changes).length === 0) {
      showToast(t`There was nothing to save`);
      return;
    }
    if (tells) {
      const answer = await showAlert({
        title: t`Tell the applicants?`,
        message: t`You changed the pay, the hours, the place or the number of people. Everybody who applied is told, so that nobody comes for the old terms.`,
        buttons: [
          { value: 'save', label: t`Save and tell them` },
          { value: 'back', label: t`Go back` },
        ],
      });
      if (answer !== 'save') return;
    }
    try {
      const saved = await update.mutateAsync({ ...changes, jobId: job.id, version: edit.base.version });
      edit.reset(baseOf(saved as Job));
      setChecked(false);
      showToast(tells ? t`Saved. The applicants are told.` : t`Changes saved`);
    } catch (error) {
      if (isApiError(error, 'job/stale')) {
        const newest = (await api.jobs.get({ jobId: job.id }).catch(() => null)) as Job | null;
        if (newest) {
          client.setQueryData(apiQuery.jobs.get.queryKey({ input: { jobId: job.id } }), newest);
          return edit.meet(baseOf(newest));
        }
      }
      setRefused({
        error,
        fields: fieldsOfRefusal(error, (field) => t`Check this: ${jobFieldWords(field)}.`),
      });
    }
  };

  const fields = {
    form: edit.typed,
    onChange: change,
    errors: { ...pastErrors(edit.typed, setting), ...shown },
    idOf,
    business,
    setting,
    hired: job.member?.hired ?? 0,
    offered: job.member?.offered ?? 0,
    fixed: (job.member?.hired ?? 0) + (job.member?.offered ?? 0) > 0,
    payUnitLabel: job.pay.unit === 'hour' || job.pay.unit === 'fixed' ? undefined : t`Pay`,
  };
  const ordinary = job.pay.unit === 'hour' || job.pay.unit === 'fixed';
  return (
    <EditScreen
      title={t`Edit job`}
      heading={job.title}
      back="/tabs/menu/jobs"
      save={editable ? { dirty: edit.dirty, busy: update.isPending, run: () => void save() } : null}
      before={<JobStandingCard job={job} unsaved={edit.dirty} />}
      after={
        editable && ordinary ? (
          <JobPreview form={edit.typed} setting={setting} business={business} job={job} />
        ) : undefined
      }
    >
      <ErrorSummary
        key={tries}
        errors={jobStepIds
          .flatMap((step) => errorsOfStep(step, shown))
          .map(({ field, text }) => ({ id: idOf(field), text }))}
      />
      <JobRefusal
        error={refused?.error}
        kept={false}
        businessId={business.id}
        again={{ label: (amount) => t`Add ${amount} and save`, run: () => void save() }}
      />
      <ConflictBanner
        what={t`this job`}
        edit={edit}
        words={(fields) => joined(...new Set(fields.map(jobFieldWords)))}
      />
      {editable ? (
        <>
          <FormPart title={stepTitle('what').name}>
            <JobWhatFields {...fields} />
          </FormPart>
          <FormPart title={stepTitle('where').name}>
            <JobWhereFields {...fields} />
          </FormPart>
          <FormPart title={stepTitle('time').name}>
            {job.hoursNote ? <Banner icon="clock">{t`Hours as posted: ${job.hoursNote}`}</Banner> : null}
            <JobTimeFields {...fields} />
          </FormPart>
          <FormPart title={stepTitle('who').name}>
            <JobWhoFields {...fields} />
          </FormPart>
          {tells ? (
            <Banner tone="wait" icon="megaphone" live>
              {t`Saving this tells everybody who applied.`}
            </Banner>
          ) : null}
        </>
      ) : (
        <JobAsSaved job={job} />
      )}
    </EditScreen>
  );
}
