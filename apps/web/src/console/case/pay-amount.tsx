import type { PayCase, PayEffect } from '@nearhand/contract/trust/case-facts';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { minorFromTyped, typedAmountMax, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { currencySymbol, formatDate, formatMoney, minorDigits } from '../../lib/words/format.ts';
import { SumRow } from '../../ui/card.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { apiQuery } from '../console-api.ts';

type Preview = { name: { worker: string; business: string }; effect: PayEffect };

export function usePayAmount({ item, facts }: CaseFile, decision: string | null) {
  const pay = facts.kind === 'dispute' || facts.kind === 'no_show' ? facts : null;
  const needsAmount = pay !== null && (decision === 'decide' || decision === 'worked');
  const [text, setText] = useState('');
  const digits = pay ? minorDigits(pay.currency) : 0;
  const typedMinor = needsAmount ? minorFromTyped(text, digits) : null;
  const inRange =
    pay !== null && typedMinor !== null && typedMinor >= pay.minMinor && typedMinor <= pay.maxMinor;
  const decidedMinor = pay !== null && decision === 'absent' ? 0 : null;
  const amountMinor = inRange ? typedMinor : decidedMinor;
  const effect = useEffectOf(pay, item.subjectId, useDeferredValue(amountMinor));
  const money = (minor: number) => (pay ? formatMoney(minor, pay.currency) : '');
  const endsLater =
    pay?.kind === 'no_show' && decision === 'worked' && pay.endsAt && Date.parse(pay.endsAt) > Date.now()
      ? formatDate(pay.endsAt, pay.timeZone)
      : null;
  return {
    asks: needsAmount,
    facts: pay,
    text,
    setText,
    digits,
    amountMinor,
    problem: endsLater
      ? `The shift ends ${endsLater}. Only then can you decide that they worked.`
      : needsAmount && pay && !inRange
        ? `Enter an amount from ${money(pay.minMinor)} to ${money(pay.maxMinor)}.`
        : undefined,
    effect:
      pay && effect
        ? ({ name: { worker: pay.worker.name, business: pay.business.name }, effect } satisfies Preview)
        : null,
    takesSecondPerson: effect?.takesSecondPerson ?? false,
    words: pay && effect ? `${pay.worker.name} gets ${money(effect.workerGetsMinor)}` : null,
  };
}

type PayAmount = ReturnType<typeof usePayAmount>;

/** The effect as the server calculates it, with the functions that the decision uses. */
function useEffectOf(
  pay: (PayCase & { kind: 'dispute' | 'no_show' }) | null,
  subjectId: string,
  amountMinor: number | null,
) {
  const payEffect = pay?.effects.find((effect) => effect.amountMinor === amountMinor) ?? null;
  const query = useQuery({
    ...apiQuery.cases.preview.queryOptions({
      input: { kind: pay?.kind ?? 'dispute', subjectId, amountMinor: amountMinor ?? 0 },
    }),
    enabled: pay !== null && amountMinor !== null && payEffect === null,
  });
  return amountMinor === null ? null : (payEffect ?? query.data ?? null);
}

export function AmountField({ pay, tried }: { pay: PayAmount; tried: boolean }) {
  const { facts, text, setText, digits } = pay;
  if (!facts) return null;
  const { worker, business, proposal } = facts;
  const proposals: [string, number | null][] = [
    [worker.name, facts.workerAmountMinor],
    [business.name, facts.businessAmountMinor],
    ['Last proposal', proposal?.amountMinor ?? null],
    ['Agreed pay', facts.plannedMinor],
    ['Least', facts.minMinor],
  ];
  const offered = proposals.filter(
    (entry, index): entry is [string, number] =>
      entry[1] !== null &&
      entry[1] >= facts.minMinor &&
      entry[1] <= facts.maxMinor &&
      proposals.findIndex(([, minor]) => minor === entry[1]) === index,
  );
  return (
    <div className="col g2">
      <TextInput
        label="Total pay for the work"
        inputMode="decimal"
        maxLength={typedAmountMax}
        before={currencySymbol(facts.currency)}
        value={text}
        error={tried ? pay.problem : undefined}
        help={`From ${formatMoney(facts.minMinor, facts.currency)} to ${formatMoney(facts.maxMinor, facts.currency)}.`}
        onChange={(event) => setText(event.target.value)}
      />
      <Chips label="Amounts" wrap>
        {offered.map(([label, minor]) => (
          <Chip
            key={label}
            pressed={pay.amountMinor === minor}
            onClick={() => setText(typedFromMinor(minor, digits))}
          >
            {label}: {formatMoney(minor, facts.currency)}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

export function EffectView({ effect: { name, effect } }: { effect: Preview }) {
  const money = (minor: number) => formatMoney(minor, effect.currency);
  return (
    <div className="c-effect" aria-live="polite">
      <p className="label">What it does</p>
      <SumRow label={`${name.worker} receives`} value={money(effect.workerGetsMinor)} total />
      {effect.alreadyPaidMinor > 0 ? (
        <SumRow label="Paid before" value={money(effect.alreadyPaidMinor)} />
      ) : null}
      <SumRow label={`${name.business} gets back`} value={money(effect.backMinor)} />
      <SumRow label="Fee of Nearhand" value={money(effect.feeMinor)} />
      {effect.missingMinor > 0 ? (
        <SumRow label={`${name.business} still has to add`} value={money(effect.missingMinor)} />
      ) : null}
      {effect.takesSecondPerson ? (
        <p className="sm mt2">It moves so much that another operator has to approve it first.</p>
      ) : null}
    </div>
  );
}
