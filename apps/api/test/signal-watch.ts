import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { emittedIn } from '../src/platform/realtime/publish.ts';
import type { DB } from '../src/platform/tables.gen.ts';

/** A watched row: its record, and whose devices are notified. Columns, or SQL over the row as `fact.row`. */
type Watch = {
  record: string;
  /** The id in the signal; another with the same job is enough when many change at once. */
  id: string;
  worker?: string;
  business?: string;
  job?: string;
  /** The columns to watch; if absent, only new rows count. */
  columns?: readonly string[];
};

const column = (name: string) => `fact.row ->> '${name}'`;
const of = (table: string, key: string, condition: string) =>
  `(select ${condition}::text from ${table} where ${table}.id = (${column(key)})::uuid)`;
const sides = (table: string, key: string) => ({
  id: column(key),
  worker: of(table, key, 'worker_id'),
  business: of(table, key, 'business_id'),
  job: of(table, key, 'job_id'),
});
const own = {
  id: column('id'),
  worker: column('worker_id'),
  business: column('business_id'),
  job: column('job_id'),
};
const ofBusiness = { id: column('business_id'), business: column('business_id') };
const ofAccount = { id: column('account_id'), worker: column('account_id') };
const ofEngagement = { record: 'engagement', ...sides('engagements', 'engagement_id') };

export const watched: Record<string, Watch> = {
  applications: {
    record: 'application',
    ...own,
    columns: ['status', 'waitlisted_at', 'decide_by', 'cover_note'],
  },
  application_moves: { record: 'application', ...sides('applications', 'application_id') },
  applicant_notes: { record: 'application', ...sides('applications', 'application_id'), worker: 'null' },
  applicant_tags: { record: 'application', ...sides('applications', 'application_id'), worker: 'null' },
  job_invitations: {
    record: 'application',
    id: column('id'),
    worker: column('worker_id'),
    job: column('job_id'),
    business: of('jobs', 'job_id', 'business_id'),
    columns: ['status'],
  },
  branches: { record: 'business', ...ofBusiness },
  kiosks: { record: 'business', ...ofBusiness, columns: ['paired_at'] },
  job_templates: { record: 'job-template', ...ofBusiness },
  pools: { record: 'pool', ...ofBusiness },
  pool_workers: { record: 'pool', ...ofBusiness },
  saved_worker_tags: { record: 'pool', ...ofBusiness },
  saved_worker_notes: { record: 'pool', ...ofBusiness },
  saved_jobs: { record: 'saved-job', id: column('job_id'), worker: column('account_id') },
  referrals: {
    record: 'referral',
    id: column('id'),
    worker: column('inviter_id'),
    columns: ['status'],
  },
  saved_searches: {
    record: 'saved-search',
    id: column('id'),
    worker: column('account_id'),
    columns: ['name', 'alert', 'removed_at'],
  },
  business_follows: { record: 'followed-business', id: column('business_id'), worker: column('account_id') },
  interviews: { record: 'interview', ...own, columns: ['status', 'starts_at', 'outcome'] },
  interview_moves: { record: 'interview', ...sides('interviews', 'interview_id') },
  // A worker is notified of an offer when it is sent, not while it is unpaid.
  offers: {
    record: 'offer',
    ...own,
    columns: ['status', 'funding'],
    worker: `case when fact.row ->> 'sent_at' is not null then fact.row ->> 'worker_id' end`,
  },
  offer_moves: { record: 'offer', ...sides('offers', 'offer_id'), worker: 'null' },
  engagements: { record: 'engagement', ...own, columns: ['status', 'funding', 'next_at', 'version'] },
  shift_changes: {
    record: 'engagement',
    id: column('engagement_id'),
    worker: column('worker_id'),
    business: column('business_id'),
    job: column('job_id'),
    columns: ['status', 'worker_id'],
  },
  days_off: {
    record: 'engagement',
    id: column('engagement_id'),
    worker: column('worker_id'),
    business: column('business_id'),
    job: column('job_id'),
    columns: ['status'],
  },
  replacements: {
    record: 'engagement',
    id: column('engagement_id'),
    business: column('business_id'),
    job: column('job_id'),
    columns: ['hidden', 'job_id'],
  },
  giveaways: {
    record: 'engagement',
    id: column('engagement_id'),
    worker: column('worker_id'),
    business: column('business_id'),
    job: column('job_id'),
    columns: ['status', 'taker_id'],
  },
  giveaway_moves: {
    record: 'engagement',
    id: of('giveaways', 'giveaway_id', 'engagement_id'),
    worker: of('giveaways', 'giveaway_id', 'worker_id'),
    business: of('giveaways', 'giveaway_id', 'business_id'),
    job: of('giveaways', 'giveaway_id', 'job_id'),
  },
  engagement_moves: { record: 'engagement', ...sides('engagements', 'engagement_id') },
  attendance_events: ofEngagement,
  hours_claims: ofEngagement,
  deliveries: { ...ofEngagement, columns: ['changes_note'] },
  releases: { ...ofEngagement, columns: ['state'] },
  tips: {
    ...ofEngagement,
    columns: ['status'],
    worker: `case when fact.row ->> 'status' = 'paid' then fact.row ->> 'worker_id' end`,
  },
  disputes: {
    record: 'dispute',
    ...sides('engagements', 'engagement_id'),
    id: column('id'),
    columns: ['status', 'proposal_at', 'settled_minor'],
  },
  dispute_steps: {
    record: 'dispute',
    id: column('dispute_id'),
    worker: `(select worker_id::text from engagements join disputes on engagement_id = engagements.id where disputes.id = (${column('dispute_id')})::uuid)`,
    business: `(select business_id::text from engagements join disputes on engagement_id = engagements.id where disputes.id = (${column('dispute_id')})::uuid)`,
  },
  holds: { record: 'hold', id: column('id'), business: column('business_id'), columns: ['status', 'frozen'] },
  hold_moves: { record: 'hold', id: column('hold_id'), business: of('holds', 'hold_id', 'business_id') },
  charges: { record: 'wallet', ...ofBusiness, columns: ['status', 'chargeback', 'refunded_minor'] },
  cards: { record: 'wallet', ...ofBusiness, columns: ['is_default', 'removed_at'] },
  card_refunds: { record: 'wallet', ...ofBusiness, columns: ['status'] },
  ledger_postings: {
    record: 'balance',
    id: `split_part(${column('account_id')}, ':', 2)`,
    worker: `case when ${column('account_id')} like 'worker\\_%' then split_part(${column('account_id')}, ':', 2) end`,
  },
  payout_identities: { record: 'balance', ...ofAccount, columns: ['status'] },
  payout_methods: { record: 'balance', ...ofAccount, columns: ['is_default', 'removed_at'] },
  clearings: { record: 'balance', ...ofAccount },
  withdrawals: { record: 'balance', ...ofAccount, columns: ['status'] },
  withdrawal_moves: {
    record: 'balance',
    id: of('withdrawals', 'withdrawal_id', 'account_id'),
    worker: of('withdrawals', 'withdrawal_id', 'account_id'),
  },
  jobs: {
    record: 'job',
    id: column('id'),
    business: column('business_id'),
    columns: ['status', 'version', 'hired_count', 'offered_count'],
  },
  job_moves: { record: 'job', id: column('job_id'), business: of('jobs', 'job_id', 'business_id') },
  businesses: {
    record: 'business',
    id: column('id'),
    business: column('id'),
    columns: ['status', 'version'],
  },
  business_moves: { record: 'business', ...ofBusiness },
  business_documents: { record: 'business', ...ofBusiness },
  business_domains: { record: 'business', ...ofBusiness, columns: ['domain', 'checked_at', 'problem'] },
  business_members: { record: 'business', ...ofBusiness, worker: column('account_id'), columns: ['role'] },
  team_invitations: {
    record: 'business',
    ...ofBusiness,
    columns: ['status', 'uses', 'sends', 'asked_by', 'undelivered'],
  },
  team_moves: { record: 'business', ...ofBusiness },
  ownership_offers: { record: 'business', ...ofBusiness, columns: ['status'] },
  profiles: { record: 'profile', ...ofAccount, columns: ['version'] },
  account_settings: {
    record: 'account',
    ...ofAccount,
    columns: ['appearance', 'units', 'clock', 'start_side', 'language'],
  },
  email_changes: {
    record: 'account',
    ...ofAccount,
    columns: ['status', 'old_confirmed_at', 'new_confirmed_at'],
  },
  phone_codes: { record: 'account', ...ofAccount, columns: ['status'] },
  phone_checks: { record: 'account', ...ofAccount, columns: ['phone'] },
  certificates: { record: 'account', ...ofAccount, columns: ['status'] },
  identity_checks: { record: 'account', ...ofAccount, columns: ['status'] },
  sign_in_events: { record: 'account', ...ofAccount, columns: ['tries'] },
  passkeys: { record: 'account', ...ofAccount, columns: ['name', 'last_used_at', 'synced'] },
  reports: { record: 'report', id: column('id'), worker: column('account_id'), columns: ['reason', 'note'] },
  sanctions: {
    record: 'sanction',
    id: column('id'),
    worker: column('account_id'),
    business: column('business_id'),
    columns: ['ended_at'],
  },
  appeals: {
    record: 'sanction',
    id: column('sanction_id'),
    columns: ['outcome', 'escalated_at'],
    worker: of('sanctions', 'sanction_id', 'account_id'),
    business: of('sanctions', 'sanction_id', 'business_id'),
  },
  tickets: {
    record: 'ticket',
    id: column('id'),
    worker: column('account_id'),
    columns: ['status', 'updated_at'],
  },
  ticket_messages: {
    record: 'ticket',
    id: column('ticket_id'),
    worker: of('tickets', 'ticket_id', 'account_id'),
  },
  ticket_moves: {
    record: 'ticket',
    id: column('ticket_id'),
    worker: of('tickets', 'ticket_id', 'account_id'),
  },
  reviews: {
    record: 'review',
    id: column('id'),
    columns: ['state', 'version'],
    worker: `case when fact.row ->> 'author_side' = 'worker' or fact.row ->> 'published_at' is not null then fact.row ->> 'worker_id' end`,
    business: `case when fact.row ->> 'author_side' = 'business' or fact.row ->> 'published_at' is not null then fact.row ->> 'business_id' end`,
  },
  review_moves: {
    record: 'review',
    id: column('review_id'),
    worker: `(select case when author_side = 'worker' or fact.row ->> 'to_state' = 'published' then worker_id::text end from reviews where id = (${column('review_id')})::uuid)`,
    business: `(select case when author_side = 'business' or fact.row ->> 'to_state' = 'published' then business_id::text end from reviews where id = (${column('review_id')})::uuid)`,
  },
  calendar_feeds: { record: 'calendar', ...ofAccount, columns: ['secret_hash'] },
};

/** Ledger postings are emitted as a wallet; the table has one record per kind of account. */
const wallets: Watch = {
  record: 'wallet',
  id: `split_part(${column('account_id')}, ':', 2)`,
  business: `case when ${column('account_id')} like 'business\\_balance:%' then split_part(${column('account_id')}, ':', 2) end`,
};

/** Tables with their own signals, which their slices test. */
export const ofOtherSignals =
  /^(chat_|conversation|unread_conversations|message|quick_|reaction|redacted_|notification|presence)/;

export const unwatched: Record<string, string> = {
  account_deletion_codes: 'never shown',
  stripe_calls: 'never shown: charges and withdrawals say what came of a call',
  audits: 'read by the console now and then',
  account_deletions: 'signalled with the profile of its account',
  saved_workers: 'written with the first pool of a worker',
  accounts: 'a name is told with the profile; the rest is read at sign-in',
  credentials: 'never shown',
  firebase_identities: 'never shown',
  data_exports: 'polled by the screen that asked for it until it is ready',
  delivery_files: 'written with their delivery',
  dispute_files: 'written with a step of their dispute',
  fee_schedules: 'never shown but by the offers that name one',
  files: 'shown through what they belong to',
  help_votes: 'never shown',
  idempotency_keys: 'never shown',
  identity_photos: 'shown to operators only; they come and go with a change of their check, or after its end',
  interview_applications: 'written with its interview',
  interview_slots: 'written with a move of their interview',
  invoice_series: 'never shown',
  invoiced_entries: 'shown with their invoice',
  invoices: 'issued monthly, or at once to the person who needs one',
  worker_series: 'never shown',
  tax_details: 'shown to the person who saves them',
  self_billing_agreements: 'shown to the person who agrees',
  seller_details: 'shown to the person who saves them',
  seller_reports: 'made by operators once a year',
  reported_sellers: 'shown with their report',
  unreported_sellers: 'shown with their report',
  seller_requests: 'made by a daily task, and told by a notice',
  worker_invoices: 'issued monthly',
  worker_invoiced_entries: 'shown with their invoice',
  invoice_objections: 'shown with their invoice, which is not watched live',
  pay_receipt_counters: 'never shown',
  pay_receipts: 'written after a payment, which is signalled',
  job_alerts: 'signalled by the notification that names the job',
  job_photos: 'written with a new version of their job',
  job_questions: 'written with a new version of their job',
  lasting_keys: 'never shown',
  ledger_accounts: 'told by their postings',
  ledger_deferred: 'told by their postings',
  ledger_entries: 'told by their postings',
  ledger_seal_head: 'never shown',
  ledger_seals: 'never shown',
  mail_handovers: 'never shown',
  mailbox_messages: 'the mailbox of a server without mail, for who runs it',
  operators: 'read by the console now and then',
  sign_in_log: 'never shown',
  operator_log: 'read by owners now and then',
  operator_log_head: 'never shown',
  operator_log_outcomes: 'read by owners now and then',
  vat_id_checks: 'signalled as the businesses with that VAT id',
  credit_limits: 'signalled as the wallet of their business',
  credit_limit_changes: 'written with the limit, which is signalled',
  bank_payments: 'told by the postings of the balance; the rest is read by operators',
  budgets: 'signalled as their business, from which the budgets are read',
  budget_requests: 'signalled as their business, and by a notification',
  budget_raises: 'written with the decision on their request',
  approval_rules: 'signalled as their business, from which the rule is read',
  case_work: 'the console asks for the queue again',
  closed_cases: 'the console asks for the queue again',
  case_viewers: 'the console asks every few seconds',
  case_views: 'the console asks for them again',
  ticket_macros: 'the console asks for them again',
  case_notes: 'the console asks for the case again',
  second_approvals: 'the console asks for the case again',
  authority_reports: 'the console asks for the case again',
  password_checks: 'never shown',
  passkey_questions: 'never shown',
  second_step_codes: 'never shown',
  chargebacks: 'told by their charge',
  case_assignments: 'the console asks for them again',
  chargeback_answers: 'the console asks for them again',
  goodwill_payments: 'written with a ledger entry, which is signalled',
  operator_changes: 'the console asks for them again',
  provider_bookings: 'never shown',
  provider_cursors: 'never shown',
  provider_events: 'told by what they lead to',
  referral_rewards: 'signalled by their referral and the postings',
  saved_search_squares: 'written with their search',
  search_words: 'never shown',
  second_factor_checks: 'never shown',
  second_factors: 'signalled by the sign-in history',
  service_messages: 'read by everyone now and then',
  job_screenings: 'told by the moves of their job',
  job_views: 'counted; the screen shows them as of when it was opened',
  sessions: 'told by session-ended',
  account_networks: 'no screen shows them',
  sign_in_limits: 'never shown',
  check_in_attempts: 'shown to operators only',
  site_code_attempts: 'never shown',
  statement_carried: 'never shown',
  statement_lines: 'told by the postings they are made of',
  terms_acceptances: 'never shown',
  report_cases: 'told by its reports',
  report_files: 'written with their report',
  ticket_files: 'written with their message',
  verifications: 'never shown',
};

/** Fails a transaction that writes a watched row without notifying both sides. */
export function everyChangeIsEmitted(app: { db: Kysely<DB> }): void {
  beforeAll(() => recordSignals(app.db));
  afterAll(async () => {
    expect(await unpublishedChanges(app.db)).toEqual([]);
  });
}

export const watchSql = [
  `create table test_told (xid xid8 not null default pg_current_xact_id(), told jsonb not null);
  create table test_facts (xid xid8 not null default pg_current_xact_id(), table_name text not null, row jsonb not null);
  create index on test_told (xid);
  create function test_fact() returns trigger language plpgsql as $$
    begin
      insert into test_facts (table_name, row) values (tg_table_name, to_jsonb(new));
      return null;
    end $$`,
  ...Object.entries(watched).flatMap(([table, { columns }]) => {
    const changed = (columns ?? []).map((name) => `old.${name} is distinct from new.${name}`).join(' or ');
    const trigger = `create trigger test_fact_new after insert on ${table} for each row execute function test_fact()`;
    if (!changed) return [trigger];
    return [
      trigger,
      `create trigger test_fact_changed after update on ${table} for each row when (${changed}) execute function test_fact()`,
    ];
  }),
].join(';\n');

const written = new WeakSet<object>();
export const byHand = (tx: Kysely<DB>): void => void written.add(tx);

function recordSignals(db: Kysely<DB>): void {
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = (work) =>
      execute(async (tx) => {
        const result = await work(tx);
        if (written.has(tx)) return result;
        const emitted = emittedIn(tx);
        // A test's own statement is in no transaction and has no row here.
        await sql`insert into test_told (told) select ${JSON.stringify(emitted)}::jsonb
          where pg_current_xact_id_if_assigned() is not null`.execute(tx);
        return result;
      });
    return builder;
  };
}

export async function unpublishedChanges(db: Kysely<DB>): Promise<string[]> {
  const { rows: written } = await sql<{ name: string }>`
    select distinct table_name as name from test_facts`.execute(db);
  const names = new Set(written.map(({ name }) => name));
  const counts = [...Object.entries(watched), ['ledger_postings', wallets] as const]
    .filter(([table]) => names.has(table))
    .flatMap(([table, watch]) =>
      (['worker', 'business'] as const).flatMap((side) => {
        const watcher = watch[side];
        if (watcher === undefined) return [];
        const room = side === 'worker' ? 'account:' : 'business:';
        return sql<{ label: string; missing: number }>`
          select ${`${table}: ${side}`}::text as label, count(*) as missing from test_facts fact
          cross join lateral (select ${sql.raw(watcher)} as who, ${sql.raw(watch.id)} as id, ${sql.raw(watch.job ?? 'null::text')} as job) seen
          where fact.table_name = ${table} and seen.who is not null
            and exists (select from test_told where test_told.xid = fact.xid) and not exists (
            select from test_told, jsonb_array_elements(told) one
            where test_told.xid = fact.xid and one -> 'signal' ->> 'record' = ${watch.record}
              and (one -> 'signal' ->> 'id' = seen.id or one -> 'signal' ->> 'jobId' = seen.job)
              and one -> 'rooms' @> to_jsonb(${room}::text || seen.who))`;
      }),
    );
  if (counts.length === 0) return [];
  // Without statistics the rows of a whole town are compared each with each.
  await sql`analyze test_facts, test_told`.execute(db);
  const { rows } = await sql<{
    label: string;
    missing: number;
  }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.filter(({ missing }) => missing > 0).map(({ label, missing }) => `${label} (${missing})`);
}
