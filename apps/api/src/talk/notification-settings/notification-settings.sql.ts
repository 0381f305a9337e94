import type { QuietHours } from '@nearhand/contract/talk/notification-settings';
import type { Channel, ChannelChoice } from '@nearhand/contract/talk/notification-topics';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

export async function saveChoices(
  tx: Tx,
  accountId: string,
  choices: readonly { topic: string; channel: Channel; choice: ChannelChoice }[],
): Promise<void> {
  if (choices.length === 0) return;
  await tx
    .insertInto('notification_choices')
    .values(choices.map(({ topic, channel, choice }) => ({ account_id: accountId, topic, channel, choice })))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'topic', 'channel'])
        .doUpdateSet((eb) => ({ choice: eb.ref('excluded.choice') })),
    )
    .execute();
}

export async function saveQuietHours(tx: Tx, accountId: string, quiet: QuietHours): Promise<void> {
  const row = {
    quiet_on: quiet.on,
    quiet_from: quiet.from,
    quiet_to: quiet.to,
    time_zone: quiet.timeZone,
  };
  await tx
    .insertInto('notification_settings')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

/** Turns off mail of some topics, or only where it is daily. A no-op for a deleted account. */
export async function turnMailOff(
  tx: Tx,
  accountId: string,
  topics: readonly string[],
  which: 'any' | 'daily',
): Promise<void> {
  if (which === 'daily') {
    await tx
      .updateTable('notification_choices')
      .set({ choice: 'off' })
      .where('account_id', '=', accountId)
      .where('channel', '=', 'email')
      .where('choice', '=', 'daily')
      .where('topic', 'in', topics)
      .execute();
    return;
  }
  await sql`insert into notification_choices (account_id, topic, channel, choice)
    select accounts.id, topic, 'email', 'off' from accounts, unnest(${topics}::text[]) as topics (topic) where accounts.id = ${accountId}
    on conflict (account_id, topic, channel) do update set choice = 'off'`.execute(tx);
}

/** For a removed account. */
export async function deleteSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('notification_choices').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('notification_settings').where('account_id', '=', accountId).execute();
}
