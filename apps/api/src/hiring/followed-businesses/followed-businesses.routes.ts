import { followedBusinesses } from '@nearhand/contract/hiring/followed-businesses';
import { read, write } from '../../platform/http/bind.ts';
import {
  followBusiness,
  followedBusinessIds,
  listFollowedBusinesses,
  unfollowBusiness,
} from './followed-businesses.service.ts';

export const followedBusinessesRoutes = {
  follow: write(followedBusinesses.follow, followBusiness),
  unfollow: write(followedBusinesses.unfollow, unfollowBusiness),
  ids: read(followedBusinesses.ids, followedBusinessIds),
  list: read(followedBusinesses.list, listFollowedBusinesses),
};
