import { createHash } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import { ProviderRefused } from '../../platform/payment-provider.ts';

/** An idempotency key for a provider call made before anything is stored: equal for equal requests, without revealing them. */
export const requestKey = (purpose: string, ...request: readonly string[]): string =>
  `${purpose}/${createHash('sha256').update(JSON.stringify(request)).digest('hex')}`;

/**
 * A provider call that a person is waiting for.
 * @throws payment/provider-unavailable where it did not come about; what the provider refuses stays a `ProviderRefused` /
 */
export async function asking<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderRefused) throw error;
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}
