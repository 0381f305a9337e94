import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { summaryOf, useFormModel } from './form-model.ts';

type Values = { name: string; phone: string; skills: string[] };
const check = ({ name }: Values) => (name.trim() === '' ? { name: 'Enter a name.' } : {});
const open = (onChange?: (values: Values) => void) =>
  renderHook(() =>
    useFormModel<Values>({
      start: () => ({ name: '', phone: '', skills: [] }),
      check,
      ...(onChange ? { onChange } : {}),
    }),
  ).result;

afterEach(cleanup);

describe('a form', () => {
  it('sends nothing while a rule is broken, and says where', async () => {
    const form = open();
    const send = vi.fn(async () => undefined);
    await act(() => form.current.submit(send));
    expect(send).not.toHaveBeenCalled();
    expect(form.current.problems).toEqual({ name: 'Enter a name.' });
    expect(form.current.tries).toBe(1);
  });

  it('drops a problem once its field changes, and sends what was typed', async () => {
    const form = open();
    const send = vi.fn(async () => undefined);
    await act(() => form.current.submit(send));
    act(() => form.current.change({ name: 'Kopi', skills: ['barista'] }));
    expect(form.current.problems).toEqual({});
    await act(() => form.current.submit(send));
    expect(send).toHaveBeenCalledWith({ name: 'Kopi', phone: '', skills: ['barista'] });
  });

  it('is busy while it sends, and shows the answer at the field and above the form', async () => {
    const form = open();
    act(() => form.current.change({ name: 'Kopi' }));
    let finish = () => {};
    const sent = new Promise<void>((resolve) => {
      finish = resolve;
    });
    act(() => void form.current.submit(() => sent));
    await waitFor(() => expect(form.current.busy).toBe(true));
    await act(async () => finish());
    act(() => form.current.refuse({ fields: { phone: 'Check the number.' }, text: 'It was refused.' }));
    expect(form.current.problems).toEqual({ phone: 'Check the number.' });
    expect(form.current.refusal).toBe('It was refused.');
    expect(form.current.busy).toBe(false);
  });

  it('reports each change with all that is typed', () => {
    const onChange = vi.fn();
    const form = open(onChange);
    act(() => form.current.change({ phone: '1' }));
    expect(onChange).toHaveBeenLastCalledWith({ name: '', phone: '1', skills: [] });
    expect(form.current.values.phone).toBe('1');
  });

  it('sums problems up in the order of the page', () => {
    expect(
      summaryOf(['name', 'phone'], { phone: 'Check it.', name: 'Enter one.' }, (field) => `f-${field}`),
    ).toEqual([
      { id: 'f-name', text: 'Enter one.' },
      { id: 'f-phone', text: 'Check it.' },
    ]);
  });
});
