import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Avatar, BusinessMark } from './avatar.tsx';

afterEach(cleanup);

it('shows initials when a photo fails to load, and tries another address', () => {
  const { container, rerender } = render(<Avatar name="Leila Haddad" src="/a.webp" />);
  const photo = () => container.querySelector('img');
  expect(container.textContent).toBe('');
  fireEvent.error(photo() as Element);
  expect(photo()).toBeNull();
  expect(container.textContent).toBe('LH');
  rerender(<Avatar name="Leila Haddad" src="/b.webp" />);
  expect(photo()?.getAttribute('src')).toBe('/b.webp');
});

it("shows the category's icon when a logo fails to load", () => {
  const { container } = render(<BusinessMark category="hospitality" src="/logo.webp" />);
  fireEvent.error(container.querySelector('img') as Element);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('.sign')).not.toBeNull();
});
