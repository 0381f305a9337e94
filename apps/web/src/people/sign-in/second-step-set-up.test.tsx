import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { RecoveryCodes } from './second-step-set-up.tsx';

afterEach(() => vi.unstubAllGlobals());

const open = () => renderPart(<RecoveryCodes codes={['one-1', 'two-2']} onDone={() => {}} />);

it('can always be copied, even when a file can be saved', () => {
  open();
  expect(screen.getByRole('button', { name: 'Copy the codes' })).toBeTruthy();
});

it("are copied in Android's app, which can't save a file", async () => {
  open();
  expect(screen.getByRole('button', { name: 'Download the codes' })).toBeTruthy();
  cleanup();
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'android' });
  const writeText = vi.fn(async () => {});
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  open();
  expect(screen.queryByRole('button', { name: 'Download the codes' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Copy the codes' }));
  await waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith('one-1\ntwo-2'));
  Reflect.deleteProperty(navigator, 'clipboard');
});
