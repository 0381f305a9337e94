import { errorFromFailure, errorFromResponse } from './api-error.ts';
import { apiUrl } from './server-address.ts';

type GuestRequest = {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  headers?: Readonly<Record<string, string>>;
};

/**
 * Calls a plain route outside the contract without a session (ADR 161).
 * @throws ApiError
 */
export async function guestFetch({ method, path, body, headers = {} }: GuestRequest): Promise<Response> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(apiUrl(path), {
      method,
      headers: isForm || !body ? headers : { ...headers, 'content-type': 'application/json' },
      body: isForm ? body : body ? JSON.stringify(body) : null,
    });
  } catch (failure) {
    throw errorFromFailure(failure);
  }
  if (!response.ok) throw errorFromResponse(await response.json().catch(() => null), response.status);
  return response;
}

/**
 * Sends a guest's write and ignores the body of the response.
 * @throws ApiError
 */
export async function guestCall(method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
  await guestFetch({ method, path, body });
}
