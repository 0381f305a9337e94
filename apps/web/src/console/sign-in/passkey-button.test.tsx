import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { Handlers } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { consoleAuth } from '../console-auth.ts';
import { ConfirmForm } from './code-form.tsx';
import { PasskeyButton, unlessCancelled } from './passkey-button.tsx';

const part = () => new Uint8Array([0, 1, 2]).buffer;
const signed = () =>
  Promise.resolve({
    id: 'AAEC',
    rawId: part(),
    type: 'public-key',
    getClientExtensionResults: () => ({}),
    response: { clientDataJSON: part(), authenticatorData: part(), signature: part(), userHandle: null },
  });

function browserWith(get: () => Promise<unknown>): void {
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('isSecureContext', true);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
}

const server: Handlers = {
  'passkeys.startConfirming': {
    challenge: 'AAAA',
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required' as const,
    allowCredentials: [],
  },
  'passkeys.confirm': null,
};
const door = (factors: readonly ('code' | 'passkey')[] = ['passkey'], api: Handlers = server) =>
  renderPart(<ConfirmForm again={false} email="jonas@nearhand.example" factors={factors} />, {
    session: 'worker',
    api,
  });
const button = () => screen.findByRole('button', { name: 'Use a passkey' });

let renewed: MockInstance<typeof consoleAuth.renew>;
beforeEach(() => {
  browserWith(signed);
  renewed = vi.spyOn(consoleAuth, 'renew').mockResolvedValue('renewed');
});
afterEach(() => {
  vi.unstubAllGlobals();
  renewed.mockRestore();
  Reflect.deleteProperty(navigator, 'credentials');
});

describe('the passkey button at the door', () => {
  it('confirms with a signature, and takes a new token', async () => {
    const { api } = door();
    (await button()).click();
    await waitFor(() => expect(api.calls('passkeys.confirm')).toHaveLength(1));
    expect(api.calls('passkeys.confirm')[0]?.input).toMatchObject({
      answer: { id: 'AAEC', type: 'public-key', response: { signature: 'AAEC' } },
    });
    await waitFor(() => expect(renewed).toHaveBeenCalled());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows nothing if the user stops, and what went wrong otherwise', async () => {
    browserWith(() => Promise.reject(new DOMException('Stopped', 'NotAllowedError')));
    const { api } = door();
    (await button()).click();
    await waitFor(() => expect(api.calls('passkeys.startConfirming')).toHaveLength(1));
    await waitFor(async () => expect((await button()).getAttribute('aria-busy')).not.toBe('true'));
    expect(screen.queryByRole('alert')).toBeNull();
    browserWith(() => Promise.reject(new DOMException('Elsewhere', 'SecurityError')));
    (await button()).click();
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(api.calls('passkeys.confirm')).toEqual([]);
    expect(renewed).not.toHaveBeenCalled();
  });

  it('appears next to the code, and is missing in a browser without passkeys, with a note if it is the only way', async () => {
    door(['code', 'passkey']);
    await button();
    await screen.findByRole('textbox', { name: 'Code' });
    vi.stubGlobal('PublicKeyCredential', undefined);
    const { unmount } = renderPart(<PasskeyButton action="Sign" busy={false} onUse={() => {}} />);
    expect(screen.queryByRole('button', { name: 'Sign' })).toBeNull();
    unmount();
    door();
    await screen.findByText(/This browser can't use your passkey here/);
  });
});

describe('unlessCancelled', () => {
  it('returns false for a user who stopped, and passes on any other failure', async () => {
    expect(await unlessCancelled(async () => {})).toBe(true);
    const stopped = new AuthError('auth/redirect-cancelled-by-user');
    expect(await unlessCancelled(() => Promise.reject(stopped))).toBe(false);
    const broken = new AuthError('auth/network-request-failed');
    await expect(unlessCancelled(() => Promise.reject(broken))).rejects.toBe(broken);
  });
});
