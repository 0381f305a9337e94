/** Returns whether there is a pointer finer than a finger, and so most likely a keyboard. */
export const hasFinePointer = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(hover: hover) and (pointer: fine)').matches;
