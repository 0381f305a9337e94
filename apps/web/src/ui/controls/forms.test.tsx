import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Check, CheckGroup, RadioGroup, Stepper } from './choices.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { PasswordInput, TextArea, TextInput } from './inputs.tsx';
import { Segmented } from './segmented.tsx';
import { Select } from './select.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);
const show = (part: ReactNode) => render(<I18nProvider i18n={i18n}>{part}</I18nProvider>);

function Sides() {
  const [value, setValue] = useState<'work' | 'hire'>('work');
  return (
    <Segmented
      label="Side"
      value={value}
      onChange={setValue}
      options={[
        { value: 'work', label: 'Work' },
        { value: 'hire', label: 'Hire' },
      ]}
    />
  );
}

const tooShort = 'The password must be 6 characters long or more.';

describe('fields', () => {
  it('show their limit before the browser truncates text', () => {
    const field = (value: string, maxLength: number) => (
      <TextInput label="Title" value={value} maxLength={maxLength} onChange={() => {}} />
    );
    show(field('x'.repeat(80), 80));
    expect(screen.getByText('80 of 80')).toBeTruthy();
    cleanup();
    show(field('x'.repeat(60), 80));
    expect(screen.queryByText(/ of 80/)).toBeNull();
    cleanup();
    show(field('123456', 6));
    expect(screen.queryByText(/ of 6/)).toBeNull();
  });

  it('are found by label and described by their help, then by their error', () => {
    const { rerender } = show(<TextInput label="Email" help="We write only when needed." />);
    const input = screen.getByLabelText('Email');
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'We write only when needed.',
    );
    rerender(
      <I18nProvider i18n={i18n}>
        <TextInput label="Email" help="We write only when needed." error="Enter your email address." />
      </I18nProvider>,
    );
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Enter your email address.',
    );
  });

  it('a password can be revealed and keeps its autofill', () => {
    show(<PasswordInput label="Password" autoComplete="current-password" error={tooShort} />);
    const input = screen.getByLabelText('Password');
    expect(input.getAttribute('type')).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input.getAttribute('type')).toBe('text');
    expect(input.getAttribute('autocomplete')).toBe('current-password');
    expect(screen.getByText(tooShort)).toBeDefined();
  });

  it('long text counts without truncating input', () => {
    show(<TextArea label="Note" maxLength={600} length={104} />);
    expect(screen.getByText('104 of 600')).toBeDefined();
    expect(screen.getByLabelText('Note').hasAttribute('maxlength')).toBe(false);
  });

  it('a select has its empty first option', () => {
    show(<Select label="Category" placeholder="Choose one" options={[{ value: 'a', label: 'A' }]} />);
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Choose one', 'A']);
  });

  it('the summary names a field whose error does not', () => {
    show(
      <>
        <ErrorSummary
          errors={[
            { id: 'people', text: 'Enter a whole number from 1 to 500.' },
            { id: 'pay', text: 'Enter the pay.' },
          ]}
        />
        <TextInput id="people" label="People" optional />
        <TextInput id="pay" label="Pay" />
      </>,
    );
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'People: Enter a whole number from 1 to 500.',
      'Enter the pay.',
    ]);
  });

  it('the summary gets the focus and links to the field', () => {
    show(
      <>
        <ErrorSummary
          errors={[
            { id: 'pay', text: 'Enter the pay.' },
            { id: 'day', text: 'Pick a day.' },
          ]}
        />
        <TextInput id="pay" label="Pay" error="Enter the pay." />
        <TextInput id="day" label="Day" error="Pick a day." />
      </>,
    );
    expect(document.activeElement).toBe(screen.getByRole('alert'));
    fireEvent.click(screen.getByRole('link', { name: 'Enter the pay.' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Pay'));
  });

  it('the summary leaves the focus where it is when one of several errors is fixed', () => {
    const form = (errors: { id: string; text: string }[]) => (
      <I18nProvider i18n={i18n}>
        <ErrorSummary errors={errors} />
        <TextInput id="pay" label="Pay" error="Enter the pay." />
        <TextInput id="day" label="Day" />
      </I18nProvider>
    );
    const pay = { id: 'pay', text: 'Enter the pay.' };
    const { rerender } = render(form([pay, { id: 'day', text: 'Pick a day.' }]));
    screen.getByLabelText('Day').focus();
    rerender(form([pay]));
    expect(document.activeElement).toBe(screen.getByLabelText('Day'));
  });
});

describe('choices', () => {
  it('one of a few', () => {
    const choose = vi.fn();
    show(
      <RadioGroup
        legend="How well?"
        value="a"
        onChange={choose}
        options={[
          { value: 'a', label: 'A little' },
          { value: 'b', label: 'Fluent' },
        ]}
      />,
    );
    expect((screen.getByRole('radio', { name: 'A little' }) as HTMLInputElement).checked).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: 'Fluent' }));
    expect(choose).toHaveBeenCalledWith('b');
  });

  it('any of a few', () => {
    const choose = vi.fn();
    const options = ['a', 'b'].map((value) => ({ value, label: value.toUpperCase() }));
    show(<CheckGroup legend="Which?" value={['a']} onChange={choose} options={options} />);
    fireEvent.click(screen.getByRole('checkbox', { name: 'B' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'A' }));
    expect(choose.mock.calls).toEqual([[['a', 'b']], [[]]]);
  });

  it('an agreement shows its error', () => {
    show(<Check label="I agree" error="Agree to go on." />);
    const box = screen.getByRole('checkbox', { name: 'I agree' });
    expect(document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Agree to go on.',
    );
  });

  it('a number stays within its bounds for any input', () => {
    const set = vi.fn();
    show(<Stepper label="Spots" value="1" min={1} max={5} onChange={set} />);
    expect((screen.getByRole('button', { name: 'Less' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    for (const typed of ['99', ''])
      fireEvent.change(screen.getByLabelText('Spots'), { target: { value: typed } });
    expect(set.mock.calls.map(([value]) => value)).toEqual(['2', '99', '']);
  });

  it.each(['0', '6', '2.5', '10,000', 'x', '-3'])(
    'a stepper keeps the text and shows why %s is wrong',
    (typed) => {
      const set = vi.fn();
      show(<Stepper label="Spots" value={typed} min={1} max={5} onChange={set} />);
      const field = screen.getByLabelText<HTMLInputElement>('Spots');
      expect(field.value).toBe(typed);
      expect(field.getAttribute('aria-invalid')).toBe('true');
      expect(screen.getByText('Enter a whole number from 1 to 5.')).toBeTruthy();
      fireEvent.click(screen.getByRole('button', { name: 'More' }));
      expect(set).toHaveBeenCalledWith('1');
    },
  );

  it.each([
    ['ltr', 'ArrowLeft'],
    ['rtl', 'ArrowRight'],
  ] as const)('segments move back by the arrow that points back, %s', (direction, key) => {
    const choose = vi.fn();
    const options = (['day', 'week', 'month'] as const).map((value) => ({ value, label: value }));
    show(
      <div style={{ direction }}>
        <Segmented label="View" value="month" onChange={choose} options={options} />
      </div>,
    );
    fireEvent.keyDown(screen.getByRole('radiogroup'), { key });
    expect(choose.mock.calls).toEqual([['week']]);
  });

  it('segments move by arrow keys', () => {
    show(<Sides />);
    fireEvent.keyDown(screen.getByRole('radiogroup', { name: 'Side' }), { key: 'ArrowRight' });
    const hire = screen.getByRole('radio', { name: 'Hire' });
    expect(hire.getAttribute('aria-checked')).toBe('true');
    expect(document.activeElement).toBe(hire);
    expect(screen.getByRole('radio', { name: 'Work' }).getAttribute('tabindex')).toBe('-1');
  });
});
