import type { PayoutSpeed, WorkerBalance } from '@nearhand/contract/money/payouts';
import { minWithdrawal } from '@nearhand/contract/money/payouts.rules';
import { useDeferredValue, useState } from 'react';
import { minorDigits } from '../../lib/words/format.ts';
import { type Balance, useWithdrawalQuote } from './payouts.api.ts';
import { isHeld, judgeAmount, methodToUse } from './withdraw.rules.ts';

/** A withdrawal being prepared. `closing` closes the account, which has no minimum. */
export function useWithdrawDesk(data: Balance | undefined, closing: boolean) {
  const [currency, setCurrency] = useState<string | null>(null);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [requested, setSpeed] = useState<PayoutSpeed>('standard');
  const [tried, setTried] = useState(false);
  const balance = (data?.balances.find((balance) => balance.currency === currency) ?? data?.balances[0]) as
    | WorkerBalance
    | undefined;
  const method =
    data && balance ? methodToUse(data.methods, balance.currency, chosenId, new Date()) : undefined;
  const speed: PayoutSpeed = method?.instant ? requested : 'standard';
  const digits = balance ? minorDigits(balance.currency) : 2;
  const minMinor = balance ? minWithdrawal(speed, balance, closing ? balance.availableMinor : null) : 0;
  const judged = balance
    ? judgeAmount(typed, digits, {
        availableMinor: balance.availableMinor,
        minMinor,
      })
    : { minor: null, problem: null };
  const isNotYetUsable = method !== undefined && isHeld(method);
  const freeFrom = data?.rules.freeFrom;
  const none =
    data !== undefined && data.rules.leftToday <= 0 && !(freeFrom && new Date(freeFrom) <= new Date());
  const request =
    method && judged.minor !== null && judged.problem === null
      ? { methodId: method.id, amountMinor: judged.minor, speed, ...(closing ? { closing } : {}) }
      : null;
  const quote = useWithdrawalQuote(useDeferredValue(isNotYetUsable || none ? null : request));
  return {
    balance,
    method,
    digits,
    typed,
    speed,
    tried,
    judged,
    minMinor,
    held: isNotYetUsable,
    none,
    request,
    quote: request ? quote.data : undefined,
    canSend: request !== null && !isNotYetUsable && !none,
    setTyped: (text: string) => {
      setTyped(text);
      setTried(false);
    },
    setSpeed,
    setTried,
    chooseMethod: setChosenId,
    chooseCurrency: (code: string) => {
      setCurrency(code);
      setTyped('');
      setTried(false);
    },
    clear: () => {
      setTyped('');
      setTried(false);
    },
  };
}

export type WithdrawDesk = ReturnType<typeof useWithdrawDesk>;
