import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { BankTransfersPage } from './bank-transfers-page.tsx';

const choose = (api: Handlers) => {
  renderPart(<BankTransfersPage />, { session: 'worker', api });
  const file = new File(['<Document/>'], 'november.xml', { type: 'text/xml' });
  fireEvent.change(screen.getByTestId('statement'), { target: { files: [file] } });
};

it('imports a statement, counts its entries, and leads to the cases', async () => {
  const importStatement = vi.fn(() => ({ credited: 12, unmatched: 2, outgoing: 1, repeated: 3, skipped: 0 }));
  choose({ 'bankTransfers.importStatement': importStatement });
  expect((await screen.findByText('On balances')).closest('div')?.textContent).toContain('12');
  expect(importStatement.mock.calls[0]).toMatchObject([{ file: { name: 'november.xml' } }, {}]);
  expect(screen.getByRole('link', { name: 'Open their cases' })).toBeTruthy();
});

it('names the fault of a refused file', async () => {
  const message = 'Entry 7 is in another currency than EUR.';
  choose({
    'bankTransfers.importStatement': () => {
      throw refuse('request/invalid', { issues: [{ path: 'file', message }] });
    },
  });
  expect(await screen.findByText(message)).toBeTruthy();
});
