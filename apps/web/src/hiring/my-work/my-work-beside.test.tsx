import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Beside, useBeside } from './my-work.screen.tsx';

afterEach(cleanup);

function Page({ first }: { first: string | null }) {
  const { item, choose, hold } = useBeside(first);
  return (
    <>
      <button type="button" onClick={() => choose(null)}>
        Another view
      </button>
      <Beside onHold={hold}>
        <button type="button">{item}</button>
      </Beside>
    </>
  );
}

it('shows the first of the list, and keeps it once used', () => {
  const { rerender } = render(<Page first="one" />);
  rerender(<Page first="two" />);
  fireEvent.focus(screen.getByRole('button', { name: 'two' }));
  rerender(<Page first="three" />);
  expect(screen.getByRole('button', { name: 'two' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Another view' }));
  expect(screen.getByRole('button', { name: 'three' })).toBeTruthy();
});
