import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { ShareTools } from './share-tools.tsx';

const jobId = '0193aaaa-0000-7000-8000-0000000000a1';
const sharing = {
  jobId,
  title: 'Bar "Noord" & terrace',
  status: 'open' as const,
  business: { id: '0193aaaa-0000-7000-8000-0000000000b1', name: 'Café Noord', verified: true },
  channels: [],
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

async function readCode(label: string): Promise<string> {
  const field = await screen.findByLabelText<HTMLTextAreaElement>(label);
  return field.value;
}

it.each([
  ['a browser', () => {}, location.origin],
  [
    'the phone apps',
    () => {
      vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'ios', Plugins: {} });
      vi.stubEnv('VITE_SERVER', 'https://jobs.example.org');
    },
    'https://jobs.example.org',
  ],
])("gives code for the business's website with the server's address in %s", async (_place, begin, server) => {
  begin();
  renderPart(<ShareTools jobId={jobId} />, { session: 'business', api: { 'jobShares.overview': sharing } });
  const card = await readCode('This job as a card');
  expect(card).toContain(`src="${server}/embed/j/`);
  expect(card).toContain('title="Bar &quot;Noord&quot; &amp; terrace"');
  expect(await readCode('All your open jobs as a list')).toContain(`src="${server}/embed/b/`);
});
