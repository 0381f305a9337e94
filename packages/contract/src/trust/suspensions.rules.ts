import type { SuspensionScope } from '../house-rules.ts';
import type { Effect, OpenWhileSuspended } from '../operation.ts';

type Write = { effects?: readonly Effect[]; whileSuspended?: OpenWhileSuspended };

/** Finds a non-blank text at this path, in every item of a list. */
function hasText(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => hasText(item, path));
  const [field, ...rest] = path;
  if (field === undefined) return typeof value === 'string' && value.trim() !== '';
  return (
    typeof value === 'object' && value !== null && hasText((value as Record<string, unknown>)[field], rest)
  );
}

/** A call that carries words to another person. `input` is unvalidated. */
export const carriesText = ({ effects = [] }: Write, input: unknown): boolean =>
  effects.some(
    (effect) =>
      effect === 'text' ||
      (effect.startsWith('text:') && hasText(input, effect.slice('text:'.length).split('.'))),
  );

/** True if a write can lead to a hire. `input` is unvalidated. */
export const leadsToHire = ({ effects = [] }: Write, input: unknown): boolean =>
  effects.some((effect) => {
    if (effect === 'hire') return true;
    if (!effect.startsWith('hire:')) return false;
    const [field = '', value] = effect.slice('hire:'.length).split('=');
    return typeof input === 'object' && input !== null && (input as Record<string, unknown>)[field] === value;
  });

/** Decides by the write's declaration in the contract. Reads are never refused. */
export function refusesWrite(scope: SuspensionScope, write: Write, input: unknown): boolean {
  const { effects = [], whileSuspended } = write;
  const isTalk = whileSuspended !== 'owed' && carriesText(write, input);
  switch (scope) {
    case 'applying':
      return effects.includes('apply');
    case 'hiring':
      return leadsToHire(write, input);
    case 'chat':
      return isTalk;
    case 'everything':
      return whileSuspended === undefined || isTalk;
  }
}
