import { act, cleanup, fireEvent, renderHook, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { summaryOf, useFormModel } from './form-model.ts';
import { afterPress } from './guard-double-click.ts';

type Values = { name: string; phone: string; skills: string[] };
const check = ({ name }: Values) => (name.trim() === '' ? { name: 'Enter a name.' } : {});
const empty: Values = { name: '', phone: '', skills: [] };
const open = () => renderHook(() => useFormModel<Values>({ start: () => empty, check })).result;

const openStored = (first: Values = empty) =>
  renderHook(() => {
    const [value, set] = useState(first);
    return { kept: value, keep: set, form: useFormModel<Values>({ draft: { value, set }, check }) };
  }).result;

function slowly() {
  let finish: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const send = vi.fn(
    () =>
      new Promise<void>((resolve, reject) => {
        finish = resolve;
        fail = reject;
      }),
  );
  return {
    send,
    finish: () => act(async () => finish()),
    fail: (error: unknown) => act(async () => fail(error)),
  };
}

afterEach(cleanup);

describe('a form', () => {
  it('sends nothing while a rule is broken, and shows where', async () => {
    const form = open();
    const send = vi.fn(async () => undefined);
    await act(() => form.current.submit(send));
    expect(send).not.toHaveBeenCalled();
    expect(form.current.problems).toEqual({ name: 'Enter a name.' });
    expect(form.current.tries).toBe(1);
  });

  it('clears a problem once its field changes, and sends the typed values', async () => {
    const form = open();
    const send = vi.fn(async () => undefined);
    await act(() => form.current.submit(send));
    act(() => form.current.change({ name: 'Kopi', skills: ['barista'] }));
    expect(form.current.problems).toEqual({});
    await act(() => form.current.submit(send));
    expect(send).toHaveBeenCalledWith({ name: 'Kopi', phone: '', skills: ['barista'] });
  });

  it('is busy while it sends, and shows the response at the field and above the form', async () => {
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

  it('sends once on repeated submits before the response', async () => {
    const form = open();
    const { send, finish } = slowly();
    act(() => form.current.change({ name: 'Kopi' }));
    await act(async () => {
      void form.current.submit(send);
      void form.current.submit(send);
    });
    await act(() => form.current.submit(send));
    expect(send).toHaveBeenCalledTimes(1);
    await finish();
    await act(async () => void form.current.submit(send));
    expect(send).toHaveBeenCalledTimes(2);
    await finish();
  });

  it('can be sent again after an attempt that threw', async () => {
    const form = open();
    const { send, fail } = slowly();
    act(() => form.current.change({ name: 'Kopi' }));
    let first: Promise<unknown> = Promise.resolve();
    await act(async () => {
      first = form.current.submit(send).catch((error: unknown) => error);
    });
    await fail(new Error('gone'));
    expect(await first).toEqual(new Error('gone'));
    expect(form.current.busy).toBe(false);
    await act(() => form.current.submit(async () => undefined));
    expect(form.current.tries).toBe(2);
    expect(form.current.values.name).toBe('Kopi');
  });

  it('starts without problems after a successful send emptied it', async () => {
    const form = open();
    act(() => form.current.change({ name: 'Kopi' }));
    await act(() => form.current.submit(async () => form.current.reset(empty)));
    expect(form.current.values.name).toBe('');
    expect(form.current.problems).toEqual({});
    expect(form.current.tries).toBe(0);
  });

  it('keeps a server rejection until that field changes or it is sent again', async () => {
    const form = open();
    act(() => form.current.change({ name: 'Kopi' }));
    await act(() =>
      form.current.submit(async () => form.current.refuse({ fields: { phone: 'Check it.' }, text: 'No.' })),
    );
    act(() => form.current.change({ name: 'Crumb' }));
    expect(form.current.problems).toEqual({ phone: 'Check it.' });
    act(() => form.current.change({ phone: '2' }));
    expect(form.current.problems).toEqual({});
    await act(() => form.current.submit(async () => undefined));
    expect(form.current.refusal).toBeNull();
  });

  it('passes the problems to the caller instead of sending', async () => {
    const form = open();
    const send = vi.fn(async () => undefined);
    const onProblems = vi.fn();
    await act(() => form.current.submit(send, onProblems));
    expect(onProblems).toHaveBeenCalledWith({ name: 'Enter a name.' });
    expect(send).not.toHaveBeenCalled();
  });
});

describe('a form in steps', () => {
  it('shows the problems of the verified fields only', () => {
    const form = renderHook(() =>
      useFormModel<Values>({
        start: () => empty,
        check: ({ name, phone }) => ({
          ...(name ? {} : { name: 'Enter a name.' }),
          ...(phone ? {} : { phone: 'Enter a phone number.' }),
        }),
      }),
    ).result;
    let passed = true;
    act(() => {
      passed = form.current.verify(['phone']);
    });
    expect(passed).toBe(false);
    expect(form.current.problems).toEqual({ phone: 'Enter a phone number.' });
    expect(form.current.tries).toBe(1);
    act(() => form.current.change({ phone: '1' }));
    expect(form.current.problems).toEqual({});
    act(() => {
      passed = form.current.verify(['phone']);
    });
    expect(passed).toBe(true);
  });
});

describe('a form over a draft', () => {
  it('starts from the draft and reports each change with all typed values', () => {
    const both = openStored({ ...empty, name: 'Kopi' });
    expect(both.current.form.values.name).toBe('Kopi');
    act(() => both.current.form.change({ phone: '1' }));
    expect(both.current.kept).toEqual({ name: 'Kopi', phone: '1', skills: [] });
    act(() => both.current.form.change({ skills: ['barista'] }));
    expect(both.current.kept).toEqual({ name: 'Kopi', phone: '1', skills: ['barista'] });
    expect(both.current.form.values).toEqual(both.current.kept);
  });

  it('adopts changes from elsewhere, even while sending', async () => {
    const both = openStored({ ...empty, name: 'Kopi' });
    const { send, finish } = slowly();
    await act(async () => void both.current.form.submit(send));
    act(() => both.current.keep((before) => ({ ...before, phone: '9' })));
    expect(both.current.form.values).toEqual({ ...empty, name: 'Kopi', phone: '9' });
    expect(both.current.form.busy).toBe(true);
    await finish();
    const again = vi.fn(async () => undefined);
    await act(() => both.current.form.submit(again));
    expect(again).toHaveBeenCalledWith({ ...empty, name: 'Kopi', phone: '9' });
  });

  it('empties the draft with the form', () => {
    const both = openStored({ ...empty, name: 'Kopi' });
    act(() => both.current.form.reset(empty));
    expect(both.current.kept).toEqual(empty);
    expect(both.current.form.values).toEqual(empty);
  });
});

describe('the summary', () => {
  it('lists problems in page order', () => {
    expect(
      summaryOf(['name', 'phone'], { phone: 'Check it.', name: 'Enter one.' }, (field) => `f-${field}`),
    ).toEqual([
      { id: 'f-name', text: 'Enter one.' },
      { id: 'f-phone', text: 'Check it.' },
    ]);
  });
});

describe('afterPress', () => {
  it('lets a button that is being pressed keep its place until it is released', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const act = vi.fn();
    afterPress(act);
    expect(act).toHaveBeenCalledTimes(1);
    fireEvent.mouseDown(document.body);
    afterPress(act);
    expect(act).toHaveBeenCalledTimes(1);
    fireEvent.mouseUp(document.body);
    vi.runAllTimers();
    expect(act).toHaveBeenCalledTimes(2);
  });
});
