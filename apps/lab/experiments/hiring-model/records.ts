/**
 * Plain objects from product.md and the decision records, independent of the server's tables. Times are
 * milliseconds, amounts minor units, people numbers: workers first, then each business's recruiter.
 */
export type Side = 'worker' | 'business';

export type Job = {
  id: string;
  business: number;
  kind: 'shift' | 'task';
  status: string;
  version: number;
  headCount: number;
  hired: number;
  offered: number;
  instant: boolean;
  payMinor: number;
  startsAt: number | null;
  endsAt: number | null;
  breakMinutes: number;
  dueAt: number | null;
  expiresAt: number | null;
  pausedBefore?: boolean;
};

export type Terms = Pick<Job, 'kind' | 'payMinor' | 'startsAt' | 'endsAt' | 'breakMinutes'> & {
  payTotalMinor: number;
};

export type Interview = {
  id: string;
  status: string;
  version: number;
  minutes: number;
  startsAt: number | null;
  answerBy: number | null;
  slots: number[];
  reschedules: number;
  rescheduleBy: Side | null;
  noShowAt: number | null;
  contested: boolean;
  last: { who: number; action: string };
};

export type Offer = {
  id: string;
  status: string;
  version: number;
  source: string;
  terms: Terms;
  expiresAt: number;
};

type Claim = { by: Side | 'timer'; amountMinor: number };

export type Dispute = {
  id: string;
  status: string;
  version: number;
  filedBy: Side | 'timer';
  worker: number | null;
  business: number | null;
  proposal: { by: Side; amountMinor: number } | null;
  dueAt: number | null;
  stopAt: number;
  settledMinor: number | null;
};

export type Work = {
  id: string;
  bookedAt: number;
  status: string;
  version: number;
  terms: Terms;
  amountMinor: number;
  checkedInAt: number | null;
  checkedOutAt: number | null;
  breakSince: number | null;
  events: { kind: string; at: number }[];
  claims: Claim[];
  movedAt: number;
  nextAt: number | null;
  late: boolean | null;
  compensationMinor: number | null;
  noShowAt: number | null;
  releases: { kind: string; amountMinor: number; state: 'released' | 'not_funded' }[];
  /** The rest of its hold, and what was added for overtime. */
  heldMinor: number;
  addedMinor: number;
  dispute: Dispute | null;
  last: { who: number; action: string };
};

export type Application = {
  id: string;
  job: number;
  worker: number;
  status: string;
  version: number;
  decideBy: number;
  waitingSince: number | null;
  interviews: Interview[];
  offer: Offer | null;
  work: Work | null;
};

export type World = {
  now: number;
  /** The number of workers; business 0's recruiter comes next. */
  workers: number;
  jobs: Job[];
  applications: Application[];
  /** Full jobs whose other applicants are not notified yet. */
  toFill: number[];
  /** The index of the account that acts; -1 is the clock. */
  actor: number;
  /** A deliberately wrong row of the model, for the negative control. */
  mistake: string | null;
};

export type Call = {
  op: string;
  who: number;
  job?: number;
  application?: number;
  interview?: number;
  business?: number;
  version?: number;
  input: Record<string, unknown>;
};

export class RefusalError extends Error {
  code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
export const refuse = (code: string): never => {
  throw new RefusalError(code);
};

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const recruiterOf = (world: World, business: number): number => world.workers + business;
export const jobOf = (world: World, application: Application): Job => world.jobs[application.job] as Job;

export const sideOf = (world: World, application: Application, person: number): Side | null => {
  if (application.worker === person) return 'worker';
  return person === recruiterOf(world, jobOf(world, application).business) ? 'business' : null;
};

/** `go` has an effect, `repeat` is a no-op. Throws for an impossible call. */
type Gate = (world: World, call: Call) => 'go' | 'repeat';
export type Operation = { gate: Gate; make: (world: World, call: Call) => unknown };

export const applicationAt = (world: World, call: Call): Application =>
  world.applications[call.application ?? -1] as Application;
