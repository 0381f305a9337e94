import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { type GuestVote, guestVote, help } from '@nearhand/contract/trust/help';
import { helpLimits } from '@nearhand/contract/trust/help.rules';
import { sql } from 'kysely';
import { AppError, parseBody } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import { callerNetwork, countedNetworks } from '../../platform/http/caller-network.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';

type Vote = { article: string; helpful: boolean; at: Date };

async function upsertAccountVote(tx: Tx, accountId: string, { article, helpful, at }: Vote): Promise<void> {
  await tx
    .insertInto('help_votes')
    .values({ article, accountId, helpful, votedAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'article'])
        .where('accountId', 'is not', null)
        .doUpdateSet({ helpful, votedAt: at }),
    )
    .execute();
}

async function upsertGuestVote(
  tx: Tx,
  guest: { device: string; networks: string[] },
  { article, helpful, at }: Vote,
): Promise<void> {
  await tx
    .insertInto('help_votes')
    .values({ article, ...guest, helpful, votedAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['device', 'article'])
        .where('device', 'is not', null)
        .doUpdateSet({ helpful, votedAt: at, networks: guest.networks }),
    )
    .execute();
}

async function countGuestVotes(db: Db, network: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('help_votes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<boolean>`networks @> array[${network}]`)
    .where('votedAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Part of account removal. */
export async function eraseVotes(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('help_votes').where('accountId', '=', accountId).execute();
}

type Answer = { article: string; helpful: boolean };

/** Stores the caller's vote on an article; the last one counts. */
async function voteOnArticle(tx: Tx, scope: Scope, { article, helpful }: Answer): Promise<Answer> {
  await upsertAccountVote(tx, scope.actor.accountId, { article, helpful, at: scope.clock.now() });
  return { article, helpful };
}

/**
 * Stores a guest's vote, once per device; device and networks are hashed.
 * @throws request/too-many for a network
 */
async function voteAsGuest(
  tx: Tx,
  { clock, sign }: Pick<Scope<Actor | null>, 'clock' | 'sign'>,
  { article, helpful, device }: GuestVote,
  network: string,
): Promise<Answer> {
  const now = clock.now();
  const hash = (purpose: string, text: string) => sign.lasting(purpose, text).toString('hex');
  const since = subtractMs(now, dayMs);
  const networks: string[] = [];
  for (const counter of countedNetworks(network)) {
    const hashed = hash('help-network', counter.network);
    if ((await countGuestVotes(tx, hashed, since)) >= helpLimits.guestVotesPerDay * counter.share)
      throw new AppError('request/too-many', { retryAfterSeconds: hourMs / 1_000 });
    networks.push(hashed);
  }
  await upsertGuestVote(tx, { device: hash('help-device', device), networks }, { article, helpful, at: now });
  return { article, helpful };
}

const voteBytes = 1_024;

/** `PUT /guest-help-votes`, outside the contract: its writes need a session (ADR 161). */
export const registerGuestVotes: PlainRoutes = (api, { db, scopeOf, limitWrites }) => {
  api.put('/guest-help-votes', { onRequest: limitWrites, bodyLimit: voteBytes }, async (request, reply) => {
    const input = parseBody(guestVote, request.body);
    const scope = scopeOf(request);
    const network = callerNetwork(request.ip);
    return reply.send(await db.transaction().execute((tx) => voteAsGuest(tx, scope, input, network)));
  });
};

export const helpRoutes = {
  vote: write(help.vote, voteOnArticle),
};
