import type { InjectOptions } from 'fastify';
import type pg from 'pg';
import type { Call } from './records.ts';

export type Stage = {
  pool: pg.Pool;
  inject(request: InjectOptions): Promise<{ statusCode: number; body: string }>;
  setClock(at: number): void;
  tokenOf(person: Person): Promise<string>;
  runTimers(): Promise<void>;
};
export type Person = { accountId: string; sessionId: string };

export type Ids = {
  jobId?: string;
  businessId?: string;
  applicationId?: string;
  interviewId?: string;
  offerId?: string;
  engagementId?: string;
  disputeId?: string;
  slotId?: string;
  workerId?: string;
  applicationIds?: string[];
};
type Request = { method: 'POST' | 'PATCH' | 'DELETE'; url: string; body?: Record<string, unknown> };

const iso = (at: unknown) => new Date(at as number).toISOString();
const post = (url: string, body: Record<string, unknown> = {}): Request => ({ method: 'POST', url, body });

type Make = (ids: Ids, call: Call, now: number) => Request;
const job =
  (name: string): Make =>
  ({ jobId }) =>
    post(`/jobs/${jobId}/${name}`);
const application =
  (name: string, body: Record<string, unknown> = {}): Make =>
  ({ applicationId }, { version }) =>
    post(`/applications/${applicationId}/${name}`, {
      ...body,
      ...(version === undefined ? {} : { version }),
    });
const interview =
  (name: string, bodyOf: (ids: Ids, call: Call) => Record<string, unknown> = () => ({})): Make =>
  (ids, call) =>
    post(`/interviews/${ids.interviewId}/${name}`, { version: call.version, ...bodyOf(ids, call) });
const offer =
  (name: string): Make =>
  ({ offerId }, { version }) =>
    post(`/offers/${offerId}/${name}`, { version });
const work =
  (name: string, body: (call: Call) => Record<string, unknown> = () => ({})): Make =>
  ({ engagementId }, call) =>
    post(`/engagements/${engagementId}/${name}`, { version: call.version, ...body(call) });
const hours = ({ input }: Call) => ({
  startsAt: iso(input.startsAt),
  endsAt: iso(input.endsAt),
  breakMinutes: input.breakMinutes,
  note: 'So it was.',
});
const proof =
  (name: string): Make =>
  ({ engagementId }, { input }, now) =>
    post(`/engagements/${engagementId}/${name}`, {
      at: iso(now),
      sentAt: iso(now),
      position:
        input.where === 'none'
          ? null
          : { lat: input.where === 'far' ? 48.1 : 52.3792, lng: 4.8831, accuracyM: 10 },
    });
const dispute =
  (name: string, noted: boolean): Make =>
  ({ disputeId }, { version, input }) =>
    post(
      `/disputes/${disputeId}/${name}`,
      noted ? { version, note: 'So it was.', amountMinor: input.amountMinor } : { version },
    );
const rejection = { reason: 'others', note: '' };

const requests: Record<string, Make> = {
  publish: job('publish'),
  reopen: job('reopen'),
  pause: job('pause'),
  close: job('close'),
  archive: job('archive'),
  'edit-job': ({ jobId }, { version, input }) => ({
    method: 'PATCH',
    url: `/jobs/${jobId}`,
    body: { version, ...input },
  }),
  apply: ({ jobId }, { input }) => post(`/jobs/${jobId}/applications`, { book: input.book === true }),
  edit: ({ applicationId }, { version }) => ({
    method: 'PATCH',
    url: `/applications/${applicationId}`,
    body: { version, coverNote: 'I would like to.' },
  }),
  withdraw: application('withdraw'),
  view: application('view'),
  shortlist: application('shortlist'),
  unshortlist: application('unshortlist'),
  reject: application('reject', rejection),
  bulk: ({ businessId, applicationIds }, { input }) =>
    post(`/businesses/${businessId}/applications/bulk`, {
      action: input.action,
      items: (applicationIds ?? []).map((applicationId) => ({ applicationId })),
      ...(input.action === 'reject' ? rejection : {}),
    }),
  'join-waitlist': application('waitlist'),
  'leave-waitlist': ({ applicationId }) => ({
    method: 'DELETE',
    url: `/applications/${applicationId}/waitlist`,
  }),
  'propose-interview': ({ applicationId }, { input }) =>
    post(`/applications/${applicationId}/interviews`, {
      mode: 'phone',
      where: '+31201234567',
      minutes: 30,
      slots: (input.slots as number[]).map(iso),
    }),
  pick: interview('pick', ({ slotId }) => ({ slotId })),
  reschedule: interview('reschedule', (_, { input }) => ({ slots: (input.slots as number[]).map(iso) })),
  keep: interview('keep'),
  'cancel-interview': interview('cancel'),
  complete: interview('complete', () => ({ outcome: 'undecided' })),
  'miss-interview': interview('no-show'),
  'contest-interview': interview('contest', () => ({ note: 'I was there.' })),
  offer: ({ applicationId }, { input }) => post(`/applications/${applicationId}/offers`, input),
  rebook: ({ jobId, workerId }, { input: { worker: _worker, ...terms } }) =>
    post(`/jobs/${jobId}/workers/${workerId}/offers`, terms),
  accept: offer('accept'),
  decline: offer('decline'),
  'withdraw-offer': offer('withdraw'),
  confirm: work('confirm'),
  start: work('start'),
  'cancel-work': work('cancel', () => ({ reason: 'It cannot be.' })),
  'check-in': proof('check-in'),
  'start-break': proof('start-break'),
  'end-break': proof('end-break'),
  'check-out': proof('check-out'),
  'miss-work': work('no-show'),
  'contest-work': work('contest', () => ({ note: 'I was there.' })),
  'submit-hours': work('hours', hours),
  counter: work('counter', hours),
  'accept-counter': work('accept-counter'),
  approve: work('approve'),
  deliver: work('delivery', ({ input }) => ({ note: input.note })),
  'request-changes': work('request-changes', () => ({ note: 'Once more, please.' })),
  dispute: work('dispute', ({ input }) => ({ reason: 'It is not right.', amountMinor: input.amountMinor })),
  answer: dispute('answer', true),
  propose: dispute('proposal', true),
  'accept-proposal': dispute('accept', false),
};

export const requestOf = (call: Call, ids: Ids, now: number): Request =>
  (requests[call.op] as Make)(ids, call, now);

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
export type Answer = { status: number; body: any };

export async function send(stage: Stage, person: Person, request: Request, key: string): Promise<Answer> {
  const response = await stage.inject({
    method: request.method,
    url: `/api${request.url}`,
    headers: { authorization: `Bearer ${await stage.tokenOf(person)}`, 'idempotency-key': key },
    ...(request.body === undefined ? {} : { payload: request.body }),
  });
  return { status: response.statusCode, body: JSON.parse(response.body) };
}

export async function readWorld(pool: pg.Pool, jobIds: readonly string[]) {
  const { rows } = await pool.query(snapshot, [jobIds]);
  return rows[0].world as { jobs: unknown[]; applications: ApplicationRow[] };
}
type ApplicationRow = {
  id: string;
  offerId: string | null;
  engagementId: string | null;
  disputeId: string | null;
  interviewIds: string[];
  slotIds: string[][];
  seen: unknown;
};

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const snapshot = `
  select json_build_object(
    'jobs', (select json_agg(json_build_array(id, status, version, head_count, hired_count, offered_count, ${ms('expires_at')}) order by array_position($1::uuid[], id))
      from jobs where id = any($1)),
    'applications', coalesce((select json_agg(json_build_object('id', application.id, 'offerId', offer.id, 'engagementId', work.id, 'disputeId', dispute.id,
      'interviewIds', coalesce(met.ids, '[]'), 'slotIds', coalesce(met.slots, '[]'),
      'seen', json_build_array(application.id, application.status, application.version, ${ms('application.decide_by')}, ${ms('application.waitlisted_at')},
        coalesce(met.rows, '[]'),
        case when offer.id is not null then json_build_array(offer.status, offer.version, offer.source, ${ms('offer.expires_at')},
          (offer.terms->>'payTotalMinor')::integer) end,
        case when work.id is not null then json_build_array(work.status, work.version, work.amount_minor, ${ms('work.checked_in_at')},
          ${ms('work.checked_out_at')}, ${ms('work.on_break_since')}, ${ms('work.next_at')}, work.cancelled_late, work.compensation_minor, ${ms('work.no_show_at')},
          coalesce((select json_agg(json_build_array(kind, amount_minor, state) order by at, id) from releases where engagement_id = work.id), '[]'),
          (select coalesce(sum(balance), 0) from holds join ledger_accounts on ledger_accounts.id = 'hold:' || holds.id || ':EUR' where engagement_id = work.id),
          coalesce((select json_agg(json_build_array(by_side, amount_minor) order by at, id) from hours_claims where engagement_id = work.id), '[]')) end,
        case when dispute.id is not null then json_build_array(dispute.status, dispute.version, dispute.filed_by, dispute.worker_amount_minor,
          dispute.business_amount_minor, dispute.proposal_by, dispute.proposal_amount_minor, ${ms('dispute.due_at')}, ${ms('dispute.stop_at')},
          dispute.settled_minor) end)) order by application.submitted_at, application.id)
      from applications application
      left join offers offer on offer.application_id = application.id
      left join engagements work on work.application_id = application.id
      left join disputes dispute on dispute.engagement_id = work.id
      left join lateral (
        select json_agg(interview.id order by created_at, interview.id) as ids,
          json_agg(coalesce((select json_agg(slot.id order by slot.starts_at) from interview_slots slot where slot.interview_id = interview.id), '[]')
            order by created_at, interview.id) as slots,
          json_agg(json_build_array(interview.status, interview.version, ${ms('interview.starts_at')}, ${ms('interview.answer_by')}, interview.reschedules,
            interview.reschedule_by, ${ms('interview.no_show_at')}, interview.contest is not null,
            coalesce((select json_agg(${ms('slot.starts_at')} order by slot.starts_at) from interview_slots slot where slot.interview_id = interview.id), '[]'))
            order by created_at, interview.id) as rows
        from interviews interview where interview.application_id = application.id) met on true
      where application.job_id = any($1)), '[]')) as world`;

/** Invariants of the database, independent of the model; returns the violated ones. */
export async function brokenRules(pool: pg.Pool, jobIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ rule: string }>(rules, [jobIds]);
  return rows.map(({ rule }) => rule);
}
const chain = (name: string, record: string, key: string, first: string | null) => `
  select '${name}: steps do not follow each other' as rule from (
    select move.from_status, move.to_status, record.status, lag(move.to_status) over steps as before, lead(move.id) over steps as next
    from ${name}_moves move join ${record} record on record.id = move.${key} where record.job_id = any($1)
    window steps as (partition by move.${key} order by move.at, move.id)) step
  where from_status is distinct from ${first === null ? 'before' : `coalesce(before, '${first}')`} or (next is null and to_status <> status)`;
const rules = `
  select distinct rule from (
    select 'more hired and offered than spots' as rule from jobs where id = any($1) and hired_count + offered_count > head_count
    union all select 'spots do not agree with offers' from jobs where id = any($1) and offered_count <>
      (select count(*) from offers where job_id = jobs.id and status in ('funding', 'sent'))
    union all select 'two live offers' from offers where job_id = any($1) and status in ('funding', 'sent') group by application_id having count(*) > 1
    union all select 'two live interviews' from interviews where job_id = any($1) and status in ('proposed', 'scheduled', 'reschedule_requested')
      group by application_id having count(*) > 1
    union all select 'somebody is booked twice at once' from engagements one join engagements two on one.worker_id = two.worker_id and one.id < two.id
      and tstzrange(one.starts_at, one.ends_at) && tstzrange(two.starts_at, two.ends_at)
      where one.job_id = any($1) and one.starts_at is not null and two.starts_at is not null
      and not one.status = any('{cancelled_by_worker,cancelled_by_merchant,no_show_reported,contested}')
      and not two.status = any('{cancelled_by_worker,cancelled_by_merchant,no_show_reported,contested}')
    union all select 'more paid than agreed' from engagements work where job_id = any($1)
      and (select coalesce(sum(amount_minor), 0) from releases where engagement_id = work.id) >
        case when work.status like 'cancelled%' then work.compensation_minor else work.amount_minor end
    union all select 'complete and not paid' from engagements work where job_id = any($1) and status = 'completed'
      and (select coalesce(sum(amount_minor), 0) from releases where engagement_id = work.id) <> work.amount_minor
    union all select 'money left in a hold that is over' from holds join ledger_accounts on ledger_accounts.id = 'hold:' || holds.id || ':EUR'
      where job_id = any($1) and status in ('created', 'authorising', 'expired', 'released', 'refunded', 'split') and balance <> 0
    union all select 'a live offer without its money' from offers where job_id = any($1) and status = 'sent' and not exists (
      select 1 from holds join ledger_accounts on ledger_accounts.id = 'hold:' || holds.id || ':EUR'
      where offer_id = offers.id and holds.status = 'held' and balance = (terms->>'holdMinor')::bigint)
    union all select 'paid and not in the books' from releases join engagements work on work.id = engagement_id where work.job_id = any($1)
      and (state = 'released') <> exists (select 1 from ledger_entries where key = 'release/' || releases.id)
    union all select 'a live interview or offer of an ended application' from applications application where job_id = any($1) and stage = 'ended'
      and (exists (select 1 from interviews where application_id = application.id and status in ('proposed', 'scheduled', 'reschedule_requested'))
        or exists (select 1 from offers where application_id = application.id and status in ('funding', 'sent')))
    union all ${chain('application', 'applications', 'application_id', null)}
    union all ${chain('interview', 'interviews', 'interview_id', null)}
    union all ${chain('offer', 'offers', 'offer_id', null)}
    union all ${chain('engagement', 'engagements', 'engagement_id', null)}
    union all ${chain('job', 'jobs', 'job_id', 'draft').replace('record.job_id = any($1)', 'record.id = any($1)')}
  ) broken`;

/** Mails and ranking are out of scope. */
export const hiringTasks = <Task extends { name: string }>(tasks: readonly Task[]): Task[] =>
  tasks.filter(({ name }) => ticking.includes(name));
const ticking = [
  'jobs.expire',
  'applications.fill',
  'applications.clock',
  'interviews.lapse',
  'offers.expire',
  'timesheets.auto-submit',
  'settlement.clock',
  'disputes.clock',
];
