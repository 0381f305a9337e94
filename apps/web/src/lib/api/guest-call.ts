import { errorFromFailure, errorFromResponse } from './api-error.ts';
import { apiUrl } from './server-address.ts';

/** A guest's write, through a plain route outside the contract (ADR 161). @throws ApiError */
export async function guestCall(method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
  let response: Response;
  try {
    response = await fetch(apiUrl(path), {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (failure) {
    throw errorFromFailure(failure);
  }
  if (!response.ok) throw errorFromResponse(await response.json().catch(() => null), response.status);
}
