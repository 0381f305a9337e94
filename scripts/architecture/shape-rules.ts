import { Visitor } from 'oxc-parser';
import { domainOf } from './domains.ts';
import type { Violation } from './import-rules.ts';
import type { SourceFile } from './source-files.ts';

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file) || file.startsWith('e2e/');
const dumpingGrounds = /(^|[/.-])(utils?|helpers?|common|misc|manager)([/.-]|$)/;

/** Length, names and barrels: what helps a newcomer find things. */
export function shapeViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const found: string[] = [];
    const most = isTest(file.path) ? 600 : 400;
    if (file.lines > most) found.push(`${file.lines} lines, ${most} allowed; split it by verb or noun`);
    if (/(^|\/)index\.tsx?$/.test(file.path))
      found.push('an index file hides where things are; import the file itself');
    if (/^\s*export \*/m.test(file.text))
      found.push('a barrel (export *) hides where things are; import the file itself');
    if (dumpingGrounds.test(file.path)) found.push('a dumping-ground name; name the file after what it does');
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.tsx?$/.test(file.path.split('/').at(-1) ?? ''))
      found.push('file names are kebab-case');
    return found.map((message) => ({ file: file.path, message }));
  });
}

const maxFolderFiles = 20;

/** A folder that can't be taken in at a glance should be two. Tests, fixtures and samples don't count. The contract has one file per slice. */
export function folderViolations(files: readonly SourceFile[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    if (!/^(apps|e2e|scripts)\//.test(path) || /\.(test|fixtures|samples|spec)\./.test(path)) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([file, count]) =>
    count > maxFolderFiles
      ? [{ file, message: `has ${count} source files, ${maxFolderFiles} allowed; split it by noun` }]
      : [],
  );
}

/** Lines per function; a web component includes its markup. Tests are exempt. */
const maxFunctionLines = { code: 115, component: 170 };

/** A function longer than a screen or two does several things, each of which can have a name. */
export function functionViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !isTest(file.path))
    .flatMap((file) => {
      const most = file.path.endsWith('.tsx') ? maxFunctionLines.component : maxFunctionLines.code;
      const found: Violation[] = [];
      const look = ({ start, end }: { start: number; end: number }) => {
        const lines = file.text.slice(start, end).split('\n').length;
        if (lines <= most) return;
        const line = file.text.slice(0, start).split('\n').length;
        found.push({
          file: file.path,
          message: `has a function of ${lines} lines at line ${line}, ${most} allowed; give its parts names of their own`,
        });
      };
      new Visitor({
        FunctionDeclaration: look,
        FunctionExpression: look,
        ArrowFunctionExpression: look,
      }).visit(file.program);
      return found;
    });
}

/** Only platform/clock.ts reads the clock in the server: `new Date()` and `Date.now()` are refused elsewhere. */
export function clockViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(
      (file) =>
        file.path.startsWith('apps/api/src/') &&
        !isTest(file.path) &&
        file.path !== 'apps/api/src/platform/clock.ts',
    )
    .flatMap((file) => {
      let reads = false;
      new Visitor({
        NewExpression(node) {
          if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
            reads = true;
        },
        CallExpression(node) {
          const callee = node.callee;
          if (callee.type === 'Identifier' && callee.name === 'Date') reads = true;
          if (
            callee.type === 'MemberExpression' &&
            callee.object.type === 'Identifier' &&
            callee.object.name === 'Date' &&
            callee.property.type === 'Identifier' &&
            callee.property.name === 'now'
          )
            reads = true;
        },
      }).visit(file.program);
      return reads
        ? [
            {
              file: file.path,
              message: 'reads the clock; take the time from the scope’s clock (platform/clock.ts)',
            },
          ]
        : [];
    });
}

/**
 * Which slice owns which table: only its *.sql.ts, and the platform's own files for the platform's, may write it. Slices of one domain may
 * share a table that each changes for its own reason; the first one owns it.
 */
export const tableOwners: Record<string, string | readonly [owner: string, ...alsoWrite: string[]]> = {
  audits: 'platform',
  idempotency_keys: 'platform',
  lasting_keys: 'platform',
  mail_handovers: 'platform',
  mailbox_messages: 'platform',
  presence: 'platform',
  account_settings: 'account-settings',
  accounts: ['accounts', 'sign-in'],
  second_factors: 'sign-in',
  sessions: ['sessions', 'sign-in'],
  sign_in_events: 'sessions',
  sign_in_log: 'sessions',
  email_changes: 'email-change',
  phone_codes: 'verification',
  phone_checks: 'verification',
  certificates: 'certificates',
  identity_checks: 'identity-checks',
  identity_photos: 'identity-checks',
  business_documents: 'business-verification',
  business_domains: 'business-verification',
  credentials: 'sign-in',
  verifications: 'sign-in',
  sign_in_limits: 'sign-in',
  password_checks: 'sign-in',
  second_factor_checks: 'sign-in',
  second_step_codes: 'sign-in',
  firebase_identities: 'firebase-sign-in',
  passkeys: 'passkeys',
  passkey_questions: 'passkeys',
  terms_acceptances: 'terms-of-use',
  files: 'files',
  profiles: 'profiles',
  account_deletions: 'account-deletion',
  account_deletion_codes: 'account-deletion',
  data_exports: 'data-exports',
  businesses: 'businesses',
  business_members: 'businesses',
  business_moves: 'businesses',
  branches: 'branches',
  team_invitations: 'team',
  team_moves: 'team',
  ownership_offers: 'team',
  jobs: ['jobs', 'job-import'],
  job_photos: 'jobs',
  job_questions: 'jobs',
  job_moves: ['jobs', 'job-import'],
  job_screenings: 'screening',
  applications: ['applications', 'applicants', 'matching', 'waitlist'],
  application_moves: ['applications', 'applicants'],
  applicant_notes: 'pipeline',
  applicant_tags: 'pipeline',
  job_invitations: 'invitations',
  saved_jobs: 'saved-jobs',
  job_views: 'job-shares',
  referrals: 'referrals',
  referral_rewards: 'referrals',
  business_follows: 'followed-businesses',
  search_words: 'nearby',
  saved_searches: 'saved-searches',
  saved_search_squares: 'saved-searches',
  job_alerts: 'saved-searches',
  pools: 'pools',
  pool_workers: 'pools',
  saved_workers: 'pools',
  saved_worker_tags: 'pools',
  saved_worker_notes: 'pools',
  interviews: 'interviews',
  interview_slots: 'interviews',
  interview_moves: 'interviews',
  offers: 'offers',
  offer_moves: 'offers',
  fee_schedules: 'offers',
  operators: 'operators',
  operator_log: 'operator-log',
  operator_log_head: 'operator-log',
  case_work: 'cases',
  case_notes: 'cases',
  help_votes: 'help',
  report_cases: 'reports',
  reports: 'reports',
  report_files: 'reports',
  sanctions: 'sanctions',
  appeals: 'appeals',
  second_approvals: 'second-approvals',
  tickets: 'tickets',
  ticket_messages: 'tickets',
  ticket_files: 'tickets',
  ticket_moves: 'tickets',
  service_messages: 'service-status',
  reviews: 'reviews',
  review_moves: 'reviews',
  engagements: 'engagements',
  engagement_moves: 'engagements',
  attendance_events: 'attendance',
  site_code_attempts: 'attendance',
  hours_claims: 'timesheets',
  deliveries: 'timesheets',
  delivery_files: 'timesheets',
  disputes: 'disputes',
  dispute_files: 'disputes',
  dispute_steps: 'disputes',
  cards: 'cards',
  charges: 'charges',
  card_refunds: 'charges',
  provider_events: 'provider',
  provider_cursors: 'provider',
  holds: 'holds',
  hold_moves: 'holds',
  releases: 'holds',
  tips: 'tips',
  payout_identities: 'payouts',
  payout_methods: 'payouts',
  clearings: 'payouts',
  withdrawals: 'payouts',
  withdrawal_moves: 'payouts',
  sandbox_keys: 'sandbox',
  sandbox_tokens: 'sandbox',
  sandbox_cards: 'sandbox',
  sandbox_banks: 'sandbox',
  sandbox_identities: 'sandbox',
  sandbox_charges: 'sandbox',
  sandbox_refunds: 'sandbox',
  sandbox_payouts: 'sandbox',
  sandbox_balances: 'sandbox',
  sandbox_event_counter: 'sandbox',
  sandbox_events: 'sandbox',
  sandbox_deliveries: 'sandbox',
  ledger_accounts: 'ledger',
  ledger_entries: 'ledger',
  ledger_postings: 'ledger',
  ledger_deferred: 'ledger',
  ledger_seals: 'ledger',
  ledger_seal_head: 'ledger',
  invoice_counters: 'invoices',
  invoices: 'invoices',
  statement_lines: 'statements',
  statement_carried: 'statements',
  calendar_feeds: 'calendar',
  conversations: 'conversations',
  messages: 'messages',
  message_files: 'messages',
  message_reactions: 'messages',
  redacted_words: 'messages',
  conversation_readers: 'conversations',
  unread_conversations: 'conversations',
  chat_blocks: 'conversations',
  chat_reports: 'chat-reports',
  chat_settings: 'conversations',
  chat_paces: 'messages',
  notifications: 'notifications',
  notification_settings: 'notification-settings',
  notification_choices: 'notification-settings',
  notification_devices: 'devices',
  notification_refusals: 'notifications',
  notification_deliveries: 'notifications',
};

const writes = [
  /\b(?:insert\s+into|delete\s+from)\s+"?([a-z_]+)"?/gi,
  /(?<!for )\bupdate\s+(?:only\s+)?"?([a-z_]+)"?\s+(?:as\s+\w+\s+|\w+\s+)?set\b/gi,
  /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"`]([a-z_]+)/g,
];

/** What the server's files write: one entry per statement. */
const writesOf = (files: readonly SourceFile[]) =>
  files
    .filter(
      (file) =>
        file.path.startsWith('apps/api/src/') && !isTest(file.path) && !file.path.endsWith('.fixtures.ts'),
    )
    .flatMap((file) => {
      const slice = domainOf(file.path) === null ? 'platform' : (file.path.split('/')[4] ?? '');
      return writes.flatMap((pattern) =>
        [...file.text.matchAll(pattern)].map((match) => ({
          file: file.path,
          slice,
          table: match[1] ?? '',
          byBuilder: pattern === writes[2],
        })),
      );
    });

/** Code lives with the table it writes. */
export function tableViolations(files: readonly SourceFile[]): Violation[] {
  return writesOf(files).flatMap(({ file, slice, table, byBuilder }) => {
    const writers = [tableOwners[table] ?? []].flat();
    const [owner] = writers;
    if (owner === undefined)
      return byBuilder || /^[a-z_]+s$/.test(table)
        ? [
            {
              file,
              message: `writes the table ${table}, which has no owner in scripts/architecture/shape-rules.ts; add it there`,
            },
          ]
        : [];
    if (!writers.includes(slice))
      return [{ file, message: `writes ${table}, which ${owner} owns; call ${owner}.service.ts` }];
    if (!writers.includes('platform') && !file.endsWith('.sql.ts'))
      return [{ file, message: `writes ${table} outside a *.sql.ts; move the statement there` }];
    return [];
  });
}

/** Slices that may write another slice's table and don't: the permission is removed. */
export function idleWriters(files: readonly SourceFile[], owners: typeof tableOwners): string[] {
  const found = new Set(writesOf(files).map(({ slice, table }) => `${slice} writes ${table}`));
  return Object.entries(owners)
    .flatMap(([table, writers]) =>
      typeof writers === 'string' ? [] : writers.map((slice) => `${slice} writes ${table}`),
    )
    .filter((entry) => !found.has(entry));
}

/** Colours are in tokens.css, so that themes and contrast stay in one place. */
export function colourViolations(styles: readonly { path: string; text: string }[]): Violation[] {
  return styles
    .filter((style) => !style.path.endsWith('/tokens.css'))
    .flatMap((style) => {
      const bare = style.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/url\([^)]*\)/g, '');
      const literal = /(?:#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl|oklch)a?\()/i.exec(bare);
      return literal
        ? [
            {
              file: style.path,
              message: `holds the literal colour ${literal[0]}; use a token of ui/tokens.css`,
            },
          ]
        : [];
    });
}

/** `:has()` before a combinator restyles every element, whenever anything enters a page, where no class or tag bounds the right side (ADR 330). */
export function restylingViolations(styles: readonly { path: string; text: string }[]): Violation[] {
  return styles.flatMap(({ path, text }) => {
    const selectors = withoutArguments(text.replace(/\/\*[\s\S]*?\*\//g, '')).match(/[^{};]+(?=\{)/g) ?? [];
    return selectors
      .flatMap((list) => list.split(','))
      .filter(restylesPages)
      .map((selector) => ({
        file: path,
        message: `has "${selector.trim()}", which restyles whole pages; move the :has() into its last part, or name a class there`,
      }));
  });
}

/** Whether something after the `:has()` is bounded by nothing: the part next to it or the last, which are what browsers look up. */
function restylesPages(selector: string): boolean {
  const parts = selector.trim().split(/\s*[\s>+~]\s*/);
  const right = parts.slice(parts.findIndex((part) => /:has\b/.test(part)) + 1);
  return (
    right.length < parts.length &&
    [right.at(0), right.at(-1)].some((part) => part && !/^[a-z]|[.#[]/i.test(part))
  );
}

/** Leaves out parentheses, which may be nested; `:not()` and its like with a `:has()` inside count as one. */
function withoutArguments(css: string): string {
  const bare = css
    .replace(/:(?:not|is|where)\([^()]*:has\b[^()]*\)/g, ':has')
    .replace(/\([^()]*\)|(?<=\[)[^\]]+(?=\])/g, '');
  return bare === css ? css : withoutArguments(bare);
}
