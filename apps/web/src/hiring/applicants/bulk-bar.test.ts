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

it('is empty when everyone was moved', () => {
  expect(leftText([moved('a'), moved('b')], two)).toBeNull();
});

it('names the one who was faster and their status', () => {
  const words = leftText([moved('a'), late('b', 'Tomas Vega')], two);
  expect(words).toMatch(/^Tomas Vega already moved .+ to “.+”\.$/);
  expect(leftText([late('b', null)], two)).toMatch(/^[^:]+ is now “.+”\.$/);
});

it('shows how many and by whom', () => {
  const words = leftText([late('a', 'Tomas Vega'), late('b', 'Tomas Vega')], two);
  expect(words).toBe('2 were already moved. Changed by: Tomas Vega.');
});
