import { checkSocial } from '../people/sign-in/social/check-social.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { checkIdentity } from '../platform/firebase/check-identity.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import { runCommand } from './run-command.ts';

const usage = `Checks the outside services that this server is configured for.

  npm run providers -- check identity   whether people can sign in (docs/identity.md)
  npm run providers -- check stripe     whether money can move (docs/payments.md); a key of test mode also goes through
                                        the flows and cleans up, a live one only reads
`;

const print = (message: string) => void process.stdout.write(`${message}\n`);

async function checkBuiltIn(config: Config): Promise<{ problems: string[]; text: string }> {
  const { checked, problems } = await checkSocial(config, systemClock);
  const working = checked.length > 0 ? ` These answer as they should: ${checked.join(', ')}.` : '';
  return { problems, text: `This server signs people in itself.${working}` };
}

async function checkFirebase(config: Config): Promise<{ problems: string[]; text: string }> {
  const text = `People can sign in with the accounts of ${config.FIREBASE_PROJECT_ID}.`;
  return { problems: await checkIdentity(config, systemClock), text };
}

async function checkPayments(config: Config): Promise<{ problems: string[]; text: string }> {
  const { checkStripe } = await import('../money/stripe/check-stripe.ts');
  const problems = await checkStripe(config);
  const text = 'Stripe accepts the key, and the account is ready.';
  if (problems.length > 0 || !/^[rs]k_test_/.test(config.STRIPE_SECRET_KEY ?? '')) return { problems, text };
  const { walkStripe } = await import('../money/stripe/walk-stripe.ts');
  const walk = await walkStripe(config);
  const next = walk.page
    ? ` To try paying a worker too, finish this page as one, with Stripe's test data, and run the check again: ${walk.page}`
    : '';
  return { problems: walk.problems, text: `${text} These flows worked: ${walk.worked.join('; ')}.${next}` };
}

const checks: Record<string, (config: Config) => Promise<{ problems: string[]; text: string }>> = {
  identity: (config) => (config.IDENTITY_PROVIDER === 'built-in' ? checkBuiltIn : checkFirebase)(config),
  stripe: checkPayments,
};

async function checkProvider(): Promise<void> {
  const [command, provider] = process.argv.slice(2);
  const check = command === 'check' && provider ? checks[provider] : undefined;
  if (!check) throw new StartRefusedError(usage);
  const { problems, text } = await check(readConfig(process.env));
  if (problems.length > 0) throw new StartRefusedError(problems.join('\n'));
  print(text);
}

await runCommand(checkProvider);
