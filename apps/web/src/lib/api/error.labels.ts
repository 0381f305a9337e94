import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Currency } from '@nearhand/contract/currencies';
import type { FieldIssue } from '@nearhand/contract/field-issues.rules';
import { settingsNow } from '../settings.ts';
import { formatBytes, formatDate, formatMoney, ownTimeZone } from '../words/format.ts';
import { type ApiErrorCode, isApiError } from './api-error.ts';
import { fieldName, issueText } from './issue.labels.ts';
import { readErrorMessages } from './read-error.labels.ts';

/**
 * The text for every API code. A record, so that a code without one does not compile. Names in braces are
 * server settings, or the error's data.
 */
export const errorMessages: Record<ApiErrorCode, MessageDescriptor> = {
  ...readErrorMessages,

  'device/cannot-save': msg`The Android app can't save files. Open Nearhand in a browser to download this.`,

  'session/not-found': msg`This device is already signed out.`,

  'passkey/not-found': msg`This passkey was removed.`,
  'passkey/none': msg`You have no passkeys yet.`,
  'passkey/expired': msg`That took too long or was already used. Try again.`,
  'passkey/wrong-site': msg`This passkey was used on another site. Open Nearhand at its own address.`,
  'passkey/unknown': msg`Nearhand doesn't know this passkey. Use another one.`,
  'passkey/other-account': msg`This passkey belongs to another account.`,
  'passkey/refused': msg`Your passkey couldn't be checked. Try again.`,
  'passkey/already-added': msg`This passkey was already added.`,
  'passkey/too-many': msg({
    message: 'You can have up to {limit} passkeys. Remove one first.',
  }),
  'passkey/last-way': msg`This is your only way to log in. Set a password first.`,
  'passkey/unavailable': msg`Passkeys don't work at this address.`,

  'email-change/not-found': msg`This link doesn't work any more. It was used, cancelled or replaced by a newer one.`,
  'email-change/expired': msg`This link has expired. Start the change again in your account settings.`,
  'email-change/same-address': msg`This is already your address.`,
  'email-change/taken': msg`Another account uses this address. Choose another one.`,
  'email-change/sign-in-first': msg`Log in to the account that gets this address, so that nobody else can use it for theirs.`,
  'email-change/too-many': msg({
    message: 'You can start up to {limit} changes a day. Try again tomorrow.',
  }),

  'business-proof/not-found': msg`This was removed in the meantime.`,
  'business-proof/too-many': msg({
    message: 'You can add up to {limit} documents. Remove one first.',
  }),
  'business-proof/too-soon': msg`Wait a few seconds, then check again.`,
  'certificate/not-found': msg`This certificate was removed in the meantime.`,
  'certificate/wrong-state': msg`We're already checking one of this kind, or it was decided in the meantime.`,
  'certificate/expired': msg`This certificate has expired. Add one that is still valid.`,
  'certificate/too-far': msg`That day is too far ahead. Check the year.`,
  'certificate/name-missing': msg`Add your name to your profile first, as your certificate shows it.`,
  'identity-check/not-found': msg`This check no longer exists.`,
  'identity-check/wrong-state': msg`This was sent or decided in the meantime.`,
  'identity-check/too-many': msg`You've sent your document several times this month. Write to us from Help if it isn't accepted.`,
  'identity-check/name-missing': msg`Add your name to your profile first, as your document shows it.`,
  'address-search/off': msg`Addresses can't be searched here. Search for a town, or put a pin on the map.`,
  'address-search/unavailable': msg`Address search isn't answering. Search for a town, or put a pin on the map.`,
  'travel/off': msg`Travel times along streets aren't available here.`,
  'travel/unavailable': msg`Travel times aren't available right now.`,
  'phone-check/unavailable': msg`We can't send texts right now.`,
  'phone-check/too-soon': msg`Wait a minute before you ask for another code.`,
  'phone-check/too-many': msg`That's all the codes for today. Try again tomorrow.`,
  'phone-check/no-code': msg`This code no longer works. Ask for a new one.`,
  'phone-check/wrong-code': msg`That's not the code. Check it, or ask for a new one.`,
  'phone-check/taken': msg`Another account uses this number. Remove it there first, or write to us.`,
  'account/suspended': msg`Your account is suspended from this. Help shows why, and how to appeal.`,
  'account/leaving': msg`Your account is being deleted. Keep it to make changes.`,
  'account/cannot-be-deleted': msg`Something still keeps your account from being deleted.`,
  'account/wrong-password': msg`That isn't your password.`,
  'account/wrong-code': msg`That code is wrong or expired. Check it, or ask for a new one.`,
  'account/has-password': msg`Confirm with your password.`,
  'account/too-many-codes': msg`We sent you enough codes for today. Try again tomorrow.`,
  'account/too-many-tries': msg`Too many tries. Wait a minute and try again.`,

  'data-export/running': msg`We're already preparing your data.`,
  'data-export/daily-limit': msg({
    message: 'You can ask for up to {limit} copies a day. Try again tomorrow.',
  }),
  'data-export/link-expired': msg`This link has expired, or it's for another account. Ask for a new copy.`,

  'operator/required': msg`Only Nearhand staff can do this.`,
  'operator/confirm-again': msg`Confirm your second step again.`,
  'operator/role-required': msg`Your role doesn't include this.`,
  'operator/reason-required': msg`Claim the case, or give a reason.`,
  'operator/own-record': msg`You're involved in this case. Someone else has to decide it.`,
  'operator/own-decision': msg`You made this decision. Someone else has to review it.`,
  'operator/no-account': msg`No verified account has this address. Ask them to sign up first.`,
  'operator/last-owner': msg`Nearhand needs an owner. Make someone else an owner first.`,
  'operator/second-owner-required': msg`No other owner can approve this. Use the command line on the server.`,

  'task/not-found': msg`This task is not waiting any more.`,
  'approval/not-found': msg`This approval doesn't exist, or it isn't yours.`,
  'approval/required': msg`This moves so much money that a second person has to approve it.`,
  'approval/waiting': msg`A decision about this is already pending with a second person.`,
  'approval/over': msg`This approval is over. Reload to see what happened.`,
  'search/not-found': msg`We can't find this record.`,
  'entry/not-found': msg`There is no such ledger entry.`,
  'correction/not-possible': msg`This payment can't be reversed now.`,
  'case/not-found': msg`This case is closed, or it isn't for your role.`,
  'case/claimed': msg`Someone else works on this case.`,
  'case/claim-required': msg`Claim the case first.`,
  'case/no-such-operator': msg`They can't work on this case.`,
  'case/too-many-views': msg`You have 20 saved views. Remove one first.`,
  'case/already-asked': msg`You asked them the same, and they haven’t answered yet.`,
  'case/no-such-side': msg`They aren't part of this case any more.`,

  'idempotency/key-required': msg`We couldn't tell whether this was already sent. Reload the app and try again.`,
  'idempotency/key-reused': msg`This was already sent with different details. Reload and check what was saved.`,
  'idempotency/in-flight': msg`This is already being sent. Wait a moment.`,

  'profile/not-found': msg`This profile doesn't exist, or you can't view it.`,
  'profile/unknown-skill': msg`One of these skills is no longer available. Choose another one.`,
  'profile/stale': msg`Your profile was changed somewhere else. Reload it, then make your change.`,

  'business/not-found': msg`This business doesn't exist, or you can't view it.`,
  'business/not-allowed': msg`Your role in this business doesn't allow this. Ask an owner.`,
  'business/too-many': msg({
    message: 'You can have up to {limit} unverified businesses. Close one, or wait until one is verified.',
  }),
  'business/currency-fixed': msg`You already have jobs or money in this business's currency, so its country must keep it. Register another business for another country.`,
  'business/stale': msg`Someone else changed this business. Reload it, then make your change.`,
  'business/wrong-state': msg`The business's current status doesn't allow this.`,
  'business/nothing-added': msg`Nothing has changed since our answer. Add a document or correct the details first.`,
  'business/has-open-jobs': msg`This business still has open jobs. Close them first.`,
  'business/has-money': msg`This business still has money with us or a payment in progress. Refund it to your cards first.`,

  'session/password-required': msg`You didn't confirm that it's you, so nothing changed.`,

  'kiosk/not-found': msg`This tablet was removed. A manager can add it again.`,
  'kiosk/wrong-code': msg`This code is wrong or has expired. A manager can get a new one.`,
  'kiosk/too-many': msg({
    message:
      '{limit, plural, one {A branch can have # tablet.} other {A branch can have # tablets.}} Remove one first.',
    comment: 'limit of tablets at the door',
  }),
  'branch/not-found': msg`This branch doesn't exist.`,
  'branch/stale': msg`Someone else changed this branch. Check it, then try again.`,
  'branch/name-taken': msg`Another branch has this name.`,
  'branch/too-many': msg({
    message: 'You can have up to {limit} branches.',
  }),
  'branch/in-use': msg`This branch has been used, so it can only be closed.`,
  'branch/required': msg`Choose one of your branches.`,
  'branch/closed': msg`This branch is closed. Choose another one.`,
  'team/invitation-not-found': msg`This invitation doesn't exist. Ask for a new one.`,
  'team/invitation-over': msg`This invitation can't be used any more. Ask for a new one.`,
  'team/other-address': msg`This invitation was sent to another email address.`,
  'team/already-member': msg`They're already on the team.`,
  'team/already-invited': msg`They already have an open invitation. You can resend it.`,
  'team/full': msg`This team has no room for more people or invitations.`,
  'team/invitation-limit': msg({
    message: 'You can send up to {limit} invitations a day. Try again tomorrow.',
  }),
  'team/member-not-found': msg`This person is no longer on the team.`,
  'team/last-owner': msg`A business needs an owner. Hand it over to someone first.`,
  'team/role-changed': msg`Someone else just changed their role. Check it, then try again.`,
  'team/ownership-open': msg`There's already an open offer to hand over this business. Withdraw it first.`,
  'team/no-ownership-offer': msg`This offer has ended.`,
  'team/change-not-found': msg`Only someone who owned the business before this change can undo it.`,
  'team/change-over': msg`You can't undo this any more. Write to us from Help if something is wrong.`,
  'team/owners-frozen': msg`The owners of this business were restored. They can't change until we've verified the business.`,

  'job/not-found': msg`This job is no longer available.`,
  'job/not-allowed': msg`Your role doesn't let you edit this job. Ask an owner.`,
  'job/stale': msg`Someone else changed this job. Reload it, then make your change.`,
  'job/wrong-state': msg`You can't do this in the job's current status.`,
  'job/not-open': msg`This job is no longer accepting applications.`,
  'job/incomplete': msg`Fill in the missing details before publishing this job.`,
  'job/starts-in-past': msg`This shift would start in the past. Choose a later time.`,
  'job/too-far-ahead': msg`This day is too far ahead. Choose a day within two years.`,
  'job/open-limit': msg({
    message:
      'An unverified business can have up to {limit} open jobs. The dates of a series count as one job, up to {dates} open dates. Close a job or get verified.',
  }),
  'job/pay-fell-after-hire': msg`You've hired someone at this pay, so you can only raise it.`,
  'job/head-count-below-hires': msg`You've already hired more people than that. Choose a higher number.`,

  'application/not-found': msg`We can't find this application, or you don't have access to it.`,
  'application/not-allowed': msg`Your role doesn't let you see applicants. Ask an owner.`,
  'application/wrong-state': msg`You can't do this any more because the application's status changed.`,
  'application/stale': msg`This application changed in the meantime. Reload it, then make your change.`,
  'application/already-applied': msg`You've already applied for this job.`,
  'application/own-business': msg`You can't apply to a business you're part of.`,
  'application/answers-invalid': msg`Answer all the questions, then send it again.`,
  'application/booking-required': msg`This job books you at once. Open it, check the terms and book the shift.`,
  'application/not-bookable': msg`This job can't book you at once right now. You can still apply.`,
  'application/date-differs': msg`One of these shifts has changed. Apply for it on its own page.`,
  'application/daily-limit': msg({
    message: 'You can apply for up to {limit} jobs a day. Try again tomorrow.',
  }),
  'application/cv-required': msg`This job asks for a CV. Add one and send it again.`,
  'application/name-required': msg`Enter your name first so the business knows who's applying.`,

  'job/filled': msg`The last spot was just taken.`,
  'job/terms-fixed': msg`Someone has been hired or offered this job, so you can't change the hours, location or type of work.`,
  'job/dates-overlap': msg`Two of these dates would overlap, so nobody could work all of them. Choose other times.`,
  'job/all-dates-required': msg`The dates of this job go together. Choose all of them.`,
  'job/cannot-repeat': msg`A shift can be posted on other days within 12 weeks of its own, but not with instant hire.`,
  'job-template/not-found': msg`We can't find this template. It may have been deleted.`,
  'job-template/not-allowed': msg`Your role doesn't let you post jobs. Ask an owner.`,
  'job-template/name-taken': msg`You already have a template with this name.`,
  'job-template/too-many': msg({
    message: 'You can have up to {limit} templates. Delete one first.',
  }),
  'job/not-instant': msg`Instant hire needs set hours and pay, no CV and no written answers.`,
  'application/not-waiting': msg`This job's waitlist has closed.`,

  'referral/not-found': msg`We couldn't find this invitation.`,
  'referral/unknown-code': msg`This invite code doesn't exist.`,
  'referral/own-code': msg`You can't use your own invite code.`,
  'referral/too-late': msg`Invite codes only work for new accounts.`,
  'referral/claimed': msg`Your account already has an inviter.`,
  'referral/decided': msg`This was already decided.`,
  'referral/not-payable': msg`This reward can't be paid now: its pay no longer counts, or someone is suspended or gone.`,
  'pool/not-found': msg`We can't find this pool. It may have been deleted.`,
  'pool/not-allowed': msg`Only owners, managers and recruiters of all branches can use pools.`,
  'pool/name-taken': msg`You already have a pool with this name.`,
  'pool/too-many': msg({
    message: 'You can have up to {limit} pools. Delete one first.',
  }),
  'pool/full': msg`This pool is full. Use another one.`,
  'worker/unreachable': msg`You can't contact this worker.`,
  'saved-job/too-many': msg({
    message: 'You can save up to {limit} jobs. Remove some first.',
  }),
  'saved-search/not-found': msg`This search was removed.`,
  'saved-search/too-many': msg({
    message: 'You can save up to {limit} searches. Remove one first.',
  }),
  'follow/too-many': msg({
    message: 'You can follow up to {limit} businesses. Unfollow one first.',
  }),

  'note/not-found': msg`This note was deleted.`,
  'invitation/not-found': msg`We can't find this invitation, or you don't have access to it.`,
  'invitation/wrong-state': msg`This invitation has already been answered.`,
  'invitation/already-applied': msg`They've already applied for this job.`,
  'invitation/limit': msg({
    message: 'You can invite the same person up to {limit} times a day. Try again tomorrow.',
  }),
  'invitation/unknown-worker': msg`You can only invite people who have applied to your business before.`,

  'interview/not-found': msg`We can't find this interview, or you don't have access to it.`,
  'interview/not-allowed': msg`Your role doesn't let you schedule interviews. Ask an owner.`,
  'interview/stale': msg`This interview changed in the meantime. Review it, then decide.`,
  'interview/wrong-state': msg`You can't do this any more because the interview's status changed.`,
  'interview/already-open': msg`You already have an interview in progress with this person.`,
  'interview/too-many': msg({
    message:
      'You can propose up to {limit} interviews to an applicant in 24 hours. Send them a message instead.',
  }),
  'interview/slot-not-found': msg`That time is no longer available. Pick another one.`,
  'interview/slot-in-past': msg`Choose times in the future.`,
  'interview/slot-too-far': msg`Choose times within the next 90 days.`,
  'interview/slots-repeated': msg`You've added the same time twice.`,
  'interview/slot-after-start': msg`Choose times before the work starts.`,
  'interview/suggestion-limit': msg`You've both suggested other times twice. Pick one of these or cancel.`,
  'interview/reschedule-limit': msg`This interview can't be rescheduled again. Keep it or cancel it.`,
  'interview/reschedule-too-late': msg({
    message:
      "It starts in less than {interviewRescheduleClosesHours} hours, so it's too late to reschedule. You can still cancel.",
  }),
  'interview/too-early': msg({
    message: 'You can do this {interviewNoShowMinutes} minutes after the start time.',
  }),
  'interview/contest-over': msg`The deadline to respond has passed.`,
  'interview/where-missing': msg`Add an address, a phone number or a link.`,
  'interview/where-invalid': msg`Enter a phone number with its country code, or a link that starts with https.`,

  'offer/not-found': msg`We can't find this offer, or you don't have access to it.`,
  'offer/not-allowed': msg`Your role doesn't let you make offers. Ask an owner.`,
  'offer/stale': msg`This offer changed in the meantime. Review it, then decide.`,
  'offer/wrong-state': msg`You can't do this any more because the offer's status changed.`,
  'offer/expired': msg`This offer has expired.`,
  'offer/shift-differs': msg`One of these shifts has changed. Decide about it on its own.`,
  'offer/no-spot': msg`Every spot is filled or offered. Withdraw an offer or increase the number of people first.`,
  'offer/pay-below-job': msg`You can't offer less than the job's posted pay.`,
  'offer/terms-missing': msg`Set the job's hours or price before making an offer.`,
  'offer/starts-in-past': msg`This job's start time has passed. Change the time first.`,

  'giveaway/not-found': msg`We can't find this shift, or it isn't offered to you.`,
  'giveaway/not-allowed': msg`Your role doesn't let you decide about this. Ask an owner.`,
  'giveaway/stale': msg`This changed in the meantime. Review it, then decide.`,
  'giveaway/wrong-state': msg`You can't do this any more. The shift was taken, or it stays as booked.`,
  'giveaway/off': msg`This business doesn't let workers give away their shifts. Cancel instead, or ask them.`,
  'giveaway/nobody': msg`Nobody can take this shift right now. Try the other way, or cancel.`,
  'giveaway/not-eligible': msg`This shift can't be taken: there is other work at that time, an earlier application, or a missing skill.`,
  'giveaway/not-funded': msg`The pay for this shift isn't secured right now, so nobody else can take it.`,

  'engagement/not-found': msg`This job doesn't exist, or you don't have access to it.`,
  'engagement/not-allowed': msg`Your role in this business doesn't include managing booked work. Ask an owner.`,
  'engagement/stale': msg`Someone changed this in the meantime. Review it, then try again.`,
  'engagement/wrong-state': msg`The status has changed, so you can't do this any more.`,
  'engagement/overlap': msg`You're already booked for another job at that time.`,
  'engagement/too-early': msg`It's too early for this.`,
  'engagement/too-late': msg`It's too late for this.`,
  'engagement/contest-over': msg`The deadline to contest this report has passed.`,
  'engagement/not-funded': msg`The pay for this shift isn’t set aside yet, so the shift can’t start. Ask the business, or contact us.`,
  'engagement/costs-more': msg`By now it’s a late cancellation, and nothing was cancelled. Review what it costs, then decide.`,

  'attendance/too-far': msg`You're too far away to check in. Move closer, or enter the check-in code.`,
  'attendance/wrong-code': msg`That code is wrong or expired. Ask for the current one.`,
  'attendance/code-attempts': msg`Too many wrong codes. Wait ten minutes, or check in with your location.`,
  'attendance/no-evidence': msg`Check in with your location or the check-in code.`,
  'attendance/time-impossible': msg`That time can't be right. Check your device's clock.`,
  'attendance/on-break': msg`You're on break. End it first.`,
  'attendance/not-on-break': msg`You're not on break.`,
  'attendance/not-contestable': msg`You can't contest this time. Submit the hours you worked instead.`,

  'timesheet/hours-impossible': msg`These hours aren't possible. Check start, end and break.`,
  'timesheet/counter-higher': msg`Propose less than was submitted. To pay all of it, approve the hours.`,
  'timesheet/below-paid': msg`Part of this is already agreed, so it can't be less than that.`,
  'timesheet/corrections-used': msg`You can't correct these hours again. Open a dispute instead.`,
  'timesheet/no-delivery': msg`Say what you did, or add a photo or file.`,

  'dispute/not-found': msg`This dispute doesn't exist, or you don't have access to it.`,
  'dispute/not-allowed': msg`It's the other side's turn.`,
  'dispute/wrong-state': msg`The dispute has changed, so you can't do this any more.`,
  'dispute/too-late': msg({
    message: 'You can open a dispute until {disputeFileDays} days after the work.',
  }),
  'dispute/amount-impossible': msg`The amount must be between zero and the full pay.`,

  'payment/not-found': msg`We can’t find this payment.`,
  'payment/not-allowed': msg`Your role in this business does not let you spend its money. Ask an owner.`,
  'payment/wrong-state': msg`This payment has moved on, so that is no longer possible.`,
  'payment/card-not-found': msg`This card is no longer saved. Choose another one.`,
  'payment/card-refused': msg`The card was refused. Check its details, or use another one.`,
  'payment/card-only': msg`Only a card can be the first choice, since it can be charged without you.`,
  'payment/method-missing': msg`There is no saved card, and your balance is too low. Add a card or money first.`,
  'payment/too-little': msg({
    message: 'Card payments start at {minMinor}. Pay this from your balance.',
  }),
  'payment/top-up-limit': msg({
    message: 'You can add {perDayMinor} in 24 hours, and {leftMinor} of it now.',
  }),
  'budget/request-not-found': msg`We can’t find this request.`,
  'budget/not-allowed': msg`Only owners can decide on budget requests.`,
  'budget/not-exceeded': msg`This fits the budget. You can make the offer.`,
  'budget/decided': msg`Another owner has decided on this.`,
  'payment/over-budget': msg({
    message: 'This is {overMinor} over budget. Ask an owner to approve it.',
  }),
  'payment/credit-overdue': msg`A payment for your credit limit is long overdue. Pay it, and you can hire again.`,
  'credit/below-owed': msg`The business owes more than this limit.`,
  'payment/balance-short': msg`Your balance is too low for this. Add money or use a card, or ask someone who can.`,
  'payment/hold-short': msg`This is more than was set aside. Add the rest first.`,
  'payment/nothing-missing': msg`Nothing is missing here any more.`,
  'payment/refund-too-much': msg({
    message:
      'Enter {maxMinor} or less. That much came from your cards in the last year. Write to us about the rest.',
  }),
  'payment/tip-too-late': msg`A tip can be given until 30 days after the work.`,
  'payment/tip-too-much': msg({
    message: 'A tip can be at most {maxMinor}.',
  }),
  'payment/no-page': msg`This is now entered here. Reload the page and try again.`,
  'transfer/off': msg`We don’t take bank transfers yet. Add money by card instead.`,
  'transfer/not-found': msg`We can’t find this transfer.`,
  'transfer/decided': msg`Someone has already decided about this transfer.`,
  'payment/provider-unavailable': msg`The payment provider does not answer. Nothing was taken. Try again in a minute.`,
  'chargeback/answered': msg`This chargeback has already been answered.`,
  'chargeback/no-answer': msg`The payment provider doesn’t accept answers to chargebacks.`,
  'webhook/refused': msg`This message was not from our payment provider.`,

  'payout/not-found': msg`We can’t find this withdrawal.`,
  'payout/stale': msg`This withdrawal has moved on. Look at it again.`,
  'payout/wrong-state': msg`The money is already on its way.`,
  'payout/method-not-found': msg`This account is no longer saved. Choose another one.`,
  'payout/method-refused': msg`The bank account was refused. Check its details, or use another one.`,
  'payout/method-held': msg({
    message: 'For your safety, you can use this new account from {until}.',
  }),
  'payout/method-limit': msg({
    message: 'You can keep up to {limit} bank accounts. Remove one first.',
  }),
  'payout/method-known': msg`You've already added this bank account.`,
  'payout/method-in-use': msg`A withdrawal to this account is on its way. Remove it once that has arrived.`,
  'payout/below-minimum': msg({
    message: 'You can withdraw {minimumMinor} or more.',
  }),
  'payout/balance-short': msg({
    message: 'You have {availableMinor} available. Enter that or less.',
  }),
  'payout/daily-limit': msg({
    message: 'You can make {perDay} withdrawals in 24 hours. You can withdraw again from {from}.',
  }),
  'payout/instant-unavailable': msg`This account cannot be paid at once. Choose the standard way.`,
  'payout/identity-wrong-state': msg`This was already sent. It is being checked, or done.`,
  'payout/details-missing': msg`Add your details for the tax office first.`,

  'statement/not-found': msg`We can’t find this entry.`,
  'file/link-expired': msg`This address is no longer valid. Ask for the file again.`,
  'statement/too-long': msg`That is too much for one file. Choose a shorter span.`,

  'invoice/no-issuer': msg`We can't issue invoices yet. Contact support.`,
  'invoice/nothing-to-issue': msg`Every fee is already on an invoice.`,
  'invoice/nothing-to-report': msg`No law asks for this.`,
  'seller-report/not-ready': msg`This report isn’t ready to be sent.`,
  'invoice/details-missing': msg`Save your tax details first.`,
  'invoice/objection-closed': msg`You can’t object to this any more.`,
  'invoice/not-replaceable': msg`This document was already replaced, or its replacement needs the self-billing agreement.`,
  'invoice/unchanged': msg`Correct your tax details first: nothing would change on this invoice.`,

  'calendar/range-too-long': msg`Pick a range of three months or less.`,
  'calendar/feed-not-found': msg`This calendar link no longer works.`,

  'file/not-found': msg`This file doesn't exist, or you can't view it.`,
  'file/not-allowed': msg`You can't open this file.`,
  'file/too-large': msg({
    message: 'This file is too large. Choose one of at most {maxBytes}.',
  }),
  'file/wrong-type': msg`This file type isn't accepted, or the file isn't what its name says. Choose another file.`,
  'file/daily-limit': msg({
    message: 'You can upload {limit} files in 24 hours. Try again tomorrow.',
  }),
  'file/active-content': msg`This file contains macros, scripts, attached files, or links that open or load something other than a web page. Print it to a new PDF and choose that.`,
  'file/locked': msg`This file is protected with a password, so we can't check it. Save it without a password and choose it again.`,
  'file/unpacks-too-large': msg`This file holds far more than its size suggests, so we can't accept it. Save it again, or export it as a PDF.`,
  'file/unreadable': msg`We couldn't read this file. Save it again and retry, or choose another one.`,

  'chat/not-found': msg`We can't find this conversation, or you don't have access to it.`,
  'chat/not-connected': msg`You can message each other once there's an application or an invitation.`,
  'chat/no-such-message': msg`We can't find this message.`,
  'chat/not-yours': msg`Only the sender can change a message.`,
  'chat/read-only': msg({
    message: 'This conversation is closed: the work ended more than {chatReadOnlyDays} days ago.',
  }),
  'chat/blocked': msg`One of you has blocked the other, so you can't send messages.`,
  'chat/frozen': msg`Our team has paused this conversation while reviewing a report.`,
  'chat/too-fast': msg`You're sending messages too quickly. Wait a moment and try again.`,
  'chat/too-late': msg({
    message: 'You can only edit a message for {chatEditMinutes} minutes after sending it.',
  }),
  'chat/empty': msg`Write a message or add a file.`,
  'chat/report-not-found': msg`We can't find this report.`,

  'job-review/decided': msg`This job is no longer in review. Reload the page.`,
  'payout-review/decided': msg`This withdrawal is no longer in review. Reload the page.`,
  'review/not-found': msg`We can't find this review. It may have been removed.`,
  'review/not-open': msg`You can write a review once the work is done.`,
  'review/closed': msg`The time to review this work is over.`,
  'review/already-written': msg`You've already reviewed this. Reload the page to edit it.`,
  'review/published': msg`This review is published, so it can't be changed.`,
  'review/removed': msg`Our team removed this review. You can't change it.`,
  'review/stale': msg`A colleague changed this review. Reload the page, then try again.`,
  'review/already-replied': msg`There's already a reply to this review.`,
  'review/contact-details': msg`Remove phone numbers, addresses and links. Everyone can read this.`,
  'review/wrong-tag': msg`One of these tags isn't available. Reload the page.`,

  'ticket/link-expired': msg`This link has expired, or a newer one replaced it.`,
  'ticket/not-found': msg`We can't find this request, or the link has expired.`,
  'ticket/merged': msg`This request is now part of another one. Open that one.`,
  'ticket/not-mergeable': msg`Only requests from the same person can be merged. Questions about a case can’t.`,
  'ticket/not-solved': msg`You can rate a request once it's closed.`,
  'ticket/stale': msg`There’s a newer message. Read it, then try again.`,
  'ticket/too-many': msg`You've written as often in 24 hours as we allow. Try again later.`,
  'service-message/not-found': msg`This message no longer exists.`,

  'report/not-found': msg`This report isn't in our list.`,
  'report/own': msg`You can't report yourself or your own business.`,
  'report/too-many': msg`You've sent as many reports in 24 hours as we allow. Try again later.`,
  'report/decided': msg`This report was already decided.`,
  'report/not-dismissed': msg`You can ask for another review of a report that we dismissed.`,
  'report/contested': msg`We reviewed this report again, or someone is reviewing it.`,
  'report/too-late': msg`It's too late to ask for another review of this report.`,
  'sanction/not-found': msg`We can't find this decision.`,
  'sanction/no-target': msg`This no longer exists.`,
  'sanction/not-possible': msg`This can't be done in its current state.`,
  'appeal/not-found': msg`We can't find this appeal.`,
  'appeal/exists': msg`This decision was already appealed.`,
  'appeal/too-late': msg`This decision can no longer be appealed.`,
  'appeal/decided': msg`This appeal was already decided.`,

  'notification/not-found': msg`This notification no longer exists.`,
  'notification/device-refused': msg`We can't send notifications to this browser. Try another one.`,
  'notification/too-many-devices': msg({
    message: 'You can get notifications on up to {limit} devices. Remove one you no longer use.',
  }),
};

/** The text for a failed call. Other errors and unknown codes get the text of an internal error. */
export function errorText(error: unknown): string {
  const messages: Partial<Record<ApiErrorCode, MessageDescriptor>> = errorMessages;
  const [issue] = fieldIssues(error);
  if (issue) return issue.name === null ? issue.message : `${issue.name}: ${issue.message}`;
  if (isApiError(error, 'file/too-large') && error.data && 'maxPixels' in error.data) {
    const megapixels = error.data.maxPixels / 1_000_000;
    return t`This picture is too large to open. Choose one of at most ${megapixels} megapixels.`;
  }
  const message = (isApiError(error) && messages[error.code]) || errorMessages['request/internal'];
  const values = { ...settingsNow(), ...(isApiError(error) ? dataTexts(error.data) : {}) };
  return i18n._({ ...message, values });
}

/** An error's data as its text names it: amounts in their currency, sizes, and times in the reader's zone. */
function dataTexts(data: Record<string, unknown> | undefined): Record<string, unknown> {
  const currency = data?.currency as Currency | undefined;
  return Object.fromEntries(
    Object.entries(data ?? {}).map(([name, value]) => {
      if (typeof value === 'number' && name.endsWith('Minor') && currency)
        return [name, formatMoney(value, currency)];
      if (typeof value === 'number' && name === 'maxBytes') return [name, formatBytes(value)];
      if (typeof value === 'string' && (name === 'from' || name === 'until'))
        return [name, formatDate(value, ownTimeZone())];
      return [name, value];
    }),
  );
}

/**
 * The fields that `request/invalid` lists in its data, as paths such as `pay.minor`, with their names and
 * problems. `currency` applies to amounts whose input names none.
 */
export function fieldIssues(
  error: unknown,
  currency?: Currency,
): { field: string; name: string | null; message: string }[] {
  if (!isApiError(error, 'request/invalid')) return [];
  // A proxy may have responded, so the list is parsed defensively.
  const issues: unknown = error.data?.issues;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: Partial<FieldIssue> | null) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const path = [issue.path ?? ''].flat().join('.');
    return [{ field: path, name: fieldName(path), message: issueText({ currency, ...issue, path }) }];
  });
}
