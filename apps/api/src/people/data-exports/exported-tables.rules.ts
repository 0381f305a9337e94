/** A table in a data export: one page and one JSON file. */
export type ExportedTable = {
  title: string;
  /** SQL over the table as `it`; `$me` is the account. */
  rows: string;
  /** Omitted columns with the reason: secrets, or data of others. */
  without?: Record<string, string>;
  /** Account columns that `rows` already covers implicitly. */
  covers?: readonly string[];
  /** Account columns in rows of others, with the reason those rows are omitted. */
  elsewhere?: Record<string, string>;
};

const isMine = (column = 'account_id') => `it.${column} = $me`;
const columnOf = (table: string, key: string, column = 'worker_id') =>
  `it.${key} in (select id from ${table} where ${column} = $me)`;
const acted = 'it.actor = $me::text';
/** Conversations as a worker, and business conversations in which the person wrote. */
const talks = `(select id from conversations where worker_id = $me union
  select reader.conversation_id from conversation_readers reader where reader.account_id = $me and exists (
    select from messages own where own.conversation_id = reader.conversation_id and own.author_id = $me))`;

const ofTickets = columnOf('tickets', 'ticket_id', 'account_id');

const secret = 'a secret, or its hash';
const ofProvider = "the payment provider's own name for it";
const ofBusiness = "the business's own notes";

/** Tables in export order. Every new table goes here or into `excludedTables`, which a test enforces. */
export const exportedTables: Record<string, ExportedTable> = {
  accounts: { title: 'Your account', rows: isMine('id') },
  profiles: { title: 'Your profile', rows: isMine() },
  terms_acceptances: { title: 'Terms you accepted', rows: isMine() },
  account_settings: { title: 'Your settings', rows: isMine() },
  credentials: {
    title: 'How you sign in',
    rows: isMine(),
    without: { password: secret, access_token: secret, refresh_token: secret, id_token: secret },
  },
  sessions: { title: 'Where you are signed in', rows: isMine(), without: { token_hash: secret } },
  account_networks: { title: 'Networks and browsers you signed in from', rows: isMine() },
  second_factors: {
    title: 'Your second step',
    rows: isMine(),
    without: { secret, backup_codes: secret },
  },
  firebase_identities: { title: 'Your account at Firebase Authentication', rows: isMine() },
  passkeys: { title: 'Your passkeys', rows: isMine() },
  sign_in_events: { title: 'Your sign-in history', rows: isMine() },
  email_changes: {
    title: 'Changes of your email address',
    rows: isMine(),
    without: { old_token_hash: secret, new_token_hash: secret, undo_token_hash: secret },
  },
  phone_codes: { title: 'Codes we texted you', rows: isMine(), without: { networks: secret } },
  phone_checks: { title: 'Your checked phone number', rows: isMine() },
  identity_checks: {
    title: 'Your identity documents',
    rows: isMine(),
    elsewhere: { decided_by: 'staff decide it in their role' },
  },
  certificates: {
    title: 'Your certificates',
    rows: isMine(),
    elsewhere: { decided_by: 'staff decide it in their role' },
  },
  identity_photos: {
    title: 'Photos of your identity documents',
    rows: columnOf('identity_checks', 'check_id', 'account_id'),
  },
  account_deletions: { title: 'Requests to delete your account', rows: isMine() },
  data_exports: { title: 'Copies of your data', rows: isMine() },
  presence: { title: 'When you were last online', rows: isMine() },
  files: { title: 'Your files', rows: isMine() },
  business_members: { title: 'Your businesses', rows: isMine() },
  business_documents: { title: 'Documents you added for a business', rows: isMine('added_by') },
  business_moves: { title: 'What you did with your businesses', rows: acted },
  team_invitations: {
    title: 'Invitations to teams',
    rows: `${isMine('invited_by')} or ${isMine('asked_by')} or it.email = (select lower(email) from accounts where id = $me)`,
    without: { token_hash: secret, email: 'may be the address of someone else' },
  },
  ownership_offers: {
    title: 'Offers to take over a business',
    rows: `${isMine('from_account_id')} or ${isMine('to_account_id')}`,
  },
  team_moves: {
    title: 'What happened in your teams',
    rows: `${isMine('actor_id')} or ${isMine('account_id')}`,
    without: { email: 'may be the address of someone else' },
  },
  operators: {
    title: 'Your role at Nearhand',
    rows: isMine(),
    without: { added_by: ofBusiness, removed_by: ofBusiness },
  },

  saved_jobs: { title: 'Jobs you saved', rows: isMine() },
  saved_searches: { title: 'Your saved searches', rows: isMine() },
  job_alerts: { title: 'Jobs we alerted you to', rows: isMine() },
  business_follows: { title: 'Businesses you follow', rows: isMine() },
  applications: { title: 'Your applications', rows: isMine('worker_id') },
  application_moves: {
    title: 'History of applications',
    rows: `${columnOf('applications', 'application_id')} or ${acted}`,
  },
  job_invitations: { title: 'Invitations', rows: `${isMine('worker_id')} or ${isMine('invited_by')}` },
  applicant_notes: {
    title: 'When you wrote notes about applicants',
    rows: isMine('author_id'),
    without: { text: 'about the applicant; the business keeps it' },
  },
  pools: { title: 'Pools of saved workers you created', rows: isMine('created_by') },
  saved_worker_notes: {
    title: 'When you wrote notes about saved workers',
    rows: isMine('author_id'),
    without: { text: 'about the worker; the business keeps it' },
    elsewhere: { worker_id: ofBusiness },
  },
  interviews: { title: 'Your interviews', rows: isMine('worker_id'), without: { notes: ofBusiness } },
  interview_applications: {
    title: 'The work your interviews are about',
    rows: columnOf('interviews', 'interview_id'),
  },
  interview_slots: { title: 'Proposed interview times', rows: columnOf('interviews', 'interview_id') },
  interview_moves: {
    title: 'History of interviews',
    rows: `${columnOf('interviews', 'interview_id')} or ${acted}`,
  },
  offers: { title: 'Offers to you', rows: isMine('worker_id') },
  offer_moves: { title: 'History of offers', rows: `${columnOf('offers', 'offer_id')} or ${acted}` },
  job_moves: { title: 'What you did with jobs', rows: acted },
  calendar_feeds: { title: 'Your calendar subscription', rows: isMine(), without: { secret_hash: secret } },

  engagements: { title: 'Your work', rows: isMine('worker_id') },
  engagement_moves: {
    title: 'History of work',
    rows: `${columnOf('engagements', 'engagement_id')} or ${acted}`,
  },
  shift_changes: { title: 'Changes proposed to your shifts', rows: isMine('worker_id') },
  days_off: { title: 'Days off you asked for', rows: isMine('worker_id') },
  giveaways: {
    title: 'Shifts you gave away, took over or were offered by name',
    rows: `${isMine('worker_id')} or ${isMine('taker_id')} or ${isMine('colleague_id')}`,
    without: {
      worker_id: 'workers never learn who gives a shift away',
      taker_id: 'nor who takes it over',
      colleague_id: 'the giver reads only a first name and an initial',
    },
  },
  giveaway_moves: { title: 'History of shifts you gave away or took over', rows: acted },
  attendance_events: { title: 'Your check-ins', rows: columnOf('engagements', 'engagement_id') },
  check_in_attempts: {
    title: 'Check-ins refused as too far away',
    rows: columnOf('engagements', 'engagement_id'),
  },
  site_code_attempts: { title: 'Wrong check-in codes', rows: columnOf('engagements', 'engagement_id') },
  hours_claims: { title: 'Your hours', rows: columnOf('engagements', 'engagement_id') },
  approval_rules: { title: 'Rules you set for approving hours', rows: isMine('set_by') },
  deliveries: { title: 'Work you delivered', rows: columnOf('engagements', 'engagement_id') },
  delivery_files: {
    title: 'Files you delivered',
    rows: `it.delivery_id in (select delivery.id from deliveries delivery
      join engagements work on work.id = delivery.engagement_id where work.worker_id = $me)`,
  },
  dispute_files: {
    title: 'Files of disputes',
    rows: `it.step_id in (select step.id from dispute_steps step join disputes dispute on dispute.id = step.dispute_id
      join engagements work on work.id = dispute.engagement_id where work.worker_id = $me)`,
  },
  disputes: { title: 'Disputes', rows: columnOf('engagements', 'engagement_id') },
  dispute_steps: {
    title: 'Steps of disputes',
    rows: `it.dispute_id in (select dispute.id from disputes dispute
      join engagements work on work.id = dispute.engagement_id where work.worker_id = $me) or ${acted}`,
  },

  releases: { title: 'Your pay', rows: columnOf('engagements', 'engagement_id') },
  tips: { title: 'Tips', rows: `${isMine('worker_id')} or ${isMine('given_by')}` },
  tax_details: { title: 'Your tax details', rows: isMine() },
  seller_details: { title: 'Your details for the tax office', rows: isMine() },
  seller_requests: { title: 'When we asked for your details for the tax office', rows: isMine() },
  unreported_sellers: { title: 'Reports to the tax office that are without you', rows: isMine() },
  reported_sellers: { title: 'What we reported about you to the tax office', rows: isMine() },
  self_billing_agreements: { title: 'Agreements that we issue invoices in your name', rows: isMine() },
  worker_invoices: { title: 'Invoices in your name', rows: isMine('worker_id') },
  invoice_objections: {
    title: 'Your objections to invoices in your name',
    rows: columnOf('worker_invoices', 'invoice_id'),
  },
  clearings: { title: 'When your pay became available', rows: isMine() },
  statement_lines: { title: 'Your statement', rows: `it.holder like 'worker:' || $me::text || ':%'` },
  ledger_accounts: { title: 'Your balances', rows: `it.id like 'worker\\_%:' || $me::text || ':%'` },
  ledger_postings: {
    title: 'Movements of your balances',
    rows: `it.account_id like 'worker\\_%:' || $me::text || ':%'`,
  },
  payout_identities: { title: 'Who is paid', rows: isMine() },
  payout_methods: {
    title: 'Your bank accounts',
    rows: isMine(),
    without: { provider_ref: ofProvider, fingerprint: ofProvider },
  },
  withdrawals: { title: 'Your withdrawals', rows: isMine(), without: { provider_ref: ofProvider } },
  withdrawal_moves: {
    title: 'History of withdrawals',
    rows: columnOf('withdrawals', 'withdrawal_id', 'account_id'),
  },
  referrals: {
    title: 'Who joined by whose invitation',
    rows: `${isMine('invited_id')} or ${isMine('inviter_id')}`,
    without: {
      device_hash: secret,
      flags: 'for staff, against misuse',
      decision_note: 'for staff, against misuse',
    },
    elsewhere: { decided_by: 'staff decide it in their role' },
  },
  goodwill_payments: {
    title: 'Goodwill from Nearhand',
    rows: isMine(),
    elsewhere: {
      paid_by: 'staff give goodwill in their role',
      approved_by: 'staff give goodwill in their role',
    },
  },
  referral_rewards: { title: 'Your rewards for invitations', rows: isMine() },
  cards: {
    title: 'Cards you added to a business',
    rows: isMine('added_by'),
    without: {
      provider_ref: ofProvider,
      fingerprint: ofProvider,
      brand: "the business's card",
      last4: "the business's card",
    },
  },
  charges: {
    title: 'Payments you made for a business',
    rows: isMine('created_by'),
    without: { provider_ref: ofProvider, action_url: secret },
  },
  chargebacks: {
    title: 'Chargebacks of payments you made for a business',
    rows: 'it.charge_id in (select id from charges where created_by = $me)',
    without: { ref: ofProvider },
  },
  card_refunds: { title: 'Refunds you asked for', rows: isMine('created_by') },
  budgets: { title: 'What you may set aside for a business', rows: isMine() },
  budget_requests: {
    title: 'Amounts you asked to set aside',
    rows: isMine(),
    elsewhere: { decided_by: 'owners decide for their business' },
  },
  holds: { title: 'Money you set aside for work', rows: isMine('created_by') },
  hold_moves: { title: 'What you did with money set aside', rows: acted },

  conversations: { title: 'Your conversations', rows: `it.id in ${talks}`, covers: ['worker_id'] },
  messages: { title: 'Messages', rows: `it.conversation_id in ${talks}`, covers: ['author_id'] },
  message_files: {
    title: 'Files in messages',
    rows: `it.conversation_id in ${talks} and it.withdrawn_at is null`,
  },
  message_reactions: { title: 'Your reactions', rows: isMine() },
  conversation_readers: { title: 'How far you read', rows: isMine() },
  unread_conversations: { title: 'Conversations you have not read', rows: isMine() },
  chat_settings: { title: 'Your chat settings', rows: isMine() },
  chat_blocks: { title: 'Blocked conversations', rows: `${isMine('worker_id')} or ${isMine('by_account')}` },
  chat_reports: {
    title: 'Conversations you reported',
    rows: isMine(),
    elsewhere: {
      decided_by: "a report is its reporter's; staff decide it in their role",
      lifted_by: "a report is its reporter's; staff decide it in their role",
    },
  },

  tickets: { title: 'Your requests to Nearhand', rows: isMine(), without: { networks: secret } },
  ticket_messages: {
    title: 'Messages of your requests',
    rows: ofTickets,
    elsewhere: { account_id: "a request is its author's; staff answer it in their role" },
  },
  ticket_files: {
    title: 'Files of your requests',
    rows: `it.message_id in (select message.id from ticket_messages message join tickets on tickets.id = message.ticket_id
      where tickets.account_id = $me)`,
  },
  ticket_moves: {
    title: 'What happened to your requests',
    rows: ofTickets,
    elsewhere: { account_id: "a request is its author's; staff move it in their role" },
  },
  reports: { title: 'What you reported', rows: isMine() },
  report_files: { title: 'Files of your reports', rows: columnOf('reports', 'report_id', 'account_id') },
  sanctions: {
    title: 'Decisions about your account',
    rows: isMine(),
    elsewhere: { decided_by: "a decision is the concerned person's; staff decide in their role" },
  },
  appeals: {
    title: 'Your appeals',
    rows: isMine(),
    elsewhere: {
      sanction_by: "an appeal is its author's; staff decide in their role",
      decided_by: "an appeal is its author's; staff decide in their role",
    },
  },
  reviews: {
    title: 'Reviews you wrote and received',
    // A hidden review about the person belongs to its author until published (ADR 171).
    rows: `it.worker_id = $me and (it.author_side = 'worker' or it.state = 'published') or it.author_id = $me or it.replied_by = $me`,
    without: { flagged_words: 'for staff, against misuse', flagged_at: 'for staff, against misuse' },
    elsewhere: {
      worker_id: 'a review that is hidden, or was removed, is its author’s',
      removed_by: 'staff remove reviews in their role',
    },
  },
  review_moves: {
    title: 'History of your reviews',
    rows: `it.review_id in (select id from reviews where worker_id = $me and (author_side = 'worker' or state = 'published')) or ${acted}`,
  },
  help_votes: { title: 'Help articles you rated', rows: isMine() },
  service_messages: { title: 'What you announced for Nearhand', rows: isMine('posted_by') },

  notifications: { title: 'Notifications', rows: isMine() },
  notification_deliveries: { title: 'How notifications reached you', rows: isMine() },
  notification_settings: { title: 'Your quiet hours', rows: isMine() },
  notification_choices: { title: 'Your notification choices', rows: isMine() },
  notification_devices: {
    title: 'Devices that get notifications',
    rows: isMine(),
    without: { target: secret, target_hash: secret, p256dh: secret, auth: secret },
  },
  notification_refusals: { title: 'Mail that your address refused', rows: isMine() },
};

const book = 'the books; what concerns the person is in the movements of their balances';
const sandbox = 'a built-in stand-in for the payment provider, which keeps its own books';
const company = 'about a business or its jobs, not about a person';
const machine = 'how the server works; names nobody';

/** Tables excluded from the export, with the reason. */
export const excludedTables: Record<string, string> = {
  seller_reports: 'about a year, not a person; the people in it are exported',
  account_deletion_codes: 'a secret that lasts minutes',
  audits: machine,
  applicant_tags: "a business's own labels",
  branches: company,
  kiosks: company,
  budget_raises: company,
  bank_payments: company,
  credit_limits: company,
  credit_limit_changes: company,
  vat_id_checks: company,
  job_templates: company,
  businesses: company,
  business_domains: company,
  saved_workers: "a business's own list",
  pool_workers: "a business's own list",
  replacements: "a business's search for someone else",
  saved_worker_tags: "a business's own labels",
  chargeback_answers: "operators' work, deleted once it was sent to the bank",
  case_assignments: "operators' work",
  case_notes: "operators' work; what they write about a person is in the decisions that the person reads",
  case_work: "operators' work",
  case_viewers: "operators' work: the case that each looked at last",
  case_views: "an operator's own filters of the queue",
  ticket_macros: 'answers that operators share',
  closed_cases: "operators' work; the person reads each decision where it took effect",
  second_approvals: "operators' work; those concerned read the reason in the decision",
  authority_reports: "operators' work; to learn of it could frustrate an investigation",
  sign_in_log: 'your sign-in history again, under a hash, for investigations',
  operator_changes: "operators' work, kept for the owner of the platform",
  operator_log: "operators' work, kept by ids for the owner of the platform",
  operator_log_head: machine,
  operator_log_outcomes: "operators' work, kept by ids for the owner of the platform",
  chat_paces: 'counts of this minute, against floods',
  fee_schedules: machine,
  lasting_keys: machine,
  idempotency_keys: 'copies of answers for repeated calls, deleted after 30 days',
  pay_receipt_counters: company,
  pay_receipts: 'addressed to the business',
  invoice_series: company,
  invoices: 'addressed to the business',
  invoiced_entries: company,
  worker_series: 'the number in the names of your invoices, which they show',
  worker_invoiced_entries: company,
  job_photos: company,
  job_questions: company,
  job_screenings: 'a check of what the business posted',
  job_views: 'counts per day and channel, of nobody in particular',
  jobs: company,
  password_checks: 'when a session last entered its password; ends with the session',
  second_factor_checks: 'when a session last entered a code; ends with the session',
  passkey_questions: 'a secret that lasts minutes',
  second_step_codes: 'a secret that lasts minutes',
  ledger_deferred: book,
  ledger_entries: book,
  ledger_seal_head: machine,
  ledger_seals: machine,
  mail_handovers: machine,
  mailbox_messages: 'the mailbox of a development server',
  provider_bookings: book,
  provider_cursors: machine,
  provider_events: machine,
  redacted_words: 'text that was deleted, kept for a while for reports only',
  report_cases: 'staff work on what several people reported; each report is exported to its author',
  sandbox_balances: sandbox,
  sandbox_banks: sandbox,
  sandbox_cards: sandbox,
  sandbox_charges: sandbox,
  sandbox_deliveries: sandbox,
  sandbox_event_counter: sandbox,
  sandbox_events: sandbox,
  sandbox_identities: sandbox,
  sandbox_keys: sandbox,
  sandbox_payouts: sandbox,
  sandbox_refunds: sandbox,
  sandbox_tokens: sandbox,
  saved_search_squares: 'where a saved search looks, worked out from it',
  search_words: 'words of jobs, counted; nobody is named with them',
  sign_in_limits: 'counts attempts under hashes',
  statement_carried: machine,
  stripe_calls: machine,
  verifications: 'links that last hours, stored as hashes',
};
