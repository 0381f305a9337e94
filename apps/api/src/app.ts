import { contract } from '@nearhand/contract/contract';
import { accountsRoutes } from './features/accounts/accounts.routes.ts';
import { createAuthenticator, endedSessions } from './features/accounts/accounts.session.ts';
import { registerSignIn } from './features/accounts/accounts.sign-in.ts';
import { accountsTasks } from './features/accounts/accounts.tasks.ts';
import { analyticsRoutes } from './features/analytics/analytics.routes.ts';
import { applicationsRoutes } from './features/applications/applications.routes.ts';
import { applicationsTasks } from './features/applications/applications.tasks.ts';
import { attendanceRoutes } from './features/attendance/attendance.routes.ts';
import { businessesRoutes } from './features/businesses/businesses.routes.ts';
import { businessesOf } from './features/businesses/memberships.service.ts';
import { calendarRoutes, registerCalendarFiles } from './features/calendar/calendar.routes.ts';
import { chatRoutes } from './features/chat/chat.routes.ts';
import { chatTasks } from './features/chat/chat.tasks.ts';
import { findTypingTo } from './features/chat/chat-settings.service.ts';
import { disputesRoutes } from './features/disputes/disputes.routes.ts';
import { disputesTasks } from './features/disputes/disputes.tasks.ts';
import { engagementsRoutes } from './features/engagements/engagements.routes.ts';
import { engagementsTasks } from './features/engagements/engagements.tasks.ts';
import { filesRoutes, registerFileContent } from './features/files/files.routes.ts';
import { purgeFiles } from './features/files/files.tasks.ts';
import { holdsRoutes } from './features/holds/holds.routes.ts';
import { holdsTasks } from './features/holds/holds.tasks.ts';
import { interviewsRoutes } from './features/interviews/interviews.routes.ts';
import { interviewsTasks } from './features/interviews/interviews.tasks.ts';
import { jobsRoutes } from './features/jobs/jobs.routes.ts';
import { jobsTasks } from './features/jobs/jobs.tasks.ts';
import { ledgerTasks } from './features/ledger/ledger.tasks.ts';
import { notificationsRoutes } from './features/notifications/notifications.routes.ts';
import { notificationsTasks } from './features/notifications/notifications.tasks.ts';
import { registerUnsubscribe } from './features/notifications/unsubscribe.routes.ts';
import { offersRoutes } from './features/offers/offers.routes.ts';
import { offersTasks } from './features/offers/offers.tasks.ts';
import { operatorsRoutes } from './features/operators/operators.routes.ts';
import { paymentsRoutes, registerPaymentWebhook } from './features/payments/payments.routes.ts';
import { paymentsTasks } from './features/payments/payments.tasks.ts';
import { payoutsRoutes } from './features/payouts/payouts.routes.ts';
import { payoutsTasks } from './features/payouts/payouts.tasks.ts';
import { pipelineRoutes } from './features/pipeline/pipeline.routes.ts';
import { placesRoutes } from './features/places/places.routes.ts';
import { profilesRoutes } from './features/profiles/profiles.routes.ts';
import { reliabilityRoutes } from './features/reliability/reliability.routes.ts';
import { registerSandbox } from './features/sandbox/sandbox.routes.ts';
import { isSandbox } from './features/sandbox/sandbox.service.ts';
import { sandboxTasks } from './features/sandbox/sandbox.tasks.ts';
import { settingsRoutes } from './features/settings/settings.routes.ts';
import { registerStatementFiles, statementsRoutes } from './features/statements/statements.routes.ts';
import { statementsTasks } from './features/statements/statements.tasks.ts';
import { timesheetsRoutes } from './features/timesheets/timesheets.routes.ts';
import { timesheetsTasks } from './features/timesheets/timesheets.tasks.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import type { FileStore } from './platform/file-store.ts';
import { registerDevClock, type TestTime } from './platform/http/dev-clock.ts';
import { registerDevMailbox } from './platform/http/dev-mailbox.ts';
import { registerHealth } from './platform/http/health.ts';
import { forgetIdempotencyKeys } from './platform/http/idempotency.tasks.ts';
import { registerOpenApi } from './platform/http/openapi.ts';
import { createServer } from './platform/http/server.ts';
import { registerWebApp } from './platform/http/web-app.ts';
import type { Log } from './platform/log.ts';
import type { Mailer } from './platform/mail.ts';
import type { PaymentProvider } from './platform/payment-provider.ts';
import { registerRealtime } from './platform/realtime.ts';
import type { Bus } from './platform/realtime-bus.ts';
import { createSign } from './platform/sign.ts';

/** The slices, listed nowhere else: their operations and their tasks. */
export const router = {
  accounts: accountsRoutes,
  analytics: analyticsRoutes,
  applications: applicationsRoutes,
  attendance: attendanceRoutes,
  businesses: businessesRoutes,
  calendar: calendarRoutes,
  chat: chatRoutes,
  disputes: disputesRoutes,
  engagements: engagementsRoutes,
  files: filesRoutes,
  holds: holdsRoutes,
  interviews: interviewsRoutes,
  jobs: jobsRoutes,
  notifications: notificationsRoutes,
  offers: offersRoutes,
  operators: operatorsRoutes,
  payments: paymentsRoutes,
  payouts: payoutsRoutes,
  pipeline: pipelineRoutes,
  places: placesRoutes,
  profiles: profilesRoutes,
  reliability: reliabilityRoutes,
  settings: settingsRoutes,
  statements: statementsRoutes,
  timesheets: timesheetsRoutes,
};

export const tasks = [
  ...accountsTasks,
  ...applicationsTasks,
  ...chatTasks,
  ...disputesTasks,
  ...interviewsTasks,
  ...engagementsTasks,
  ...holdsTasks,
  ...jobsTasks,
  ...ledgerTasks,
  ...offersTasks,
  ...paymentsTasks,
  ...payoutsTasks,
  ...sandboxTasks,
  ...statementsTasks,
  ...timesheetsTasks,
  forgetIdempotencyKeys,
  purgeFiles,
  ...notificationsTasks,
];

/** Routes outside the contract, under `/api`. */
const plainRoutes = [
  registerFileContent,
  registerCalendarFiles,
  registerPaymentWebhook,
  registerStatementFiles,
  registerUnsubscribe,
];

export type AppParts = {
  config: Config;
  secret: string;
  log: Log;
  db: Db;
  clock: Clock;
  mailer: Mailer;
  fileStore: FileStore;
  provider: PaymentProvider;
  /** Folder of the built web app; null serves the API alone. */
  webFolder: string | null;
  /** Carries signals between server processes; without one there are no sockets. */
  bus?: Bus;
  /** Where the journeys move the clock; a server of another NODE_ENV takes no notice of it. */
  testTime?: TestTime;
};

/** The whole server, not yet listening. */
export async function createApp(parts: AppParts) {
  const { config, log, db, clock, fileStore, provider } = parts;
  const authenticator = createAuthenticator(parts.secret, db, clock);
  const app = await createServer({
    config,
    log,
    db,
    base: { clock, config, fileStore, log, provider, sign: createSign(parts.secret) },
    router,
    plainRoutes,
    authenticate: authenticator.authenticate,
  });
  await app.register((scope) => registerSignIn(scope, { config, secret: parts.secret, log, db, clock }), {
    prefix: '/api/auth',
  });
  if (isSandbox(provider))
    await app.register((site) => registerSandbox(site, config, provider), { prefix: '/sandbox' });
  if (parts.bus)
    registerRealtime(app, {
      ...{ config, log, db, clock, bus: parts.bus, authenticate: authenticator.authenticate },
      findEndedSessions: (sessionIds) => endedSessions(db, clock, sessionIds),
      findBusinesses: (accountIds) => businessesOf(db, accountIds),
      findTypingTo: (accountId, conversationId) => findTypingTo(db, accountId, conversationId, clock.now()),
    });
  registerHealth(app, db);
  registerDevMailbox(app, config, db);
  registerDevClock(app, config, parts.testTime);
  await registerOpenApi(app, contract, config.PUBLIC_URL);
  if (parts.webFolder !== null) await registerWebApp(app, parts.webFolder);
  return app;
}
