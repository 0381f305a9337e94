import { waitlist } from '@nearhand/contract/hiring/waitlist';
import { write } from '../../platform/http/bind.ts';
import { joinWaitlist, leaveWaitlist } from './waitlist-places.service.ts';

export const waitlistRoutes = {
  join: write(waitlist.join, joinWaitlist),
  leave: write(waitlist.leave, leaveWaitlist),
};
