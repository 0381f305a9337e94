/** A pointer finer than a finger most likely comes with a keyboard. */
export const hasFinePointer = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(hover: hover) and (pointer: fine)').matches;
