import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { confirmPin } from './confirm-pin.ts';

/** West of 0° it is Great Britain, at 0, 0 the sea, east of it the Netherlands. */
vi.mock('./gazetteer-source.ts', () => ({
  countryOfPoint: async ({ lat, lng }: { lat: number; lng: number }) =>
    lat === 0 && lng === 0 ? null : lng < 0 ? 'GB' : 'NL',
}));

afterEach(cleanup);

it.each([
  [{ lat: 51.5, lng: -0.1 }, 'The pin is in United Kingdom, and your business is in Netherlands.'],
  [{ lat: 0, lng: 0 }, 'The pin is far from any town, and your business is in Netherlands.'],
])('questions a pin at %o for a business in the Netherlands', async (point, message) => {
  renderPart(<p>Form</p>);
  for (const [button, answer] of [
    ['Choose another place', false],
    ['Use this pin', true],
  ] as const) {
    const confirmed = confirmPin(point, 'NL');
    expect(await screen.findByText(message)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: button }));
    expect(await confirmed).toBe(answer);
  }
});

it('accepts a pin in the country of the business', async () => {
  renderPart(<p>Form</p>);
  expect(await confirmPin({ lat: 52.37, lng: 4.89 }, 'NL')).toBe(true);
});
