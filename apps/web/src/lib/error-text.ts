import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { ApiError, type ApiErrorCode } from './api-error.ts';
import { settingsNow } from './settings.ts';

/** The words for every code of the API. A record, so that a code without words does not compile. Names in braces are settings of the server. */
export const errorMessages: Record<ApiErrorCode, MessageDescriptor> = {
  'network/failed': msg`We could not reach Nearhand. Check your connection and try again.`,
  'network/offline': msg`You are offline. Try again when you have a connection.`,
  'network/cancelled': msg`That was stopped before it was finished.`,

  'request/invalid': msg`Something you entered is not right. Check it and try again.`,
  'request/unknown-operation': msg`This version of the app asks for something we no longer offer. Reload it and try again.`,
  'request/too-large': msg`That is more than we can take at once. Send less and try again.`,
  'request/too-many': msg`That was a lot at once. Wait a minute and try again.`,
  'request/internal': msg`The fault is on our side. Nothing you typed is lost. Try again.`,
  'request/unavailable': msg`Nearhand is not answering right now. Try again in a minute.`,
  'request/bad-cursor': msg`This list has moved on. Load it again from the top.`,

  'session/required': msg`Log in to do this.`,
  'session/expired': msg`Your session has ended. Log in again.`,
  'session/email-not-verified': msg`Verify your email address first. The link is in your inbox.`,

  'operator/required': msg`Only the staff of Nearhand can do this.`,
  'operator/own-record': msg`You are on one side of this yourself. Somebody else has to decide it.`,
  'operator/own-decision': msg`You decided this yourself. Somebody else has to look at it again.`,

  'idempotency/key-required': msg`We could not tell whether this was sent before. Reload the app and try again.`,
  'idempotency/key-reused': msg`This was already sent with other details. Reload and check what was saved.`,
  'idempotency/in-flight': msg`This is already on its way. Wait a moment.`,

  'profile/not-found': msg`This profile is not here, or not yours to see.`,
  'profile/unknown-skill': msg`One of these skills is no longer in our list. Choose another one.`,
  'profile/stale': msg`Your profile was changed somewhere else. Load it again, then make your change.`,

  'business/not-found': msg`This business is not here, or not yours to see.`,
  'business/not-allowed': msg`Your role in this business does not let you do this. Ask an owner.`,
  'business/too-many': msg`You have as many businesses as an account can have before they are verified. Close one, or wait until one is verified.`,
  'business/stale': msg`Somebody changed this business in the meantime. Load it again, then make your change.`,
  'business/wrong-state': msg`This is not possible in the state the business is in now.`,
  'business/has-open-jobs': msg`This business still has open jobs. Close them first.`,
  'business/has-money': msg`This business still has money with us, or a payment under way. Send it back to the cards first.`,

  'job/not-found': msg`This job is not here any more.`,
  'job/not-allowed': msg`Your role in this business does not let you change this job. Ask an owner.`,
  'job/stale': msg`Somebody changed this job in the meantime. Load it again, then make your change.`,
  'job/wrong-state': msg`This is not possible in the state the job is in now.`,
  'job/not-open': msg`This job does not take applications any more.`,
  'job/incomplete': msg`Something is still missing before this job can be published.`,
  'job/starts-in-past': msg`This shift would start in the past. Choose a later time.`,
  'job/open-limit': msg`You have as many open jobs as a business can have before it is verified. Close one, or get verified.`,
  'job/pay-fell-after-hire': msg`Somebody is already hired at this pay, so it can only rise.`,
  'job/head-count-below-hires': msg`More people are already hired than that. Choose a higher number.`,

  'application/not-found': msg`This application is not here, or not yours to see.`,
  'application/not-allowed': msg`Your role in this business does not let you see applicants. Ask an owner.`,
  'application/wrong-state': msg`This application has moved on, so that is no longer possible.`,
  'application/stale': msg`This application was changed somewhere else. Load it again, then make your change.`,
  'application/already-applied': msg`You already applied for this job.`,
  'application/own-business': msg`You cannot apply at a business you belong to.`,
  'application/answers-invalid': msg`Answer every question that is asked, then send it again.`,
  'application/daily-limit': msg`You sent as many applications today as we allow. Go on tomorrow.`,
  'application/cv-required': msg`This job asks for a CV. Add one and send it again.`,
  'application/name-required': msg`Say your name first: they must know who applies.`,

  'job/filled': msg`The last place was taken a moment ago.`,
  'job/terms-fixed': msg`Somebody is hired or has an offer on these terms, so hours and place stay as they are.`,
  'job/not-instant': msg`Instant hire needs set hours and pay, and no screening by hand.`,
  'application/not-waiting': msg`There is no waitlist to join here any more.`,

  'note/not-found': msg`This note is not here any more.`,
  'invitation/not-found': msg`This invitation is not here, or not yours to see.`,
  'invitation/wrong-state': msg`This invitation was already answered.`,
  'invitation/already-applied': msg`They already applied for this job.`,
  'invitation/unknown-worker': msg`You can invite people who applied to your business before.`,

  'interview/not-found': msg`This interview is not here, or not yours to see.`,
  'interview/not-allowed': msg`Your role in this business does not let you arrange interviews. Ask an owner.`,
  'interview/stale': msg`Somebody changed this interview in the meantime. Look at it again, then decide.`,
  'interview/wrong-state': msg`This interview has moved on, so that is no longer possible.`,
  'interview/already-open': msg`An interview with this person is already being arranged.`,
  'interview/too-many': msg`This applicant was asked to an interview as often in 24 hours as we allow. Write to them instead.`,
  'interview/slot-not-found': msg`That time is no longer among the choices. Pick another one.`,
  'interview/slot-in-past': msg`Every time must lie in the future.`,
  'interview/slot-too-far': msg`Every time must lie within the next 90 days.`,
  'interview/slots-repeated': msg`The same time is there twice.`,
  'interview/reschedule-limit': msg`This interview was moved as often as possible. Keep it or cancel it.`,
  'interview/reschedule-too-late': msg({
    message:
      'It starts in less than {interviewRescheduleClosesHours} hours, too late to move it. You can still cancel.',
  }),
  'interview/too-early': msg({
    message: 'That is possible {interviewNoShowMinutes} minutes after it should have started.',
  }),
  'interview/contest-over': msg`The time to answer this has passed.`,
  'interview/where-missing': msg`Say where it is: an address, a phone number or a link.`,
  'interview/where-invalid': msg`That is not a phone number with its country code, or not a secure (https) link.`,

  'offer/not-found': msg`This offer is not here, or not yours to see.`,
  'offer/not-allowed': msg`Your role in this business does not let you make offers. Ask an owner.`,
  'offer/stale': msg`This offer was changed in the meantime. Look at it again, then decide.`,
  'offer/wrong-state': msg`This offer has moved on, so that is no longer possible.`,
  'offer/expired': msg`The time to answer this offer is over.`,
  'offer/no-seat': msg`Every place is taken or offered. Withdraw an offer or raise the number of people first.`,
  'offer/pay-below-job': msg`An offer cannot pay less than the job promised.`,
  'offer/terms-missing': msg`Set hours or a price on the job first; an offer needs them.`,
  'offer/starts-in-past': msg`This work should have started already. Change its time first.`,

  'engagement/not-found': msg`This work is not here, or not yours to see.`,
  'engagement/not-allowed': msg`Your role in this business does not let you manage booked work. Ask an owner.`,
  'engagement/stale': msg`Somebody changed this in the meantime. Look at it again, then decide.`,
  'engagement/wrong-state': msg`This has moved on, so that is no longer possible.`,
  'engagement/overlap': msg`You are already booked for other work at that time.`,
  'engagement/too-early': msg`It is too early for this.`,
  'engagement/too-late': msg`It is too late for this.`,
  'engagement/contest-over': msg`The time to contest this has passed.`,

  'attendance/too-far': msg`You are too far away to check in. Go closer, or type the code shown at the place.`,
  'attendance/wrong-code': msg`That code is not right, or no longer. Ask for the one shown now.`,
  'attendance/code-attempts': msg`Too many wrong codes. Wait ten minutes, or check in by your position.`,
  'attendance/no-evidence': msg`Check in with your position or with the code shown at the place.`,
  'attendance/time-impossible': msg`That time cannot be right. Check the clock of your device.`,
  'attendance/on-break': msg`You are on a break. End it first.`,
  'attendance/not-on-break': msg`You are not on a break.`,

  'timesheet/hours-impossible': msg`These hours do not add up. Check start, end and break.`,
  'timesheet/counter-higher': msg`A counter-proposal is for less than was asked. To pay all of it, approve it.`,
  'timesheet/below-paid': msg`A part of this is already agreed. Less than that is not possible.`,
  'timesheet/no-delivery': msg`Say what you did, or add a photo or file.`,

  'dispute/not-found': msg`This dispute is not here, or not yours to see.`,
  'dispute/not-allowed': msg`It is the other side that has to do this.`,
  'dispute/wrong-state': msg`This dispute has moved on, so that is no longer possible.`,
  'dispute/too-late': msg({
    message: 'A dispute can be opened until {disputeFileDays} days after the work.',
  }),
  'dispute/amount-impossible': msg`The amount must lie between nothing and the whole pay.`,

  'payment/not-found': msg`This payment is not here, or not yours to see.`,
  'payment/not-allowed': msg`Your role in this business does not let you spend its money. Ask an owner.`,
  'payment/wrong-state': msg`This payment has moved on, so that is no longer possible.`,
  'payment/card-not-found': msg`This card is no longer saved. Choose another one.`,
  'payment/card-refused': msg`The card was refused. Check its details, or use another one.`,
  'payment/method-missing': msg`There is no saved card, and the balance does not suffice. Add a card or money first.`,
  'payment/balance-short': msg`The balance does not suffice for this. Add money, or use a card.`,
  'payment/hold-short': msg`This is more than was set aside. Add the rest first.`,
  'payment/nothing-missing': msg`Nothing is missing here any more.`,
  'payment/refund-too-much': msg`That is more than came from cards in the last year. Write to us about the rest.`,
  'payment/tip-too-late': msg`A tip can be given until 30 days after the work.`,
  'payment/tip-too-much': msg`That is more than a tip can be. Check the amount.`,
  'payment/provider-unavailable': msg`The payment provider does not answer. Nothing was taken. Try again in a minute.`,
  'webhook/refused': msg`This message was not from our payment provider.`,

  'payout/not-found': msg`This withdrawal is not here, or not yours to see.`,
  'payout/stale': msg`This withdrawal has moved on. Look at it again.`,
  'payout/wrong-state': msg`The money is already on its way.`,
  'payout/method-not-found': msg`This account is no longer saved. Choose another one.`,
  'payout/method-refused': msg`The bank account was refused. Check its details, or use another one.`,
  'payout/method-held': msg`This account is new. For your safety it can be used a few days after it was added.`,
  'payout/method-limit': msg`You have as many accounts as we keep. Remove one first.`,
  'payout/method-in-use': msg`A withdrawal to this account is on its way. Remove it once that has arrived.`,
  'payout/below-minimum': msg`That is less than can be withdrawn at once.`,
  'payout/balance-short': msg`That is more than is available.`,
  'payout/daily-limit': msg`You withdrew as often in 24 hours as we allow. Try again later.`,
  'payout/instant-unavailable': msg`This account cannot be paid at once. Choose the standard way.`,
  'payout/identity-wrong-state': msg`This was already sent. It is being checked, or done.`,

  'statement/not-found': msg`This line is not here, or not yours to see.`,
  'statement/link-expired': msg`This address is no longer valid. Ask for the file again.`,
  'statement/too-long': msg`That is too much for one file. Choose a shorter span.`,

  'calendar/range-too-long': msg`Ask for three months at most.`,
  'calendar/feed-not-found': msg`This calendar address is no longer in use.`,

  'file/not-found': msg`This file is not here, or not yours to see.`,
  'file/not-allowed': msg`You may not open this file.`,
  'file/too-large': msg`This file is too large.`,
  'file/wrong-type': msg`This is not the kind of file its name says, or not one we take here: a CV is a PDF or Word file, a picture a JPEG, PNG or WebP.`,
  'file/daily-limit': msg`You stored as many files today as we allow. Go on tomorrow.`,
  'file/unreadable': msg`We could not read this file. Save it again and retry, or choose another.`,

  'chat/not-found': msg`This conversation is not here, or not yours to see.`,
  'chat/not-connected': msg`You can write to each other once there is an application or an invitation.`,
  'chat/no-such-message': msg`This message is not here.`,
  'chat/not-yours': msg`Only who wrote a message can change it.`,
  'chat/read-only': msg({
    message: 'This conversation is closed: the work ended more than {chatReadOnlyDays} days ago.',
  }),
  'chat/blocked': msg`One of you blocked the other, so nothing can be sent here.`,
  'chat/frozen': msg`Our staff have stopped this conversation while they look at a report.`,
  'chat/too-fast': msg`That was a lot of messages at once. Wait a moment, then go on.`,
  'chat/too-late': msg({
    message: 'A message can be changed for {chatEditMinutes} minutes. That time is over.',
  }),
  'chat/empty': msg`Write something, or add a file.`,
  'chat/report-not-found': msg`This report is not here.`,

  'notification/not-found': msg`This notification is not here any more.`,
  'notification/device-refused': msg`This browser gave an address for notices that we cannot send to. Try another browser.`,
  'notification/too-many-devices': msg`Notices already go to as many devices as we allow. Remove one you no longer use.`,
};

/** What to tell a person about a failed call. Anything that is not an ApiError is our fault. */
export function errorText(error: unknown): string {
  const message = errorMessages[error instanceof ApiError ? error.code : 'request/internal'];
  return i18n._({ ...message, values: settingsNow() });
}

type FieldIssue = { field: string; message: string };

/** The fields that `request/invalid` names in its data, as paths such as `pay.minor`. */
export function fieldIssues(error: unknown): FieldIssue[] {
  if (!(error instanceof ApiError) || typeof error.data !== 'object' || error.data === null) return [];
  const issues = (error.data as { issues?: unknown }).issues;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { path, message } = issue as { path?: unknown; message?: unknown };
    const field = Array.isArray(path) ? path.join('.') : String(path ?? '');
    return [{ field, message: String(message ?? '') }];
  });
}
