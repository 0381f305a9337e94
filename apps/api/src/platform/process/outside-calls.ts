/** Longer than any useful answer to a sign-in; calls that may take longer name their own limit. */
const answerMs = 20_000;

let original: typeof fetch | undefined;

/** Limits every call by `fetch` that has no limit of its own: the sign-in library's calls to Google and Facebook have none. */
export function limitOutsideCalls(ms = answerMs): void {
  original ??= globalThis.fetch;
  const call = original;
  globalThis.fetch = (input, init) =>
    input instanceof Request || init?.signal
      ? call(input, init)
      : call(input, { ...init, signal: AbortSignal.timeout(ms) });
}
