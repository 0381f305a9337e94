import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Business } from '@nearhand/contract/people/businesses';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compileMessage } from '../../lib/words/show-language.ts';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { emptyJobForm, type JobForm } from './job-form.rules.ts';
import { CostCard, JobPreview } from './job-preview.tsx';
import { JobTimeFields } from './job-time-fields.tsx';

const setting = {
  timeZone: 'Europe/Amsterdam',
  currency: 'EUR' as const,
  now: new Date('2026-11-21T09:00:00Z'),
};
const business = {
  rating: { count: 0, averageTenths: null },
  id: 'b',
  name: 'Kopi & Crumb',
  status: 'draft',
  category: 'hospitality',
  area: 'Jordaan',
  lat: 52.379,
  lng: 4.882,
  privateAddress: false,
  logo: null,
} as Business;
const night: JobForm = {
  ...emptyJobForm(),
  title: 'Night baker',
  category: 'hospitality',
  day: '2026-11-28',
  from: '22:00',
  to: '06:00',
  breakMinutes: '30',
  pay: '18',
  headCount: '2',
};
const show = (ui: React.ReactNode) =>
  render(
    <I18nProvider i18n={i18n}>
      <MemoryRouter>{ui}</MemoryRouter>
    </I18nProvider>,
  );
const timeFields = (form: JobForm, hired = 0) => (
  <JobTimeFields
    form={form}
    onChange={() => {}}
    errors={{}}
    idOf={(field) => `t-${field}`}
    business={business}
    setting={{ ...setting, country: 'NL' }}
    hired={hired}
  />
);

beforeAll(() => {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});
beforeEach(() => vi.stubGlobal('navigator', { ...navigator, languages: ['en-IE'] }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('time and pay', () => {
  it('shows the length of a shift past midnight, and the time zone', () => {
    const { container } = show(timeFields(night));
    expect(container.textContent).toContain('8\u00a0h, 7\u00a0h\u00a030\u00a0min paid.');
    expect(container.textContent).toMatch(/Ends on Sun,?\s29\sNov(\s2026)?\./);
    expect(container.textContent).toContain('Amsterdam time.');
  });

  it('asks for a last day instead of hours for a task', () => {
    show(timeFields({ ...night, kind: 'task' }));
    expect(screen.getByLabelText(/Due by/)).toBeTruthy();
    expect(screen.getByLabelText('Fixed price')).toBeTruthy();
    expect(screen.queryByLabelText('From')).toBeNull();
  });

  it('warns below the minimum wage and asks for a reason at the field', () => {
    show(timeFields({ ...night, pay: '14.70' }));
    expect(screen.getByText('This is below the minimum wage of €14.71 an hour.')).toBeTruthy();
    expect(screen.getByLabelText('Why is the pay lower?')).toBeTruthy();
    cleanup();
    show(timeFields({ ...night, pay: '14.71' }));
    expect(screen.queryByText(/minimum wage/)).toBeNull();
  });

  it('reports an error at its own field, and a question only once', () => {
    show(
      <>
        <ErrorSummary
          errors={[
            { id: 't-breakMinutes', text: "The break can't be that long." },
            { id: 't-payReason', text: 'Say why the pay is below the minimum wage.' },
          ]}
        />
        {timeFields({ ...night, day: '2026-10-25', from: '02:45', to: '03:45', pay: '14' })}
      </>,
    );
    expect(screen.getByText('Start: 02:45 comes twice that night')).toBeTruthy();
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      "The break can't be that long.",
      'Say why the pay is below the minimum wage.',
    ]);
  });

  it('rejects a head count below the number of hires', () => {
    show(timeFields(night, 2));
    expect(screen.getByRole('button', { name: 'Less' }).hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('2 hired already.')).toBeTruthy();
  });
});

describe('what it costs', () => {
  const props = { form: night, setting, business, job: null };

  it("shows pay, fee and the workers' fee once hours and pay are entered", () => {
    const { container } = show(<CostCard {...props} />);
    expect(container.textContent).toContain('€297');
    expect(container.textContent).toContain('2 people, 7\u00a0h\u00a030\u00a0min at €18');
    expect(container.textContent).toContain('€270');
    expect(container.textContent).toContain('€27');
    expect(container.textContent).toContain('Workers pay no fee');
    expect(container.textContent).toContain('Publishing is free.');
  });

  it('shows the number of shifts in its sum', () => {
    const { container } = show(<CostCard {...props} shifts={5} />);
    expect(container.textContent).toContain('min at €18 × 5');
    expect(container.textContent).toContain('€1,350');
  });

  it('shows nothing before that', () => {
    const { container } = show(<CostCard {...props} form={{ ...night, pay: 'x' }} />);
    expect(container.textContent).toContain('Fill in the hours and the pay');
    expect(container.textContent).not.toContain('€');
  });

  it('shows the card as workers will see it, without keyboard focus', () => {
    const { container } = show(<JobPreview {...props} />);
    expect(container.querySelector('[inert] .job')?.textContent).toContain('€135');
    expect(container.querySelector('[inert] .job')?.textContent).toContain('Night baker');
  });
});
