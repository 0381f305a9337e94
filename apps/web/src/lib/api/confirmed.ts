import { ApiError, isApiError } from './api-error.ts';
import { AuthError } from './auth-provider.ts';

type Answer = (proved: boolean) => void;

let pending: Answer | null = null;
const listeners = new Set<() => void>();

function set(answer: Answer | null): void {
  pending = answer;
  for (const listener of [...listeners]) listener();
}

/** The pending identity check, for the sheet that asks for proof (`ProofHost`). */
export const proofQuestion = {
  isOpen: (): boolean => pending !== null,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  answer(proved: boolean): void {
    const current = pending;
    set(null);
    current?.(proved);
  },
};

const askForProof = (): Promise<boolean> =>
  new Promise((resolve) => {
    pending?.(false);
    set(resolve);
  });

const needsProof = (failure: unknown): boolean =>
  isApiError(failure, 'session/password-required') ||
  (failure instanceof AuthError && failure.code === 'auth/requires-recent-login');

/** Asks for the password or a passkey if the call needs recent proof. @throws ApiError `session/password-required` */
export const confirmed =
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
