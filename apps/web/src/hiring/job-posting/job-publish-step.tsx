import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { dayMs } from '@nearhand/contract/durations';
import { type ComponentProps, useId } from 'react';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate } from '../../lib/words/format.ts';
import { spanAt } from '../../lib/words/zoned-time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { SpotQuote } from '../spots/spot-quote.tsx';
import { AllDays, allDatesText, OneShiftOnly } from './also-on.tsx';
import type { JobFieldsProps } from './job-fields.tsx';
import { errorsOfStep, type JobErrors, type JobStep, jobStepIds } from './job-form.rules.ts';
import { JobPreview } from './job-preview.tsx';
import { jobStepTexts, stepSummary } from './job-step.labels.ts';

type JobPublishStepProps = JobFieldsProps & {
  missing: JobErrors;
  onStep: (step: JobStep) => void;
  isShort: boolean;
  preview: ComponentProps<typeof JobPreview>;
};

export function JobPublishStep(props: JobPublishStepProps) {
  const { form, setting, business, alsoOn, missing, onStep, isShort, preview } = props;
  const { t } = useLingui();
  const id = useId();
  const { jobLifeDays, openJobsWhileUnverified } = useSettings();
  const count = Object.keys(missing).length;
  const now = useNow();
  const starts = form.kind === 'shift' ? (spanAt(form, setting.timeZone)?.startsAt ?? null) : null;
  const isUnverified = business.status !== 'verified';
  return (
    <>
      <HelpLink article="fees">{t`What hiring costs`}</HelpLink>
      <ul className="card flush">
        {jobStepIds.slice(0, -1).map((step) => {
          const problems = errorsOfStep(step, missing);
          const summary = stepSummary(step, form, setting, business, (alsoOn?.days.length ?? 0) + 1);
          return (
            <li className="li top" key={step}>
              <div className="grow">
                <p className="mid" id={`${id}-${step}`}>
                  {jobStepTexts(step).name}
                </p>
                <p className="sm mute">{summary ?? jobStepTexts(step).empty ?? t`Not filled in yet`}</p>
                {problems.map(({ field, text }) => (
                  <p className="sm danger" key={field}>
                    {text}
                  </p>
                ))}
              </div>
              <Button kind="text" size="s" aria-describedby={`${id}-${step}`} onClick={() => onStep(step)}>
                {problems.length > 0 || summary === null ? t`Add` : t`Change`}
              </Button>
            </li>
          );
        })}
      </ul>
      {form.instantHire ? <OneShiftOnly {...props} /> : null}
      <AllDays form={form} setting={setting} days={alsoOn?.days ?? []} />
      {alsoOn?.block.isChosen ? (
        <Banner icon="calendar-check">
          <b>{t`All dates together`}.</b> {allDatesText()}
        </Banner>
      ) : null}
      {count > 0 ? (
        <Banner tone="wait" icon="info">
          <Plural value={count} one="# thing is missing." other="# things are missing." />{' '}
          <Trans>Your draft is saved until you finish it.</Trans>
        </Banner>
      ) : null}
      {form.instantHire && preview.job && count === 0 ? (
        <SpotQuote
          jobId={preview.job.id}
          version={preview.job.version}
          businessId={business.id}
          isRefused={isShort}
        />
      ) : null}
      <div className="sm mute">
        <p>
          {starts && (alsoOn?.days.length ?? 0) > 0 ? (
            <Trans>
              Workers nearby will see each shift until it starts, the first on{' '}
              {formatDate(starts, setting.timeZone, now)}. You can pause, edit or close them at any time.
            </Trans>
          ) : starts && Date.parse(starts) - now.getTime() < jobLifeDays * dayMs ? (
            <Trans>
              Workers nearby will see it until it starts, {formatDate(starts, setting.timeZone, now)}. You can
              pause, edit or close it at any time.
            </Trans>
          ) : (
            <Trans>
              Workers nearby will see it for {jobLifeDays} days. You can pause, edit or close it at any time.
            </Trans>
          )}
        </p>
        {isUnverified ? (
          <p className="mt2">
            <Trans>
              {business.name} isn't verified. Workers can see that, and you can have {openJobsWhileUnverified}{' '}
              jobs open at a time. The dates of a series count as one.
            </Trans>
          </p>
        ) : null}
      </div>
      <div className="composer-preview">
        <JobPreview {...preview} />
      </div>
    </>
  );
}
