import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { formatMinutes, formatMoney, formatShare } from '../../lib/format.ts';
import { useSessionDraft } from '../../lib/session-draft.ts';
import { useSettings } from '../../lib/settings.ts';
import { zoneTown } from '../../lib/zoned-time.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { SumRow } from '../../ui/card.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { useCounter } from './engagements.api.ts';
import { hoursFromTyped, hoursToCounter, payOfHours, type TypedHours, typedHours } from './hours.rules.ts';
import { claimOf, roundsSoFar } from './hours-compare.rules.ts';
import { HoursFields, useHoursTrouble } from './hours-fields.tsx';
import type { MerchantFormProps } from './merchant-forms.tsx';
import { useEngagementMove } from './use-engagement-move.ts';

/** Fewer hours than were claimed, with a reason. Starts from what was recorded, with the break that was claimed or planned where none was logged. */
export function CounterForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const { counterRounds } = useSettings();
  const { terms, worker } = work;
  const claim = claimOf(work);
  const draft = useSessionDraft<TypedHours & { note: string }>(
    `counter ${work.id} ${work.claims.length}`,
    () => {
      const start = hoursToCounter(work, claim);
      return {
        ...(start ? typedHours(start, terms.timeZone) : { day: '', from: '', to: '', breakMinutes: '0' }),
        note: '',
      };
    },
  );
  const typed = draft.value;
  const { note } = typed;
  const [tried, setTried] = useState(false);
  const counter = useCounter();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const read = hoursFromTyped(typed, terms.timeZone, new Date());
  const pay = 'hours' in read ? payOfHours(read.hours, terms) : null;
  const claimed = claim?.amountMinor ?? terms.payTotalMinor;
  const tooMuch = pay !== null && pay.amountMinor >= claimed;
  const words = useHoursTrouble();
  const trouble =
    'trouble' in read
      ? words[read.trouble]
      : tooMuch
        ? t`This is not less than the ${money(claimed)} that were claimed. To pay all of it, approve it.`
        : undefined;
  const name = worker.name || t`The worker`;
  const round = roundsSoFar(work) + 1;
  const change = (part: Partial<typeof typed>) => draft.set({ ...typed, ...part });
  const send = async () => {
    setTried(true);
    if (!('hours' in read) || trouble || note.trim() === '' || note.length > limits.reasonMax) return;
    const input = { engagementId: work.id, version: work.version, ...read.hours, note: note.trim() };
    if (!(await run(() => counter.mutateAsync(input)))) return;
    draft.drop();
    onDone(t`${name} gets your proposal`);
  };
  return (
    <form
      className="col g4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p className="mute">
        <Trans>
          Round {round} of {counterRounds}. After the last one that is not agreed to, it becomes a dispute.
        </Trans>
      </p>
      <HoursFields
        typed={typed}
        onChange={change}
        help={t`Times of ${zoneTown(terms.timeZone)}.`}
        error={tried ? trouble : undefined}
      />
      {pay && !tooMuch ? (
        <div role="status">
          <SumRow
            label={t`Claimed, ${formatMinutes(claim?.paidMinutes ?? terms.paidMinutes ?? 0)}`}
            value={money(claimed)}
          />
          <SumRow label={t`You propose, ${formatMinutes(pay.paidMinutes)}`} value={money(pay.amountMinor)} />
          <SumRow total label={t`In question`} value={money(claimed - pay.amountMinor)} />
          <p className="sm mute mt2">
            <Trans>
              {money(pay.amountMinor)} is then undisputed: it is paid at once out of what is set aside, with
              our fee of {formatShare(terms.merchantFeeBasisPoints)} on it. The rest stays there until you
              agree.
            </Trans>
          </p>
        </div>
      ) : null}
      <TextArea
        label={t`Why`}
        help={t`The worker reads this.`}
        rows={3}
        maxLength={limits.reasonMax}
        length={note.length}
        value={note}
        error={tried && note.trim() === '' ? t`Say what was different.` : undefined}
        onChange={(event) => change({ note: event.target.value })}
      />
      <Refused text={refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" className="grow" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={busy}>
          {pay && !tooMuch ? t`Propose ${money(pay.amountMinor)}` : t`Propose these hours`}
        </Button>
      </div>
    </form>
  );
}
