import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { ApiError } from '../../lib/api/api-error.ts';
import { RoomOutdated } from './thread-skeleton.tsx';

function textFor(error: unknown): string {
  renderPart(<RoomOutdated updatedAt={Date.now()} error={error} onRetry={() => {}} />);
  return screen.getByText(/^Last updated/).closest('[role=status]')?.textContent ?? '';
}

it('shows offline for a lost connection', () => {
  expect(textFor(new ApiError('network/offline'))).toContain("You're offline.");
});

it("shows the server's error as ours, not as offline", () => {
  const text = textFor(new ApiError('request/internal'));
  expect(text).toContain('Something went wrong on our side.');
  expect(text).not.toContain('offline');
});
