import { pay } from '@nearhand/contract/work/pay';
import { read, write } from '../../platform/http/bind.ts';
import { coverWork } from './cover.ts';
import { previewRelease } from './release-preview.ts';
import { giveTip } from './tips.ts';

export const payRoutes = {
  releasePreview: read(pay.releasePreview, previewRelease),
  cover: write(pay.cover, coverWork),
  tip: write(pay.tip, giveTip),
};
