import type { AuthCode } from '@nearhand/contract/people/auth-codes';
import type {
  CreationOptions,
  NewPasskeyAnswer,
  PasskeyAnswer,
  RequestOptions,
} from '@nearhand/contract/people/passkeys';
import { AuthError } from '../api/auth-provider.ts';

const codes: Record<string, AuthCode> = {
  AbortError: 'auth/redirect-cancelled-by-user',
  // The person cancelled or took too long; browsers don't distinguish the two.
  NotAllowedError: 'auth/redirect-cancelled-by-user',
  InvalidStateError: 'auth/provider-already-linked',
  SecurityError: 'auth/unauthorized-domain',
};

async function withLibrary<Answer>(
  work: (library: typeof import('@simplewebauthn/browser')) => Promise<Answer>,
): Promise<Answer> {
  const library = await import('@simplewebauthn/browser').catch((failure: unknown) => {
    throw new AuthError('auth/network-request-failed', failure);
  });
  try {
    return await work(library);
  } catch (failure) {
    const name = failure instanceof Error ? failure.name : '';
    throw new AuthError(codes[name] ?? 'auth/operation-not-supported-in-this-environment', failure);
  }
}

/**
 * Creates a passkey on this device or on one nearby.
 * @throws AuthError
 */
export const createPasskey = (optionsJSON: CreationOptions): Promise<NewPasskeyAnswer> =>
  withLibrary(async ({ startRegistration }) => {
    const { id, rawId, response } = await startRegistration({ optionsJSON: optionsJSON as never });
    const { clientDataJSON, attestationObject, transports } = response;
    return {
      id,
      rawId,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) },
    };
  });

/**
 * Signs with a passkey that the person chooses.
 * @throws AuthError
 */
export const signWithPasskey = (optionsJSON: RequestOptions): Promise<PasskeyAnswer> =>
  withLibrary(async ({ startAuthentication }) => {
    const { id, rawId, response } = await startAuthentication({ optionsJSON: optionsJSON as never });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return {
      id,
      rawId,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) },
    };
  });
