import { addMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import type { Db } from '../db.ts';

export type Present = {
  accountId: string;
  /** The conversation that one of the account's screens shows; null if none does. */
  openConversationId: string | null;
};

/** Seconds for which a socket counts without an update; it is updated every 60. */
const onlineSeconds = 150;
/** Grace period after a disconnect: covers a tunnel or a reload. */
const graceSeconds = 10;

export async function markPresent(
  db: Db,
  process: string,
  present: readonly Present[],
  now: Date,
): Promise<void> {
  if (present.length === 0) return;
  const until = addMs(now, onlineSeconds * 1000);
  await sql`insert into presence (account_id, last_seen_at, online_until, looking, looking_until, process)
    select one.account_id, ${now}, ${until}, one.looking, case when one.looking is not null then ${until}::timestamptz end, ${process}
    from unnest(${present.map((peer) => peer.accountId)}::uuid[],
      ${present.map((peer) => peer.openConversationId)}::uuid[]) as one (account_id, looking)
    join accounts on accounts.id = one.account_id
    order by one.account_id
    on conflict (account_id) do update
      set last_seen_at = excluded.last_seen_at, online_until = excluded.online_until, process = excluded.process,
      looking = case when excluded.looking is not null or presence.process = excluded.process then excluded.looking
        else presence.looking end,
      looking_until = case when excluded.looking is not null or presence.process = excluded.process then excluded.looking_until
        else presence.looking_until end`.execute(db);
}

export async function markGone(
  db: Db,
  process: string,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  if (accountIds.length === 0) return;
  await sql`update presence set last_seen_at = ${now}, online_until = ${addMs(now, graceSeconds * 1000)},
      looking = null, looking_until = null
    from (select account_id from presence where process = ${process} and account_id = any(${accountIds}::uuid[])
      order by account_id for update) as gone
    where presence.account_id = gone.account_id`.execute(db);
}
