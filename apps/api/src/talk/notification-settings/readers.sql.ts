import type { Channel, ChannelChoice } from '@nearhand/contract/talk/notification-topics';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { anyOf, keptPlan } from '../../platform/prepared-statements.ts';

export type ReaderRow = {
  id: string;
  email: string;
  emailVerified: boolean;
  disabled: boolean;
  leaving: boolean;
  refused: boolean;
  quietOn: boolean | null;
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
  clock: string | null;
  language: string | null;
  homeLat: number | null;
  homeLng: number | null;
  homeCountry: string | null;
  businessZone: string | null;
  looking: string | null;
  devices: string[];
  choices: { topic: string; channel: Channel; choice: ChannelChoice }[];
};

const readersWhere = (isReader: RawBuilder<boolean>, topics: readonly string[], now: Date) =>
  sql<ReaderRow>`${keptPlan} select account.id, account.email, account.email_verified,
      account.disabled_at is not null as disabled,
      exists (select from account_deletions deletion
        where deletion.account_id = account.id and deletion.status = 'scheduled') as leaving,
        refusal.account_id is not null as refused,
      quiet_on, quiet_from, quiet_to, settings.time_zone, formats.clock, formats.language, profile.home_lat,
        profile.home_lng, profile.home_country,
      (select business.time_zone from business_members member join businesses business on business.id = member.business_id
        where member.account_id = account.id order by business.id limit 1) as business_zone,
      case when presence.looking_until > ${now} then presence.looking end as looking,
      coalesce((select json_agg(device.id order by device.added_at, device.id) from notification_devices device
        where device.account_id = account.id), '[]') as devices,
      coalesce((select json_agg(json_build_object('topic', topic, 'channel', channel, 'choice', choice)) from notification_choices chosen
        where chosen.account_id = account.id and chosen.topic = ${anyOf(topics, 'text')}), '[]') as choices
    from accounts account
    left join profiles profile on profile.account_id = account.id
    left join notification_settings settings on settings.account_id = account.id
    left join account_settings formats on formats.account_id = account.id
    left join notification_refusals refusal on refusal.account_id = account.id and refusal.address = account.email
    left join presence on presence.account_id = account.id
    where ${isReader}`;

export async function findReaders(
  db: Db,
  accountIds: readonly string[],
  topics: readonly string[],
  now: Date,
): Promise<ReaderRow[]> {
  const isReader = sql<boolean>`account.id = ${anyOf(accountIds)}`;
  return (await readersWhere(isReader, topics, now).execute(db)).rows;
}

/** Everyone who may read a conversation. */
export async function findConversationReaders(
  db: Db,
  conversationId: string,
  topics: readonly string[],
  now: Date,
): Promise<ReaderRow[]> {
  const isReader = sql<boolean>`account.id in (
    select worker_id from conversations where id = ${conversationId}
    union all
    select member.account_id from conversations conversation join job_members member on member.job_id = conversation.job_id
    where conversation.id = ${conversationId} and member.role in ${recruiters})`;
  return (await readersWhere(isReader, topics, now).execute(db)).rows;
}

/** The members who see a job's applicants. */
export async function findRecruiters(
  db: Db,
  jobId: string,
  topics: readonly string[],
  now: Date,
): Promise<ReaderRow[]> {
  const isReader = sql<boolean>`account.id in (select member.account_id from job_members member
    where member.job_id = ${jobId} and member.role in ${recruiters})`;
  return (await readersWhere(isReader, topics, now).execute(db)).rows;
}
