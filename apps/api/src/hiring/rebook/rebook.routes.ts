import { rebook } from '@nearhand/contract/hiring/rebook';
import { read, write } from '../../platform/http/bind.ts';
import { offerAgain, offerDirectly, previewDirectly, unpaidRebookings } from './rebook.service.ts';

export const rebookRoutes = {
  preview: read(rebook.preview, previewDirectly),
  offer: write(rebook.offer, offerDirectly),
  again: write(rebook.again, offerAgain),
  unpaid: read(rebook.unpaid, unpaidRebookings),
};
