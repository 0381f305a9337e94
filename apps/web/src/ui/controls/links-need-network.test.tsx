import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { setOnline } from '../../../test/device.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { ListRow } from '../card.tsx';
import { ButtonLink } from './button.tsx';

const at = () => document.querySelector('output')?.textContent;
const At = () => <output>{useLocation().pathname}</output>;

it.each<[string, ReactNode]>([
  [
    'a link that looks like a button',
    <ButtonLink key="1" to="/verify" needsNetwork>
      Open it
    </ButtonLink>,
  ],
  ['a row that leads somewhere', <ListRow key="2" title="Open it" to="/verify" needsNetwork />],
])('without a network %s leads nowhere, says why, keeps the focus, and leads on with it', (_, part) => {
  const { api } = renderPart(
    <>
      {part}
      <At />
    </>,
    { session: 'worker' },
  );
  const link = screen.getByRole('link', { name: 'Open it' });
  const before = at();
  link.focus();
  setOnline(api, false);
  expect(document.activeElement).toBe(link);
  expect(link.getAttribute('aria-disabled')).toBe('true');
  expect(document.getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Needs a connection',
  );
  fireEvent.click(link);
  expect(at()).toBe(before);
  setOnline(api, true);
  expect(link.getAttribute('aria-disabled')).toBeNull();
  fireEvent.click(link);
  expect(at()).toBe('/verify');
});
