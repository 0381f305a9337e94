import { dayMs, hourMs } from '@nearhand/contract/durations';
import type { GuestVote } from '@nearhand/contract/trust/help';
import { helpLimits } from '@nearhand/contract/trust/help.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { countGuestVotes, deleteVotesOf, putAccountVote, putGuestVote } from './help.sql.ts';

type Answer = { article: string; helpful: boolean };

/** Stores whether an article helped the caller; once per account and article, the last answer counts. */
export async function voteOnArticle(tx: Tx, scope: Scope, { article, helpful }: Answer): Promise<Answer> {
  await putAccountVote(tx, scope.actor.accountId, { article, helpful, at: scope.clock.now() });
  return { article, helpful };
}

/**
 * The same for a guest, once per device; device and network are stored as hashes.
 * @throws request/too-many for a network
 */
export async function voteAsGuest(
  tx: Tx,
  { clock, sign }: Pick<Scope<Actor | null>, 'clock' | 'sign'>,
  { article, helpful, device }: GuestVote,
  network: string,
): Promise<Answer> {
  const now = clock.now();
  const hash = (purpose: string, text: string) => sign.lasting(purpose, text).toString('hex');
  const guest = { device: hash('help-device', device), network: hash('help-network', network) };
  const since = new Date(now.getTime() - dayMs);
  if ((await countGuestVotes(tx, guest.network, since)) >= helpLimits.guestVotesPerDay)
    throw new AppError('request/too-many', { retryAfterSeconds: hourMs / 1_000 });
  await putGuestVote(tx, guest, { article, helpful, at: now });
  return { article, helpful };
}

/** For an account that is removed. */
export const forgetVotes = deleteVotesOf;
