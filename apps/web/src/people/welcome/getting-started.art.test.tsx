import { i18n } from '@lingui/core';
import { act } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { NearArt } from './getting-started.art.tsx';

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

it.each([
  ['en', 'en-IE', '€16.50'],
  ['de', 'de-DE', '16,50\u00a0€'],
])('formats the pay on the map in %s for the language', (language, region, pay) => {
  const { container } = renderPart(<NearArt />, { languages: [region] });
  act(() => i18n.loadAndActivate({ locale: language, messages: {} }));
  expect([...container.querySelectorAll('text')].map(({ textContent }) => textContent)).toContain(pay);
});
