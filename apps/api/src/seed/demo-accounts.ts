/** The accounts that `npm start` prints. Never created in production (ADR 28). */
export const demoPassword = 'demo-nearhand';

export const demoAccounts = {
  worker: { email: 'leila@demo.nearhand.example', name: 'Leila Haddad' },
  merchant: { email: 'nadia@demo.nearhand.example', name: 'Nadia Zoutman' },
  unverified: { email: 'sam@demo.nearhand.example', name: 'Sam Whitcombe' },
} as const;

/** What `npm start` prints at the end. */
export const demoAccountsInWords = [
  `Demo accounts, all with the password ${demoPassword}:`,
  `  ${demoAccounts.worker.email}    looks for work, and has some today`,
  `  ${demoAccounts.merchant.email}    hires for three businesses`,
  `  ${demoAccounts.unverified.email}      has not verified the email address yet`,
].join('\n');
