/** Longer than any useful answer to a sign-in; calls that may take longer name their own limit. */
const answerMs = 20_000;

let original: typeof fetch | undefined;

/** Requests with a limit of their own. Every Request has a signal, so the signal alone does not show that. */
const limited = new WeakSet<Request>();

/** Marks a Request that has a limit of its own. */
export function noteLimit(request: Request): Request {
  limited.add(request);
  return request;
}

/** Limits every call by `fetch` that has no limit of its own: the sign-in library's calls to Google and Facebook have none. */
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
