// @ts-check
// The faults that `planted-faults.mjs` plants; `faults.test.mjs` checks that each still has its place.

/**
 * @typedef {object} Fault
 * @property {string} name
 * @property {string} kind
 * @property {string} file
 * @property {string} from occurs in the file exactly once
 * @property {string} to
 * @property {string[]} tests files of `npm test` that should notice it
 */

const api = 'apps/api/src';
const web = 'apps/web/src';
const contract = 'packages/contract/src';
const matrix = 'apps/api/test/authorization-matrix.test.ts';
const sweep = 'apps/api/test/contract-sweep.test.ts';
export const architecture = 'scripts/architecture/architecture.test.ts';

/** @type {Fault[]} */
export const faults = [
  {
    name: 'spot-limit',
    kind: 'off by one in a limit',
    file: `${api}/hiring/jobs/jobs.sql.ts`,
    from: 'head_count - hired_count - offered_count > 0',
    to: 'head_count - hired_count - offered_count > -1',
    tests: [`${api}/hiring/spots/spots.test.ts`],
  },
  {
    name: 'declined-offer',
    kind: 'state swapped',
    file: `${api}/hiring/applications/applications.rules.ts`,
    from: "'decline-offer', 'worker', 'offer_declined'",
    to: "'decline-offer', 'worker', 'offer_withdrawn'",
    tests: [`${api}/hiring/offers/offers.test.ts`, `${api}/hiring/rebook/rebook.test.ts`],
  },
  {
    name: 'offer-funding-signal',
    kind: 'emit dropped',
    file: `${api}/hiring/offers/offers.sql.ts`,
    from: `    .set({ funding })
    .where('id', '=', offerId)
    .returning(['id', 'workerId', 'businessId', 'jobId', 'sentAt'])
    .executeTakeFirst();
  notifyOfOffer(tx, updated);`,
    to: `    .set({ funding })
    .where('id', '=', offerId)
    .executeTakeFirst();
  if (!updated) throw new Error(\`no offer \${offerId}\`);`,
    tests: [`${api}/money/holds/hold-freeze.test.ts`, `${api}/hiring/offers/offers.test.ts`],
  },
  {
    name: 'life-of-task',
    kind: 'wrong time zone',
    file: `${api}/hiring/jobs/job-expiry.ts`,
    from: 'new Date(dayEndsAt(timeZone, dueOn))',
    to: "new Date(dayEndsAt(timeZone && 'UTC', dueOn))",
    tests: [`${api}/hiring/jobs/jobs.test.ts`],
  },
  {
    name: 'no-show-twice',
    kind: 'repeat not a no-op',
    file: `${api}/hiring/interviews/interviews.ts`,
    from: `  if (!repeat) {
    const now = scope.clock.now();
    const moved = await moveInterview(tx, scope, row, {
      action: 'report-no-show'`,
    to: `  if (!repeat || row.id) {
    const now = scope.clock.now();
    const moved = await moveInterview(tx, scope, row, {
      action: 'report-no-show'`,
    tests: [`${api}/hiring/interviews/interviews.states.test.ts`],
  },
  {
    name: 'end-of-due-day',
    kind: 'wrong time zone',
    file: `${api}/work/engagements/booking.ts`,
    from: 'dayEndsAt(terms.timeZone, terms.dueOn)',
    to: "dayEndsAt('UTC', terms.dueOn)",
    tests: [
      `${api}/work/engagements/engagements.test.ts`,
      `${api}/work/engagements/engagement-clocks.test.ts`,
    ],
  },
  {
    name: 'silent-no-check-in',
    kind: 'silence pays',
    file: `${contract}/work/pay.rules.ts`,
    from: "if (claim.by === 'timer' && !facts.attended)",
    to: "if (claim.by === 'timer' && !facts.attended && recordedMinor !== null)",
    tests: [`${contract}/work/pay.rules.test.ts`, `${api}/work/timesheets/timesheets.rules.test.ts`],
  },
  {
    name: 'withdrawal-lock',
    kind: 'lock removed',
    file: `${api}/money/payouts/withdrawals.ts`,
    from: `  await lockWorker(tx, accountId);
  const { method, availableMinor, isHeld }`,
    to: '  const { method, availableMinor, isHeld }',
    tests: [`${api}/money/payouts/withdrawals-race.test.ts`, `${api}/money/payouts/withdrawals.test.ts`],
  },
  {
    name: 'fee-of-parts',
    kind: 'money rounding',
    file: `${api}/money/holds/holds.rules.ts`,
    from: `shareOfAmount(beforeMinor + payMinor, fees.businessFeeBasisPoints) -
    shareOfAmount(beforeMinor, fees.businessFeeBasisPoints)`,
    to: 'shareOfAmount(payMinor, fees.businessFeeBasisPoints)',
    tests: [`${api}/money/holds/holds.rules.test.ts`],
  },
  {
    name: 'tip-signal',
    kind: 'emit dropped',
    file: `${api}/money/tips/tips.ts`,
    from: 'if (updated) notifyOfTip(tx, updated);',
    to: "if (!updated) throw new Error('no such tip');",
    tests: [`${api}/work/pay/tips.test.ts`],
  },
  {
    name: 'spot-of-ended-offer',
    kind: 'missing await',
    file: `${api}/hiring/spots/spots.ts`,
    from: 'await updateSpots(tx, jobId, { offered: -1 });',
    to: 'void updateSpots(tx, jobId, { offered: -1 });',
    tests: [`${api}/hiring/spots/spots.test.ts`, `${api}/hiring/offers/offers.test.ts`],
  },
  {
    name: 'first-review-published',
    kind: 'silence broken',
    file: `${api}/trust/reviews/reviews.ts`,
    from: "if (reviews.length === 0 || reviews.some(({ state }) => state !== 'submitted')) return;",
    to: "if (reviews.length === 0 || reviews.every(({ state }) => state !== 'submitted')) return;",
    tests: [`${api}/trust/reviews/double-blind.test.ts`],
  },
  {
    name: 'own-appeal',
    kind: 'told to the wrong ones',
    file: `${api}/trust/appeals/appeals.ts`,
    from: 'appeal.sanctionBy}, ',
    to: 'appeal.accountId}, ',
    tests: [`${api}/trust/appeals/appeals.test.ts`],
  },
  {
    name: 'message-signal',
    kind: 'emit dropped',
    file: `${api}/talk/messages/messages.ts`,
    from: `  const { seq, rev } = inserted;
  notifyOfMessage(tx, part, rev, Math.max(part.lastSeq, seq));`,
    to: '  const { seq, rev } = inserted;',
    tests: [`${api}/talk/conversations/conversation-shown.test.ts`],
  },
  {
    name: 'log-of-team',
    kind: 'policy dropped',
    file: `${api}/people/team/team.ts`,
    from: "  await requireMay(db, input.businessId, scope.actor.accountId, 'ownership');\n  const after",
    to: '  const after',
    tests: [matrix, `${api}/people/team/team-members.test.ts`],
  },
  {
    name: 'tries-of-account',
    kind: 'off by one in a limit',
    file: `${api}/people/sign-in/attempt-limits.ts`,
    from: '(counts.get(byAccount)?.count ?? 0) > max',
    to: '(counts.get(byAccount)?.count ?? 0) >= max',
    tests: [`${api}/people/sign-in/attempt-limits.test.ts`],
  },

  {
    name: 'one-application-each',
    kind: 'unique index dropped',
    file: 'apps/api/migrations/0003_hiring.sql',
    from: 'create unique index applications_one_each',
    to: 'create index applications_one_each',
    tests: [`${api}/hiring/applications/applications.test.ts`],
  },
  {
    name: 'unbalanced-entry',
    kind: 'check of the database dropped',
    file: 'apps/api/migrations/0006_money.sql',
    from: 'if count < 2 or total <> 0 or',
    to: 'if count < 2 or',
    tests: [`${api}/money/ledger/ledger-guards.test.ts`],
  },
  {
    name: 'index-of-cv',
    kind: 'index of a reference dropped',
    file: 'apps/api/migrations/0003_hiring.sql',
    from: 'create index applications_cv on applications (cv_file_id) where cv_file_id is not null;',
    to: '',
    tests: ['apps/api/test/foreign-keys.test.ts'],
  },
  {
    name: 'reused-key',
    kind: 'idempotency',
    file: `${api}/platform/http/idempotency.ts`,
    from: "if (!hash.equals(stored.requestHash)) throw new AppError('idempotency/key-reused');",
    to: "if (hash.length !== stored.requestHash.length) throw new AppError('idempotency/key-reused');",
    tests: [`${api}/money/cards/cards.test.ts`],
  },
  {
    name: 'unverified-email',
    kind: 'access dropped',
    file: `${api}/platform/http/access.ts`,
    from: "if (meta.access !== 'signed-in' && !actor.emailVerified) throw",
    to: "if (meta.access === 'operator' && !actor.emailVerified) throw",
    tests: [matrix],
  },
  {
    name: 'business-room',
    kind: 'emit dropped',
    file: `${api}/platform/realtime/publish-records.ts`,
    from: 'if (before.businessId) rooms.push(',
    to: 'if (before.businessId && !before.workerId) rooms.push(',
    tests: [`${api}/platform/realtime/publish.test.ts`, `${api}/hiring/applications/applications.test.ts`],
  },
  {
    name: 'last-row-of-page',
    kind: 'off by one in a limit',
    file: `${api}/platform/http/paging.ts`,
    from: 'rows.length > limit &&',
    to: 'rows.length >= limit &&',
    tests: [`${api}/hiring/followed-businesses/followed-businesses.test.ts`],
  },
  {
    name: 'password-in-log',
    kind: 'secret in the log',
    file: `${api}/platform/log.ts`,
    from: "      '*.password',\n",
    to: '',
    tests: [`${api}/platform/log.test.ts`],
  },

  {
    name: 'left-margin',
    kind: 'right-to-left style',
    file: `${web}/money/payouts/payouts.css`,
    from: 'margin-inline-start: var(--s2);',
    to: 'margin-left: var(--s2);',
    tests: [`${web}/ui/style-rules.test.ts`],
  },
  {
    name: 'latin-names-from-right',
    kind: 'right-to-left text',
    file: `${web}/lib/words/format.ts`,
    from: "directionOf(i18n.locale as Language) === 'rtl';",
    to: "directionOf(i18n.locale as Language) !== 'rtl';",
    tests: [`${web}/lib/words/format.test.ts`],
  },
  {
    name: 'outbox-overtakes',
    kind: 'offline outbox',
    file: `${web}/talk/outbox/outbox.rules.ts`,
    from: 'return waiting.find(',
    to: 'return waiting.findLast(',
    tests: [`${web}/talk/outbox/outbox.test.ts`],
  },
  {
    name: 'busy-server-refuses',
    kind: 'offline outbox',
    file: `${web}/lib/device/device-queue.ts`,
    from: "    'request/unavailable',\n",
    to: '',
    tests: [
      `${web}/hiring/saved-jobs/saved-jobs-outbox.test.tsx`,
      `${web}/lib/device/device-queue.test.ts`,
      `${web}/hiring/applications/outbox.test.ts`,
      `${web}/work/attendance/attendance.test.ts`,
    ],
  },
  {
    name: 'stale-balance',
    kind: 'stale cache key',
    file: `${web}/lib/api/changed-records.ts`,
    from: "balance: ['payouts', 'statements', 'verification'],",
    to: "balance: ['payouts', 'verification'],",
    tests: [
      `${web}/lib/api/changed-records.test.ts`,
      `${web}/lib/api/signal-keys.test.ts`,
      `${web}/lib/realtime/signals-on-screen.test.ts`,
    ],
  },
  {
    name: 'cache-of-another',
    kind: 'stale cache key',
    file: `${web}/lib/api/query-persistence.ts`,
    from: 'if (!client?.buster.endsWith(suffix)) return undefined;',
    to: 'if (!client) return undefined;',
    tests: [`${web}/lib/api/query.test.ts`],
  },
  {
    name: 'edits-overwritten',
    kind: 'form loses input',
    file: `${web}/lib/forms/merge-edits.ts`,
    from: 'if (ownChanged) merged[key] = typed[key];',
    to: 'if (ownChanged && !otherChanged) merged[key] = typed[key];',
    tests: [`${web}/lib/forms/merge-edits.test.ts`],
  },
  {
    name: 'typed-thousandths',
    kind: 'money rounding',
    file: `${web}/lib/forms/typed-amount.ts`,
    from: '  if (part.length > digits) return null;\n',
    to: '',
    tests: [`${web}/lib/forms/typed-amount.test.ts`],
  },
  {
    name: 'calendar-day-of-device',
    kind: 'wrong time zone',
    file: `${web}/lib/words/format.ts`,
    from: "T12:00:00Z`, 'UTC', options)",
    to: 'T00:00:00Z`, ownTimeZone(), options)',
    tests: [`${web}/lib/words/format.test.ts`],
  },
  {
    name: 'withdraw-twice',
    kind: 'idempotency',
    file: `${web}/lib/forms/send-once.ts`,
    from: '{ context: { idempotencyKey: key } }',
    to: '{ context: { idempotencyKey: crypto.randomUUID() } }',
    tests: [`${web}/money/payouts/withdraw.test.tsx`],
  },
  {
    name: 'focus-lost',
    kind: 'focus',
    file: `${web}/ui/overlays/dialog.tsx`,
    from: 'if (hasLostFocus(dialog)) focusVisiblePage();',
    to: 'if (!hasLostFocus(dialog)) focusVisiblePage();',
    tests: [`${web}/ui/overlays/dialog.test.tsx`, `${web}/ui/overlays/overlays.test.tsx`],
  },
  {
    name: 'word-missing-in-arabic',
    kind: 'word missing in a language',
    file: `${web}/locales/ar.po`,
    from: 'msgid "Apply"\nmsgstr "تقديم"',
    to: 'msgid "Apply"\nmsgstr ""',
    tests: ['apps/web/build/catalogues.test.ts'],
  },

  {
    name: 'contract-mismatch',
    kind: 'contract mismatch',
    file: `${contract}/people/team.ts`,
    from: 'lastActiveOn: z.iso.date().nullable(),',
    to: 'lastActiveOn: z.iso.date(),',
    tests: [`${api}/people/team/team-members.test.ts`],
  },
  {
    name: 'undocumented-error',
    kind: 'error missing from the contract',
    file: `${contract}/hiring/waitlist.ts`,
    from: "      'application/not-waiting',\n",
    to: '',
    tests: [sweep, `${api}/hiring/waitlist/waitlist.test.ts`],
  },
  {
    name: 'cycle',
    kind: 'cycle of imports',
    file: `${api}/hiring/jobs/job-transitions.ts`,
    from: "import { hiringHooks } from '../hooks.ts';\n",
    to: "import { hiringHooks } from '../hooks.ts';\nimport '../spots/spots.ts';\n",
    tests: [architecture],
  },
  {
    name: 'people-import-hiring',
    kind: 'layer broken',
    file: `${api}/people/profiles/profiles.ts`,
    from: "import { AppError } from '../../platform/app-error.ts';\n",
    to: "import { AppError } from '../../platform/app-error.ts';\nimport '../../hiring/jobs/jobs.ts';\n",
    tests: [architecture],
  },
];
