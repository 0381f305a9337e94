import { contract } from '@nearhand/contract/contract';
import type { Registry } from 'prom-client';
import { applicantsRoutes } from './hiring/applicants/applicants.routes.ts';
import { applicationsTasks } from './hiring/applications/applications.tasks.ts';
import { applicationsRoutes } from './hiring/applications/applications.ts';
import { calendarRoutes } from './hiring/calendar/calendar.routes.ts';
import { registerCalendarFiles } from './hiring/calendar/calendar-files.ts';
import { followedBusinessesRoutes } from './hiring/followed-businesses/followed-businesses.ts';
import { giveawaysRoutes, giveawaysTasks } from './hiring/giveaways/giveaways.ts';
import { interviewsRoutes, interviewsTasks } from './hiring/interviews/interviews.ts';
import { invitationsRoutes } from './hiring/invitations/invitations.ts';
import { jobSharesRoutes, registerEmbeds, registerPosters } from './hiring/job-shares/job-shares.ts';
import { countPublicViews } from './hiring/job-shares/view-counter.ts';
import { jobTemplatesRoutes } from './hiring/job-templates/job-templates.ts';
import { jobsRoutes } from './hiring/jobs/jobs.routes.ts';
import { jobsTasks } from './hiring/jobs/jobs.ts';
import { matchingTasks } from './hiring/matching/matching.tasks.ts';
import { firstSearch } from './hiring/nearby/first-search.ts';
import { nearbyRoutes } from './hiring/nearby/nearby.ts';
import { offersRoutes, offersTasks } from './hiring/offers/offers.ts';
import { pipelineRoutes } from './hiring/pipeline/pipeline.routes.ts';
import { poolsRoutes } from './hiring/pools/pools.routes.ts';
import { publicPagesRoutes, registerPublicPages } from './hiring/public-pages/public-pages.routes.ts';
import { rebookRoutes } from './hiring/rebook/rebook.ts';
import { reliabilityRoutes } from './hiring/reliability/reliability.ts';
import { replacementsRoutes, replacementsTasks } from './hiring/replacements/replacements.ts';
import { registerRosterFile, rosterRoutes } from './hiring/roster/roster.routes.ts';
import { savedJobsRoutes, savedJobsTasks } from './hiring/saved-jobs/saved-jobs.ts';
import { savedSearchesRoutes, savedSearchesTasks } from './hiring/saved-searches/saved-searches.ts';
import { spotsRoutes } from './hiring/spots/spots.ts';
import { waitlistRoutes } from './hiring/waitlist/waitlist.ts';
import { bankTransfersRoutes } from './money/bank-transfers/bank-transfers.ts';
import { budgetsRoutes } from './money/budgets/budgets.ts';
import { cardsRoutes } from './money/cards/cards.ts';
import { chargebackAnswersTasks } from './money/chargeback-answers/chargeback-answers.ts';
import { chargesRoutes, chargesTasks } from './money/charges/charges.routes.ts';
import { creditLimitsRoutes, creditLimitsTasks } from './money/credit-limits/credit-limits.ts';
import { downloadsRoutes, registerDownloads } from './money/downloads/downloads.routes.ts';
import { holdsRoutes, holdsTasks } from './money/holds/holds.ts';
import { invoicesRoutes, invoicesTasks } from './money/invoices/invoices.ts';
import { ledgerTasks } from './money/ledger/ledger.tasks.ts';
import { registerFormerPayee } from './money/payouts/former-payee.ts';
import { payoutsRoutes, payoutsTasks } from './money/payouts/payouts.routes.ts';
import { providerTasks, registerPaymentWebhook } from './money/provider/provider.routes.ts';
import { receiptsRoutes, receiptsTasks } from './money/receipts/receipts.ts';
import { isSandbox, registerSandbox, sandboxTasks } from './money/sandbox/sandbox.ts';
import { sellerReportsRoutes, sellerReportsTasks } from './money/seller-reports/seller-reports.ts';
import { statementsRoutes, statementsTasks } from './money/statements/statements.ts';
import { walletRoutes } from './money/wallet/wallet.routes.ts';
import { workerInvoicesRoutes, workerInvoicesTasks } from './money/worker-invoices/worker-invoices.ts';
import { accountDeletionRoutes, accountDeletionTasks } from './people/account-deletion/account-deletion.ts';
import { accountSettingsRoutes } from './people/account-settings/account-settings.ts';
import { accountsRoutes } from './people/accounts/accounts.ts';
import { branchesRoutes } from './people/branches/branches.ts';
import { businessVerificationRoutes } from './people/business-verification/business-verification.routes.ts';
import { businessesRoutes, businessesTasks } from './people/businesses/businesses.routes.ts';
import { findMemberships, findSeers as seersOf } from './people/businesses/members.sql.ts';
import { certificatesRoutes, certificatesTasks } from './people/certificates/certificates.ts';
import {
  dataExportsRoutes,
  dataExportsTasks,
  registerDataExports,
} from './people/data-exports/data-exports.ts';
import { emailChangeRoutes, emailChangeTasks } from './people/email-change/email-change.ts';
import { filesRoutes, filesTasks, registerFileContent } from './people/files/files.ts';
import {
  firebaseIdentity,
  firebaseSignIn,
  firebaseSignInTasks,
  requireStanding,
} from './people/firebase-sign-in/firebase-sign-in.ts';
import { identityChecksRoutes, identityChecksTasks } from './people/identity-checks/identity-checks.ts';
import { registerPasskeySignIn } from './people/passkeys/passkey-sign-in.ts';
import { passkeysRoutes, passkeysTasks } from './people/passkeys/passkeys.ts';
import { placesRoutes, registerMapTiles, townOf } from './people/places/places.ts';
import { profilesRoutes } from './people/profiles/profiles.ts';
import { sessionsRoutes, sessionsTasks } from './people/sessions/sessions.ts';
import { settingsRoutes } from './people/settings/settings.ts';
import { createAuthenticator, endedSessions } from './people/sign-in/access-tokens.ts';
import { recordOperatorCall, requireRecentProof } from './people/sign-in/credentials.ts';
import { registerSignIn, signInRoutes, signInTasks } from './people/sign-in/sign-in.ts';
import { teamRoutes, teamTasks } from './people/team/team.routes.ts';
import { termsOfUseRoutes } from './people/terms-of-use/terms-of-use.ts';
import { verificationRoutes, verificationTasks } from './people/verification/verification.ts';
import { registerApiPages } from './platform/api-document/api-pages.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { Db } from './platform/db.ts';
import type { FileStore } from './platform/file-store/file-store.ts';
import { registerAuthPages } from './platform/firebase/auth-pages.ts';
import { registerDevClock, type TestTime } from './platform/http/dev-clock.ts';
import { registerDevMailbox } from './platform/http/dev-mailbox.ts';
import { registerHealth } from './platform/http/health.ts';
import { purgeIdempotencyKeysTask } from './platform/http/idempotency.tasks.ts';
import { createServer } from './platform/http/server.ts';
import { registerWebApp } from './platform/http/web-app.ts';
import { registerLocalIdentity } from './platform/local-identity/local-identity.ts';
import type { Log } from './platform/log.ts';
import type { Mailer } from './platform/mail/mail.ts';
import { purgeMailHandoversTask } from './platform/mail/mail-handovers.tasks.ts';
import type { PaymentProvider } from './platform/payment-provider.ts';
import { registerRealtime } from './platform/realtime/realtime.ts';
import type { Bus } from './platform/realtime/realtime-bus.ts';
import { primaryOnly, type RecentReads } from './platform/replicas/recent-reads.ts';
import { createSign, type Keys, keysOf } from './platform/sign.ts';
import { findLateQueues, registerBacklogMetrics } from './platform/tasks/task-backlog.ts';
import { chatReportsRoutes } from './talk/chat-reports/chat-reports.ts';
import { findTypingTo } from './talk/conversations/chat-settings.ts';
import { conversationsRoutes } from './talk/conversations/conversations.routes.ts';
import { devicesRoutes } from './talk/devices/devices.ts';
import { messagesRoutes } from './talk/messages/messages.routes.ts';
import { messagesTasks } from './talk/messages/messages.ts';
import { notificationSettingsRoutes } from './talk/notification-settings/notification-settings.ts';
import { registerUnsubscribe } from './talk/notification-settings/unsubscribe.routes.ts';
import { notificationsRoutes } from './talk/notifications/notifications.routes.ts';
import { notificationsTasks } from './talk/notifications/notifications.ts';
import { appealsRoutes, appealsTasks } from './trust/appeals/appeals.ts';
import { casesRoutes } from './trust/cases/cases.routes.ts';
import { casesTasks } from './trust/cases/cases.tasks.ts';
import { chargebacksRoutes } from './trust/chargebacks/chargebacks.ts';
import { dashboardRoutes } from './trust/dashboard/dashboard.ts';
import { helpRoutes, registerGuestVotes } from './trust/help/help.ts';
import { jobReviewsRoutes } from './trust/job-reviews/job-reviews.ts';
import { passOperatorGate } from './trust/operator-log/operator-gate.ts';
import { operatorLogRoutes, operatorLogTasks } from './trust/operator-log/operator-log.ts';
import { operatorsRoutes, operatorsTasks } from './trust/operators/operators.ts';
import { payoutReviewsRoutes } from './trust/payout-reviews/payout-reviews.ts';
import { registerMarketMetrics } from './trust/platform-health/market-metrics.ts';
import { platformHealthRoutes } from './trust/platform-health/platform-health.ts';
import { reportsRoutes } from './trust/reports/reports.routes.ts';
import { reviewsRoutes } from './trust/reviews/reviews.routes.ts';
import { reviewsTasks } from './trust/reviews/reviews.ts';
import { sanctionsRoutes } from './trust/sanctions/sanctions.routes.ts';
import { requireHiring, sanctionsTasks } from './trust/sanctions/sanctions.ts';
import { secondApprovalsRoutes } from './trust/second-approvals/second-approvals.routes.ts';
import { secondApprovalsTasks } from './trust/second-approvals/second-approvals.ts';
import { serviceStatusRoutes } from './trust/service-status/service-status.ts';
import { staffSearchRoutes } from './trust/staff-search/staff-search.ts';
import {
  registerGuestThreads,
  registerGuestTickets,
  registerInboundMail,
  ticketsRoutes,
} from './trust/tickets/tickets.routes.ts';
import { ticketsTasks } from './trust/tickets/tickets.ts';
import { transparencyRoutes } from './trust/transparency/transparency.ts';
import { attendanceRoutes } from './work/attendance/attendance.ts';
import { disputesRoutes } from './work/disputes/disputes.routes.ts';
import { disputesTasks } from './work/disputes/disputes.ts';
import { engagementsRoutes, engagementsTasks } from './work/engagements/engagements.routes.ts';
import { kiosksRoutes } from './work/kiosks/kiosks.ts';
import { payRoutes } from './work/pay/pay.ts';
import { referralsRoutes, referralsTasks, registerInviteLinks } from './work/referrals/referrals.ts';
import { timesheetsRoutes, timesheetsTasks } from './work/timesheets/timesheets.routes.ts';
import './register-hooks.ts';

export const router = {
  accountSettings: accountSettingsRoutes,
  accountDeletion: accountDeletionRoutes,
  accounts: accountsRoutes,
  applicants: applicantsRoutes,
  applications: applicationsRoutes,
  attendance: attendanceRoutes,
  kiosks: kiosksRoutes,
  businesses: businessesRoutes,
  businessVerification: businessVerificationRoutes,
  calendar: calendarRoutes,
  chatReports: chatReportsRoutes,
  conversations: conversationsRoutes,
  devices: devicesRoutes,
  messages: messagesRoutes,
  notificationSettings: notificationSettingsRoutes,
  cards: cardsRoutes,
  charges: chargesRoutes,
  cases: casesRoutes,
  dashboard: dashboardRoutes,
  dataExports: dataExportsRoutes,
  disputes: disputesRoutes,
  downloads: downloadsRoutes,
  emailChange: emailChangeRoutes,
  engagements: engagementsRoutes,
  files: filesRoutes,
  help: helpRoutes,
  holds: holdsRoutes,
  certificates: certificatesRoutes,
  identityChecks: identityChecksRoutes,
  interviews: interviewsRoutes,
  bankTransfers: bankTransfersRoutes,
  creditLimits: creditLimitsRoutes,
  budgets: budgetsRoutes,
  invoices: invoicesRoutes,
  workerInvoices: workerInvoicesRoutes,
  sellerReports: sellerReportsRoutes,
  receipts: receiptsRoutes,
  invitations: invitationsRoutes,
  jobs: jobsRoutes,
  jobShares: jobSharesRoutes,
  nearby: nearbyRoutes,
  notifications: notificationsRoutes,
  offers: offersRoutes,
  operators: operatorsRoutes,
  operatorLog: operatorLogRoutes,
  passkeys: passkeysRoutes,
  pay: payRoutes,
  payouts: payoutsRoutes,
  pipeline: pipelineRoutes,
  places: placesRoutes,
  platformHealth: platformHealthRoutes,
  profiles: profilesRoutes,
  publicPages: publicPagesRoutes,
  referrals: referralsRoutes,
  reliability: reliabilityRoutes,
  roster: rosterRoutes,
  jobTemplates: jobTemplatesRoutes,
  reviews: reviewsRoutes,
  spots: spotsRoutes,
  sessions: sessionsRoutes,
  serviceStatus: serviceStatusRoutes,
  settings: settingsRoutes,
  signIn: signInRoutes,
  statements: statementsRoutes,
  branches: branchesRoutes,
  team: teamRoutes,
  termsOfUse: termsOfUseRoutes,
  tickets: ticketsRoutes,
  transparency: transparencyRoutes,
  reports: reportsRoutes,
  sanctions: sanctionsRoutes,
  secondApprovals: secondApprovalsRoutes,
  staffSearch: staffSearchRoutes,
  jobReviews: jobReviewsRoutes,
  chargebacks: chargebacksRoutes,
  payoutReviews: payoutReviewsRoutes,
  appeals: appealsRoutes,
  timesheets: timesheetsRoutes,
  verification: verificationRoutes,
  wallet: walletRoutes,
  pools: poolsRoutes,
  rebook: rebookRoutes,
  savedJobs: savedJobsRoutes,
  savedSearches: savedSearchesRoutes,
  followedBusinesses: followedBusinessesRoutes,
  waitlist: waitlistRoutes,
  giveaways: giveawaysRoutes,
  replacements: replacementsRoutes,
};

export const tasks = [
  ...businessesTasks,
  ...applicationsTasks,
  ...messagesTasks,
  ...chargebackAnswersTasks,
  ...chargesTasks,
  ...disputesTasks,
  ...dataExportsTasks,
  ...certificatesTasks,
  ...identityChecksTasks,
  ...interviewsTasks,
  ...invoicesTasks,
  ...workerInvoicesTasks,
  ...sellerReportsTasks,
  ...creditLimitsTasks,
  ...receiptsTasks,
  ...emailChangeTasks,
  ...firebaseSignInTasks,
  ...engagementsTasks,
  ...giveawaysTasks,
  ...replacementsTasks,
  ...holdsTasks,
  ...jobsTasks,
  ...ledgerTasks,
  ...matchingTasks,
  ...offersTasks,
  ...operatorLogTasks,
  ...operatorsTasks,
  ...savedJobsTasks,
  ...referralsTasks,
  ...savedSearchesTasks,
  ...passkeysTasks,
  ...payoutsTasks,
  ...providerTasks,
  ...sandboxTasks,
  ...sessionsTasks,
  ...signInTasks,
  ...statementsTasks,
  ...teamTasks,
  ...casesTasks,
  ...ticketsTasks,
  ...sanctionsTasks,
  ...appealsTasks,
  ...secondApprovalsTasks,
  ...reviewsTasks,
  ...timesheetsTasks,
  ...verificationTasks,
  purgeIdempotencyKeysTask,
  purgeMailHandoversTask,
  ...filesTasks,
  ...accountDeletionTasks,
  ...notificationsTasks,
];

const plainRoutes = [
  registerFileContent,
  registerMapTiles,
  registerCalendarFiles,
  registerPaymentWebhook,
  registerFormerPayee,
  registerDownloads,
  registerRosterFile,
  registerPosters,
  registerUnsubscribe,
  registerDataExports,
  registerGuestVotes,
  registerGuestThreads,
  registerGuestTickets,
  registerInboundMail,
];

export type AppParts = {
  config: Config;
  /** A plain string is a secret that was never rotated. */
  secret: Keys | string;
  log: Log;
  db: Db;
  /** Reads that may be a second stale; without replicas the primary serves them. */
  reads?: RecentReads;
  clock: Clock;
  mailer: Mailer;
  fileStore: FileStore;
  provider: PaymentProvider;
  /** Folder of the built web app; null serves only the API. */
  webFolder: string | null;
  /** Carries signals between server processes; sockets are off without it. */
  bus?: Bus;
  /** Lets the journeys move the clock; ignored unless NODE_ENV is test. */
  testTime?: TestTime;
  metrics?: Registry;
};

/** Weight of a file request: a page loads dozens of files, and an office shares one address. */
const filesPerRead = 10;

/**
 * Builds the server from its parts, without listening. Tests pass their own clock, database and providers.
 */
export async function createApp(parts: AppParts) {
  const { config, log, db, clock, fileStore, provider, reads = primaryOnly(db) } = parts;
  const firebase = firebaseIdentity({ config, db, clock, log });
  const authenticator = createAuthenticator(parts.secret, db, clock);
  const base = { clock, config, fileStore, log, provider, sign: createSign(parts.secret) };
  const app = await createServer({
    config,
    log,
    db,
    reads,
    base,
    router,
    plainRoutes,
    metrics: parts.metrics,
    authenticate: authenticator.authenticate,
    operatorGate: (call) => passOperatorGate(db, base, call),
    requireStanding: (actor, meta) => requireStanding(firebase, db, actor, meta),
    requireRecentProof: (actor) => requireRecentProof(db, { actor, clock, config }),
    requireHiring: (actor, input) => requireHiring(db, actor, input),
    recordOperatorCall: (actor) => recordOperatorCall(db, { clock }, actor.sessionId),
  });
  const signInParts = { config, keys: keysOf(parts.secret), log, db, clock, external: firebase };
  const moreSignIn = [registerPasskeySignIn, ...(firebase ? [firebaseSignIn(firebase)] : [])];
  await app.register((scope) => registerSignIn(scope, signInParts, moreSignIn), { prefix: '/api/auth' });
  registerAuthPages(app, config);
  countPublicViews(app, { db, clock });
  await app.register((site) =>
    registerEmbeds(site, { db: reads.since(null), scope: { ...base, actor: null, requestId: 'embed' } }),
  );
  await app.register((site) =>
    registerPublicPages(site, {
      db: reads.since(null),
      scope: { ...base, actor: null, requestId: 'public-page' },
    }),
  );
  if (isSandbox(provider))
    await app.register((site) => registerSandbox(site, config, provider), { prefix: '/sandbox' });
  if (parts.bus)
    registerRealtime(app, {
      config,
      log,
      db,
      clock,
      bus: parts.bus,
      authenticate: authenticator.authenticate,
      findEndedSessions: (sessionIds) => endedSessions(db, clock, sessionIds),
      findBusinesses: (accountIds) => findMemberships(db, accountIds),
      findSeers: (accountIds, filter) => seersOf(db, accountIds, filter),
      findTypingTo: (accountId, conversationId) => findTypingTo(db, accountId, conversationId, clock.now()),
    });
  registerInviteLinks(app);
  registerHealth(app, db, fileStore, () => findLateQueues(db, tasks));
  registerBacklogMetrics(app, db, tasks);
  registerMarketMetrics(app, db, clock, config);
  registerDevMailbox(app, config, db);
  registerDevClock(app, config, parts.testTime);
  await registerLocalIdentity(app, { config, clock });
  await registerApiPages(app, contract, config);
  if (parts.webFolder !== null)
    await registerWebApp(app, parts.webFolder, {
      perMinute: config.READS_PER_MINUTE * filesPerRead,
      offline: config.OFFLINE_APP,
      clock,
      firstCalls: (url, cookies) => firstCalls(url, cookies, config),
    });
  return app;
}

const always = ['/api/settings'];
const signingIn = ['/api/accounts/sign-in-options'];
const exploring = ['/api/places/map-settings', '/api/service-status'];

/** API calls of a guest's first screen; their responses are inlined into the page (ADR 221). */
function firstCalls(url: string, cookies: string, config: Pick<Config, 'MAP_START'>): string[] {
  if (/^\/(login|register|getting-started)$/.test(url)) return [...always, ...signingIn];
  const search = firstSearch(url, cookies, townOf(config));
  return search ? [...always, ...exploring, search] : [];
}
