// @ts-check
// Runs a command of the server, `apps/api/src/commands/NAME.ts`, with its arguments: accounts, backup, import, operator or providers.
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  await ensurePackages();
  return runHere(projectNode, [`apps/api/src/commands/${name}.ts`, ...args]);
});
