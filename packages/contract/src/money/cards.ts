import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';
import { returnTo } from './charges.ts';

/** The provider's token for a card or bank account: printable ASCII. */
export const providerToken = z.string().regex(/^[\x21-\x7e]{8,200}$/);

/** A saved card of a business. Only the provider knows its number. */
export const card = z.object({
  id,
  brand: z.string(),
  last4: z.string(),
  expiresMonth: z.number().int(),
  expiresYear: z.number().int(),
  isDefault: z.boolean(),
  /** True if the bank declined the last payment: the card is not suggested then. */
  declined: z.boolean(),
  addedAt: instant,
});
export type Card = z.infer<typeof card>;

const businessErrors = ['business/not-found', 'business/not-allowed'] as const;
export const cardErrors = [
  'payment/card-not-found',
  'payment/card-refused',
  'payment/method-missing',
  'payment/too-little',
] as const;

/** Saved cards of a business. Owners, managers and finance manage them. */
export const cards = {
  add: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'payment/card-refused', 'payment/provider-unavailable'],
    effects: ['provider-checked'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/cards',
      summary: 'Save a card by its provider token',
      successStatus: 201,
    })
    .input(z.object({ businessId: id, token: providerToken }))
    .output(card),
  openPage: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'payment/no-page', 'payment/provider-unavailable'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/card-page',
      summary:
        'Open the provider’s page that saves a card; it leads back with `saved`, the token of `cards.add`, and `savedFor`',
    })
    .input(z.object({ businessId: id, returnTo }))
    .output(z.object({ url: z.url() })),
  remove: operation({
    access: 'member:finance',
    errors: ['payment/card-not-found', 'business/not-allowed'],
    effects: ['provider-checked'],
    whileSuspended: 'owed',
  })
    .route({ method: 'POST', path: '/cards/{cardId}/remove', summary: 'Remove a saved card' })
    .input(z.object({ cardId: id }))
    .output(z.object({ removed: z.literal(true) })),
  makeDefault: operation({
    access: 'member:finance',
    errors: ['payment/card-not-found', 'payment/card-only', 'business/not-allowed'],
    effects: ['provider-checked'],
  })
    .route({ method: 'POST', path: '/cards/{cardId}/default', summary: 'Make a card the default' })
    .input(z.object({ cardId: id }))
    .output(card),
};
