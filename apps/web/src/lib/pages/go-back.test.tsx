import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { BrowserRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canGoBack, historyIndex, useGoBack } from './go-back.ts';

let navigate: ReturnType<typeof useNavigate>;

function Page() {
  const { pathname, state } = useLocation();
  navigate = useNavigate();
  const goBack = useGoBack('/jobs?open=1');
  return (
    <button type="button" onClick={goBack}>
      {pathname} {JSON.stringify(state)}
    </button>
  );
}

const press = () => act(() => void fireEvent.click(screen.getByRole('button')));

beforeEach(() => history.replaceState(null, '', '/record'));
afterEach(cleanup);

describe('going back', () => {
  const open = () =>
    render(
      <BrowserRouter useTransitions={false}>
        <Page />
      </BrowserRouter>,
    );

  it('returns to the page before', () => {
    open();
    act(() => void navigate('/detail'));
    expect([historyIndex(), canGoBack()]).toEqual([1, true]);
    press();
    expect([location.pathname, historyIndex(), canGoBack()]).toEqual(['/record', 0, false]);
  });

  it('replaces the first page of a visit by its parent, as a step back, and adds no history', () => {
    open();
    const { length } = history;
    press();
    expect(location.pathname + location.search).toBe('/jobs?open=1');
    expect(screen.getByRole('button').textContent).toContain('{"motion":"back"}');
    expect([historyIndex(), history.length]).toEqual([0, length]);
  });

  it('counts from the first page in the app', () => {
    history.pushState({ usr: null, key: 'later', idx: 4 }, '', '/reloaded');
    open();
    expect([historyIndex(), canGoBack()]).toEqual([4, true]);
  });
});

it('has no index when another page wrote the history', () => {
  history.replaceState({ idx: 'one' }, '', '/other');
  expect([historyIndex(), canGoBack()]).toEqual([undefined, false]);
});
