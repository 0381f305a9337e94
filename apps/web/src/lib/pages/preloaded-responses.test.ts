// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstAnswer, readFirstAnswersAgain } from '../api/client/api-link.ts';

function sent(answers: Record<string, unknown>, at = Date.now()): void {
  document.body.innerHTML = `<script type="application/json" id="answers">${JSON.stringify({ at, answers })}</script>`;
  readFirstAnswersAgain();
}
const call = (path: string, init?: RequestInit) =>
  firstAnswer(new Request(new URL(path, location.href), init));

describe('an answer that came with the page', () => {
  // Test files share a process whose clock keeps running; a page's clock starts when the page opens.
  const sinceOpened = vi.spyOn(performance, 'now');
  beforeEach(() => void sinceOpened.mockReturnValue(1_000));
  afterEach(() => {
    document.body.innerHTML = '';
    readFirstAnswersAgain();
  });

  it('is used once, for any order of parameters', async () => {
    sent({ '/api/jobs/nearby?lat=1&lng=2': { items: [] } });
    expect(call('/api/jobs/nearby?lat=1&lng=3')).toBeNull();
    expect(await call('/api/jobs/nearby?lng=2&lat=1')?.json()).toEqual({ items: [] });
    expect(call('/api/jobs/nearby?lat=1&lng=2')).toBeNull();
  });

  it('applies to a guest’s reads only', () => {
    sent({ '/api/settings': {} });
    expect(call('/api/settings', { headers: { authorization: 'Bearer x' } })).toBeNull();
    expect(call('/api/settings', { method: 'POST' })).toBeNull();
    expect(call('/api/settings')).not.toBeNull();
  });

  it('is unused on a page that the browser kept for over a minute', () => {
    sent({ '/api/settings': {} }, Date.now() - 61_000);
    expect(call('/api/settings')).toBeNull();
  });

  it('is unused on a page that has been open for over a minute', () => {
    sent({ '/api/settings': {} });
    sinceOpened.mockReturnValue(61_000);
    expect(call('/api/settings')).toBeNull();
  });

  it('is missing in a page without responses', () => {
    readFirstAnswersAgain();
    expect(call('/api/settings')).toBeNull();
  });
});
