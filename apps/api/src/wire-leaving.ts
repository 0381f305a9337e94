import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { forgetApplications, withdrawAllOf } from './hiring/applications/application-endings.service.ts';
import { endCalendarFeed } from './hiring/calendar/calendar-feeds.service.ts';
import { deleteFollowsOf } from './hiring/followed-businesses/followed-businesses.service.ts';
import { forgetInterviews } from './hiring/interviews/interview-endings.service.ts';
import { forgetInvitations } from './hiring/invitations/invitations.service.ts';
import { forgetOffers } from './hiring/offers/offer-endings.service.ts';
import { countOffers } from './hiring/offers/offer-views.service.ts';
import { forgetNotes } from './hiring/pipeline/notes.service.ts';
import { forgetTags } from './hiring/pipeline/tags.service.ts';
import { forgetSavedWorker } from './hiring/pools/saved-workers.service.ts';
import { deleteSavedOf } from './hiring/saved-jobs/saved-jobs.service.ts';
import { deleteSearchesOf } from './hiring/saved-searches/saved-searches.service.ts';
import { forgetDocuments } from './money/invoices/documents.service.ts';
import { forgetPayee, moneyOf } from './money/payouts/balance.service.ts';
import { forgetTips } from './money/tips/tips.service.ts';
import type { PeopleOutcomes } from './people/outcomes.ts';
import { forgetReports } from './talk/chat-reports/frozen.service.ts';
import { deleteChatSettings } from './talk/conversations/chat-settings.service.ts';
import { forgetMessages } from './talk/messages/redacted.service.ts';
import { deleteSettings } from './talk/notification-settings/notification-settings.service.ts';
import { forgetNotices } from './talk/notifications/notifications.service.ts';
import { forgetAppeals } from './trust/appeals/appeals.service.ts';
import { forgetCaseNotes } from './trust/cases/cases.service.ts';
import { forgetVotes } from './trust/help/help.service.ts';
import { isOperator } from './trust/operators/operators.service.ts';
import { forgetReported } from './trust/reports/reports.service.ts';
import { forgetReviews } from './trust/reviews/reviews.service.ts';
import { forgetSanctions } from './trust/sanctions/sanctions.service.ts';
import { forgetApprovals } from './trust/second-approvals/second-approvals.service.ts';
import { forgetTickets } from './trust/tickets/tickets.service.ts';
import { forgetPositions } from './work/attendance/presence.service.ts';
import { forgetDisputes } from './work/disputes/dispute-steps.service.ts';
import { countUnsettled, forgetEngagements } from './work/engagements/engagement-record.service.ts';
import { forgetReferrals } from './work/referrals/referrals.service.ts';
import { forgetTimesheets } from './work/timesheets/deliveries.service.ts';

/** What keeps an account from being deleted, in the order of the screen. */
export const accountObstacles: PeopleOutcomes['accountObstacles'] = async (db, accountId) => {
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

export const accountLeaving: PeopleOutcomes['accountLeaving'] = async (tx, scope, accountId) => {
  await withdrawAllOf(tx, scope);
  await endCalendarFeed(tx, accountId);
};

/** Each slice forgets in its own tables; a test searches the whole database for what is left. */
export const accountRemoved: PeopleOutcomes['accountRemoved'] = async (tx, scope, member) => {
  const { accountId } = member;
  const actor = { accountId, sessionId: accountId, emailVerified: true };
  // A device may have applied in the seconds before its session ended.
  await withdrawAllOf(tx, { ...scope, actor, requestId: 'removal' });
  await endCalendarFeed(tx, accountId);
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
  await forgetTickets(tx, accountId);
  await forgetReported(tx, member);
  await forgetAppeals(tx, member);
  await forgetApprovals(tx, member);
  await forgetSanctions(tx, member);
  await forgetCaseNotes(tx, member);
  await forgetReviews(tx, member);
  await forgetVotes(tx, accountId);
  await deleteChatSettings(tx, accountId);
  await deleteSettings(tx, accountId);
  // Last: the notices of what happened above name the person too.
  await forgetNotices(tx, member);
};
