import { applicants } from './hiring/applicants.ts';
import { applications } from './hiring/applications.ts';
import { calendar } from './hiring/calendar.ts';
import { followedBusinesses } from './hiring/followed-businesses.ts';
import { giveaways } from './hiring/giveaways.ts';
import { interviews } from './hiring/interviews.ts';
import { invitations } from './hiring/invitations.ts';
import { jobShares } from './hiring/job-shares.ts';
import { jobTemplates } from './hiring/job-templates.ts';
import { jobs } from './hiring/jobs.ts';
import { nearby } from './hiring/nearby.ts';
import { offers } from './hiring/offers.ts';
import { pipeline } from './hiring/pipeline.ts';
import { pools } from './hiring/pools.ts';
import { publicPages } from './hiring/public-pages.ts';
import { rebook } from './hiring/rebook.ts';
import { reliability } from './hiring/reliability.ts';
import { replacements } from './hiring/replacements.ts';
import { roster } from './hiring/roster.ts';
import { savedJobs } from './hiring/saved-jobs.ts';
import { savedSearches } from './hiring/saved-searches.ts';
import { spots } from './hiring/spots.ts';
import { waitlist } from './hiring/waitlist.ts';
import { bankTransfers } from './money/bank-transfers.ts';
import { budgets } from './money/budgets.ts';
import { cards } from './money/cards.ts';
import { charges } from './money/charges.ts';
import { creditLimits } from './money/credit-limits.ts';
import { downloads } from './money/downloads.ts';
import { holds } from './money/holds.ts';
import { invoices } from './money/invoices.ts';
import { payouts } from './money/payouts.ts';
import { receipts } from './money/receipts.ts';
import { sellerReports } from './money/seller-reports.ts';
import { statements } from './money/statements.ts';
import { wallet } from './money/wallet.ts';
import { workerInvoices } from './money/worker-invoices.ts';
import { accountDeletion } from './people/account-deletion.ts';
import { accountSettings } from './people/account-settings.ts';
import { accounts } from './people/accounts.ts';
import { branches } from './people/branches.ts';
import { businessVerification } from './people/business-verification.ts';
import { businesses } from './people/businesses.ts';
import { certificates } from './people/certificates.ts';
import { dataExports } from './people/data-exports.ts';
import { emailChange } from './people/email-change.ts';
import { files } from './people/files.ts';
import { identityChecks } from './people/identity-checks.ts';
import { passkeys } from './people/passkeys.ts';
import { places } from './people/places.ts';
import { profiles } from './people/profiles.ts';
import { sessions } from './people/sessions.ts';
import { settings } from './people/settings.ts';
import { signIn } from './people/sign-in.ts';
import { team } from './people/team.ts';
import { termsOfUse } from './people/terms-of-use.ts';
import { verification } from './people/verification.ts';
import { chatReports } from './talk/chat-reports.ts';
import { conversations } from './talk/conversations.ts';
import { devices } from './talk/devices.ts';
import { messages } from './talk/messages.ts';
import { notificationSettings } from './talk/notification-settings.ts';
import { notifications } from './talk/notifications.ts';
import { appeals } from './trust/appeals.ts';
import { cases } from './trust/cases.ts';
import { chargebacks } from './trust/chargebacks.ts';
import { dashboard } from './trust/dashboard.ts';
import { help } from './trust/help.ts';
import { jobReviews } from './trust/job-reviews.ts';
import { operatorLog } from './trust/operator-log.ts';
import { operators } from './trust/operators.ts';
import { payoutReviews } from './trust/payout-reviews.ts';
import { platformHealth } from './trust/platform-health.ts';
import { reports } from './trust/reports.ts';
import { reviews } from './trust/reviews.ts';
import { sanctions } from './trust/sanctions.ts';
import { secondApprovals } from './trust/second-approvals.ts';
import { serviceStatus } from './trust/service-status.ts';
import { staffSearch } from './trust/staff-search.ts';
import { tickets } from './trust/tickets.ts';
import { transparency } from './trust/transparency.ts';
import { attendance } from './work/attendance.ts';
import { disputes } from './work/disputes.ts';
import { engagements } from './work/engagements.ts';
import { kiosks } from './work/kiosks.ts';
import { pay } from './work/pay.ts';
import { referrals } from './work/referrals.ts';
import { timesheets } from './work/timesheets.ts';

/** Every operation of the API, under `/api`. Sign-in is under `/api/auth` and belongs to the provider (ADR 10). */
export const contract = {
  accountSettings,
  accountDeletion,
  accounts,
  applicants,
  applications,
  attendance,
  branches,
  businesses,
  businessVerification,
  calendar,
  cases,
  cards,
  charges,
  chatReports,
  conversations,
  dashboard,
  dataExports,
  devices,
  disputes,
  downloads,
  emailChange,
  engagements,
  files,
  giveaways,
  replacements,
  help,
  holds,
  certificates,
  identityChecks,
  interviews,
  invitations,
  bankTransfers,
  creditLimits,
  budgets,
  invoices,
  workerInvoices,
  sellerReports,
  receipts,
  jobs,
  jobShares,
  jobTemplates,
  kiosks,
  messages,
  nearby,
  notificationSettings,
  notifications,
  offers,
  operators,
  operatorLog,
  passkeys,
  pay,
  payouts,
  pipeline,
  pools,
  rebook,
  places,
  platformHealth,
  profiles,
  referrals,
  reliability,
  roster,
  reviews,
  spots,
  sessions,
  serviceStatus,
  settings,
  signIn,
  statements,
  team,
  termsOfUse,
  tickets,
  transparency,
  reports,
  sanctions,
  secondApprovals,
  staffSearch,
  jobReviews,
  chargebacks,
  payoutReviews,
  appeals,
  timesheets,
  verification,
  publicPages,
  savedJobs,
  savedSearches,
  followedBusinesses,
  waitlist,
  wallet,
};
export type Contract = typeof contract;
