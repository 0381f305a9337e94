import type { Db, Tx } from '../../platform/db.ts';

type Vote = { article: string; helpful: boolean; at: Date };

/** Stores an account's answer; a later one replaces it. */
export async function putAccountVote(
  tx: Tx,
  accountId: string,
  { article, helpful, at }: Vote,
): Promise<void> {
  await tx
    .insertInto('help_votes')
    .values({ article, account_id: accountId, helpful, voted_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'article'])
        .where('account_id', 'is not', null)
        .doUpdateSet({ helpful, voted_at: at }),
    )
    .execute();
}

/** The same for a guest's device. */
export async function putGuestVote(
  tx: Tx,
  guest: { device: string; network: string },
  { article, helpful, at }: Vote,
): Promise<void> {
  await tx
    .insertInto('help_votes')
    .values({ article, ...guest, helpful, voted_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['device', 'article'])
        .where('device', 'is not', null)
        .doUpdateSet({ helpful, voted_at: at, network: guest.network }),
    )
    .execute();
}

/** How many answers guests of a network gave since then. */
export async function countGuestVotes(db: Db, network: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('help_votes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('network', '=', network)
    .where('voted_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteVotesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('help_votes').where('account_id', '=', accountId).execute();
}
