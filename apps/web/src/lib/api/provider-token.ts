export type CardDetails = {
  kind: 'card';
  number: string;
  expiresMonth: number;
  expiresYear: number;
  cvc: string;
};
export type BankDetails =
  | { kind: 'bank'; holderName: string; country: string; currency: string; iban: string }
  | { kind: 'bank'; holderName: string; country: 'US'; currency: 'USD'; routing: string; account: string };

export type TokenResult = { token: string } | { field: string; problem: string };

/**
 * Sends card or account numbers to the payment provider only, without session or cookies, and returns their
 * token.
 */
export async function sendToProvider(
  tokenUrl: string,
  details: CardDetails | BankDetails,
): Promise<TokenResult> {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(details),
  });
  if (response.ok || response.status === 422) return (await response.json()) as TokenResult;
  throw new Error(`the payment provider answered ${response.status}`);
}
