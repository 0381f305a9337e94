import type { Currency } from '@nearhand/contract/currencies';
import type { ReferralFlag } from '@nearhand/contract/work/referrals.rules';
import { type Insertable, type Selectable, sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { ReferralRewards, Referrals } from '../../platform/tables.gen.ts';

export type ReferralRow = Omit<Selectable<Referrals>, 'flags'> & { flags: ReferralFlag[] };

/** Returns the inviter of a code; undefined for an unknown code or a disabled account. */
export async function findInviter(db: Db, code: string): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('referralCode', '=', code)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
}

export const findOwn = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['referralCode', 'name', 'createdAt'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();

/** The first business an account owns, if it joined only to hire. */
export async function findPaidBusiness(
  db: Db,
  accountId: string,
): Promise<{ id: string; name: string; currency: Currency } | undefined> {
  const { rows } = await sql<{ id: string; name: string; currency: Currency }>`
    select business.id, business.name, business.currency from accounts account
    join business_members member on member.account_id = account.id and member.role = 'owner'
    join businesses business on business.id = member.business_id and business.status not in ('closed', 'suspended')
    where account.id = ${accountId} and account.intent = 'hire'
    order by business.created_at, business.id limit 1`.execute(db);
  return rows[0];
}

/** Locks the business, so that a closed one is not found. */
export async function lockPaidBusiness(
  tx: Tx,
  accountId: string,
): Promise<{ id: string; currency: Currency } | undefined> {
  const business = await findPaidBusiness(tx, accountId);
  if (!business) return undefined;
  const { rows } = await sql<{ id: string; currency: Currency }>`
    select id, currency from businesses where id = ${business.id} and status not in ('closed', 'suspended') for share`.execute(
    tx,
  );
  return rows[0];
}

export async function isInvited(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('referrals')
    .select('id')
    .where('invitedId', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** True if the account invited the inviter, directly or through others, so that their invitations form a loop. */
export async function isInvitedBy(db: Db, inviterId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive above (id, depth) as (
      select inviter_id, 1 from referrals where invited_id = ${inviterId}
      union select referral.inviter_id, above.depth + 1 from above join referrals referral on referral.invited_id = above.id
      where above.depth < 20
    )
    select exists (select from above where id = ${accountId}) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** The device and network of a session; null if the server knows neither. */
export const findDevice = (db: Db, sessionId: string) =>
  db.selectFrom('sessions').select(['ipAddress', 'userAgent']).where('id', '=', sessionId).executeTakeFirst();

/** Returns whether an earlier referral of this inviter came from the same device. */
export async function sharesDevice(db: Db, inviterId: string, deviceHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('referrals')
    .select('id')
    .where('inviterId', '=', inviterId)
    .where('deviceHash', '=', deviceHash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Devices, networks, cards, bank accounts and homes that the accounts of a referral
 * share with each other or with the other side of the work; ended sessions count too.
 */
export async function findShared(
  db: Db,
  pair: { inviterId: string; invitedId: string; counterpartIds: readonly string[] },
): Promise<ReferralFlag[]> {
  const { inviterId, invitedId, counterpartIds } = pair;
  const { rows } = await sql<{ flag: ReferralFlag }>`
    with pair (one, other, prefix) as (
      select ${inviterId}::uuid, ${invitedId}::uuid, ''
      union all
      select own.id, counterpart.id, 'payer-' from unnest(array[${inviterId}, ${invitedId}]::uuid[]) own (id)
        cross join unnest(${[...counterpartIds]}::uuid[]) counterpart (id)
    ), seen as (
      select pair.prefix, bool_or(mine.ip_address = theirs.ip_address and mine.user_agent = theirs.user_agent) as same_device
      from pair
      join account_networks mine on mine.account_id = pair.one
      join account_networks theirs on theirs.account_id = pair.other and theirs.network = mine.network
      group by pair.prefix
    ), card_of as (
      select member.account_id, card.fingerprint from business_members member
      join cards card on card.business_id = member.business_id
      where member.role in ('owner', 'manager', 'finance') and member.account_id in (select one from pair union select other from pair)
    )
    select prefix || 'device' as flag from seen where same_device
    union all select prefix || 'network' from seen where not same_device
    union
    select pair.prefix || 'card' from pair
      join card_of mine on mine.account_id = pair.one
      join card_of theirs on theirs.account_id = pair.other and theirs.fingerprint = mine.fingerprint
    union
    select pair.prefix || 'payout' from pair
      join payout_methods mine on mine.account_id = pair.one
      join payout_methods theirs on theirs.account_id = pair.other and theirs.fingerprint = mine.fingerprint
    union
    select 'address' where exists (select from profiles mine join profiles theirs
      on theirs.home_label = mine.home_label and theirs.home_lat = mine.home_lat and theirs.home_lng = mine.home_lng
      where mine.account_id = ${inviterId} and theirs.account_id = ${invitedId})
    union
    select 'closed-account' where exists (select from accounts
      where id in (select one from pair union select other from pair) and disabled_at is not null)
    union
    select 'suspended' where exists (select from sanctions
      where account_id in (select one from pair union select other from pair) and scope = 'everything' and ended_at is null)
    order by flag`.execute(db);
  return rows.map((row) => row.flag);
}

/** Inserts a referral; returns the stored row if there was one already. */
export async function insertReferral(
  tx: Tx,
  row: Insertable<Referrals>,
): Promise<{ isNew: boolean; inviterId: string }> {
  const inserted = await tx
    .insertInto('referrals')
    .values(row)
    .onConflict((conflict) => conflict.column('invitedId').doNothing())
    .returning('inviterId')
    .executeTakeFirst();
  if (inserted) {
    emitRecord(tx, 'referral', { id: row.id, workerId: inserted.inviterId });
    return { isNew: true, inviterId: inserted.inviterId };
  }
  const { inviterId } = await tx
    .selectFrom('referrals')
    .select('inviterId')
    .where('invitedId', '=', row.invitedId)
    .executeTakeFirstOrThrow();
  return { isNew: false, inviterId };
}

/** Referrals of the worker, and of the owners of the business. */
export async function findWaitingReferrals(tx: Tx, engagementId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select referral.id from engagements work join referrals referral on referral.invited_id = any (array(
      select work.worker_id union all select member.account_id from business_members member
      where member.business_id = work.business_id and member.role = 'owner'))
    where work.id = ${engagementId} and referral.status = 'joined'`.execute(tx);
  return rows.map((row) => row.id);
}

export type QualifyingPay = {
  engagementId: string;
  side: 'worker' | 'business';
  amountMinor: number;
  currency: Currency;
  /**
   * The people who may have funded the reward: managers and funders of the business, also former ones, or the
   * worker it paid.
   */
  counterpartIds: string[];
};

/**
 * Pay that counts: released within the period, not reversed or charged back, to or from outsiders of the
 * referral.
 */
export async function findQualifyingPay(
  tx: Tx,
  referral: Pick<ReferralRow, 'inviterId' | 'invitedId' | 'joinedAt'>,
  until: Date,
): Promise<QualifyingPay[]> {
  const { inviterId, invitedId, joinedAt } = referral;
  const { rows } = await sql<QualifyingPay>`
    with belonged as (
      select business_id, account_id from business_members where account_id in (${inviterId}, ${invitedId})
      union select business_id, account_id from team_moves
        where account_id in (${inviterId}, ${invitedId}) and from_role is not null
    )
    select release.engagement_id, part.side, release.amount_minor, release.currency,
      case part.side when 'business' then array[work.worker_id] else array(
        select member.account_id from business_members member
          where member.business_id = work.business_id and member.role in ('owner', 'manager', 'finance')
        union select move.account_id from team_moves move where move.business_id = work.business_id
          and move.account_id is not null and move.from_role in ('owner', 'manager', 'finance')
        union select hold.created_by from holds hold where hold.engagement_id = work.id and hold.created_by is not null
        order by 1) end as counterpart_ids
    from (
      select id, 'worker' as side from engagements where worker_id = ${invitedId}
        and not exists (select from belonged where belonged.business_id = engagements.business_id)
      union all
      select engagement.id, 'business' from engagements engagement
        join business_members owner on owner.business_id = engagement.business_id
          and owner.account_id = ${invitedId} and owner.role = 'owner'
        where engagement.worker_id not in (${inviterId}, ${invitedId})
          and not exists (select from belonged
            where belonged.business_id = engagement.business_id and belonged.account_id = ${inviterId})
    ) part
    join engagements work on work.id = part.id
    join releases release on release.engagement_id = part.id
    where release.state = 'released' and release.reversed_at is null and release.kind <> 'compensation'
      and release.released_at between ${joinedAt} and ${until}
      and not exists (select from charges charge
        where charge.business_id = work.business_id and charge.chargeback in ('open', 'lost'))
    order by release.released_at, release.id`.execute(tx);
  return rows;
}

export async function lockReferral(tx: Tx, referralId: string): Promise<ReferralRow | undefined> {
  const { rows } =
    await sql<ReferralRow>`select * from referrals where id = ${referralId} for update`.execute(tx);
  return rows[0];
}

/** Serializes rewards of an inviter, to enforce its limits. */
export async function lockInviter(tx: Tx, inviterId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`referrals of ${inviterId}`}, 0))`.execute(tx);
}

/** Rewards paid since an instant, less those reversed. One transaction counts at a time. */
export async function sumRecentRewards(
  tx: Tx,
  since: Date,
): Promise<{ currency: Currency; amountMinor: number }[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('referral rewards of the platform', 0))`.execute(
    tx,
  );
  const { rows } = await sql<{ currency: Currency; amountMinor: number }>`
    select currency, sum(amount_minor)::bigint as amount_minor from referral_rewards
    where at > ${since} and reversed_at is null group by currency`.execute(tx);
  return rows;
}

/** Counts rewarded referrals: since a time, and ever. */
export async function countRewarded(
  db: Db,
  inviterId: string,
  since: Date,
): Promise<{ recent: number; all: number }> {
  const { rows } = await sql<{ recent: number; all: number }>`
    select count(*) filter (where decided_at > ${since})::int as recent, count(*)::int as all
    from referrals where inviter_id = ${inviterId} and status = 'rewarded'`.execute(db);
  return rows[0] ?? { recent: 0, all: 0 };
}

export async function updateReferral(
  tx: Tx,
  row: Pick<ReferralRow, 'id' | 'inviterId'>,
  change: Partial<
    Pick<
      ReferralRow,
      | 'status'
      | 'flags'
      | 'side'
      | 'engagementId'
      | 'currency'
      | 'qualifiedAt'
      | 'unpaidReason'
      | 'decidedAt'
      | 'decidedBy'
      | 'decisionNote'
    >
  >,
): Promise<void> {
  await tx.updateTable('referrals').set(change).where('id', '=', row.id).execute();
  emitRecord(tx, 'referral', { id: row.id, workerId: row.inviterId });
}

export async function insertReward(tx: Tx, row: Insertable<ReferralRewards>): Promise<void> {
  await tx.insertInto('referral_rewards').values(row).execute();
}

/** Marks a reward as reversed, which the inviter sees. */
export async function markRewardReversed(tx: Tx, rewardId: string, at: Date): Promise<void> {
  const { referralId: id } = await tx
    .updateTable('referral_rewards')
    .set({ reversedAt: at })
    .where('id', '=', rewardId)
    .returning('referralId')
    .executeTakeFirstOrThrow();
  const { inviterId: workerId } = await tx
    .selectFrom('referrals')
    .select('inviterId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'referral', { id, workerId });
}

export type ListedReferralRow = {
  id: string;
  name: string;
  joinedAt: Date;
  status: ReferralRow['status'];
  unpaidReason: 'limit' | 'refused' | 'paused' | null;
  amountMinor: number | null;
  currency: Currency | null;
  qualifiedAt: Date | null;
  isReversed: boolean;
};

export async function findReferrals(
  db: Db,
  inviterId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<ListedReferralRow[]> {
  const [afterTime, afterId] = after ?? [null, null];
  const { rows } = await sql<ListedReferralRow>`
    select referral.id, invited.name, referral.joined_at, referral.status, referral.unpaid_reason,
      reward.amount_minor, reward.currency, referral.qualified_at, reward.reversed_at is not null as is_reversed
    from referrals referral
    join accounts invited on invited.id = referral.invited_id
    left join referral_rewards reward on reward.referral_id = referral.id and reward.side = 'inviter'
    where referral.inviter_id = ${inviterId}
      and (${afterTime}::timestamptz is null or (referral.joined_at, referral.id) < (${afterTime}, ${afterId}::uuid))
    order by referral.joined_at desc, referral.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findTotals(db: Db, inviterId: string) {
  const { rows } = await sql<{ joined: number; rewarded: number }>`
    select count(*)::int as joined, count(*) filter (where status = 'rewarded')::int as rewarded
    from referrals where inviter_id = ${inviterId}`.execute(db);
  const { rows: earned } = await sql<{ currency: Currency; amountMinor: number }>`
    select currency, sum(amount_minor)::bigint as amount_minor from referral_rewards
    where account_id = ${inviterId} and side = 'inviter' and reversed_at is null group by currency order by currency`.execute(
    db,
  );
  return { ...(rows[0] ?? { joined: 0, rewarded: 0 }), earned };
}

export type ReferralCaseRow = {
  id: string;
  inviterId: string;
  inviterName: string;
  inviterEmail: string;
  inviterCreatedAt: Date;
  invitedId: string;
  invitedName: string;
  invitedEmail: string;
  invitedCreatedAt: Date;
  flags: ReferralFlag[];
  side: 'worker' | 'business' | null;
  engagementId: string | null;
  joinedAt: Date;
  qualifiedAt: Date | null;
  rewardedBefore: number;
};

export async function findReferralCase(db: Db, referralId: string): Promise<ReferralCaseRow | undefined> {
  const { rows } = await sql<ReferralCaseRow>`
    select referral.id, referral.inviter_id, inviter.name as inviter_name, inviter.email as inviter_email,
      inviter.created_at as inviter_created_at, referral.invited_id, invited.name as invited_name,
      invited.email as invited_email, invited.created_at as invited_created_at, referral.flags, referral.side,
      referral.engagement_id, referral.joined_at, referral.qualified_at,
      (select count(*)::int from referrals earlier
        where earlier.inviter_id = referral.inviter_id and earlier.status = 'rewarded') as rewarded_before
    from referrals referral
    join accounts inviter on inviter.id = referral.inviter_id
    join accounts invited on invited.id = referral.invited_id
    where referral.id = ${referralId} and referral.status = 'checking'`.execute(db);
  return rows[0];
}

/** Deletes the device trace and name of a removed account. */
export async function eraseReferrals(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update referrals set device_hash = null, decision_note = ${withoutWords('decision_note', member)}
    where invited_id = ${member.accountId} or inviter_id = ${member.accountId}`.execute(tx);
}
