import { createHash } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import { ProviderRefused } from '../../platform/payment-provider.ts';

/**
 * A key for a call to the provider that is made before anything is written: the same for a repeat of the same wish, so that a lost answer costs nothing, and
 * nothing of the wish can be read from it.
 */
export const wishKey = (purpose: string, ...wish: readonly string[]): string =>
  `${purpose}/${createHash('sha256').update(JSON.stringify(wish)).digest('hex')}`;

/**
 * A call to the provider for which somebody waits.
 * @throws payment/provider-unavailable where it did not come about; what the provider refuses stays a `ProviderRefused`
 */
export async function asking<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderRefused) throw error;
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}
