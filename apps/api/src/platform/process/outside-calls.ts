/** Longer than any useful sign-in response; slower calls set their own limit. */
const answerMs = 20_000;

let original: typeof fetch | undefined;

/** Every Request has a signal, so the signal alone does not show a limit. */
const limited = new WeakSet<Request>();

export function recordLimit(request: Request): Request {
  limited.add(request);
  return request;
}

/** Limits `fetch` calls without a limit, such as the sign-in library's to Google and Facebook. */
export function limitOutsideCalls(ms = answerMs): void {
  original ??= globalThis.fetch;
  const call = original;
  globalThis.fetch = (input, init) => {
    if (init?.signal || (input instanceof Request && limited.has(input))) return call(input, init);
    const limit = AbortSignal.timeout(ms);
    const signal = input instanceof Request ? AbortSignal.any([input.signal, limit]) : limit;
    return call(input, { ...init, signal });
  };
}
