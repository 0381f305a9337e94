import { type Currency, scaledMinor } from '@nearhand/contract/currencies';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { fromReferenceMinor } from '@nearhand/contract/money/reference-rates';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import {
  type Referral,
  type ReferralState,
  type ReferralTerms,
  referrals,
} from '@nearhand/contract/work/referrals';
import { readReferralCode, referralPath } from '@nearhand/contract/work/referrals.rules';
import type { FastifyInstance } from 'fastify';
import { payoutCurrencyOf } from '../../money/payouts/balance.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import {
  findDevice,
  findInviter,
  findOwn,
  findPaidBusiness,
  findReferrals,
  findShared,
  findTotals,
  insertReferral,
  isInvited,
  isInvitedBy,
  type ListedReferralRow,
  sharesDevice,
} from './referrals.sql.ts';
import { decideReferral, rewardReferralTask } from './rewards.ts';

const fallbackCurrency: Currency = 'EUR';

/** Rounds up to two significant digits, so that earning the displayed amount is always enough. */
function roundedUp(minor: number): number {
  const unit = 10 ** Math.max(0, String(minor).length - 2);
  return Math.ceil(minor / unit) * unit;
}

const termsIn = (config: Config, currency: Currency): ReferralTerms => ({
  inviterMinor: scaledMinor(config.REFERRAL_INVITER_MINOR, currency),
  invitedMinor: scaledMinor(config.REFERRAL_INVITED_MINOR, currency),
  currency,
  qualifyingMinor: roundedUp(fromReferenceMinor(config.REFERRAL_QUALIFYING_MINOR, currency)),
  qualifyingDays: config.REFERRAL_QUALIFYING_DAYS,
  clearingDays: config.REFERRAL_CLEARING_DAYS,
  perMonth: config.REFERRALS_PER_MONTH,
  inAll: config.REFERRALS_IN_ALL,
  claimDays: config.REFERRAL_CLAIM_DAYS,
});

/** Returns the caller's code, link, terms and totals. Minor units. */
async function myInvitations(db: Db, scope: Scope) {
  const { config, actor, clock } = scope;
  const { accountId } = actor;
  const [own, business, payoutCurrency, totals, invited] = await Promise.all([
    findOwn(db, accountId),
    findPaidBusiness(db, accountId),
    payoutCurrencyOf(db, accountId),
    findTotals(db, accountId),
    isInvited(db, accountId),
  ]);
  return {
    code: own.referralCode,
    url: new URL(referralPath(own.referralCode), config.PUBLIC_URL).href,
    terms: termsIn(config, business?.currency ?? payoutCurrency ?? fallbackCurrency),
    paidTo: business ? { businessId: business.id, name: business.name } : null,
    canClaim: !invited && isNew(own, clock.now(), config),
    joined: totals.joined,
    rewarded: totals.rewarded,
    earned: totals.earned.map(({ currency, amountMinor }) => ({
      currency,
      amountMinor,
    })),
  };
}

/** Lists people who joined by the caller's code: first names and states only. */
async function listReferrals(db: Db, scope: Scope, input: PageInput): Promise<Page<Referral>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findReferrals(db, scope.actor.accountId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.joinedAt.toISOString(), row.id]);
  return { items: page.items.map((row) => toReferral(row, scope)), nextCursor: page.nextCursor };
}

function toReferral(row: ListedReferralRow, { config, clock }: ClockConfigScope): Referral {
  const isTooLate =
    row.status === 'joined' &&
    clock.now().getTime() > row.joinedAt.getTime() + config.REFERRAL_QUALIFYING_DAYS * dayMs;
  const clearsAt =
    row.status === 'qualified' && row.qualifiedAt
      ? addMs(row.qualifiedAt, config.REFERRAL_CLEARING_DAYS * dayMs)
      : null;
  const referral: Referral = {
    id: row.id,
    firstName: firstNameOf(row.name),
    joinedAt: row.joinedAt.toISOString(),
    state: row.isReversed || isTooLate ? 'unpaid' : stateByStatus[row.status],
    unpaidReason: isTooLate ? 'too-late' : row.unpaidReason,
    amountMinor: row.amountMinor,
    currency: row.currency,
    clearsAt: clearsAt?.toISOString() ?? null,
  };
  return row.isReversed
    ? { ...referral, unpaidReason: 'reversed', amountMinor: null, currency: null }
    : referral;
}

const stateByStatus = {
  joined: 'joined',
  qualified: 'coming',
  checking: 'checking',
  rewarded: 'paid',
  unpaid: 'unpaid',
} as const satisfies Record<ListedReferralRow['status'], ReferralState>;

const isNew = (account: { createdAt: Date }, now: Date, config: Config): boolean =>
  now.getTime() - account.createdAt.getTime() <= config.REFERRAL_CLAIM_DAYS * dayMs;

async function requireInviter(db: Db, text: string): Promise<{ id: string; name: string }> {
  const code = readReferralCode(text);
  const inviter = code === null ? undefined : await findInviter(db, code);
  if (!inviter) throw new AppError('referral/unknown-code');
  return inviter;
}

/** Returns the inviter and terms of a code. For anyone. */
async function viewInvitation(
  db: Db,
  { config }: Scope<Actor | null>,
  input: { code: string },
): Promise<{ firstName: string; terms: ReferralTerms }> {
  const inviter = await requireInviter(db, input.code);
  const currency =
    (await findPaidBusiness(db, inviter.id))?.currency ?? (await payoutCurrencyOf(db, inviter.id));
  return { firstName: firstNameOf(inviter.name), terms: termsIn(config, currency ?? fallbackCurrency) };
}

/**
 * Records who invited the caller, whose account is new. Suspicious ones are recorded for an operator to
 * decide.
 */
async function claimReferral(
  tx: Tx,
  scope: Scope,
  input: { code: string },
): Promise<{ inviterFirstName: string }> {
  const { actor, clock, config, sign } = scope;
  const invitedId = actor.accountId;
  const inviter = await requireInviter(tx, input.code);
  if (inviter.id === invitedId) throw new AppError('referral/own-code');
  const now = clock.now();
  const ownReferral = await findOwn(tx, invitedId);
  const device = await findDevice(tx, actor.sessionId);
  const deviceHash =
    device?.ipAddress && device.userAgent
      ? sign.lasting('referral device', `${device.ipAddress}\n${device.userAgent}`)
      : null;
  const flags = await findShared(tx, { inviterId: inviter.id, invitedId, counterpartIds: [] });
  if (deviceHash && !flags.includes('device') && (await sharesDevice(tx, inviter.id, deviceHash)))
    flags.push('device');
  if (await isInvitedBy(tx, inviter.id, invitedId)) flags.push('loop');
  const row = {
    id: newId(now),
    invitedId,
    inviterId: inviter.id,
    status: 'joined' as const,
    flags,
    deviceHash,
    joinedAt: now,
  };
  const referral = await insertReferral(tx, row);
  if (!referral.isNew && referral.inviterId !== inviter.id) throw new AppError('referral/claimed');
  // Throwing undoes the insert; a repeat of an earlier claim is never too late.
  if (referral.isNew && !isNew(ownReferral, now, config))
    throw new AppError('referral/too-late', { days: config.REFERRAL_CLAIM_DAYS });
  const firstName = firstNameOf(ownReferral.name);
  if (referral.isNew)
    await notify(tx, scope, {
      accountId: inviter.id,
      topic: 'referral-joined',
      data: firstName ? { workerName: firstName, variant: 'named' } : {},
      path: '/share-refer',
      dedupeKey: `referral-joined/${row.id}`,
    });
  return { inviterFirstName: firstNameOf(inviter.name) };
}

/** `/r/CODE` opens the app, which keeps the code until there is an account to claim it. */
export function registerInviteLinks(app: FastifyInstance): void {
  app.get<{ Params: { code: string } }>('/r/:code', (request, reply) => {
    const code = readReferralCode(request.params.code);
    return reply
      .header('cache-control', 'no-cache')
      .redirect(code === null ? '/getting-started' : `/getting-started?ref=${code}`, 302);
  });
}

export const referralsTasks = [rewardReferralTask];

export const referralsRoutes = {
  mine: read(referrals.mine, myInvitations),
  list: read(referrals.list, listReferrals),
  claim: write(referrals.claim, claimReferral),
  invitation: read(referrals.invitation, viewInvitation),
  decide: write(referrals.decide, decideReferral),
};
