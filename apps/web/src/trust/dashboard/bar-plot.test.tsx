import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { BarPlot, scaleTop } from './plots.tsx';

afterEach(cleanup);

const show = (value: number) =>
  renderPart(
    <BarPlot
      top={scaleTop(value)}
      format={(figure) => `EUR ${figure}`}
      bars={[{ key: 'a', label: 'Nov', parts: [{ value, colour: 'var(--good)' }] }]}
    />,
  );

it('draws a scale only with figures', () => {
  show(100);
  expect(screen.getAllByText(/^EUR/).map(({ textContent }) => textContent)).toEqual(['EUR 100', 'EUR 50']);
  cleanup();
  show(0);
  expect(screen.getByText('Nov')).toBeTruthy();
  expect(screen.queryAllByText(/^EUR/)).toEqual([]);
});
