import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { eraseApplications } from './hiring/applications/applications.sql.ts';
import { withdrawAllOf } from './hiring/applications/end-applications.ts';
import { deleteCalendarFeed } from './hiring/calendar/calendar.ts';
import { deleteFollowsOf } from './hiring/followed-businesses/followed-businesses.ts';
import { leaveGiveaways } from './hiring/giveaways/giveaways.ts';
import { eraseInterviews } from './hiring/interviews/interviews.sql.ts';
import { eraseInvitations } from './hiring/invitations/invitations.ts';
import { countOffers } from './hiring/offers/offer-views.ts';
import { eraseOffers } from './hiring/offers/offers.sql.ts';
import { eraseNotes } from './hiring/pipeline/notes.ts';
import { eraseTags } from './hiring/pipeline/tags.ts';
import { eraseSavedWorker } from './hiring/pools/saved-workers.ts';
import { deleteSavesOfAccount } from './hiring/saved-jobs/saved-jobs.ts';
import { deleteSearchesOf } from './hiring/saved-searches/saved-searches.ts';
import { eraseGoodwill } from './money/corrections/goodwill.ts';
import { erasePayee, moneyOf } from './money/payouts/balance.ts';
import { eraseReceipts } from './money/receipts/receipts.ts';
import { eraseSellerDetails } from './money/seller-reports/seller-details.ts';
import { eraseTips } from './money/tips/tips.ts';
import { eraseTaxDetails } from './money/worker-invoices/tax-details.ts';
import type { PeopleEvents, PeopleNeeds } from './people/hooks.ts';
import { eraseReports } from './talk/chat-reports/chat-reports.sql.ts';
import { deleteChatSettings } from './talk/conversations/conversations.sql.ts';
import { eraseMessages } from './talk/messages/messages.sql.ts';
import { deleteSettings } from './talk/notification-settings/notification-settings.ts';
import { eraseNotices } from './talk/notifications/notifications.sql.ts';
import { eraseAppeals } from './trust/appeals/appeals.ts';
import { eraseAuthorityReports } from './trust/cases/authority-reports.ts';
import { eraseCaseNotes } from './trust/cases/cases.sql.ts';
import { deleteViewsOf } from './trust/cases/cases.ts';
import { deleteClosedCases } from './trust/cases/closed-cases.ts';
import { eraseVotes } from './trust/help/help.ts';
import { eraseOperatorChanges, isOperator } from './trust/operators/operators.ts';
import { eraseReported } from './trust/reports/reports.sql.ts';
import { eraseReviews } from './trust/reviews/reviews.sql.ts';
import { eraseSanctions } from './trust/sanctions/sanctions.sql.ts';
import { eraseApprovals } from './trust/second-approvals/second-approvals.ts';
import { deleteTicketsOf } from './trust/tickets/tickets.sql.ts';
import { erasePositions } from './work/attendance/attendance.sql.ts';
import { eraseDisputes } from './work/disputes/disputes.ts';
import { countUnfinished, eraseEngagements } from './work/engagements/engagements.sql.ts';
import { eraseReferrals } from './work/referrals/referrals.sql.ts';
import { eraseTimesheets } from './work/timesheets/deliveries.ts';

/** Reasons an account can't be deleted yet, in the screen's order. */
export const accountObstacles: PeopleNeeds['accountObstacles'] = async (db, accountId) => {
  const [{ balances, withdrawals }, { work, disputes }] = [
    await moneyOf(db, accountId),
    await countUnfinished(db, accountId),
  ];
  const obstacle = (kind: 'withdrawal' | 'work' | 'dispute' | 'offer', count: number): DeletionObstacle[] =>
    count > 0 ? [{ kind, count }] : [];
  return [
    ...balances.map((balance) => ({ kind: 'balance' as const, ...balance })),
    ...obstacle('withdrawal', withdrawals),
    ...obstacle('work', work),
    ...obstacle('dispute', disputes),
    ...obstacle('offer', await countOffers(db, accountId)),
    ...((await isOperator(db, accountId)) ? [{ kind: 'operator' as const }] : []),
  ];
};

/** Ends what an account has open when its deletion begins: applications, giveaways and the calendar feed. */
export const withdrawBeforeDeletion: PeopleEvents['accountLeaving'] = async (tx, scope, accountId) => {
  await withdrawAllOf(tx, scope);
  await leaveGiveaways(tx, scope, accountId);
  await deleteCalendarFeed(tx, accountId);
};

/** A test searches the whole database for personal data that a slice left behind. */
export const erasePersonalData: PeopleEvents['accountRemoved'] = async (tx, scope, member) => {
  const { accountId } = member;
  const actor = { accountId, sessionId: accountId, emailVerified: true };
  // A device may have applied in the seconds before its session ended.
  await withdrawAllOf(tx, { ...scope, actor, requestId: 'removal' });
  await leaveGiveaways(tx, scope, accountId);
  await deleteCalendarFeed(tx, accountId);
  await deleteSavesOfAccount(tx, accountId);
  await deleteSearchesOf(tx, accountId);
  await deleteFollowsOf(tx, accountId);
  await eraseNotes(tx, member);
  await eraseTags(tx, member);
  await eraseSavedWorker(tx, member);
  await eraseInvitations(tx, member);
  await eraseInterviews(tx, member);
  await eraseOffers(tx, member);
  await eraseApplications(tx, member);
  await eraseEngagements(tx, member);
  await erasePositions(tx, member);
  await eraseTimesheets(tx, member);
  await eraseDisputes(tx, member);
  await eraseReferrals(tx, member);
  await eraseTips(tx, member);
  await eraseGoodwill(tx, member);
  await eraseReceipts(tx, accountId, formerMemberName);
  await eraseTaxDetails(tx, scope, accountId);
  await eraseSellerDetails(tx, scope, accountId);
  await erasePayee(tx, accountId, scope.clock.now());
  await eraseMessages(tx, member);
  await eraseReports(tx, member);
  await deleteTicketsOf(tx, accountId);
  await eraseReported(tx, member);
  await eraseAppeals(tx, member);
  await eraseApprovals(tx, member);
  await eraseOperatorChanges(tx, member);
  await eraseSanctions(tx, member);
  await eraseCaseNotes(tx, member);
  await eraseAuthorityReports(tx, member);
  await deleteClosedCases(tx, member);
  await deleteViewsOf(tx, accountId);
  await eraseReviews(tx, member);
  await eraseVotes(tx, accountId);
  await deleteChatSettings(tx, accountId);
  await deleteSettings(tx, accountId);
  // Runs last, because the notices of the steps above name the person too.
  await eraseNotices(tx, member);
};
