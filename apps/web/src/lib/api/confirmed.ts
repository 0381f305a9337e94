import { createStore } from '../store.ts';
import { ApiError, isApiError } from './api-error.ts';
import { AuthError } from './auth-provider.ts';

type Answer = (proved: boolean) => void;

const pending = createStore<Answer | null>(null);

/** The pending identity check, for the sheet that asks for proof (`ConfirmIdentityHost`). */
export const proofQuestion = {
  useIsOpen: (): boolean => pending.useValue() !== null,
  answer(proved: boolean): void {
    const answer = pending.get();
    pending.set(null);
    answer?.(proved);
  },
};

const askForProof = (): Promise<boolean> =>
  new Promise((resolve) => {
    pending.get()?.(false);
    pending.set(resolve);
  });

const needsProof = (failure: unknown): boolean =>
  isApiError(failure, 'session/password-required') ||
  (failure instanceof AuthError && failure.code === 'auth/requires-recent-login');

/**
 * Asks for the password or a passkey if the call needs recent proof.
 * @throws ApiError `session/password-required`
 */
export const withRecentProof =
  <Input, Output>(call: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output> => {
    try {
      return await call(input);
    } catch (failure) {
      if (!needsProof(failure)) throw failure;
      if (!(await askForProof())) throw new ApiError('session/password-required');
      return call(input);
    }
  };
