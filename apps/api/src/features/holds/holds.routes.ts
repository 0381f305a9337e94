import { holds } from '@nearhand/contract/holds';
import { read, write } from '../../platform/http/bind.ts';
import { coverWork } from './cover.service.ts';
import { payHold } from './hold-checkout.service.ts';
import { getHold } from './hold-views.service.ts';
import { previewRelease } from './release-preview.service.ts';
import { seatQuote } from './seat-quote.service.ts';
import { giveTip } from './tips.service.ts';

export const holdsRoutes = {
  get: read(holds.get, getHold),
  pay: write(holds.pay, payHold),
  seatQuote: read(holds.seatQuote, seatQuote),
  releasePreview: read(holds.releasePreview, previewRelease),
  cover: write(holds.cover, coverWork),
  tip: write(holds.tip, giveTip),
};
