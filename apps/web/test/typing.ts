import { act, fireEvent, screen } from '@testing-library/react';

export const field = (label: string | RegExp): HTMLInputElement =>
  screen.getByLabelText<HTMLInputElement>(label);

export const type = (label: string | RegExp, text: string): void => {
  fireEvent.change(field(label), { target: { value: text } });
};

/** The error at a field, as a screen reader finds it; null if there is none. */
export function problemAt(label: string | RegExp): string | null {
  const control = field(label);
  if (control.getAttribute('aria-invalid') !== 'true') return null;
  const note = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  return note?.textContent ?? '';
}

/** Returns whether Enter in a field submits its form in a browser, which a disabled submit button prevents. */
export function enterSubmits(label: string | RegExp): boolean {
  const { form } = field(label);
  if (!form) throw new Error(`no form around ${label}`);
  return form.querySelector<HTMLButtonElement>('button[type="submit"]')?.disabled !== true;
}

/** Presses Enter in a field: submits the form as browsers do, even while its button is rendered as busy. */
export async function pressEnter(label: string | RegExp): Promise<void> {
  if (!enterSubmits(label)) return;
  await act(async () => {
    fireEvent.submit(field(label).form as HTMLFormElement);
  });
}

export async function pressTwice(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => {
    fireEvent.click(button);
    fireEvent.click(button);
  });
}

export function later<Answer>() {
  let give: (answer: Answer) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    give = resolve;
    fail = reject;
  });
  return {
    answer,
    give: (value: Answer) => act(async () => give(value)),
    fail: (error: unknown) => act(async () => fail(error)),
  };
}
