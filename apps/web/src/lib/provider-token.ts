/** What the provider needs of a card; it goes to the provider alone and is kept nowhere. */
export type CardDetails = {
  kind: 'card';
  number: string;
  expiresMonth: number;
  expiresYear: number;
  cvc: string;
};
/** What the provider needs of a bank account. */
export type BankDetails =
  | { kind: 'bank'; holderName: string; country: string; currency: string; iban: string }
  | { kind: 'bank'; holderName: string; country: 'US'; currency: 'USD'; routing: string; account: string };

export type TokenAnswer = { token: string } | { field: string; problem: string };

/**
 * Sends the numbers of a card or an account from this browser to the payment provider, past our API, and gets the token that stands for them. No session and
 * no cookie goes along.
 * @throws a TypeError without a connection; an Error where the provider fails
 */
export async function sendToProvider(
  tokenUrl: string,
  details: CardDetails | BankDetails,
): Promise<TokenAnswer> {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(details),
  });
  if (response.ok || response.status === 422) return (await response.json()) as TokenAnswer;
  throw new Error(`the payment provider answered ${response.status}`);
}
