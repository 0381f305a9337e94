import { payForMinutes, shareOfAmount } from '../arithmetic.ts';

/** The cost of a job and its pay; amounts in minor units of one currency. */
export type JobCost = {
  /** One worker's pay before the worker's fee. */
  payEachMinor: number;
  /** One worker's pay after the worker's fee. */
  workerGetsMinor: number;
  payAllMinor: number;
  businessFeeMinor: number;
  /** The business's reservation for all spots. */
  totalMinor: number;
};

type CostInput = {
  kind: 'shift' | 'task';
  /** Hourly for a shift, total for a task. */
  payMinor: number;
  paidMinutes: number;
  headCount: number;
  businessFeeBasisPoints: number;
  workerFeeBasisPoints: number;
};

/** The cost of a job (product.md, Money: hold = pay + fee). The fee is rounded per spot: each has its own hold. */
export function jobCost(input: CostInput): JobCost {
  const payEachMinor =
    input.kind === 'task' ? input.payMinor : payForMinutes(input.payMinor, input.paidMinutes);
  const payAllMinor = payEachMinor * input.headCount;
  const businessFeeMinor = shareOfAmount(payEachMinor, input.businessFeeBasisPoints) * input.headCount;
  return {
    payEachMinor,
    workerGetsMinor: payEachMinor - shareOfAmount(payEachMinor, input.workerFeeBasisPoints),
    payAllMinor,
    businessFeeMinor,
    totalMinor: payAllMinor + businessFeeMinor,
  };
}
