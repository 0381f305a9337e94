import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import type { Step } from '@nearhand/contract/terms';
import { formatDate } from '../../lib/format.ts';
import { Timeline } from '../../ui/steps.tsx';
import { statusLabel } from './use-engagement-move.ts';

type Parties = Pick<Engagement, 'side' | 'worker' | 'business'>;

/** What happened so far, as the reader's side says it, each with its time in the zone of the work. */
export function WorkSteps({ work, now }: { work: Engagement; now?: Date }) {
  const { t } = useLingui();
  const { steps, terms } = work;
  return (
    <section>
      <h2 className="h-m">{t`What happened so far`}</h2>
      <div className="mt4">
        <Timeline
          items={steps.map((step, index) => ({
            title: stepTitle(step, work),
            time: formatDate(step.at, terms.timeZone, now),
            state: index === steps.length - 1 ? 'now' : 'done',
            ...(step.reason ? { note: step.reason } : {}),
          }))}
        />
      </div>
    </section>
  );
}

export function stepTitle(step: Step, { side, worker, business }: Parties): string {
  const worked = side === 'worker';
  const w = worker.name || t`The worker`;
  const b = business.name;
  switch (step.action) {
    case 'book':
      return t`Booked`;
    case 'confirm':
      return worked ? t`You confirmed` : t`${w} confirmed`;
    case 'check-in':
      return worked ? t`You checked in` : t`${w} checked in`;
    case 'check-out':
      return worked ? t`You checked out` : t`${w} checked out`;
    case 'start':
      return worked ? t`You began` : t`${w} began`;
    case 'submit-hours':
      return worked ? t`You sent your hours` : t`${w} sent the hours`;
    case 'auto-submit':
      return worked ? t`Hours sent for you` : t`Hours put in by themselves`;
    case 'counter':
      return worked ? t`${b} proposed other hours` : t`You proposed other hours`;
    case 'accept-counter':
      return worked ? t`You agreed to their hours` : t`${w} agreed to your hours`;
    case 'counter-stands':
      return worked ? t`Their hours stand, as no answer came` : t`Your hours stand, as no answer came`;
    case 'deliver':
      return worked ? t`You delivered` : t`${w} delivered`;
    case 'request-changes':
      return worked ? t`${b} asked for changes` : t`You asked for changes`;
    case 'approve':
      if (step.by === 'timer') return t`Approved by itself`;
      return worked ? t`${b} approved` : t`You approved`;
    case 'complete':
      return t`Completed`;
    case 'cancel':
      if (step.by === side) return t`You called it off`;
      return worked ? t`${b} called it off` : t`${w} called it off`;
    case 'report-no-show':
      return worked ? t`${b} reported that you did not come` : t`You reported that ${w} did not come`;
    case 'contest':
      return worked ? t`You contested it` : t`${w} contested it`;
    case 'uphold':
      return t`Nearhand decided: the report stands`;
    case 'overturn':
      return worked ? t`Nearhand decided: you worked` : t`Nearhand decided: ${w} worked`;
    case 'dispute':
      if (step.by === 'timer') return t`A dispute opened by itself`;
      if (step.by === side) return t`You opened a dispute`;
      return worked ? t`${b} opened a dispute` : t`${w} opened a dispute`;
    case 'settle':
      return step.by === 'operator' ? t`Nearhand decided the dispute` : t`The dispute is settled`;
    default:
      return statusLabel(step.status, side) ?? step.status;
  }
}
