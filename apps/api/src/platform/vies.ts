import { z } from 'zod';
import type { Clock } from './clock.ts';
import { createOutsideSource, ServiceUnavailableError } from './http-client/http-client.ts';
import type { Log } from './log.ts';

/** The country codes that VIES knows: the member states, Greece as EL, and Northern Ireland. */
export const viesCountries =
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ');

export const isInVies = (vatId: string): boolean => viesCountries.includes(vatId.slice(0, 2));

/** An `unknown` answer means that VIES or the member state did not answer. */
type VatIdAnswer =
  | { state: 'valid' | 'invalid'; consultationNumber: string; registeredName: string }
  | { state: 'unknown'; problem: string };

const answer = z.object({
  valid: z.boolean(),
  requestIdentifier: z.string().max(100).nullish(),
  name: z.string().max(1_000).nullish(),
});
const refusal = z.object({ errorWrappers: z.array(z.object({ error: z.string().max(100) })).min(1) });

/** A member state that shows no names answers with dashes. */
const withoutDashes = (text: string | null | undefined): string => (text ?? '').replace(/^-+$/, '').trim();

function readAnswer(body: unknown): VatIdAnswer {
  // Refusals come with status 200 too.
  const refused = refusal.safeParse(body);
  if (refused.success) {
    const problem = refused.data.errorWrappers[0]?.error ?? '';
    return problem === 'INVALID_INPUT'
      ? { state: 'invalid', consultationNumber: '', registeredName: '' }
      : { state: 'unknown', problem };
  }
  const { valid, requestIdentifier, name } = answer.parse(body);
  return {
    state: valid ? 'valid' : 'invalid',
    consultationNumber: withoutDashes(requestIdentifier),
    registeredName: withoutDashes(name),
  };
}

const split = (vatId: string) => ({ country: vatId.slice(0, 2), number: vatId.slice(2) });

export type Vies = { check(vatId: string): Promise<VatIdAnswer> };

/**
 * Makes a client of VIES, the EU's register of VAT ids, for its REST interface (`/check-vat-number`). VIES
 * gives a consultation number, which proves the check to a tax authority, only to a requester with a VAT id.
 */
export function createVies(parts: { url: string; requesterVatId: string; clock: Clock; log: Log }): Vies {
  const { url, requesterVatId, clock, log } = parts;
  const source = createOutsideSource({
    name: 'vies',
    clock,
    log,
    perMinute: 60,
    timeoutMs: 20_000,
    keepMs: 0,
  });
  const requester = isInVies(requesterVatId) ? split(requesterVatId) : null;
  return {
    async check(vatId) {
      const { country: countryCode, number: vatNumber } = split(vatId);
      const body = {
        countryCode,
        vatNumber,
        requesterMemberStateCode: requester?.country,
        requesterNumber: requester?.number,
      };
      const question = () => ({
        url: new URL(`${url.replace(/\/$/, '')}/check-vat-number`),
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(body),
        },
      });
      try {
        return await source.ask(vatId, question, readAnswer);
      } catch (error) {
        if (!(error instanceof ServiceUnavailableError)) throw error;
        return { state: 'unknown', problem: error.message };
      }
    },
  };
}
