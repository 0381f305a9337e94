import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useRecordForm } from './record-form.ts';

const start = { form: { name: 'Kopi', phone: '1' }, version: 1 };
const newest = { form: { name: 'Kopi', phone: '2' }, version: 2 };

afterEach(cleanup);

function conflicted() {
  const { result } = renderHook(() => useRecordForm(start, () => ({})));
  act(() => result.current.change({ name: 'Kopi & Crumb' }));
  act(() => result.current.meet(newest));
  return result;
}

describe('an edit that someone else overtook', () => {
  it('keeps local edits until the user decides', () => {
    const edit = conflicted();
    expect(edit.current.conflict).toMatchObject({ theirs: ['phone'], both: [] });
    expect(edit.current.values).toEqual({ name: 'Kopi & Crumb', phone: '1' });
  });

  it('merges both on the newest version', () => {
    const edit = conflicted();
    act(() => edit.current.saveTyped());
    expect(edit.current.values).toEqual({ name: 'Kopi & Crumb', phone: '2' });
    expect(edit.current.base.version).toBe(2);
    expect(edit.current.dirty).toBe(true);
    expect(edit.current.conflict).toBeNull();
  });

  it('adopts only the newest', () => {
    const edit = conflicted();
    act(() => edit.current.takeNewest());
    expect(edit.current.values).toEqual(newest.form);
    expect(edit.current.dirty).toBe(false);
  });
});
