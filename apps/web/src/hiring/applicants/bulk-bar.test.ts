import { i18n } from '@lingui/core';
import type { BulkResult } from '@nearhand/contract/hiring/applicants';
import { beforeAll, expect, it } from 'vitest';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { leftText } from './bulk-bar.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const two = ['a', 'b'].map((id) => sampleApplicant({ id }));
const moved = (applicationId: string): BulkResult => ({
  applicationId,
  ok: true,
  code: null,
  status: null,
  by: null,
});
const late = (applicationId: string, by: string | null): BulkResult => ({
  ...moved(applicationId),
  ok: false,
  code: 'application/stale',
  status: 'rejected',
  by,
});

it('says nothing where all were moved', () => {
  expect(leftText([moved('a'), moved('b')], two)).toBeNull();
});

it('says of one who was faster and what they are now', () => {
  const words = leftText([moved('a'), late('b', 'Tomas Vega')], two);
  expect(words).toMatch(/^Tomas Vega already moved .+ to “.+”\.$/);
  expect(leftText([late('b', null)], two)).toMatch(/^[^:]+ is now “.+”\.$/);
});

it('says of several how many and by whom', () => {
  const words = leftText([late('a', 'Tomas Vega'), late('b', 'Tomas Vega')], two);
  expect(words).toBe('2 were already moved. Changed by: Tomas Vega.');
});
