/** Writes before which an external identity provider is asked how the account stands, as `slice.verb`, or `slice.*` for a whole slice. */
export const checkedOperations: readonly string[] = [
  ...['cards.*', 'charges.*', 'holds.*', 'payouts.*', 'disputes.*', 'wallet.*'],
  ...['offers.make', 'offers.accept', 'timesheets.approve', 'timesheets.acceptCounter', 'pay.*', 'rebook.*'],
  ...[
    'passkeys.*',
    'emailChange.*',
    'accountDeletion.*',
    'dataExports.*',
    'team.offerOwnership',
    'team.acceptOwnership',
  ],
];

export const isChecked = (operation: string): boolean =>
  checkedOperations.includes(operation) || checkedOperations.includes(`${operation.split('.')[0]}.*`);
