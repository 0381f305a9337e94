import '../register-hooks.ts';
import { userInfo } from 'node:os';
import { type OperatorRole, operatorRoles } from '@nearhand/contract/operator-roles';
import { systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Db } from '../platform/db.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import {
  type AppointProblem,
  appointOperator,
  listOperators,
  removeOperator,
  setOperatorRoles,
} from '../trust/operators/operators.ts';
import { runCommand, withDatabase } from './run-command.ts';

const usage = `Operators decide disputes that were not settled in time, and contested no-shows (docs/operations.md).

  npm run operator -- add EMAIL ROLE...     an existing, verified account, with one or more roles
  npm run operator -- roles EMAIL ROLE...   these roles instead of the earlier ones
  npm run operator -- remove EMAIL          it also signs them out everywhere
  npm run operator -- list

Roles: ${operatorRoles.join(', ')}.
`;

/** Runs `npm run operator`. Owners also change operators in the console (ADR 176). */
async function changeOperators(): Promise<void> {
  const [command, email = '', ...options] = process.argv.slice(2);
  const roles = operatorRoles.filter((role) => options.includes(role));
  const unknown = options.find((name) => !operatorRoles.some((role) => role === name));
  if ((command === 'add' || command === 'roles') && unknown !== undefined)
    throw new StartRefusedError(`${unknown} is not a role. The roles are ${operatorRoles.join(', ')}.`);
  if (!isCall(command, email, options, roles)) throw new StartRefusedError(usage);
  await withDatabase(readConfig(process.env), async (db) => {
    const by = userInfo().username;
    if (command === 'list') return list(db);
    const change = { add: appointOperator, roles: setOperatorRoles, remove: removeOperator }[command];
    const problem = await change(db, { clock: systemClock }, { email, by, roles });
    if (problem) throw new StartRefusedError(words(problem, email));
    process.stdout.write(
      command === 'remove'
        ? `${email} is no longer an operator.\n`
        : `${email} is an operator: ${roles.join(', ')}.\n`,
    );
  });
}

function isCall(
  command: string | undefined,
  email: string,
  names: readonly string[],
  roles: readonly OperatorRole[],
): command is 'add' | 'roles' | 'remove' | 'list' {
  if (command === 'add' || command === 'roles')
    return email !== '' && roles.length > 0 && roles.length === names.length;
  return names.length === 0 && (command === 'remove' ? email !== '' : command === 'list' && email === '');
}

async function list(db: Db): Promise<void> {
  const rows = await listOperators(db);
  for (const row of rows)
    process.stdout.write(
      `${row.email}  ${row.name}  ${row.roles.join(', ')}  added ${row.addedAt.toISOString()} by ${row.addedBy}\n`,
    );
  if (rows.length === 0) process.stdout.write('There are no operators.\n');
}

function words(problem: AppointProblem, email: string): string {
  switch (problem) {
    case 'no-account':
      return `No account has the address ${email}. Ask them to sign up and verify it first.`;
    case 'not-verified':
      return `The account ${email} is not verified yet.`;
    case 'disabled':
      return `The account ${email} is disabled.`;
    case 'is-one':
      return `${email} is already an operator.`;
    case 'is-none':
      return `${email} is not an operator.`;
    case 'last-owner':
      return `${email} is the last owner. Make someone else an owner first.`;
  }
}

await runCommand(changeOperators);
