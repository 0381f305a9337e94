import { applicationOperations } from './applications.model.ts';
import { disputeOperations } from './disputes.model.ts';
import { engagementOperations } from './engagements.model.ts';
import { interviewOperations } from './interviews.model.ts';
import { jobOperations } from './jobs.model.ts';
import { offerOperations } from './offers.model.ts';
import { payOperations } from './pay.model.ts';
import { rebookOperations } from './rebook.model.ts';
import { type Call, type Operation, RefusalError, type World } from './records.ts';

export type Target = 'job' | 'application' | 'interview' | 'offer' | 'engagement' | 'dispute' | 'business';
const groups: [Target, Record<string, Operation>][] = [
  ['job', jobOperations],
  ['application', applicationOperations],
  ['interview', interviewOperations],
  ['offer', offerOperations],
  ['engagement', engagementOperations],
  ['engagement', payOperations],
  ['dispute', disputeOperations],
  ['job', rebookOperations],
];
const operations = Object.assign({}, ...groups.map(([, group]) => group)) as Record<string, Operation>;
export const operationNames = Object.keys(operations);

const odd: Record<string, Target> = {
  apply: 'job',
  bulk: 'business',
  offer: 'application',
  dispute: 'engagement',
};
export const targetOf = (op: string): Target =>
  odd[op] ?? (groups.find(([, group]) => op in group) as [Target, unknown])[0];

export type Outcome = { ok: true; repeat: boolean; answer: unknown } | { ok: false; code: string };

/** A refused call changes nothing. */
export function ask(world: World, call: Call): { outcome: Outcome; after: World } {
  const after = { ...structuredClone(world), actor: call.who };
  const operation = operations[call.op] as Operation;
  try {
    const repeat = operation.gate(after, call) === 'repeat';
    const answer = repeat ? null : operation.make(after, call);
    return { outcome: { ok: true, repeat, answer }, after };
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    return { outcome: { ok: false, code: error.code }, after: world };
  }
}

export function isPossible(world: World, call: Call): boolean {
  try {
    return (operations[call.op] as Operation).gate(world, call) === 'go';
  } catch (error) {
    if (error instanceof RefusalError) return false;
    throw error;
  }
}

const actionNames: Partial<Record<Target, Record<string, string>>> = {
  job: {
    'edit-job': 'edit',
    publish: 'publish',
    pause: 'pause',
    reopen: 'reopen',
    close: 'close',
    archive: 'archive',
  },
  application: {
    edit: 'edit',
    withdraw: 'withdraw',
    view: 'view',
    shortlist: 'shortlist',
    unshortlist: 'unshortlist',
    reject: 'reject',
    'propose-interview': 'propose-interview',
    offer: 'offer',
    'join-waitlist': 'join-waitlist',
    'leave-waitlist': 'leave-waitlist',
  },
  interview: {
    pick: 'pick',
    reschedule: 'reschedule',
    keep: 'keep',
    'cancel-interview': 'cancel',
    complete: 'complete',
    'miss-interview': 'report-no-show',
    'contest-interview': 'contest',
  },
  offer: { accept: 'accept', decline: 'decline', 'withdraw-offer': 'withdraw' },
  engagement: {
    confirm: 'confirm',
    'check-in': 'check-in',
    'start-break': 'start-break',
    'end-break': 'end-break',
    'check-out': 'check-out',
    'submit-hours': 'submit-hours',
    counter: 'counter',
    deliver: 'deliver',
    'accept-counter': 'accept-counter',
    start: 'start',
    'request-changes': 'request-changes',

    approve: 'approve',
    'cancel-work': 'cancel',
    'miss-work': 'report-no-show',
    'contest-work': 'contest',
    dispute: 'dispute',
  },
  dispute: { answer: 'answer', propose: 'propose', 'accept-proposal': 'accept-proposal' },
};

export const actionsOf = (world: World, target: Target, call: Omit<Call, 'op' | 'input'>): string[] =>
  Object.entries(actionNames[target] ?? {})
    .filter(([op]) => isPossible(world, { ...call, op, input: {} }))
    .map(([, name]) => name)
    .sort();
