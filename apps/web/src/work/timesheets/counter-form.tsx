import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatMinutes, formatMoney, formatShare } from '../../lib/words/format.ts';
import { zoneTown } from '../../lib/words/zoned-time.ts';
import { Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import {
  hoursFromTyped,
  hoursToCounter,
  minimumOf,
  payOfHours,
  silenceAfterCounter,
  type TypedHours,
  typedHours,
} from './hours.rules.ts';
import { roundsSoFar, workerClaimOf } from './hours-compare.rules.ts';
import { HoursFields, hoursProblems } from './hours-fields.tsx';
import { useCounter } from './timesheets.api.ts';

type CounterFormProps = { work: Engagement; onDone: (text: string) => void; onClose: () => void };

/** The hours to propose, the pay for them, and their sending. */
function useCounterForm({ work, onDone }: CounterFormProps) {
  const { t } = useLingui();
  const { terms, worker } = work;
  const claim = workerClaimOf(work);
  const minimum = minimumOf(work);
  const claimed = claim?.amountMinor ?? terms.payTotalMinor;
  const draft = useSessionDraft<TypedHours & { note: string }>(
    `counter ${work.id} ${work.claims.length}`,
    () => {
      const start = hoursToCounter(work, claim);
      if (!start) return { day: '', from: '', to: '', breakMinutes: '0', note: '' };
      const typed = typedHours(start, terms.timeZone);
      const isTooMuch = payOfHours(start, terms, minimum).amountMinor >= claimed;
      // An end that the form itself would refuse is left to be typed.
      return { ...typed, to: isTooMuch ? '' : typed.to, note: '' };
    },
  );
  const counter = useCounter();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const form = useFormModel<TypedHours & { note: string }>({
    focusProblems: true,
    draft,
    check: (values) => {
      const hours = hoursFromTyped(values, terms, new Date());
      const note =
        values.note.trim() === '' ? t`Say what was different.` : tooLong(values.note, limits.reasonMax);
      const isTooMuch = 'hours' in hours && payOfHours(hours.hours, terms, minimum).amountMinor >= claimed;
      return {
        ...('problem' in hours ? hoursProblems(hours.problem, values, terms) : {}),
        ...(isTooMuch
          ? { to: t`Enter less than the ${money(claimed)} submitted. To pay all of it, approve the hours.` }
          : {}),
        note,
      };
    },
  });
  const { values } = form;
  const parsed = hoursFromTyped(values, terms, new Date());
  const totalMinor = 'hours' in parsed ? payOfHours(parsed.hours, terms, minimum) : null;
  const pay = totalMinor && totalMinor.amountMinor < claimed ? totalMinor : null;
  const name = worker.name || t`The worker`;
  const send = async () => {
    if (!('hours' in parsed)) return;
    const note = values.note.trim();
    const input = { engagementId: work.id, version: work.version, ...parsed.hours, note };
    if (!(await run(() => counter.mutateAsync(input)))) return;
    draft.drop();
    onDone(t`Proposal sent to ${name}`);
  };
  return { form, claim, claimed, pay, busy, refusal, send };
}

export function CounterForm(props: CounterFormProps) {
  const { t } = useLingui();
  const { work, onClose } = props;
  const { terms } = work;
  const { counterRounds } = useSettings();
  const { form, claimed, claim, pay, busy, refusal, send } = useCounterForm(props);
  const { values } = form;
  const round = roundsSoFar(work) + 1;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p className="mute">
        <Trans>
          Round {round} of {counterRounds}. If you don't agree after the last round, it becomes a dispute.
        </Trans>
      </p>
      <HoursFields
        typed={values}
        timeZone={terms.timeZone}
        onChange={form.change}
        help={t`Times are in ${zoneTown(terms.timeZone)} time.`}
        problems={form.problems}
        idOf={form.idOf}
      />
      {pay ? (
        <CounterPay
          work={work}
          claimed={{ amountMinor: claimed, paidMinutes: claim?.paidMinutes ?? terms.paidMinutes ?? 0 }}
          pay={pay}
        />
      ) : null}
      <TextArea
        label={t`Reason`}
        help={t`The worker will see this.`}
        rows={3}
        maxLength={limits.reasonMax}
        {...form.textField('note')}
        length={values.note.length}
      />
      <HelpLink article="counter-proposals">{t`How proposing other hours works`}</HelpLink>
      <Refused text={refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" className="grow" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={busy}>
          {pay ? t`Propose ${money(pay.amountMinor)}` : t`Propose these hours`}
        </Button>
      </div>
    </Form>
  );
}

type Pay = { amountMinor: number; paidMinutes: number };

/** Compares the pay with what was submitted, and says what happens without a reply. */
function CounterPay({ work, claimed, pay }: { work: Engagement; claimed: Pay; pay: Pay }) {
  const { t } = useLingui();
  const { autoApproveShiftHours } = useSettings();
  const { terms, worker } = work;
  const name = worker.name || t`The worker`;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const ifSilent = (counterMinor: number): string => {
    const { kind, amountMinor } = silenceAfterCounter(work, counterMinor);
    const sum = money(amountMinor);
    if (kind === 'pay-recorded' && amountMinor === counterMinor)
      return t`If ${name} doesn't reply within ${autoApproveShiftHours} hours, the ${sum} you propose is all that is paid.`;
    return kind === 'pay-recorded'
      ? t`If ${name} doesn't reply within ${autoApproveShiftHours} hours, ${sum} is paid for the recorded hours within the planned time.`
      : t`If ${name} doesn't reply within ${autoApproveShiftHours} hours, a dispute opens about the rest.`;
  };
  return (
    <div role="status">
      <SumRow
        label={t`Submitted, ${formatMinutes(claimed.paidMinutes)}`}
        value={money(claimed.amountMinor)}
      />
      <SumRow label={t`Your proposal, ${formatMinutes(pay.paidMinutes)}`} value={money(pay.amountMinor)} />
      <SumRow total label={t`Difference`} value={money(claimed.amountMinor - pay.amountMinor)} />
      <p className="sm mute mt2">
        <Trans>
          {money(pay.amountMinor)} is paid right away from the money you set aside, plus our{' '}
          {formatShare(terms.businessFeeBasisPoints)} fee. The rest stays set aside until you agree.
        </Trans>
      </p>
      <p className="strong mt2">{ifSilent(pay.amountMinor)}</p>
    </div>
  );
}
