import { offers } from '@nearhand/contract/hiring/offers';
import { read, write } from '../../platform/http/bind.ts';
import { getOffer, myOffers } from './offer-views.service.ts';
import { acceptOffer, declineOffer, makeOffer, previewOffer, withdrawOffer } from './offers.service.ts';

export const offersRoutes = {
  make: write(offers.make, makeOffer),
  preview: read(offers.preview, previewOffer),
  mine: read(offers.mine, myOffers),
  get: read(offers.get, getOffer),
  accept: write(offers.accept, acceptOffer),
  decline: write(offers.decline, declineOffer),
  withdraw: write(offers.withdraw, withdrawOffer),
};
