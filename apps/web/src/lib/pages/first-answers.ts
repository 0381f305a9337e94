/**
 * What the server has answered already, in the page itself: the first screen's calls as a guest makes them (ADR 221).
 */
type FirstAnswers = { at: number; answers: Record<string, unknown> };

/** A page can come back from the browser's cache; older answers are asked for again. */
const freshMs = 60_000;

/** The same call, however its parameters are ordered. */
function keyOf(url: string): string {
  const { pathname, searchParams } = new URL(url, globalThis.location.href);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

function read(): Map<string, unknown> {
  const text = globalThis.document?.getElementById('answers')?.textContent;
  if (!text) return new Map();
  const { at, answers } = JSON.parse(text) as FirstAnswers;
  if (Math.abs(Date.now() - at) > freshMs) return new Map();
  return new Map(Object.entries(answers).map(([url, answer]) => [keyOf(url), answer]));
}

let answers: Map<string, unknown> | null = null;

/** The answer to a guest's call that came with the page, once; null if there is none. */
export function firstAnswer({ method, url, headers }: Request): Response | null {
  answers ??= read();
  if (answers.size === 0 || method !== 'GET' || headers.has('authorization')) return null;
  if (performance.now() > freshMs) answers.clear();
  const key = keyOf(url);
  const answer = answers.get(key);
  return answers.delete(key) ? Response.json(answer) : null;
}

/** For tests: what is in the page is read again. */
export function readFirstAnswersAgain(): void {
  answers = null;
}
