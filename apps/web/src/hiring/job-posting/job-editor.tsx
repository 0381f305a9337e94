import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { SeriesReach } from '@nearhand/contract/hiring/series-edits.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { workLimits } from '@nearhand/contract/work/limits';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useRecordForm } from '../../lib/forms/record-form.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { categoryText } from '../../lib/words/category.labels.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { formatDay, formatMinutes, joined } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { ConflictBanner } from '../../ui/controls/conflict-banner.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { FormPart } from '../../ui/controls/form-part.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { EditScreen } from '../../ui/pages/edit-screen.tsx';
import { PhotoGrid } from '../../ui/photo-grid.tsx';
import { acceptDoubts, jobDoubts } from '../jobs/job-doubts.ts';
import { JobStatusCard } from '../jobs/job-status-card.tsx';
import { plannedShifts, useUpdateJob } from '../jobs/jobs.api.ts';
import { settingOf } from './job-autosave.ts';
import { changesOf, isMaterial } from './job-changes.rules.ts';
import { JobWhatFields, JobWhereFields } from './job-fields.tsx';
import {
  doubtedTermsOf,
  errorsOfStep,
  formOfJob,
  type JobField,
  type JobForm,
  jobErrors,
  jobStepIds,
  toJobDraft,
} from './job-form.rules.ts';
import { pastErrors } from './job-past.rules.ts';
import { JobPreview } from './job-preview.tsx';
import { fieldsOfRefusal, JobRefusal } from './job-refusal.tsx';
import { jobFieldText, jobStepTexts } from './job-step.labels.ts';
import { JobTimeFields } from './job-time-fields.tsx';
import { JobWhoFields } from './job-who-fields.tsx';
import { SeriesEditSheet, type SeriesQuestion } from './series-edit-sheet.tsx';

const { changeAnswerHours } = workLimits;

type JobEditorProps = { job: Job; business: Business };

export function JobEditor({ job, business }: JobEditorProps) {
  const { t } = useLingui();
  const editor = useJobEditor({ job, business });
  const { edit, setting } = editor;
  const editable = job.actions.includes('edit');
  const save = () => void edit.submit(editor.save);
  return (
    <>
      <EditScreen
        title={t`Edit job`}
        heading={joined(
          job.title,
          editor.seriesShifts === null
            ? job.startsAt && formatDay(job.startsAt, job.timeZone)
            : shiftCount(editor.seriesShifts),
        )}
        back="/tabs/menu/jobs"
        save={editable ? { dirty: edit.dirty, busy: editor.busy, run: save } : null}
        before={<JobStatusCard job={job} unsaved={edit.dirty} />}
        after={
          editable && hasOrdinaryPay(job) ? (
            <JobPreview form={edit.values} setting={setting} business={business} job={job} />
          ) : undefined
        }
      >
        <ErrorSummary
          key={edit.tries}
          errors={jobStepIds
            .flatMap((step) => errorsOfStep(step, edit.problems))
            .map(({ field, text }) => ({ id: edit.idOf(field), text }))}
        />
        <JobRefusal
          error={editor.refused}
          isStored={false}
          canAsk
          businessId={business.id}
          again={{ label: (amount) => t`Add ${amount} and save`, run: save }}
        />
        <ConflictBanner
          what={t`this job`}
          edit={edit}
          words={(fields) => joined(...new Set(fields.map(jobFieldText)))}
        />
        {editable ? <EditedFields job={job} business={business} editor={editor} /> : <JobAsSaved job={job} />}
      </EditScreen>
      <SeriesEditSheet question={editor.question} />
    </>
  );
}

const hasOrdinaryPay = ({ pay }: Job): boolean => pay.unit === 'hour' || pay.unit === 'fixed';

/** The form of a saved job: asks about doubts, the series and applicants before it saves, and merges concurrent edits. */
function useJobEditor({ job, business }: JobEditorProps) {
  const { t } = useLingui();
  const baseOf = (from: Job) => ({ form: formOfJob(from, business), version: from.version });
  const isDraft = job.status === 'draft';
  const setting = { ...settingOf(business, job), savedStart: job.startsAt };
  const edit = useRecordForm<JobForm, JobField>(baseOf(job), (form) => {
    const { title, category, ...rest } = jobErrors(form, setting);
    // A draft may be incomplete; publishing asks for what is missing.
    return { ...(title ? { title } : {}), ...(category ? { category } : {}), ...(isDraft ? {} : rest) };
  });
  const [refused, setRefused] = useState<unknown>(null);
  const update = useUpdateJob();
  const { question, chooseReach, seriesShifts } = useSeriesReach({ job, business });
  const before = toJobDraft(edit.base.form, setting, business);
  const changes = changesOf(before, toJobDraft(edit.values, setting, business));
  const isNews = !isDraft && isMaterial(before, changes);
  const needsNotice = isNews && (job.member?.applicants ?? 0) > 0;

  const change = (part: Partial<JobForm>) => {
    edit.change(part);
    edit.clearRefusal();
    setRefused(null);
  };

  /** Shows the error at its fields, or merges with the edit that someone else saved first. */
  const showRefusal = async (error: unknown) => {
    if (isApiError(error, 'job/stale')) {
      const newest = await api.jobs.get({ jobId: job.id }).catch(() => null);
      if (newest) {
        queryClient.setQueryData(apiQuery.jobs.get.queryKey({ input: { jobId: job.id } }), newest);
        return edit.meet(baseOf(newest));
      }
    }
    const fields = fieldsOfRefusal(
      error,
      (field) => t`Check this: ${jobFieldText(field)}.`,
      job.pay.currency,
    );
    setRefused(Object.keys(fields).length > 0 ? null : error);
    edit.refuse({ fields });
  };

  const save = async () => {
    setRefused(null);
    if (Object.keys(changes).length === 0) {
      showToast(t`No changes to save`);
      return;
    }
    // The user is asked only about doubts that this edit introduced.
    const doubtsIn = (form: JobForm) => jobDoubts(doubtedTermsOf(form, setting), setting.now);
    const doubtsBefore = doubtsIn(edit.base.form);
    const doubts = isDraft ? [] : doubtsIn(edit.values).filter((doubt) => !doubtsBefore.includes(doubt));
    if (!(await acceptDoubts(doubts, t`Save as it is`))) return;
    try {
      const reach = await chooseReach(changes, { isNews, needsNotice });
      if (reach === null) return;
      const saved = await update.mutateAsync({
        ...changes,
        jobId: job.id,
        version: edit.base.version,
        reach: reach === 'one' ? undefined : reach,
      });
      edit.adopt(baseOf(saved));
      showToast(needsNotice ? t`Saved. Applicants have been notified.` : t`Changes saved`);
    } catch (error) {
      await showRefusal(error);
    }
  };
  return {
    edit,
    setting,
    change,
    save,
    busy: update.isPending,
    refused,
    question,
    needsNotice,
    seriesShifts,
  };
}

/**
 * Asks how far an edit goes in a series, and whether to notify the applicants of a single job. `seriesShifts` is the
 * number of shifts that the form edits together; null for one.
 */
function useSeriesReach({ job, business }: JobEditorProps) {
  const { t } = useLingui();
  /** The link of a series leads to its first shift, and means all of them. */
  const editsSeries = new URLSearchParams(useLocation().search).has('series');
  const [question, setQuestion] = useState<SeriesQuestion | null>(null);
  const isSeries = job.status !== 'draft' && job.seriesId !== null;
  const series = useQuery({ ...plannedShifts(job.id), enabled: isSeries });

  /** @returns null to go back to the form */
  const chooseReach = async (
    changes: SeriesQuestion['edit'],
    { isNews, needsNotice }: { isNews: boolean; needsNotice: boolean },
  ): Promise<SeriesReach | null> => {
    const hasOthers = isSeries && series.data?.length !== 1;
    const shifts = hasOthers ? await queryClient.fetchQuery(plannedShifts(job.id)) : [];
    if (shifts.some(({ jobId }) => jobId !== job.id)) {
      const reach = await new Promise<SeriesReach | null>((answer) =>
        setQuestion({
          job,
          shifts,
          edit: changes,
          timeZone: changes.place?.timeZone ?? job.timeZone,
          country: business.countryCode,
          notifies: isNews,
          initialReach: editsSeries ? 'all' : 'one',
          answer,
        }),
      );
      setQuestion(null);
      return reach;
    }
    if (!needsNotice) return 'one';
    const choice = await showAlert({
      title: t`Notify applicants?`,
      message: t`You changed the pay, hours, location or number of people. All applicants will be notified.`,
      buttons: [
        { value: 'save', label: t`Save and notify` },
        { value: 'back', label: t`Go back` },
      ],
    });
    return choice === 'save' ? 'one' : null;
  };
  return { question, chooseReach, seriesShifts: editsSeries && series.data ? series.data.length : null };
}

function EditedFields({
  job,
  business,
  editor: { edit, setting, change, needsNotice },
}: JobEditorProps & { editor: ReturnType<typeof useJobEditor> }) {
  const { t } = useLingui();
  const isRenewable = job.member?.renewable ?? false;
  const hired = job.member?.hired ?? 0;
  const offered = job.member?.offered ?? 0;
  const canAsk = hired > 0 && job.startsAt !== null && new Date(job.startsAt) > setting.now;
  const fields = {
    form: edit.values,
    onChange: change,
    errors: { ...pastErrors(edit.values, setting), ...edit.problems },
    idOf: edit.idOf,
    business,
    setting,
    hired,
    offered,
    asksBooked: canAsk,
    fixed: (offered > 0 && !isRenewable) || (hired > 0 && !canAsk),
    payUnitLabel: hasOrdinaryPay(job) ? undefined : t`Pay`,
  };
  return (
    <>
      <FormPart title={jobStepTexts('what').name}>
        <JobWhatFields {...fields} />
      </FormPart>
      {isRenewable ? (
        <Banner icon="info">
          {t`If you change the hours or location, the open offers are replaced by new ones that people have to accept again.`}
        </Banner>
      ) : null}
      {canAsk ? (
        <Banner icon="info">
          <Trans>
            If you change the hours or location or lower the pay, people already booked are asked to accept
            within {changeAnswerHours} hours. If they don’t answer, they work as agreed. They may also leave
            without a mark. If it costs more, the difference is set aside when you save.
          </Trans>
        </Banner>
      ) : null}
      <FormPart title={jobStepTexts('where').name}>
        <JobWhereFields {...fields} />
      </FormPart>
      <FormPart title={jobStepTexts('time').name}>
        {job.hoursNote ? <Banner icon="clock">{t`Hours as posted: ${job.hoursNote}`}</Banner> : null}
        <JobTimeFields {...fields} />
      </FormPart>
      <FormPart title={jobStepTexts('who').name}>
        <JobWhoFields {...fields} />
      </FormPart>
      {needsNotice ? (
        <Banner tone="wait" icon="megaphone" live>
          {t`Applicants will be notified when you save.`}
        </Banner>
      ) : null}
    </>
  );
}

function JobAsSaved({ job }: { job: Job }) {
  const { t } = useLingui();
  const { figure, notes } = payText(job.pay);
  return (
    <Card as="section" roomy label={t`Job`}>
      <div className="facts">
        <Fact icon="coins" title={figure} note={joined(...notes)} />
        <Fact
          icon="calendar-blank"
          title={whenText(job) ?? t`No time set`}
          note={job.pay.paidMinutes === null ? undefined : t`${formatMinutes(job.pay.paidMinutes)} paid`}
        />
        <Fact icon="map-pin" title={job.member?.address ?? job.place.label} note={job.member?.area} />
        <Fact icon="tag" title={categoryText(job.category)} />
      </div>
      <p className="pre-line mt5">{job.description}</p>
      {job.requirements.length > 0 ? (
        <ul className="plain-list mt4">
          {job.requirements.map((requirement) => (
            <li key={requirement}>{requirement}</li>
          ))}
        </ul>
      ) : null}
      {job.photoIds.length > 0 ? (
        <div className="mt4">
          <PhotoGrid urls={job.photoIds.map((fileId) => fileUrl(fileContentPath(fileId)))} />
        </div>
      ) : null}
      {job.skills.length > 0 ? (
        <div className="row wrap g2 mt4">
          {job.skills.map((skill) => (
            <Badge key={skill}>{skillText(skill)}</Badge>
          ))}
        </div>
      ) : null}
    </Card>
  );
}
