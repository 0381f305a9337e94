import { defineTask } from '../../platform/tasks/tasks.ts';
import { expireOffer, remindOfOffer } from './offer-clock.service.ts';
import { expiry, reminder } from './offers.clock.ts';

export const expireOfferTask = defineTask({
  ...expiry,
  run: (scope, { offerId }) => expireOffer(scope, offerId),
});

export const remindOfOfferTask = defineTask({
  ...reminder,
  run: (scope, { offerId }) => remindOfOffer(scope, offerId),
});

export const offersTasks = [expireOfferTask, remindOfOfferTask];
