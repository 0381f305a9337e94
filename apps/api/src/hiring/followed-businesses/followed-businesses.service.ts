import type { FollowedBusiness } from '@nearhand/contract/hiring/followed-businesses';
import { mostFollowedBusinesses } from '@nearhand/contract/hiring/followed-businesses.rules';
import { businessStatuses } from '@nearhand/contract/people/businesses';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { businessProfile, isPublicBusiness } from '../../people/businesses/businesses.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { deleteFollow, findFollowed, findFollowedIds, insertFollow } from './followed-businesses.sql.ts';

type One = { businessId: string };
type Followed = One & { following: boolean };

const shown = businessStatuses.filter(isPublicBusiness);

/**
 * Follows a business that strangers may see: its new jobs are announced to the caller. A repeat is a no-op.
 * @throws business/not-found, follow/too-many (data: `most`)
 */
export async function followBusiness(tx: Tx, scope: Scope, { businessId }: One): Promise<Followed> {
  await businessProfile(tx, scope, { businessId });
  const row = { accountId: scope.actor.accountId, businessId, at: scope.clock.now() };
  if (!(await insertFollow(tx, row, mostFollowedBusinesses)))
    throw new AppError('follow/too-many', { most: mostFollowedBusinesses });
  return { businessId, following: true };
}

/** Unfollows a business. A no-op where it is not followed, so it tells nothing about a business. */
export async function unfollowBusiness(tx: Tx, scope: Scope, { businessId }: One): Promise<Followed> {
  await deleteFollow(tx, scope.actor.accountId, businessId);
  return { businessId, following: false };
}

/** Ids of the businesses that the caller follows; at most `mostFollowedBusinesses`. */
export async function followedBusinessIds(db: Db, scope: Scope): Promise<string[]> {
  return findFollowedIds(db, scope.actor.accountId);
}

/** Businesses that the caller follows, last followed first; hidden ones are left out until they are shown again. @throws request/bad-cursor */
export async function listFollowedBusinesses(
  db: Db,
  scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: FollowedBusiness[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findFollowed(db, scope.actor.accountId, after, { limit: input.limit + 1, shown });
  const page = cutPage(rows, input.limit, (row) => [row.followed_at.toISOString(), row.business_id]);
  return {
    items: page.items.map((row) => ({
      business: {
        id: row.business_id,
        name: row.name,
        category: row.category,
        area: row.area,
        verified: row.verified,
        logoPath: row.logo === null ? null : fileContentPath(row.logo),
      },
      newest:
        row.newest_id === null || row.newest_title === null
          ? null
          : { id: row.newest_id, title: row.newest_title },
      openJobs: row.open_jobs,
      followedAt: row.followed_at.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

/** For an account that is removed (ADR 160). */
export { deleteFollowsOf } from './followed-businesses.sql.ts';
