import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from './session.ts';

const user = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };

afterEach(() => session.clear());

describe('session', () => {
  it("is stored under the specification's keys and leaves nothing behind", () => {
    session.start({ user, accessToken: 'token' });
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user);
    expect(localStorage.getItem('access-token')).toBe('token');
    session.clear();
    expect(localStorage.getItem('user')).toBeNull();
    expect(localStorage.getItem('access-token')).toBeNull();
    expect(session.user()).toBeNull();
    expect(session.accessToken()).toBeNull();
  });

  it('marks a browser only with a verified user, for public job pages', () => {
    const written = vi.spyOn(document, 'cookie', 'set');
    session.start({ user, accessToken: 'token' });
    expect(written).toHaveBeenLastCalledWith('nearhand-signed-in=1; path=/j; max-age=5184000; samesite=lax');
    session.update({ user: { ...user, emailVerified: false } });
    expect(written).toHaveBeenLastCalledWith(expect.stringContaining('max-age=0'));
    session.update({ user });
    session.clear();
    expect(written).toHaveBeenLastCalledWith(expect.stringContaining('max-age=0'));
    written.mockRestore();
  });

  it('notifies its listeners once per change', () => {
    const received = vi.fn();
    const stop = session.subscribe(received);
    session.start({ user, accessToken: 'token' });
    session.update({ user: { ...user, emailVerified: true }, accessToken: 'newer' });
    stop();
    session.clear();
    expect(received).toHaveBeenCalledTimes(2);
  });

  it('follows another tab that signs out', () => {
    session.start({ user, accessToken: 'token' });
    localStorage.removeItem('user');
    window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
    expect(session.user()).toBeNull();
    expect(session.accessToken()).toBeNull();
  });

  it('treats damaged storage as signed out', () => {
    for (const damaged of ['{', '[]', '{"id":1}', 'null', '"x"']) {
      localStorage.setItem('user', damaged);
      window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
      expect(session.user()).toBeNull();
    }
  });
});
