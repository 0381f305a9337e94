import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Step } from '@nearhand/contract/sides';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Timeline } from '../../ui/steps.tsx';
import { statusLabel } from './engagement-move.api.ts';

type Parties = Pick<Engagement, 'side' | 'worker' | 'business'>;

/** True once a no-show stands, by a decision or because it was not contested in time, and nothing is held any more. */
export const isReturnedNoShow = (
  { status, funding, noShow, steps }: Pick<Engagement, 'status' | 'funding' | 'noShow' | 'steps'>,
  now: Date,
): boolean =>
  status === 'no_show_reported' &&
  funding === 'not_funded' &&
  noShow !== null &&
  (new Date(noShow.contestBy) <= now || steps.some(({ action }) => action === 'uphold'));

/** The end of a no-show, which is no move of its own: its report stands, and the business gets its money back. */
function endOfNoShow(work: Engagement, now: Date): { title: string; at: string } | null {
  const { side, noShow, steps, terms } = work;
  if (!noShow || !isReturnedNoShow(work, now)) return null;
  const money = formatMoney(terms.holdMinor, terms.currency);
  const decision = noShow.contest === null ? null : steps.findLast(({ action }) => action === 'uphold');
  if (decision)
    return side === 'business' ? { title: t`${money} went back to your balance`, at: decision.at } : null;
  return {
    title:
      side === 'business'
        ? t`The no-show stands: ${money} went back to your balance`
        : t`The no-show stands: you didn't contest it in time`,
    at: noShow.contestBy,
  };
}

export function WorkSteps({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const now = useNow();
  const { steps } = work;
  const end = endOfNoShow(work, now);
  const time = (at: string) => formatDate(at, ownTimeZone(), now);
  return (
    <section>
      <h2 className="h-m">{t`History`}</h2>
      <div className="mt4">
        <Timeline
          items={[
            ...steps.map((step, index) => ({
              title: workStepTitle(step, work, steps[index - 1]),
              time: time(step.at),
              state: index === steps.length - 1 && !end ? ('now' as const) : ('done' as const),
              note: step.reason ? ownText(step.reason) : null,
            })),
            ...(end ? [{ title: end.title, time: time(end.at), state: 'now' as const, note: null }] : []),
          ]}
        />
      </div>
    </section>
  );
}

export function workStepTitle(step: Step, { side, worker, business }: Parties, before?: Step): string {
  const isWorker = side === 'worker';
  const w = worker.name || t`The worker`;
  const b = business.name;
  switch (step.action) {
    case 'book':
      return t`Booked`;
    case 'confirm':
      return isWorker ? t`You confirmed` : t`${w} confirmed`;
    case 'check-in':
      return isWorker ? t`You checked in` : t`${w} checked in`;
    case 'check-out':
      return isWorker ? t`You checked out` : t`${w} checked out`;
    case 'check-in-for':
      return isWorker ? t`${b} checked you in` : t`You checked ${w} in`;
    case 'check-out-for':
      return isWorker ? t`${b} checked you out` : t`You checked ${w} out`;
    case 'contest-record':
      return isWorker ? t`You contested a recorded time` : t`${w} contested a recorded time`;
    case 'running-late':
      return isWorker ? t`You said you're running late` : t`${w} is running late`;
    case 'running-late-15':
    case 'running-late-30':
    case 'running-late-60': {
      const minutes = step.action.slice('running-late-'.length);
      return isWorker
        ? t`You said you'd be ${minutes} minutes late`
        : t`${w} said they'd be ${minutes} minutes late`;
    }
    case 'start':
      return isWorker ? t`You started` : t`${w} started`;
    case 'submit-hours':
      // After hours that the timer submitted, these are the worker's first.
      if (before?.status === 'submitted' && before.action !== 'auto-submit')
        return isWorker ? t`You corrected your hours` : t`${w} corrected their hours`;
      return isWorker ? t`You submitted your hours` : t`${w} submitted hours`;
    case 'auto-submit':
      return isWorker ? t`Hours submitted for you` : t`Hours submitted automatically`;
    case 'counter':
      return isWorker ? t`${b} proposed new hours` : t`You proposed new hours`;
    case 'accept-counter':
      return isWorker ? t`You agreed to their hours` : t`${w} agreed to your hours`;
    case 'pay-recorded':
      return isWorker ? t`Pay settled because you didn't reply` : t`Pay settled because they didn't reply`;
    case 'approve-planned':
      return isWorker ? t`${b} approved` : t`Approved by your rule`;
    case 'deliver':
      return isWorker ? t`You delivered` : t`${w} delivered`;
    case 'request-changes':
      return isWorker ? t`${b} asked for changes` : t`You asked for changes`;
    case 'approve':
      if (step.by === 'timer') return t`Approved automatically`;
      return isWorker ? t`${b} approved` : t`You approved`;
    case 'complete':
      return t`Completed`;
    case 'cancel':
      if (step.by === side) return t`You cancelled`;
      return isWorker ? t`${b} cancelled` : t`${w} cancelled`;
    case 'lapse':
      return isWorker
        ? t`You didn’t confirm, so we offered the spot to others`
        : t`${w} didn’t confirm, so we offered the spot to others`;
    case 'end-unfunded':
      return isWorker
        ? t`${b} didn’t set the pay aside, so the booking ended`
        : t`The pay wasn’t set aside, so the booking ended`;
    case 'excuse':
      return isWorker ? t`You have this day off` : t`${w} has this day off`;
    case 'leave':
      return isWorker ? t`You left because of a change` : t`${w} left because of your change`;
    case 'report-no-show':
      return isWorker ? t`${b} reported that you didn't show up` : t`You reported a no-show by ${w}`;
    case 'contest':
      return isWorker ? t`You contested the report` : t`${w} contested the report`;
    case 'uphold':
      return t`Nearhand decided: no-show confirmed`;
    case 'overturn':
      return isWorker ? t`Nearhand decided: you worked` : t`Nearhand decided: ${w} worked`;
    case 'dispute':
      if (step.by === 'timer') return t`A dispute opened automatically`;
      if (step.by === side) return t`You opened a dispute`;
      return isWorker ? t`${b} opened a dispute` : t`${w} opened a dispute`;
    case 'settle':
      return step.by === 'operator' ? t`Nearhand decided the dispute` : t`Dispute settled`;
    default:
      return statusLabel(step.status, side) ?? step.status;
  }
}
