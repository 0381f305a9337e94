import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { PhotoGrid } from './photo-grid.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

it('shows which photo failed to load, small and large, and retries when the network is back', () => {
  render(
    <I18nProvider i18n={i18n}>
      <PhotoGrid urls={['/a.webp', '/b.webp']} />
    </I18nProvider>,
  );
  fireEvent.error(screen.getByRole('img', { name: 'Photo 1 of 2' }));
  const broken = screen.getByRole('button', { name: "Photo 1 of 2 Photo couldn't be loaded" });
  expect(screen.getByRole('img', { name: 'Photo 2 of 2' })).toBeTruthy();

  fireEvent.click(broken);
  const sheet = screen.getByRole('dialog', { name: 'Photo 1 of 2' });
  fireEvent.error(sheet.querySelector('img') as Element);
  expect(within(sheet).getByText("Photo couldn't be loaded")).toBeTruthy();

  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fireEvent(globalThis as unknown as Window, new Event('offline'));
  expect(within(sheet).getByText('Needs a connection')).toBeTruthy();

  network.mockRestore();
  fireEvent(globalThis as unknown as Window, new Event('online'));
  expect(sheet.querySelector('img')?.getAttribute('src')).toBe('/a.webp');
  expect(screen.getByRole('button', { name: 'Photo 1 of 2' })).toBeTruthy();
});
