import { systemClock } from './platform/clock.ts';
import { ConfigError, readConfig } from './platform/config/config.ts';
import { checkIdentity } from './platform/firebase/check-identity.ts';
import { errorText, StartRefused } from './platform/start-refused.ts';

const usage = `Checks the outside services that this server is configured for.

  npm run providers -- check identity   whether people can sign in (docs/identity.md)
`;

const say = (message: string) => void process.stdout.write(`${message}\n`);

/** `npm run providers`: asks the services themselves and changes nothing. */
async function main(): Promise<void> {
  const [command, provider] = process.argv.slice(2);
  if (command !== 'check' || provider !== 'identity') throw new StartRefused(usage);
  const config = readConfig(process.env);
  if (config.IDENTITY_PROVIDER === 'built-in')
    return say('This server signs people in itself. There is nothing to check.');
  const problems = await checkIdentity(config, systemClock);
  if (problems.length > 0) throw new StartRefused(problems.join('\n'));
  say(`People can sign in with the accounts of ${config.FIREBASE_PROJECT_ID}.`);
}

main().catch((error: unknown) => {
  const known = error instanceof StartRefused || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : `Failed: ${errorText(error)}.`}\n`);
  process.exit(1);
});
