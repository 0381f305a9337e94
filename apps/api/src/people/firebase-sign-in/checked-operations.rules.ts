import type { OperationMeta } from '@nearhand/contract/operation';

/** Writes that an external identity provider is asked about although they are neither guarded nor move money. */
export const alsoChecked: readonly string[] = [
  'cards.add',
  'cards.remove',
  'cards.makeDefault',
  'dataExports.request',
  'offers.accept',
];

/** Whether an external identity provider is asked how the account stands before this write. */
export const isChecked = (operation: string, { effects = [] }: Pick<OperationMeta, 'effects'>): boolean =>
  effects.some((effect) => effect === 'money' || effect.startsWith('guarded')) ||
  alsoChecked.includes(operation);
