import { useLingui } from '@lingui/react/macro';
import { Icon } from '../../ui/art/icon.tsx';
import type { JobFieldsProps } from './job-fields.tsx';
import { errorsOfStep, type JobErrors, type JobStep, jobStepIds } from './job-form.rules.ts';
import { stepSummary, stepTitle } from './job-step-words.ts';

type JobStepListProps = JobFieldsProps & {
  step: JobStep;
  problems: JobErrors;
  onStep: (step: JobStep) => void;
};

/** The steps of a job with their content so far; any of them can be opened. */
export function JobStepList({ step, problems, onStep, form, setting, business }: JobStepListProps) {
  const { t } = useLingui();
  const now = jobStepIds.indexOf(step);
  return (
    <nav className="composer-nav" aria-label={t`Timeline`}>
      <ol className="tl">
        {jobStepIds.map((id, index) => {
          const bad = errorsOfStep(id, problems).length > 0;
          const summary = stepSummary(id, form, setting, business);
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
                  {stepTitle(id).name}
                  {bad ? (
                    <Icon name="warning-circle" label={t`Needs your attention`} className="danger" />
                  ) : null}
                </span>
                <span className="d block">
                  {index === now
                    ? t`Step ${index + 1} of ${jobStepIds.length}`
                    : (summary ?? stepTitle(id).holds)}
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
