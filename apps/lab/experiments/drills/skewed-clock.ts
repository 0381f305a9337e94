import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { serverProcess } from '../money/server-process.ts';
import { openServices, secret } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';

const calls = 200;
/** How long a token is still valid when it is shown to the process with the other clock. */
const leftMs = 10_000;

/**
 * `npm run experiments -- skewed-clock`: tokens with ten seconds left are shown to a process whose clock is 45 seconds ahead: nobody is signed out.
 * The control is ten minutes ahead: it must refuse them. Both show in the metric.
 */
export async function skewedClock(say: (line: string) => void): Promise<boolean> {
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const near = await skewed(url, 45, say);
    const far = await skewed(url, 600, say);
    right = near.refused === 0 && near.isShown && far.refused === calls && far.isShown;
  });
  say(`skewed-clock: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function skewed(url: string, seconds: number, say: (line: string) => void) {
  const services = openServices(url);
  const settings = { SKEW_SECONDS: String(seconds) };
  const ahead = await serverProcess({ databaseUrl: url, sabotage: 'skewed-clock', settings });
  try {
    await ahead.start();
    const signedAt = () => new Date(Date.now() - limits.accessTokenMinutes * minuteMs + leftMs);
    let refused = 0;
    for (let call = 0; call < calls; call += 1) {
      const person = await makeAccount(services.db, services.clock, secret);
      const token = await signAccessToken(secret, { now: signedAt }, person);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${ahead.url}/api/accounts/me`, { headers });
      await answer.body?.cancel();
      if (answer.status === 401) refused += 1;
      else if (!answer.ok) throw new Error(`the call was answered ${answer.status}`);
    }
    const text = await (await fetch(`${ahead.url}/metrics`)).text();
    const shown = Number(/^clock_skew_seconds (\S+)$/m.exec(text)?.[1]);
    say(
      `skewed-clock${seconds > 60 ? ', negative control' : ''}: ${seconds} s ahead; ${refused} of ${calls} tokens refused; the metric says ${shown.toFixed(1)} s`,
    );
    return { refused, isShown: Math.abs(shown - seconds) < 2 };
  } finally {
    await ahead.kill();
    await services.close();
  }
}
