import { z } from 'zod';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';
import { categoryIds } from '../people/taxonomy.ts';

const businessRef = z.object({ businessId: id });
const followState = z.object({ businessId: id, following: z.boolean() });

export const followedBusiness = z.object({
  business: z.object({
    id,
    name: z.string(),
    category: z.enum(categoryIds),
    area: z.string(),
    verified: z.boolean(),
    logoPath: z.string().nullable(),
  }),
  newest: z.object({ id, title: z.string() }).nullable(),
  openJobs: z.number().int(),
  followedAt: instant,
});
export type FollowedBusiness = z.infer<typeof followedBusiness>;

/**
 * Followed businesses, whose new jobs an account is notified of. Private to the account: not even the
 * business sees it.
 */
export const followedBusinesses = {
  follow: operation({ access: 'signed-in', errors: ['business/not-found', 'follow/too-many'], effects: [] })
    .route({ method: 'PUT', path: '/businesses/{businessId}/followed', summary: 'Follow a business' })
    .input(businessRef)
    .output(followState),
  unfollow: operation({ access: 'signed-in', errors: [], effects: [] })
    .route({ method: 'DELETE', path: '/businesses/{businessId}/followed', summary: 'Unfollow a business' })
    .input(businessRef)
    .output(followState),
  ids: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/me/followed-businesses/ids',
      summary: 'Ids of all businesses you follow',
    })
    .output(z.array(id)),
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/me/followed-businesses',
      summary: 'Businesses you follow, last followed first',
    })
    .input(z.object(pageInput))
    .output(pageOf(followedBusiness)),
};
