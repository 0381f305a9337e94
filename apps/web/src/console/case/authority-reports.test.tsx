import type { AuthorityReport } from '@nearhand/contract/trust/case-facts';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { AuthorityReports, passedOnText } from './authority-reports.tsx';

const id = '01a1fbbc-d019-79f0-8086-994049deb373';
const at = '2026-11-20T09:00:00.000Z';
const recorded: AuthorityReport = {
  id,
  case: { kind: 'report', subjectId: id },
  authority: 'Politie Amsterdam, Netherlands',
  reportedAt: at,
  reference: null,
  facts: ['name', 'content'],
  passedOn: 'Rider Lane 4, every evening.',
  reason: 'Couriers ride bikes without brakes.',
  recordedBy: { id, name: 'Jonas Weber' },
  recordedAt: at,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  note: null,
};
const fileOf = (kind: string, authorityReports: AuthorityReport[] = []) =>
  ({ item: { kind, subjectId: id }, authorityReports }) as unknown as CaseFile;
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

it('records a report once it names the authority, a past time, the facts and the reason', async () => {
  const { api } = await renderPart(<AuthorityReports file={fileOf('report')} mine />, {
    session: 'worker',
    api: { 'cases.reportToAuthority': recorded },
  });
  await press('Record a report to an authority');
  await press('Record the report');
  await screen.findByText('Name the authority.');
  await screen.findByText('Choose what you passed on.');
  await type(/^Country/, 'Politie, Netherlands');
  expect(await screen.findByLabelText<HTMLInputElement>(/^Authority/)).toHaveProperty(
    'value',
    'Politie, Netherlands',
  );
  await type(/^Authority/, ' Politie Amsterdam, Netherlands ');
  await type(/^When you reported it/, '2099-01-01T10:00');
  await press('Record the report');
  await screen.findByText('Choose a time that has passed.');
  await type(/^When you reported it/, '2026-11-20T10:00');
  fireEvent.click(screen.getByLabelText('Names of those concerned'));
  await type(/^What you told them/, 'Rider Lane 4, every evening.');
  await type(/^Reason/, 'Couriers ride bikes without brakes.');
  await press('Record the report');
  await screen.findByText('Recorded. A second person confirms it.');
  expect(api.inputs('cases.reportToAuthority')).toMatchObject([
    {
      kind: 'report',
      subjectId: id,
      authority: 'Politie Amsterdam, Netherlands',
      reference: null,
      reportedAt: new Date('2026-11-20T10:00').toISOString(),
      facts: ['name'],
      passedOn: 'Rider Lane 4, every evening.',
      reason: 'Couriers ride bikes without brakes.',
    },
  ]);
});

it('shows what was reported to everyone who reads the case, and the form to its operator only', async () => {
  await renderPart(<AuthorityReports file={fileOf('report', [recorded])} mine={false} />, {
    session: 'worker',
    api: {},
  });
  await screen.findByText('Waiting for a second person');
  await screen.findByText('Politie Amsterdam, Netherlands');
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Download what was passed on',
  ]);
});

it('adds the reference that the authority gave later', async () => {
  const { api } = await renderPart(<AuthorityReports file={fileOf('report', [recorded])} mine />, {
    session: 'worker',
    api: { 'cases.setAuthorityReference': recorded },
  });
  await press('Save the reference');
  await screen.findByText('Enter the number that the authority gave.');
  await type(/^Their reference/, ' PL-77 ');
  await press('Save the reference');
  await screen.findByText('Reference saved');
  const input = { kind: 'report', subjectId: id, authorityReportId: id, reference: 'PL-77' };
  expect(api.inputs('cases.setAuthorityReference')).toEqual([input]);
});

it('exports what the authority has and nothing that operators wrote for themselves', () => {
  const text = passedOnText({ ...recorded, reference: 'PL-77', note: 'Too much.' });
  expect(text).toContain('Rider Lane 4, every evening.');
  expect(text).toContain('Their reference: PL-77');
  for (const words of ['without brakes', 'Too much', 'Jonas']) expect(text).not.toContain(words);
});

it('is not for a request', async () => {
  const { container } = await renderPart(<AuthorityReports file={fileOf('ticket')} mine />, {
    session: 'worker',
    api: {},
  });
  expect(container.textContent).not.toContain('authority');
});
