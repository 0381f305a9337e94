import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { queryClient } from '../../lib/api/query.ts';
import { appearance, units } from '../../lib/device/device-setting.ts';
import { dropUnsent, followAccountSettings, storeUnsent, unsentSettings } from './account-settings.api.ts';

it("sends what a reload interrupted, before the server's settings overwrite it", async () => {
  const { api } = renderApp('/no/such/page', {
    session: 'worker',
    api: {
      'accountSettings.get': { appearance: null, units: 'km', clock: null, startSide: null, language: null },
      'accountSettings.update': {
        appearance: 'dark',
        units: 'miles',
        clock: null,
        startSide: null,
        language: null,
      },
    },
  });
  await screen.findByRole('heading', { level: 1 });
  storeUnsent('units', 'km');
  storeUnsent('units', 'miles');
  storeUnsent('appearance', 'dark');
  dropUnsent({ units: 'km' });
  units.set('miles');
  followAccountSettings();
  await waitFor(() =>
    expect(api.inputs('accountSettings.update')).toEqual([{ units: 'miles', appearance: 'dark' }]),
  );
  await waitFor(() => expect(unsentSettings()).toEqual({}));
  await waitFor(() => expect(appearance.get()).toBe('dark'));
  expect(units.get()).toBe('miles');
  for (const setting of [appearance, units]) setting.reset();
});

it('sends what a busy server rejected when the settings are read again', async () => {
  let isBusy = true;
  const settings = { appearance: null, units: 'km' as const, clock: null, startSide: null, language: null };
  const { api } = renderApp('/no/such/page', {
    session: 'worker',
    api: {
      'accountSettings.get': settings,
      'accountSettings.update': () => {
        if (isBusy) throw refuse('request/unavailable');
        return { ...settings, units: 'miles' };
      },
    },
  });
  await screen.findByRole('heading', { level: 1 });
  storeUnsent('units', 'miles');
  units.set('miles');
  followAccountSettings();
  await waitFor(() => expect(api.inputs('accountSettings.update')).not.toEqual([]));
  expect(unsentSettings()).toEqual({ units: 'miles' });
  isBusy = false;
  await queryClient.refetchQueries();
  await waitFor(() => expect(unsentSettings()).toEqual({}));
  expect(units.get()).toBe('miles');
  units.reset();
});
