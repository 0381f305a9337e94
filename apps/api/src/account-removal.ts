import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { forgetApplications } from './hiring/applications/applications.sql.ts';
import { withdrawAllOf } from './hiring/applications/end-applications.ts';
import { deleteCalendarFeed } from './hiring/calendar/calendar.ts';
import { deleteFollowsOf } from './hiring/followed-businesses/followed-businesses.ts';
import { forgetInterviews } from './hiring/interviews/interviews.sql.ts';
import { forgetInvitations } from './hiring/invitations/invitations.ts';
import { forgetOffers } from './hiring/offers/offers.sql.ts';
import { countOffers } from './hiring/offers/offers.ts';
import { forgetNotes } from './hiring/pipeline/notes.ts';
import { forgetTags } from './hiring/pipeline/tags.ts';
import { forgetSavedWorker } from './hiring/pools/saved-workers.ts';
import { deleteSavedOf } from './hiring/saved-jobs/saved-jobs.ts';
import { deleteSearchesOf } from './hiring/saved-searches/saved-searches.ts';
import { forgetDocuments } from './money/invoices/invoices.ts';
import { forgetPayee, moneyOf } from './money/payouts/balance.ts';
import { forgetTips } from './money/tips/tips.ts';
import type { PeopleHooks } from './people/hooks.ts';
import { forgetReports } from './talk/chat-reports/chat-reports.sql.ts';
import { deleteChatSettings } from './talk/conversations/conversations.sql.ts';
import { forgetMessages } from './talk/messages/messages.sql.ts';
import { deleteSettings } from './talk/notification-settings/notification-settings.ts';
import { forgetNotices } from './talk/notifications/notifications.sql.ts';
import { forgetAppeals } from './trust/appeals/appeals.ts';
import { forgetCaseNotes } from './trust/cases/cases.sql.ts';
import { forgetClosedCases } from './trust/cases/closed-cases.ts';
import { forgetVotes } from './trust/help/help.ts';
import { isOperator } from './trust/operators/operators.ts';
import { forgetReported } from './trust/reports/reports.ts';
import { forgetReviews } from './trust/reviews/reviews.sql.ts';
import { forgetSanctions } from './trust/sanctions/sanctions.sql.ts';
import { forgetApprovals } from './trust/second-approvals/second-approvals.ts';
import { deleteTicketsOf } from './trust/tickets/tickets.sql.ts';
import { forgetPositions } from './work/attendance/attendance.sql.ts';
import { forgetDisputes } from './work/disputes/disputes.ts';
import { countUnsettled, forgetEngagements } from './work/engagements/engagements.sql.ts';
import { forgetReferrals } from './work/referrals/referrals.sql.ts';
import { forgetTimesheets } from './work/timesheets/deliveries.ts';

/** Reasons an account can't be deleted yet, in the screen's order. */
export const accountObstacles: PeopleHooks['accountObstacles'] = async (db, accountId) => {
  const [{ balances, withdrawals }, { work, disputes }] = [
    await moneyOf(db, accountId),
    await countUnsettled(db, accountId),
  ];
  const counted = (kind: 'withdrawal' | 'work' | 'dispute' | 'offer', count: number): DeletionObstacle[] =>
    count > 0 ? [{ kind, count }] : [];
  return [
    ...balances.map((balance) => ({ kind: 'balance' as const, ...balance })),
    ...counted('withdrawal', withdrawals),
    ...counted('work', work),
    ...counted('dispute', disputes),
    ...counted('offer', await countOffers(db, accountId)),
    ...((await isOperator(db, accountId)) ? [{ kind: 'operator' as const }] : []),
  ];
};

export const accountLeaving: PeopleHooks['accountLeaving'] = async (tx, scope, accountId) => {
  await withdrawAllOf(tx, scope);
  await deleteCalendarFeed(tx, accountId);
};

/** A test searches the whole database for personal data that a slice left behind. */
export const accountRemoved: PeopleHooks['accountRemoved'] = async (tx, scope, member) => {
  const { accountId } = member;
  const actor = { accountId, sessionId: accountId, emailVerified: true };
  // A device may have applied in the seconds before its session ended.
  await withdrawAllOf(tx, { ...scope, actor, requestId: 'removal' });
  await deleteCalendarFeed(tx, accountId);
  await deleteSavedOf(tx, accountId);
  await deleteSearchesOf(tx, accountId);
  await deleteFollowsOf(tx, accountId);
  await forgetNotes(tx, member);
  await forgetTags(tx, member);
  await forgetSavedWorker(tx, member);
  await forgetInvitations(tx, member);
  await forgetInterviews(tx, member);
  await forgetOffers(tx, member);
  await forgetApplications(tx, member);
  await forgetEngagements(tx, member);
  await forgetPositions(tx, member);
  await forgetTimesheets(tx, member);
  await forgetDisputes(tx, member);
  await forgetReferrals(tx, member);
  await forgetTips(tx, member);
  await forgetDocuments(tx, accountId, formerMemberName);
  await forgetPayee(tx, accountId, scope.clock.now());
  await forgetMessages(tx, member);
  await forgetReports(tx, member);
  await deleteTicketsOf(tx, accountId);
  await forgetReported(tx, member);
  await forgetAppeals(tx, member);
  await forgetApprovals(tx, member);
  await forgetSanctions(tx, member);
  await forgetCaseNotes(tx, member);
  await forgetClosedCases(tx, member);
  await forgetReviews(tx, member);
  await forgetVotes(tx, accountId);
  await deleteChatSettings(tx, accountId);
  await deleteSettings(tx, accountId);
  // Last, because the notices of the steps above name the person too.
  await forgetNotices(tx, member);
};
